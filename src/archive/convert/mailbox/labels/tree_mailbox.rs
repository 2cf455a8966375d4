//! What a tree of mailboxes asks of each of them while it is written.

use std::io;

use crate::archive::convert::MailboxCursor;
use crate::archive::convert::mailbox::plan::PlannedMessage;

/// A mailbox of a tree, while it is written: a mailbox file, or a folder of messages.
pub trait TreeMailbox: Send {
    /// Writes a message of a batch with these octets; returns `true` if a keyword of it is lost.
    fn write(&mut self, message: &PlannedMessage, batch: &[u8]) -> io::Result<bool>;

    /// Reads what is next, and returns `true` if it is something else than what would be written of a message. Messages
    /// come as they were written, in the same order and all of them.
    fn differs(&mut self, message: &PlannedMessage, batch: &[u8]) -> io::Result<bool>;

    /// Tells how far it is; it must be closed before.
    fn cursor(&self) -> MailboxCursor;

    /// Hands to the system what was written, and closes what is open until more is.
    fn close(&mut self) -> io::Result<()>;

    /// Writes what is only known at the end, and closes what is open.
    fn end(&mut self) -> io::Result<()> {
        self.close()
    }

    /// Says how what is read back differs from what was written; none where it doesn't. It must be ended before.
    fn difference(&self) -> io::Result<Option<String>>;
}
