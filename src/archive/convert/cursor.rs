//! How far a mailbox is read, and how far what was made of it is written: where a run that was killed goes on.

use serde::{Deserialize, Serialize};

use crate::archive::replace::{Identity, Pending};

/// How far a run is in a mailbox: all that was read up to `source` is written in `sink`, flushed to the disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cursor {
    /// How far it is read.
    pub source: SourceCursor,
    /// How far it is written.
    pub sink: SinkCursor,
    /// The messages whose new place can't say all that was done with them.
    pub less: u64,
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
        seams: SeamsCursor,
        /// Whether any message changed.
        changed: bool,
        /// The undo file and its octets.
        undo: Option<(u64, u64)>,
    },
    /// In a folder.
    Folder {
        /// Which file has what is kept beside the messages.
        ino: u64,
        /// Its octets.
        origin: u64,
        /// The messages so far.
        messages: u64,
    },
}

/// What stands at the end of a mailbox file, as far as what follows depends on it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SeamsCursor {
    /// The last octets.
    pub tail: Vec<u8>,
    /// The messages so far.
    pub messages: u64,
    /// The line of the message before, where it stands as in the mailbox file that it came from.
    pub line: Option<u64>,
}
