//! How the mailboxes of labels are written: as files or folders, with which ends, by whom they may be read.

use std::fs::Permissions;
use std::path::{Path, PathBuf};

use crate::archive::convert::mailbox::plan::PlannedMessage;
use crate::archive::convert::migrate::{OriginHead, Way};
use crate::archive::convert::packing::packed_name;
use crate::archive::convert::{Compression, NewMailbox, OutputFormat};
use crate::archive::replace::with_suffix;

/// How the mailboxes of a tree are written.
#[derive(Clone)]
pub struct TreeRules {
    /// The form of its mailboxes.
    pub form: OutputFormat,
    /// Whether there is a mailbox for each label, and not one alone.
    pub is_sorted: bool,
    head: OriginHead,
    /// What stands before the first message of a mailbox file, before what is found there.
    pub before: Vec<u8>,
    /// How a mailbox file is compressed.
    pub compression: Option<Compression>,
    /// Who may read one.
    pub permissions: Option<Permissions>,
    /// Whether what is written is summed up.
    pub verifies: bool,
}

impl TreeRules {
    /// Makes them for a run; mailbox files get these `permissions`, if any.
    pub fn new(way: &Way, new: &NewMailbox, permissions: Option<Permissions>, verifies: bool) -> TreeRules {
        let head = way.head.clone().unwrap_or_else(|| OriginHead::new(way.origin(), Vec::new()));
        let (is_sorted, before) = (new.labels.is_some(), way.before_first().to_owned());
        TreeRules { form: way.form, is_sorted, head, before, compression: new.compression, permissions, verifies }
    }

    /// Returns the labels to whose mailboxes a message goes; the same one for all where there is but one mailbox.
    pub fn labels_of<'m>(&self, message: &'m PlannedMessage) -> &'m [String] {
        static ALONE: [String; 1] = [String::new()];
        if self.is_sorted { &message.mailboxes } else { &ALONE }
    }

    /// Returns the path of a mailbox below the tree's folder; one alone is that itself.
    pub fn path_of(&self, name: &Path) -> PathBuf {
        match self.form.is_mailbox() {
            _ if !self.is_sorted => PathBuf::new(),
            true => packed_name(with_suffix(name, ".mbox"), self.compression),
            false => name.to_owned(),
        }
    }

    /// Returns what is known of the mailbox file that a mailbox came from, by the mailbox's number. What stood before
    /// the first message goes to the mailbox that came first, which is 0.
    pub fn head_of(&self, number: usize) -> OriginHead {
        if number == 0 { self.head.clone() } else { OriginHead::new(self.head.dialect(), Vec::new()) }
    }

    /// Returns `true` if they are Maildirs.
    pub fn is_maildir(&self) -> bool {
        self.form == OutputFormat::Maildir
    }
}
