//! What comes of a message's content: it is kept to be planned, or handed through as it comes.
//!
//! It is handed through from the start where nothing could be changed, and from [`PASSING_AFTER`] octets on where only
//! what the next hop can't take would be changed and all of it was 7-bit, as the client announced. So what needs nothing
//! takes little memory, however large it is. A message over `message_bytes`, or over the memory of all messages, is
//! handed through too where the settings let it pass.

use super::transaction::Transaction;
use crate::protocol::smtp::Reply;

/// The octets after which a message in which nothing needs a change is handed through.
pub const PASSING_AFTER: usize = 4 << 20;

/// The content of a message, as far as it came.
#[derive(Debug)]
pub enum Content {
    /// Kept until it is whole.
    Kept(Vec<u8>),
    /// Handed through to the next hop: so many octets, and the line that says why where it should have been planned.
    Passing(usize, Option<String>),
    /// Refused with this reply; the rest is thrown away.
    Refused(Reply),
}

impl Content {
    /// Returns the octets that it holds.
    pub fn memory(&self) -> usize {
        match self {
            Content::Kept(raw) => raw.capacity(),
            Content::Passing(..) | Content::Refused(_) => 0,
        }
    }

    /// Starts to hand the content through, with what was kept of it; a next hop that does not want it refuses it.
    ///
    /// Returns whether the connection is still good for another message where this one is refused.
    pub async fn pass(&mut self, transaction: &mut Transaction, why: Option<String>) -> bool {
        let Content::Kept(kept) = self else { return true };
        let kept = std::mem::take(kept);
        let connection = &mut transaction.lease.connection;
        let (now, good) = match connection.data().await {
            Ok(reply) if reply.is_intermediate() => match connection.write(&kept).await {
                Ok(()) => (Content::Passing(kept.len(), why), true),
                Err(error) => (Content::Refused(error.reply()), false),
            },
            Ok(reply) if reply.is_positive() => (Content::Refused(nonsense()), false),
            Ok(reply) => (Content::Refused(reply), true),
            Err(error) => (Content::Refused(error.reply()), false),
        };
        *self = now;
        good
    }

    /// Takes a piece; false when the next hop is lost, so that its connection is no good any more.
    pub async fn take(&mut self, piece: Vec<u8>, transaction: &mut Transaction) -> bool {
        match self {
            Content::Kept(kept) if kept.is_empty() => *kept = piece,
            Content::Kept(kept) => kept.extend_from_slice(&piece),
            Content::Refused(_) => {}
            Content::Passing(octets, _) => {
                if let Err(error) = transaction.lease.connection.write(&piece).await {
                    *self = Content::Refused(error.reply());
                    return false;
                }
                *octets += piece.len();
            }
        }
        true
    }
}

/// Returns the reply to a client whose next hop accepts a message that it has not seen.
pub fn nonsense() -> Reply {
    Reply::with_status(451, "4.5.0", "the next hop answers nonsense")
}
