//! UTF-8 that was encoded twice: `Ã¼` for `ü`.
//!
//! Some program took the octets of UTF-8 for windows-1252, or for ISO-8859-1, and wrote that text in UTF-8. What came
//! of it is a text like any other; but where all its characters above ASCII are octets of UTF-8 again, and make no
//! sense otherwise, nobody wrote it. A text of which only some lines are such, as of what it quotes, is judged line by
//! line.
//!
//! Signs of windows-1252 that were taken for ISO-8859-1 are of the kind: `It\u{92}s` has a control character where an
//! apostrophe was. A paragraph is read so only where all controls of C1 in it are signs on which all charsets of
//! Windows agree, or the euro, and each stands where writers put it; for in other charsets these octets are letters.

use std::iter::once;
use std::sync::LazyLock;

use encoding_rs::Encoding;

use super::agreeing::are_agreeing_signs;
use super::faults::{self, Han};
use super::utf_8::{Utf8Verdict, label_or_utf_8};
use crate::charset::Charset;
use crate::scan::has_c1;

/// Returns the text that was meant by one that is encoded twice, or more than that, all of it or some of its lines;
/// none for all others.
///
/// ```
/// use septet_text::evidence::encoded_once;
///
/// assert_eq!(encoded_once("GrÃ¼ÃŸe").as_deref(), Some("Grüße"));
/// assert_eq!(encoded_once("GrÃƒÂ¼e").as_deref(), Some("Grüe"), "three times");
/// assert_eq!(encoded_once("für Köln\n> GrÃ¼ÃŸe\n").as_deref(), Some("für Köln\n> Grüße\n"));
/// assert_eq!(encoded_once("It\u{92}s").as_deref(), Some("It’s"));
/// assert_eq!(encoded_once("Grüße, AMANHÃ"), None);
/// ```
pub fn encoded_once(text: &str) -> Option<String> {
    let mut meant: Option<String> = None;
    // Each time there are fewer characters, or fewer controls.
    while let Some(again) = undone_once(meant.as_deref().unwrap_or(text)) {
        meant = Some(again);
    }
    meant
}

/// Returns the texts that were meant by the pieces of one text, which is judged as a whole; none where it is not
/// encoded twice, or where a piece ends within a character.
pub fn pieces_encoded_once(pieces: &[&str]) -> Option<Vec<String>> {
    let mut meant: Option<Vec<String>> = None;
    loop {
        let now: Vec<&str> = meant.as_ref().map_or(pieces.to_vec(), |meant| meant.iter().map(String::as_str).collect());
        let whole = now.concat();
        let next: Option<Vec<String>> = match (undone(&whole), signs_undone(&whole)) {
            (Some(_), _) => now.iter().map(|piece| without_encoding(piece)).collect(),
            (None, Some(_)) => Some(now.iter().map(|piece| with_signs(piece)).collect()),
            (None, None) => return meant,
        };
        meant = Some(next?);
    }
}

/// Takes one encoding off a text, or off those lines that have one more than the others, or else off its signs.
fn undone_once(text: &str) -> Option<String> {
    let of_encoding = match has_neighbours_of_octets(text.as_bytes()) {
        true => undone(text).or_else(|| by_pieces(text, |_| true, undone)),
        false => None,
    };
    of_encoding.or_else(|| signs_undone(text))
}

/// Returns `true` if a character that an octet from 80 to BF is in windows-1252 stands behind one above ASCII: without
/// such a pair no line has two encodings. In UTF-8 all those characters begin with one of the octets that are searched.
fn has_neighbours_of_octets(text: &[u8]) -> bool {
    let found = memchr::memchr3_iter(0xC2, 0xC5, 0xE2, text).chain(memchr::memchr2_iter(0xC6, 0xCB, text));
    found.filter_map(|at| text.get(at.checked_sub(1)?)).any(|before| !before.is_ascii())
}

/// Takes one encoding off a text; `None` where it was not encoded twice in all likelihood. A single character above
/// ASCII is too little to say so, unless the text as it stands has a hard fault.
fn undone(text: &str) -> Option<String> {
    let mut above = text.get(Encoding::ascii_valid_up_to(text.as_bytes())..)?.chars();
    // What begins a character of UTF-8 in windows-1252, and what goes on with it.
    above.next().filter(|first| matches!(first, 'Â'..='ô'))?;
    above.next().and_then(octet).filter(|next| matches!(next, 0x80..=0xBF))?;
    let octets: Vec<u8> = text.chars().map(octet).collect::<Option<_>>()?;
    let is_utf_8 = label_or_utf_8(Charset::WINDOWS_1252, &octets) == Some(Utf8Verdict::Utf8);
    let meant = String::from_utf8(octets).ok().filter(|_| is_utf_8)?;
    let is_enough = meant.chars().filter(|character| !character.is_ascii()).nth(1).is_some()
        || faults::of_label(faults::looked_at(text), Han::None).hard > 0;
    is_enough.then_some(meant)
}

/// Takes one encoding off a text without asking what speaks for that; `None` where its characters are no octets of
/// UTF-8.
fn without_encoding(text: &str) -> Option<String> {
    String::from_utf8(text.chars().map(octet).collect::<Option<_>>()?).ok()
}

/// Changes those pieces of a text that `change` changes, each by itself; `None` where it changes none. A piece ends
/// with a line for which `ends` is `true`.
fn by_pieces(text: &str, ends: impl Fn(&str) -> bool, change: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut out: Option<String> = None;
    let (mut start, mut end) = (0, 0);
    for line in text.split_inclusive('\n') {
        end += line.len();
        if !ends(line) && end < text.len() {
            continue;
        }
        let piece = text.get(start..end)?;
        match (change(piece), &mut out) {
            (Some(changed), Some(out)) => out.push_str(&changed),
            (Some(changed), None) => out = Some(text.get(..start)?.to_owned() + &changed),
            (None, Some(out)) => out.push_str(piece),
            (None, None) => {}
        }
        start = end;
    }
    out
}

/// Writes the signs that controls of C1 were, in those paragraphs of a text where that is what they were; `None` where
/// there is no such paragraph. What opens in one need not be closed in the next.
fn signs_undone(text: &str) -> Option<String> {
    if has_c1(text) { by_pieces(text, |line| line.trim().is_empty(), signs_of_paragraph) } else { None }
}

/// Writes the signs of one paragraph; `None` where it has no controls of C1, or these are no signs.
fn signs_of_paragraph(text: &str) -> Option<String> {
    (has_c1(text) && are_signs(text)).then(|| with_signs(text))
}

/// Returns `true` if all controls of C1 in a text are signs of windows-1252, each in its place; it must have some. What
/// else is no ASCII there has no say.
fn are_signs(text: &str) -> bool {
    let (before, behind) = (once(' ').chain(text.chars()), text.chars().skip(1).chain(once(' ')));
    let octets: Vec<u8> = text.chars().zip(before.zip(behind)).map(|(it, beside)| octet_like(it, beside)).collect();
    are_agreeing_signs(&octets)
}

/// Returns what stands for a character between two others when [`are_agreeing_signs`] judges the signs: a control of C1
/// is the octet of its sign, anything else is ASCII of its kind, on which that has nothing to say.
fn octet_like(character: char, (before, behind): (char, char)) -> u8 {
    match character {
        ascii if ascii.is_ascii() => ascii as u8,
        '\u{80}' if is_price(before, behind) => b'.',
        control @ '\u{80}'..='\u{9F}' => control as u8,
        white if white.is_whitespace() => b' ',
        // A vowel: before one an apostrophe may stand for another (`l’été`).
        letter if letter.is_alphanumeric() => b'e',
        _ => b'.',
    }
}

/// Returns `true` if the sign of a currency may stand between two characters: beside a figure, and touching no letter.
fn is_price(before: char, behind: char) -> bool {
    (before.is_ascii_digit() || behind.is_ascii_digit() || before.is_whitespace())
        && !before.is_alphabetic()
        && !behind.is_alphabetic()
}

/// Returns a text with the characters that windows-1252 has in the place of controls of C1.
fn with_signs(text: &str) -> String {
    text.chars().map(sign).collect()
}

/// Returns the character that windows-1252 has in the place of a control of C1; any other as it is.
fn sign(character: char) -> char {
    match character {
        '\u{80}'..='\u{9F}' => HIGH
            .iter()
            .find(|(_, octet)| u32::from(*octet) == u32::from(character))
            .map_or(character, |(sign, _)| *sign),
        other => other,
    }
}

/// What windows-1252 has at 80 to 9F.
static HIGH: LazyLock<Vec<(char, u8)>> = LazyLock::new(|| {
    (0x80..=0x9F)
        .filter_map(|octet| Some((Charset::WINDOWS_1252.decode(&[octet]).ok()?.chars().next()?, octet)))
        .collect()
});

/// Returns the octet of a character in windows-1252, or in ISO-8859-1; `None` where it is in neither.
fn octet(character: char) -> Option<u8> {
    if let Ok(octet) = u8::try_from(u32::from(character)) {
        return Some(octet);
    }
    HIGH.iter().find(|(high, _)| *high == character).map(|(_, octet)| *octet)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Encodes a text in UTF-8, and takes the octets for windows-1252, as browsers do.
    fn twice(text: &str) -> String {
        text.bytes()
            .map(|octet| {
                Charset::WINDOWS_1252.decode(&[octet]).map_or(char::from(octet).into(), |one| one.into_owned())
            })
            .collect()
    }

    #[test]
    fn what_is_encoded_twice_is_found() {
        for text in ["Grüße aus Köln", "it’s “so” …", "Привет, мир", "日本語のテスト", "Łódź à côté", "😀 ok", "één"]
        {
            assert_eq!(encoded_once(&twice(text)).as_deref(), Some(text));
            assert_eq!(encoded_once(&twice(&twice(text))).as_deref(), Some(text));
        }
    }

    #[test]
    fn a_text_is_what_it_is() {
        let texts =
            ["plain", "Grüße", "NESCAFÉ®", "AMANHÃ® – LÃ", "Ã¼ means ü", "Â", "Привет", "PÅ…", "5 € à l’ancienne"];
        for text in texts {
            assert_eq!(encoded_once(text), None, "{text}");
        }
    }

    #[test]
    fn signs_of_windows_are_found_where_controls_stand() {
        for (text, meant) in [
            ("It\u{92}s \u{93}here\u{94}", "It’s “here”"),
            ("caf\u{E9} \u{96} d\u{92}\u{E9}t\u{E9}\u{85}", "café – d’été…"),
            ("5 \u{80}, \u{80}20", "5 €, €20"),
            ("для \u{84}всех\u{93}", "для „всех“"),
            ("\u{93}one\n\nIt\u{92}s", "\u{93}one\n\nIt’s"),
        ] {
            assert_eq!(encoded_once(text).as_deref(), Some(meant));
            assert_eq!(encoded_once(meant), None, "once");
        }
    }

    /// Letters of DOS, the Macintosh and others, read as ISO-8859-1; the end of a line in EBCDIC.
    #[test]
    fn controls_that_may_be_letters_stay() {
        for text in
            ["K\u{94}ln", "f\u{81}r", "perch\u{82} no", "\u{93}ter", "f\u{8A}r", "a\u{85}b", "\u{9F}", "\u{80}a"]
        {
            assert_eq!(encoded_once(text), None, "{}", text.escape_unicode());
        }
    }

    #[test]
    fn lines_are_judged_apart() {
        let quoted = twice("> Gerne können wir das Gespräch führen,\r\n") + &twice("> wenn Sie möchten.\r\n");
        let text = format!("Danke schön.\r\n\r\n{quoted}Grüße\r\n");
        let meant = "Danke schön.\r\n\r\n> Gerne können wir das Gespräch führen,\r\n> wenn Sie möchten.\r\nGrüße\r\n";
        assert_eq!(encoded_once(&text).as_deref(), Some(meant));
        assert_eq!(encoded_once(meant), None);
        for text in ["ü is shown as Ã¼\n", "Grüße\nAMANHÃ® – LÃ\n", "Ã¼ means ü\nÃ¶ means ö\n"] {
            assert_eq!(encoded_once(text), None, "{text}");
        }
    }

    fn pieces(pieces: &[&str]) -> Option<String> {
        pieces_encoded_once(pieces).map(|pieces| pieces.concat())
    }

    #[test]
    fn pieces_are_judged_together() {
        assert_eq!(pieces(&["Ã ", " ", "K\u{C3}\u{B6}ln"]), None, "half a character");
        assert_eq!(pieces(&["KÃ¶ln", " ", "CafÃ©"]).as_deref(), Some("Köln Café"));
        assert_eq!(pieces(&["\u{93}It", "\u{92}s\u{94}"]).as_deref(), Some("“It’s”"));
        assert_eq!(pieces(&["Grüße", " ", "x"]), None);
    }
}
