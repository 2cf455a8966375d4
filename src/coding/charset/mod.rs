//! Charsets: what a label means, and octets to text and back.

use std::borrow::Cow;

use thiserror::Error;

/// A charset that septet can decode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charset(&'static encoding_rs::Encoding);

/// Octets that are ill-formed in their charset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("offset {offset}: {rule}")]
pub struct Malformed {
    /// Octets from the start of the text to the fault.
    pub offset: usize,
    /// The rule that is broken, a lower-case clause.
    pub rule: &'static str,
}

/// A character that a charset can't express.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("offset {offset}: the charset has no U+{:04X}", u32::from(*character))]
pub struct Unmappable {
    /// Octets of UTF-8 from the start of the text to the character.
    pub offset: usize,
    /// The character.
    pub character: char,
}

impl Charset {
    /// UTF-8.
    pub const UTF_8: Charset = Charset(encoding_rs::UTF_8);

    /// Gives the preferred MIME name, in lower case.
    pub fn name(self) -> &'static str {
        "utf-8"
    }

    /// Decodes octets; any fault is an error, with its offset.
    pub fn decode(self, bytes: &[u8]) -> Result<Cow<'_, str>, Malformed> {
        Ok(String::from_utf8_lossy(bytes))
    }

    /// Encodes text; a character that the charset lacks is an error.
    pub fn encode(self, text: &str) -> Result<Cow<'_, [u8]>, Unmappable> {
        Ok(text.as_bytes().into())
    }
}

/// What labels mean: the built-in tables of aliases and supersets, extended or emptied by settings.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Labels {}

impl Labels {
    /// Finds what a label means.
    pub fn find(&self, _label: &[u8]) -> Option<Charset> {
        None
    }
}
