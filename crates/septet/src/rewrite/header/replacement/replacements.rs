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

    /// Adds what is replaced elsewhere in the value, before or behind; what is said of it comes behind what was said.
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
    /// Returns `true` if it is words under `unknown-8bit`: nobody can read their octets.
    pub fn names_unknown(&self) -> bool {
        matches!(&self.with, ReplaceWith::Words(words) if words.charset == Charset::UNKNOWN_8BIT)
    }

    /// Returns how many octets at its start must stay on one line with what stands before it without white space. Words
    /// need none: they may begin on a new line.
    pub fn unbreakable_len(&self) -> usize {
        match &self.with {
            ReplaceWith::Words(_) => 0,
            ReplaceWith::Raw(text, _) => text.split(' ').next().map_or(0, str::len),
            ReplaceWith::Sections(sections) => sections.first().map_or(0, String::len),
        }
    }
}

/// What a replacement becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplaceWith {
    /// Encoded-words that say a text.
    Words(NewWords),
    /// Text as it is, which may be folded at single spaces if the flag says so.
    Raw(String, bool),
    /// Sections of parameters, the `;` between them to be added; none where what stood there is taken out.
    Sections(Vec<String>),
}

/// Encoded-words that are to be written, as many as the text needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewWords {
    /// What they say.
    pub text: String,
    /// Their charset.
    pub charset: Charset,
    /// The rules for them.
    pub place: WordPlace,
    /// Whether a space must be put before and after them.
    pub spaces: (bool, bool),
    /// What is put right before and right after them.
    pub frame: (&'static str, &'static str),
}
