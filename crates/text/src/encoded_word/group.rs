//! What encoded-words are read with, and what they say: runs, and the groups of one charset in them.

use std::error::Error;
use std::fmt;
use std::ops::Range;

use super::Encoding;
use crate::charset::{Charset, Labels, MalformedError};
use crate::evidence::{Because, DecodeError, Origin, Reading, Witnesses};

/// What is needed to read words: the meaning of labels, and what to hear where a label means nothing.
#[derive(Clone, Copy)]
pub struct WordReader<'a> {
    /// What is known of octets beside their label.
    pub witnesses: Witnesses<'a>,
    /// Whether ill-formed text is read all the same, with U+FFFD for each fault.
    pub lossy: bool,
    /// Whether octets that nothing reads are taken for [`Charset::UNKNOWN_8BIT`], raw ones and those labelled so.
    pub unknown_8bit: bool,
}

impl<'a> WordReader<'a> {
    /// Makes a reader that hears labels and octets alone.
    pub fn new(labels: &'a Labels) -> WordReader<'a> {
        WordReader { witnesses: Witnesses::none(labels), lossy: false, unknown_8bit: false }
    }

    /// Returns `true` if a label says that nobody knows the charset of octets, and that is to be believed.
    pub fn is_unknown_8bit(&self, label: &[u8]) -> bool {
        self.unknown_8bit && label.eq_ignore_ascii_case(Charset::UNKNOWN_8BIT.name().as_bytes())
    }

    /// Returns who is heard of octets under a label: where that says that nobody knows their charset, it is not
    /// guessed.
    pub fn witnesses_of(&self, label: &[u8]) -> Witnesses<'a> {
        if self.is_unknown_8bit(label) { self.witnesses.without_statistics() } else { self.witnesses }
    }
}

/// Words with nothing but white space between, as they were found in a text.
#[derive(Debug, Clone, PartialEq)]
pub struct WordRun {
    /// From the first octet of the first word to the last of the last.
    pub at: Range<usize>,
    /// The words, those of one charset together.
    pub groups: Vec<WordGroup>,
}

/// Neighbouring words of one charset.
#[derive(Debug, Clone, PartialEq)]
pub struct WordGroup {
    /// From the first octet of the first word to the last of the last.
    pub at: Range<usize>,
    /// The charset's label as the first word has it.
    pub label: String,
    /// The language tag, where all words have the same one (RFC 2231 §5).
    pub language: Option<String>,
    /// How well the words are written, the worst of them.
    pub conformity: Conformity,
    /// How the words are coded, where all are coded alike.
    pub encoding: Option<Encoding>,
    /// The text, or why the words are left as they are.
    pub outcome: Result<GroupText, TextError>,
    /// What words that are left say all the same, where only their last character is cut.
    pub cut: Option<CutText>,
}

/// What words say that end inside a character.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CutText {
    /// The text before that character.
    pub text: GroupText,
    /// A word of the octets that are left of it.
    pub half: String,
}

/// How well words or parameters are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Conformity {
    /// Some readers show something else, or the word as it stands.
    Broken,
    /// A rule is broken, and every reader shows the text all the same: a word has more than 75 characters, or octets
    /// bare that its place forbids and no reader minds.
    Readable,
    /// They obey RFC 2047 to the letter: at most 75 characters, white space around, no octet that their place forbids,
    /// whole characters in each word; for UTF-7 also Q, and Set D alone.
    Conforming,
}

/// What a group says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupText {
    /// The charset that it was decoded from.
    pub charset: Charset,
    /// The text; without control characters other than TAB.
    pub text: String,
    /// The witness that said so.
    pub because: Because,
    /// How many faults in it are U+FFFD now; none but for a reader that is lossy.
    pub lost: usize,
    /// The line end behind it, as some programs leave one at the end of a subject; empty where there is none. It is no
    /// part of the text: nothing but a word may say it.
    pub line_end: &'static str,
}

impl GroupText {
    /// Returns what it was read from, as reports say it.
    pub fn origin(&self, label: &str) -> Origin {
        let GroupText { charset, text, because, .. } = self;
        Origin::of(label, &Reading { charset: *charset, text: text.into(), because: *because, second: None })
    }
}

/// Why words are left as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextError {
    /// No coder knows the label.
    UnknownCharset(String),
    /// The octets are ill-formed in the charset that the label names.
    Malformed {
        /// The charset's name.
        charset: String,
        /// Where, in the decoded octets, and how.
        source: MalformedError,
    },
    /// The octets may be in the charset of their label, or in UTF-8.
    Ambiguous(String, String),
    /// Raw 8-bit octets are not UTF-8, and nothing says what they are.
    Unlabelled(MalformedError),
    /// Its letters may stand in the order in which they are seen (RFC 1556).
    Visual,
    /// The text holds a control character.
    Control,
    /// The base64 may be in the alphabet for addresses (RFC 4648 §5), of whose digits readers skip two.
    UrlAlphabet,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextError::UnknownCharset(label) => write!(f, "the charset {label} is unknown"),
            TextError::Malformed { charset, .. } => write!(f, "the text is ill-formed in {charset}"),
            TextError::Ambiguous(one, other) => write!(f, "the text may be in {one}, or in {other}"),
            TextError::Unlabelled(malformed) => write!(f, "octets without a charset: {malformed}"),
            TextError::Visual => f.write_str("the text may be in visual order"),
            TextError::Control => f.write_str("the text holds a control character"),
            TextError::UrlAlphabet => f.write_str("the base64 may be in the alphabet for addresses"),
        }
    }
}

impl Error for TextError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            TextError::Malformed { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl TextError {
    /// Says why octets under a label are left, of which the judge is in doubt.
    pub fn of(doubt: DecodeError, label: &[u8]) -> TextError {
        match doubt {
            DecodeError::UnknownLabel | DecodeError::Unlabelled => {
                TextError::UnknownCharset(String::from_utf8_lossy(label).into_owned())
            }
            DecodeError::Malformed(charset, source) => {
                TextError::Malformed { charset: charset.name().to_owned(), source }
            }
            DecodeError::Ambiguous(one, other) => TextError::Ambiguous(one.name().to_owned(), other.name().to_owned()),
        }
    }
}
