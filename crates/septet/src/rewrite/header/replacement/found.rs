//! What is replaced in a value, and by what; edits are made of it by `fold.rs`.

use std::ops::Range;

use crate::coding::charset::Charset;
use crate::coding::encoded_word::WordPlace;
use crate::rewrite::{Change, Reason};

/// What is replaced in a value, and what there is to say of that.
#[derive(Debug, Default)]
pub struct Replacements {
    /// What is replaced. Whoever lays it out sorts it first.
    pub list: Vec<Replacement>,
    /// What that changes.
    pub changes: Vec<Change>,
    /// Why something stays that should not have.
    pub left: Vec<Reason>,
}

impl Replacements {
    /// Replaces nothing, and says why.
    pub fn left(reason: Reason) -> Replacements {
        Replacements { left: vec![reason], ..Replacements::default() }
    }

    /// Adds what is replaced elsewhere in the value.
    pub fn add(&mut self, other: Replacements) {
        self.list.extend(other.list);
        self.changes.extend(other.changes);
        self.left.extend(other.left);
    }
}

/// What stands in a range of the value afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// What is replaced.
    pub at: Range<usize>,
    /// By what.
    pub with: ReplaceWith,
}

impl Replacement {
    /// Returns `true` if it is words of octets that nobody can read.
    pub fn names_unknown(&self) -> bool {
        matches!(&self.with, ReplaceWith::Words { charset, .. } if *charset == Charset::UNKNOWN_8BIT)
    }

    /// Tells how many octets of it can't be parted from what stands before it without white space.
    pub fn unbreakable_len(&self) -> usize {
        match &self.with {
            ReplaceWith::Words { .. } => 0,
            ReplaceWith::Raw(text, _) => text.split(' ').next().map_or(0, str::len),
            ReplaceWith::Sections(sections) => sections.first().map_or(0, String::len),
        }
    }
}

/// What a replacement becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplaceWith {
    /// Encoded-words that say a text.
    Words {
        /// The text.
        text: String,
        /// The charset of the words.
        charset: Charset,
        /// The rules for them.
        place: WordPlace,
        /// Whether a space must be put before and after them.
        spaces: (bool, bool),
        /// What is put right before and right after them.
        frame: (&'static str, &'static str),
    },
    /// Text as it is, which may be folded at single spaces if the flag says so.
    Raw(String, bool),
    /// Sections of parameters, the `;` between them to be added; none where what stood there is taken out.
    Sections(Vec<String>),
}
