//! The faults of a text: what stands in it that no writer puts there.
//!
//! Octets that are read in the charset of another text give letters, signs and controls in places where nobody writes
//! them: a capital behind a small letter, a currency sign within a word, Hebrew beside Cyrillic. A reading is judged by
//! counting such places, and by nothing that depends on a language: scripts and categories come from Unicode, and which
//! letters and characters are usual from the charsets' own tables.
//!
//! Each kind of fault is a row of [`rows::ROWS`], with an example that has it and one that hasn't. A *hard* fault is
//! one that hardly any text has that is read rightly; a *soft* one is only rare in it, and decides between readings
//! that have as many hard ones. Faults are looked for word by word, between white space, in words with a character that
//! is not ASCII.

mod facts;
mod han;
mod kinds;
mod letters;
mod rows;
mod signs;
mod word;

use encoding_rs::Encoding;
pub use han::Han;
use rows::{FaultRow, ROWS, RowReading, Weight};
pub(super) use word::is_letter;
use word::{CharacterInWord, Word, is_space};

use crate::scan;

/// How many faults a text has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Faults {
    /// What hardly any text has that is read rightly.
    pub hard: usize,
    /// What is rare in text that is read rightly.
    pub soft: usize,
}

/// So many characters above ASCII tell what a text is; what follows them says no more.
const ENOUGH: usize = 16 << 10;

/// Returns as much of a text as is looked at, so that a large one takes no longer than another.
pub fn looked_at(text: &str) -> &str {
    // No shorter text has as many.
    if text.len() <= ENOUGH || characters_above_ascii(text) <= ENOUGH {
        return text;
    }
    let mut above = text.char_indices().filter(|(_, character)| !character.is_ascii());
    above.nth(ENOUGH).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

/// Counts the characters above ASCII by the octets that begin them.
fn characters_above_ascii(text: &str) -> usize {
    scan::count(text.as_bytes(), |octet| octet >= 0xC0)
}

/// Counts the faults of a text that was read in UTF-8.
///
/// ```
/// use septet_text::evidence::faults;
///
/// assert_eq!(faults::of_utf_8("Grüße aus Köln, it’s 20 °C…").hard, 0);
/// assert!(faults::of_utf_8("NESCAFɮ").hard > 0, "no charset of eight bits has that letter");
/// ```
pub fn of_utf_8(text: &str) -> Faults {
    count(text, RowReading::Utf8, Han::Any)
}

/// Counts the faults of a text that was read in the charset of its label, whose Han characters are those of `han`.
///
/// ```
/// use septet_text::evidence::faults::{self, Han};
///
/// assert_eq!(faults::of_label("GrĂĽĂźe", Han::None).hard, 2, "capitals behind small letters");
/// assert_eq!(faults::of_label("Жизнь", Han::None).hard, 0);
/// ```
pub fn of_label(text: &str, han: Han) -> Faults {
    count(text, RowReading::Label, han)
}

/// Counts the faults of a text that was read in the charset that another witness than its label names.
pub(super) fn of_witness(text: &str, han: Han) -> Faults {
    count(text, RowReading::Witness, han)
}

/// Returns `true` if a text that was read in the charset of its label has hardly a fault in what is looked at of it;
/// `han` are the Han characters of that charset.
pub(super) fn is_text(text: &str, han: Han) -> bool {
    let text = looked_at(text);
    are_few(of_label(text, han), text)
}

/// Returns `true` if the faults of a text are no more than a text that is read rightly may have: a hard one for ten of
/// its characters above 7F at most. A text of a thousand letters has one or two by right.
pub(super) fn are_few(faults: Faults, text: &str) -> bool {
    faults.hard * 10 <= characters_above_ascii(text)
}

/// Counts the faults of each word that is not ASCII.
fn count(text: &str, reading: RowReading, han: Han) -> Faults {
    let mut faults = Faults::default();
    let mut word = Vec::new();
    for (own, behind) in words_above_ascii(text) {
        word.clear();
        word.extend(own.chars());
        faults.add_word(&word, behind, reading, han);
    }
    faults
}

/// Returns the words that are not ASCII, each with the text that follows it.
fn words_above_ascii(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let (before, from) = rest.split_at_checked(Encoding::ascii_valid_up_to(rest.as_bytes()))?;
            let own = from.chars().next()?;
            if is_space(own) {
                rest = &from[own.len_utf8()..];
                continue;
            }
            let start = before.rfind(is_space).map_or(0, |space| space + 1);
            let end = before.len() + from.find(is_space).unwrap_or(from.len());
            let word = &rest[start..end];
            rest = &rest[end..];
            return Some((word, rest));
        }
    })
}

/// Returns for each character above ASCII all that stands before it, and what begins with it.
pub(super) fn above_ascii(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let own = at + Encoding::ascii_valid_up_to(text.as_bytes().get(at..)?);
        let (before, rest) = text.split_at_checked(own)?;
        at = own + rest.chars().next()?.len_utf8();
        Some((before, rest))
    })
}

impl Faults {
    /// Adds the faults of a word: asks each row about each of its characters that is not ASCII. `behind` is the text
    /// that follows the word.
    fn add_word(&mut self, word: &[char], behind: &str, reading: RowReading, han: Han) {
        // Only one row counts once in a word.
        let mut is_rare_seen = false;
        let whole = Word::new(word, behind, han);
        for at in 0..word.len() {
            let at = CharacterInWord::new(&whole, at);
            if at.own().is_ascii() {
                continue;
            }
            for row in ROWS.iter().filter(|row| reading.is_judged_by(row.of)) {
                if (row.is_once && is_rare_seen) || !(row.finds)(&at) {
                    continue;
                }
                is_rare_seen |= row.is_once;
                self.add(row);
                if row.is_last {
                    break;
                }
            }
        }
    }

    fn add(&mut self, row: &FaultRow) {
        match row.weight {
            Weight::Hard => self.hard += 1,
            Weight::Soft => self.soft += 1,
        }
    }
}
