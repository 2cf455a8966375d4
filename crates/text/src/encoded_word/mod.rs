//! Encoded-words, both ways (RFC 2047, RFC 2231 §5).
//!
//! `=?charset?Q?text?=` carries text of any charset through header fields. The rules are short; what mail makes
//! of them is not. This module reads what stands in real mail and writes what the rules ask for.
//!
//! # Reading
//!
//! [`words`] finds what has the shape of a word, [`groups`] decodes a run of them (words with nothing but white
//! space between), [`runs()`] does both for a text. The order of the work decides what comes out right:
//!
//! 1. Each word's Q or B coding is undone by itself, so padding in mid-run ends a word and not the run.
//! 2. The octets of neighbours with one charset are joined, and only then decoded: a character may be split
//!    over words, and the shift state of ISO-2022-JP or UTF-7 may be carried over.
//! 3. Where the joined octets are ill-formed, base64 that was cut between words is joined digit by digit, and
//!    failing that each word is decoded alone, so that one bad word does not spoil its neighbours.
//! 4. Where they end inside a character, all before it is text ([`CutText`]).
//! 5. Where the label is unknown or untrue, the caller's guess is asked.
//!
//! White space between words vanishes (§6.2); white space inside a word, even a fold, is read as text. A word
//! whose text would set free a control character other than TAB (CR, LF and NUL above all) is left encoded:
//! nothing that reads the result may take it for a new field ([`TextError::Control`]).
//!
//! # Writing
//!
//! [`encode()`] writes words of at most 75 characters on lines of at most 76, each with whole characters in it, Q
//! or B, whichever is shorter for the whole text.
//!
//! **Limits:** none of its own; time and memory are linear in the input, whatever it is.

mod base;
mod conformity;
mod encode;
mod group;
mod half;
mod name;
mod quoted;
mod runs;
mod scan;
mod text;

pub use encode::{
    LINE_LIMIT, LinePosition, WordFormat, encode, field_octets, fits_one_word, is_cut_better_on_a_new_line,
};
pub use group::{Conformity, CutText, GroupText, TextError, WordGroup, WordReader, WordRun};
pub use runs::{groups, is_white, octets, runs};
pub use scan::{EncodedWord, EncodedWords, Encoding, starts, words};
pub use text::{
    DecodedText, ReadText, TextFault, decode_mixed, decode_raw, decode_unstructured, needs_words, raw_charset,
    raw_text, unfold,
};

/// The most characters that a word has (RFC 2047 §2).
pub const WORD_LIMIT: usize = 75;

/// Where a word stands: the octets that may stand bare in it differ (RFC 2047 §5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WordPlace {
    /// In unstructured text (§5 (1)).
    Text,
    /// In a comment (§5 (2)).
    Comment,
    /// In a phrase, such as a display name (§5 (3)).
    Phrase,
}

/// Returns `true` if a character must not come out of a word: C0 other than TAB, and DEL.
///
/// CR, LF and NUL would end the field or the string for whoever reads on; the others have no place in a header
/// field (RFC 5322 §3.2.5) and some drive terminals. C1 is text to every decoder and comes out.
///
/// ```
/// use septet_text::encoded_word::is_control;
///
/// assert!(is_control('\r') && is_control('\0') && !is_control('\t'));
/// ```
pub fn is_control(character: char) -> bool {
    character.is_ascii_control() && character != '\t'
}

/// Returns `true` for C1 controls, U+2028 and U+2029: at some of them a line ends for those who go by Unicode.
pub fn is_line_separator(character: char) -> bool {
    matches!(character, '\u{80}'..='\u{9F}' | '\u{2028}' | '\u{2029}')
}
