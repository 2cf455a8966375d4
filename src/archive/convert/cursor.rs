//! How far a mailbox is read, and how far what was made of it is written: where a run that was killed goes on.

use serde::{Deserialize, Serialize};

use super::beside::{KnownKeywords, Losses};
use crate::archive::replace::{Identity, Pending};

/// How far a run is in a mailbox: all that was read up to `source` is written in `sink`, flushed to the disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cursor {
    /// How far it is read.
    pub source: SourceCursor,
    /// How far it is written.
    pub sink: SinkCursor,
    /// What is lost of the messages so far, since their new place can't say it.
    pub lost: Losses,
    /// The keywords that the first message names.
    pub known: KnownKeywords,
}

/// How far a mailbox is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum SourceCursor {
    /// In a mailbox file.
    Mailbox {
        /// What the file was; none where it has no place.
        input: Option<Identity>,
        /// The octets read, up to the start of a message.
        read: u64,
        /// The messages so far.
        message: u64,
    },
    /// Behind some of many files.
    Files {
        /// How many.
        done: u64,
        /// The SHA-256 of what they are known by, in their order.
        known_by: String,
    },
}

/// How far what is made of a mailbox is written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum SinkCursor {
    /// In a mailbox file, or in its pieces.
    Mailbox {
        /// The pieces that are done, and wait for their places.
        pending: Vec<Pending>,
        /// Which file is written; 0 of one that has no place.
        ino: u64,
        /// Its octets.
        written: u64,
        /// What keeps its messages apart.
        seams: Seams,
        /// Whether any message changed.
        changed: bool,
        /// The undo file and its octets.
        undo: Option<(u64, u64)>,
    },
    /// In a folder: of messages, or of a mailbox for each label.
    Tree(TreeCursor),
}

/// How far a folder of messages is written.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FolderCursor {
    /// Which file has what is kept beside the messages.
    pub ino: u64,
    /// Its octets.
    pub origin: u64,
    /// The messages so far.
    pub messages: u64,
    /// The keywords that have letters in a Maildir.
    pub keywords: Vec<String>,
}

/// How far a tree of mailboxes is written, one for each label, or one alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TreeCursor {
    /// Which folder they are in.
    pub ino: u64,
    /// The label of each mailbox, from which its name follows, and how far that is, in the order in which they were
    /// made.
    pub mailboxes: Vec<(String, MailboxCursor)>,
}

/// How far one mailbox of many is written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum MailboxCursor {
    /// A mailbox file.
    File(MailboxFileCursor),
    /// A folder.
    Folder(FolderCursor),
}

impl MailboxCursor {
    /// Returns the messages so far.
    pub fn messages(&self) -> u64 {
        match self {
            MailboxCursor::File(at) => at.seams.messages,
            MailboxCursor::Folder(at) => at.messages,
        }
    }
}

/// How far a mailbox file is written that is one of many.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MailboxFileCursor {
    /// Which file it is.
    pub ino: u64,
    /// Its octets.
    pub written: u64,
    /// What keeps its messages apart.
    pub seams: Seams,
}

/// What stands at the end of a mailbox file, as far as what follows depends on it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Seams {
    /// The last octets.
    pub tail: Vec<u8>,
    /// The messages so far.
    pub messages: u64,
    /// Which line of `septet-origin.jsonl` the message before has, where it stands as in the mailbox file that it came
    /// from: behind it the one of the next line stands as it did.
    pub line: Option<u64>,
}
