//! What every coder says when it can't: octets that mean nothing, and characters that can't be written.
//!
//! Errors of coders are written out: a macro for them would be a fifth of the crates that a user of the coders builds.

use std::error::Error;
use std::fmt;

/// Octets that are ill-formed in their charset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MalformedError {
    /// Octets from the start of the text to the fault.
    pub offset: usize,
    /// The rule that is broken, a lower-case clause.
    pub rule: &'static str,
}

impl MalformedError {
    /// The rule that a text breaks which ends before its last character does.
    pub const CUT: &'static str = "the text ends inside a character";

    /// Returns `true` if it is that the text ends before its last character does.
    pub fn is_cut(&self) -> bool {
        self.rule == MalformedError::CUT
    }
}

impl fmt::Display for MalformedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "offset {}: {}", self.offset, self.rule)
    }
}

impl Error for MalformedError {}

/// A character that a charset can't express.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MappingError {
    /// Octets of UTF-8 from the start of the text to the character.
    pub offset: usize,
    /// The character.
    pub character: char,
}

impl fmt::Display for MappingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "offset {}: the charset has no U+{:04X}", self.offset, u32::from(self.character))
    }
}

impl Error for MappingError {}
