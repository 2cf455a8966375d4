//! What was done with a message, whatever format says it.

use std::collections::BTreeSet;

use super::table::{FLAGS, Flag};

/// What was done with a message: its flags and its keywords.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MessageMarks {
    /// The letters of its flags in the name of a Maildir's file, in the order of [`FLAGS`].
    letters: String,
    /// Whether a mail program has seen it; with a flag or a keyword it has.
    old: bool,
    /// Its keywords, as IMAP calls what others call tags.
    pub keywords: BTreeSet<String>,
    /// Whether it has keywords of which nobody says what they are called.
    pub has_nameless: bool,
}

impl MessageMarks {
    /// Makes it of the flags that are set, each asked for its row of the table; with any of them the message is `old`.
    pub fn of(is_set: impl Fn(&Flag) -> bool, old: bool) -> MessageMarks {
        let letters: String = FLAGS.iter().filter(|flag| is_set(flag)).map(|flag| char::from(flag.maildir)).collect();
        MessageMarks { old: old || !letters.is_empty(), letters, ..MessageMarks::default() }
    }

    /// Gives it keywords; with any of them the message is old.
    pub fn with_keywords(self, keywords: BTreeSet<String>) -> MessageMarks {
        MessageMarks { old: self.old || !keywords.is_empty(), keywords, ..self }
    }

    /// Returns `true` if no mail program has seen it yet: its place in a Maildir is `new`.
    pub fn is_new(&self) -> bool {
        !self.old
    }

    /// Returns `true` if it has a flag.
    pub fn has(&self, flag: &Flag) -> bool {
        self.letters.contains(char::from(flag.maildir))
    }

    /// Returns the letters of its flags in the name of a Maildir's file, in the order in which they stand there.
    pub fn letters(&self) -> &str {
        &self.letters
    }
}
