//! What something in a field becomes that can't stand in an ASCII header.

use std::ops::Range;

use crate::rewrite::Change;

/// One place that is written otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Downgrade {
    /// What is replaced, in the value.
    pub at: Range<usize>,
    /// What it becomes.
    pub to: Ascii,
    /// What the report says of it.
    pub change: Change,
}

/// What something becomes that can't stand in an ASCII header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ascii {
    /// Octets that mean the same.
    Same(String),
    /// A phrase that says what it was, and what stands behind it.
    Phrase {
        /// What it says.
        text: String,
        /// What follows it, a space first.
        tail: &'static str,
    },
    /// A comment that says what it was.
    Comment(String),
}

impl Ascii {
    /// Returns the text that people are shown of it, if it is text, and the octets that stand around that or instead of
    /// it. Both must agree with what `replacement` writes, for the proof compares them with it. `Downgrades::covers`
    /// takes what has no text for [`Same`](Self::Same).
    pub fn meaning(&self) -> (Option<&str>, &str) {
        match self {
            Ascii::Same(octets) => (None, octets),
            Ascii::Phrase { text, tail } => (Some(text), tail.trim_start()),
            Ascii::Comment(text) => (Some(text), "()"),
        }
    }
}
