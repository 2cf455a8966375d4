//! Octets that mean the same in every charset of Windows: quotes, dashes, the ellipsis, `©`.
//!
//! Mail without a label, or with one that its octets disprove, has nothing else above 7F more often than not:
//! `It\x92s`. The charsets windows-1250 to 1258 agree on thirty octets, so that within that family nothing is guessed.
//! In other charsets they are letters (`‘g` is `組` in Shift_JIS), and so they are read only where each sign stands as
//! it does in writing.

use super::apostrophe::is_elision;
use super::faults::{self, Han};
use crate::charset::Charset;

/// Returns `true` if all octets above 7F are signs on which all charsets of Windows agree, each in its place. Octets of
/// nothing but ASCII pass too: the caller has others.
pub fn are_agreeing_signs(octets: &[u8]) -> bool {
    if !octets.iter().all(|octet| octet.is_ascii() || agrees(*octet)) {
        return false;
    }
    let Ok(text) = Charset::WINDOWS_1252.decode(octets) else { return false };
    faults::of_label(&text, Han::None).hard == 0 && are_in_place(&text)
}

/// Returns `true` if windows-1250 to 1258 all have one and the same character at an octet.
fn agrees(octet: u8) -> bool {
    matches!(octet, 0x82 | 0x84..=0x87 | 0x89 | 0x8B | 0x91..=0x97 | 0x99 | 0x9B | 0xA0 | 0xA6 | 0xA7 | 0xA9)
        || matches!(octet, 0xAB..=0xAE | 0xB0 | 0xB1 | 0xB5..=0xB7 | 0xBB)
}

/// What the pairs of quotes are, as English, German, French and others write them.
const PAIRS: [(char, &str); 8] =
    [('“', "”"), ('‘', "’"), ('„', "“”"), ('‚', "‘’"), ('«', "»"), ('»', "«"), ('‹', "›"), ('”', "”")];

/// How a sign stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// Where writers put it.
    InPlace,
    /// Where some put it, and where a letter of another charset would stand: `word — word` has it in place, `word—
    /// word` not so surely (`fall—` is `falló` on the Macintosh).
    Doubtful,
    Misplaced,
}

impl Standing {
    /// Says that a sign is in place, or that it is misplaced.
    fn of(is_in_place: bool) -> Standing {
        if is_in_place { Standing::InPlace } else { Standing::Misplaced }
    }
}

/// Returns `true` if each sign of a text stands where writers put it, and each quote that opens is closed. One that
/// stands in a doubtful place is borne out by another of its kind that does not.
fn are_in_place(text: &str) -> bool {
    let (mut open, mut in_place, mut doubtful) = (Vec::new(), Vec::new(), Vec::new());
    for (before, rest) in faults::above_ascii(text) {
        let mut behind = rest.chars();
        let Some(sign) = behind.next() else { break };
        match (SignInText { before, behind: behind.as_str() }).standing(sign, &mut open) {
            Standing::InPlace => add_once(&mut in_place, sign),
            Standing::Doubtful => add_once(&mut doubtful, sign),
            Standing::Misplaced => return false,
        }
    }
    open.is_empty() && doubtful.iter().all(|sign| in_place.contains(sign))
}

/// Adds a sign that is not there yet: there are thirty of them at most, however many a text has.
fn add_once(signs: &mut Vec<char>, sign: char) {
    if !signs.contains(&sign) {
        signs.push(sign);
    }
}

/// A sign in its text.
struct SignInText<'t> {
    before: &'t str,
    behind: &'t str,
}

/// Returns a character; a space for white space, and where there is none.
fn shown(character: Option<char>) -> char {
    character.filter(|character| !character.is_whitespace()).unwrap_or(' ')
}

impl SignInText<'_> {
    /// Says how a sign stands, and opens or closes a quote in `open`: those before it that nothing has closed. The
    /// first rule that fits counts, so that a `’` is a quote only where it is no apostrophe. A sign without a rule is
    /// misplaced.
    fn standing(&self, sign: char, open: &mut Vec<char>) -> Standing {
        let (behind_letter, before_letter) = (self.before().is_alphabetic(), self.next().is_alphabetic());
        Standing::of(match sign {
            '’' if self.is_apostrophe() => true,
            '‘' | '’' | '“' | '”' | '„' | '‚' | '«' | '»' | '‹' | '›' => self.take_quote(sign, open),
            '–' | '—' => return self.standing_of_dash(),
            '…' => self.is_ellipsis(),
            '\u{A0}' if behind_letter && before_letter => false,
            // It may be a letter of DOS at a word's end or start.
            '\u{A0}' if behind_letter || before_letter && self.before() == ' ' => return Standing::Doubtful,
            '\u{A0}' => true,
            '\u{AD}' => behind_letter && before_letter,
            '™' | '®' => self.before().is_alphanumeric() && !before_letter,
            '°' => self.before().is_ascii_digit() || self.before() == ' ',
            '·' if self.before() == 'l' && self.next() == 'l' => true,
            '†' | '‡' | '§' | '¶' => !behind_letter && !before_letter,
            '·' | '•' | '©' | '±' | 'µ' => !behind_letter,
            _ => false,
        })
    }

    /// The character before it; a space at the start, and for all white space.
    fn before(&self) -> char {
        shown(self.before.chars().next_back())
    }

    /// The character behind it, likewise.
    fn next(&self) -> char {
        shown(self.behind.chars().next())
    }

    /// The letters right before it, in lower case.
    fn letters_before(&self) -> String {
        let start = self.before.trim_end_matches(char::is_alphabetic).len();
        self.before.get(start..).into_iter().flat_map(str::chars).flat_map(char::to_lowercase).collect()
    }

    /// The letters right behind it, in lower case.
    fn letters_behind(&self) -> String {
        self.behind.chars().take_while(|letter| letter.is_alphabetic()).flat_map(char::to_lowercase).collect()
    }

    /// Returns `true` if a quote is an apostrophe: before an ending of English, where French or Italian elides, in a
    /// name (`O’Brien`), before a year, at the end of a word in `s`, or between a figure and an `s`.
    fn is_apostrophe(&self) -> bool {
        let (before, behind) = (self.letters_before(), self.letters_behind());
        match (before.is_empty(), behind.is_empty()) {
            (false, false) => is_elision(&before, &behind, self.next().is_uppercase()),
            (false, true) => before.ends_with('s') && self.next() == ' ',
            (true, true) => self.before() == ' ' && self.next().is_ascii_digit(),
            (true, false) => self.before().is_ascii_digit() && behind == "s",
        }
    }

    /// Closes the last quote that is open, or opens one; returns `false` if the sign can do neither where it stands.
    fn take_quote(&self, sign: char, open: &mut Vec<char>) -> bool {
        let closes = open
            .last()
            .is_some_and(|opened| PAIRS.iter().any(|(opening, closing)| opening == opened && closing.contains(sign)));
        let ends = self.before() != ' ' || matches!(sign, '»' | '›');
        if closes && ends && !self.next().is_alphanumeric() {
            open.pop();
            return true;
        }
        let opens = PAIRS.iter().any(|(opening, _)| *opening == sign);
        let begins = !self.before().is_alphanumeric() && (self.next() != ' ' || matches!(sign, '«' | '‹'));
        if opens && begins {
            open.push(sign);
        }
        opens && begins
    }

    /// Says how a dash stands: in place where it has no letter on either side, or stands between two words of three
    /// letters or more; in doubt where it has a letter on one side, and a space or the end of a line on the other.
    fn standing_of_dash(&self) -> Standing {
        let (before, next) = (self.before(), self.next());
        match (before.is_alphabetic(), next.is_alphabetic()) {
            (true, true) => {
                Standing::of(self.letters_before().chars().count() >= 3 && self.letters_behind().chars().count() >= 3)
            }
            (true, false) if next == ' ' => Standing::Doubtful,
            (false, true) if before == ' ' => Standing::Doubtful,
            (true, false) | (false, true) => Standing::Misplaced,
            (false, false) => {
                Standing::of(before == ' ' || next == ' ' || before.is_ascii_digit() && next.is_ascii_digit())
            }
        }
    }

    /// Returns `true` if an ellipsis follows three letters or what is no letter, and no letter follows it.
    fn is_ellipsis(&self) -> bool {
        let before = self.before();
        let is_behind_word = self.letters_before().chars().count() >= 3 || !before.is_alphabetic();
        is_behind_word && !self.next().is_alphabetic()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_read_and_letters_are_not() {
        assert!(are_agreeing_signs(b"It\x92s \xA9 2007, \x93all\x94 of them\x85"));
        assert!(!are_agreeing_signs(b"caf\xE9"), "a letter");
        assert!(!are_agreeing_signs(b"\x91g"), "a quote that nothing closes");
    }

    #[test]
    fn the_charsets_of_windows_agree_on_thirty_octets() {
        let windows: Vec<_> =
            Charset::all().iter().filter(|charset| charset.name().starts_with("windows-125")).collect();
        assert_eq!(windows.len(), 9);
        assert_eq!((0x80..=0xFF).filter(|octet| agrees(*octet)).count(), 30);
        for octet in 0x80..=0xFF {
            let octets = [octet];
            let all: Vec<_> = windows.iter().map(|charset| charset.decode(&octets).ok()).collect();
            let is_same = all.windows(2).all(|pair| pair[0] == pair[1] && pair[0].is_some());
            assert_eq!(agrees(octet), is_same, "{octet:#x}");
        }
    }

    #[test]
    fn signs_in_their_places() {
        for text in [
            "don’t want to pay? “Now” you can – today…",
            "L’heure d’une “chose”",
            "the ’90s, 1990–1999, word—another",
            "‘So’, he said, ‘it is the boys’ room’",
            "• one\n• two\n© 2007",
            "„Also“ ‚so‘",
            "He said “she said ‘no’” to me",
            "20 °C ±5 col·leccio",
            "so\u{A0} it ends.\u{A0} And",
            "From:\u{A0}Ann",
            "one – two – e –mail",
        ] {
            let octets = Charset::WINDOWS_1252.encode(text).expect("Western signs");
            assert!(are_agreeing_signs(&octets), "{text}");
        }
    }

    /// Each doubtful sign was looked for among all others: of a text of 200,000 signs that took minutes.
    #[test]
    fn many_signs_take_no_longer_each() {
        let text = [&b"\xA9 ".repeat(200_000)[..], b"a \x96 b ", &b"e \x96mail ".repeat(200_000)].concat();
        assert!(are_agreeing_signs(&text));
    }

    #[test]
    fn letters_of_other_charsets_are_no_signs() {
        // DOS, Macintosh, Shift_JIS, KOI8-R.
        for octets in [
            &b"E\x96enge"[..],
            b"\x91g",
            b"f\xA6r",
            b"\x93\x95\x93 x",
            b"perch\x82 no",
            b"fall\x97 hoy",
            b"est\xA0 como",
        ] {
            assert!(!are_agreeing_signs(octets), "{}", octets.escape_ascii());
        }
    }
}
