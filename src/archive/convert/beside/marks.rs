//! What was done with a message, whatever format says it.

use std::collections::BTreeSet;

use super::table::{FLAGS, Flag};

/// What was done with a message: its flags and its keywords.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MessageMarks {
    /// One bit for each of [`FLAGS`].
    flags: u8,
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
        let flags = FLAGS.iter().enumerate().fold(0, |all, (at, flag)| all | u8::from(is_set(flag)) << at);
        MessageMarks { flags, old: old || flags != 0, ..MessageMarks::default() }
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
        self.set().any(|set| set.maildir == flag.maildir)
    }

    /// Returns the flags that it has, in the order of the table.
    pub fn set(&self) -> impl Iterator<Item = &'static Flag> {
        let flags = self.flags;
        FLAGS.iter().enumerate().filter(move |(at, _)| flags >> at & 1 == 1).map(|(_, flag)| flag)
    }

    /// Returns the letters of its flags in the name of a Maildir's file.
    pub fn letters(&self) -> String {
        self.set().map(|flag| char::from(flag.maildir)).collect()
    }
}
