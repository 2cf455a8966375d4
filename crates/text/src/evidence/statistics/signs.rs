//! What a sign costs where it stands: little where it belongs, much where nobody writes it.

use crate::evidence::{apostrophe, faults};

/// The price of a sign where nobody writes it.
const MISPLACED: i32 = -120;

/// What stands around a character that is no letter.
struct SignContext {
    own: char,
    before: char,
    next: char,
    /// Whether an elision ends before it, or one begins behind it.
    is_elision: bool,
}

/// Returns `true` if a character is a letter of a language: the micro sign, which Unicode calls one, is a sign of
/// units.
pub(super) fn is_letter(character: char) -> bool {
    character != 'µ' && faults::is_letter(character)
}

/// The first character of East Asia; all above it are from there, too.
const EAST_ASIAN: char = '\u{2E80}';

/// Returns what the signs of a text cost.
pub(super) fn price(text: &str) -> i32 {
    let characters: Vec<char> = text.chars().collect();
    let mut price = 0;
    for (at, own) in characters.iter().enumerate() {
        if own.is_ascii() || is_letter(*own) {
            continue;
        }
        let is_elision = *own == '’' && is_elision(&characters, at);
        let before = at.checked_sub(1).and_then(|at| characters.get(at)).copied().unwrap_or(' ');
        let next = characters.get(at + 1).copied().unwrap_or(' ');
        price += SignContext { own: *own, before, next, is_elision }.price();
    }
    price
}

/// Returns what a character costs where it belongs, which is between one of some typical pairs of neighbours; 0 for a
/// letter and ASCII.
pub(super) fn least(own: char) -> i32 {
    #[rustfmt::skip]
    const BESIDE: [(char, char); 12] = [
        ('m', ' '), ('.', 'a'), ('1', 'C'), (' ', 'a'), ('a', ' '), ('1', ' '), (' ', ' '), ('1', '1'), ('n', '1'),
        ('a', 'a'), (' ', '1'), ('\u{3042}', '\u{3042}'),
    ];
    if own.is_ascii() || is_letter(own) {
        return 0;
    }
    let contexts = BESIDE.iter().map(|&(before, next)| SignContext { own, before, next, is_elision: true });
    contexts.map(|context| context.price()).max().unwrap_or(MISPLACED)
}

/// Returns `true` if the letters around an apostrophe may be those of an elision: `it’s`, `l’eau`, `dell’anno`. So may
/// any character beside it that is not ASCII.
fn is_elision(characters: &[char], at: usize) -> bool {
    let (before, behind) = characters.split_at(at);
    let behind = behind.get(1..).unwrap_or_default();
    if [before.last(), behind.first()].into_iter().flatten().any(|character| !character.is_ascii()) {
        return true;
    }
    let start = before.iter().rposition(|letter| !is_letter(*letter)).map_or(0, |at| at + 1);
    let word: String = before.iter().skip(start).flat_map(|letter| letter.to_lowercase()).collect();
    let rest = behind.iter().take_while(|letter| is_letter(**letter)).take(REST);
    let rest: String = rest.flat_map(|letter| letter.to_lowercase()).collect();
    apostrophe::is_elision(&word, &rest, behind.first().is_some_and(|letter| letter.is_uppercase()))
}

/// So many letters behind an apostrophe tell what it is.
const REST: usize = 3;

impl SignContext {
    /// Returns what the character costs where it stands, a negative number, by the first row that fits. A sign without
    /// a row here is misplaced. It may cost no less than [`least`] says of it: charsets are dropped by that bound
    /// before anybody asks this (`Score::at_most`), so that a new place where it is cheap needs its pair there.
    fn price(&self) -> i32 {
        let SignContext { own, before, next, .. } = *self;
        let (behind_letter, before_letter) = (is_letter(before), is_letter(next));
        match own {
            '\u{3000}'..='\u{303F}' | '\u{FF00}'..='\u{FFEF}' | '・' | 'ー' => self.east_asian(),
            '’' => self.apostrophe(),
            '“' | '‘' | '„' | '‚' | '«' | '‹' if self.opens() => -40,
            '”' | '“' | '»' | '›' | '‘' if self.closes() => -40,
            '«' | '»' if is_space(before) != is_space(next) || before == '\u{A0}' || next == '\u{A0}' => -50,
            '–' | '—' if is_space(before) && is_space(next) || before.is_ascii_digit() && next.is_ascii_digit() => {
                -40
            }
            '–' | '—' if is_space(before) => -60,
            '–' | '—' if behind_letter && (before_letter || self.ends_word()) => -90,
            '…' if (behind_letter || before.is_ascii_digit() || is_space(before) || self.follows_end())
                && !before_letter =>
            {
                -40
            }
            '”' if self.follows_end() && before_letter => -80,
            '\u{A0}' if !is_space(before) && !is_space(next) => {
                if behind_letter && before_letter {
                    -90
                } else {
                    -50
                }
            }
            '€' | '£' | '¥' if before.is_ascii_digit() || next.is_ascii_digit() || matches!(before, ' ' | '\u{A0}') => {
                -45
            }
            '²' | '³' if before.is_ascii_digit() || matches!(before, 'm' | 'M') && !before_letter => -35,
            '½' | '¼' | '¾' if (before.is_ascii_digit() || is_space(before)) && !before_letter => -40,
            'µ' if !behind_letter && before_letter => -50,
            '°' if before.is_ascii_digit() || matches!(before, 'n' | 'N' | ' ') => -50,
            'º' | 'ª' if before.is_ascii_digit() || matches!(before, 'n' | 'N' | '.') => -50,
            '¿' | '¡' if self.stands_before_word() && before_letter => -40,
            '•' | '·' if !behind_letter && !before_letter => -50,
            '®' | '™' if behind_letter && !before_letter => -40,
            '©' if !behind_letter && !before_letter => -45,
            '®' | '™' | '²' | '³' if behind_letter && before_letter => -85,
            '§' | '№' | '©' | '®' | '™' | '×' | '÷' | '±' | '²' | '³' | '‰' if !(behind_letter && before_letter) => {
                -65
            }
            '،' | '؛' | '؟' => {
                if is_space(before) {
                    -70
                } else {
                    -40
                }
            }
            '־' | '׳' | '״' => -50,
            _ => MISPLACED,
        }
    }

    /// Returns what a sign of East Asia costs: little beside others of there, much beside other letters.
    fn east_asian(&self) -> i32 {
        match (self.before, self.next) {
            (EAST_ASIAN.., _) | (_, EAST_ASIAN..) => -30,
            (before, next) if is_space(before) && is_space(next) => -30,
            (before, next) if is_letter(before) || is_letter(next) => -100,
            _ => -70,
        }
    }

    /// Returns what an apostrophe, or the same quote that closes, costs.
    fn apostrophe(&self) -> i32 {
        let ends = is_letter(self.before)
            || self.before.is_ascii_digit()
            || matches!(self.before, '.' | ',' | '!' | '?' | '…');
        match is_letter(self.before) && is_letter(self.next) {
            true if self.is_elision => -30,
            true => -70,
            false if ends && self.ends_word() => -40,
            false => MISPLACED,
        }
    }

    /// Returns `true` if a quote stands before a word and behind none.
    fn opens(&self) -> bool {
        let begins =
            is_letter(self.next) || !self.next.is_ascii() || self.next.is_ascii_digit() || "([$%".contains(self.next);
        self.stands_before_word() && !self.ends_word() && begins
    }

    /// Returns `true` if a quote stands behind what is no space and at the end of a word.
    fn closes(&self) -> bool {
        self.ends_word() && !is_space(self.before)
    }

    /// Returns `true` if the sign stands behind what ends a sentence or a quotation.
    fn follows_end(&self) -> bool {
        ".,!?)]\"”’»“…".contains(self.before)
    }

    /// Returns `true` if what stands before the sign may stand before a word.
    fn stands_before_word(&self) -> bool {
        is_space(self.before) || "([{-/\"'“‘«„–—".contains(self.before)
    }

    /// Returns `true` if what stands behind the sign may stand behind a word.
    fn ends_word(&self) -> bool {
        is_space(self.next) || ".,;:!?)]}-/\"'”’»…–—".contains(self.next)
    }
}

/// Returns `true` if a character is a space. There are no line ends: the text is one of words that were put together
/// anew.
fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\u{A0}' | '\u{3000}')
}
