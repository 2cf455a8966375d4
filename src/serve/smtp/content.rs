//! What comes of a message's content: it is kept to be planned, or handed through as it comes.
//!
//! It is handed through from the start where nothing could be changed, and from [`PASSING_AFTER`] octets on where only
//! what the next hop can't take would be changed and all of it was 7-bit, as the client announced or where the next hop
//! takes 8-bit too. So what needs nothing takes little memory, however large it is. A message over `message_bytes`, or
//! over the memory of all messages, is handed through too where the settings let it pass.

use super::next_hop::Result;
use super::transaction::{AttributedReply, By, Transaction};
use crate::serve::outcome::MessageOutcome;

/// The octets after which a message in which nothing needs a change is handed through.
pub const PASSING_AFTER: usize = 1 << 20;

/// The octets up to which the room of a buffer counts as memory, whether anything was written there or not.
const PAGED: usize = 256 << 10;

/// The content of a message, as far as it came.
#[derive(Debug)]
pub enum IncomingContent {
    /// Kept until it is whole.
    Kept(Vec<u8>),
    /// Handed through to the next hop: so many octets until now, and what becomes of the message if the next hop takes
    /// it, which says why where it should have been planned.
    Passing(usize, MessageOutcome),
    /// Refused with this reply; the rest is thrown away.
    Refused(AttributedReply),
}

impl IncomingContent {
    /// Returns the octets that it holds.
    pub fn memory(&self) -> usize {
        match self {
            // Of much room the system gives only the pages that were written.
            IncomingContent::Kept(raw) => raw.len().max(raw.capacity().min(PAGED)),
            IncomingContent::Passing(..) | IncomingContent::Refused(_) => 0,
        }
    }

    /// Announces the content to the next hop, and hands through what was kept of it; what comes from then on goes the
    /// same way. `outcome` is that of the message if the next hop takes it. Where the next hop does not want it, the
    /// content is refused with its reply. Content that is not kept is left as it is. After an error the next hop's
    /// connection is no good any more.
    pub async fn pass(&mut self, transaction: &mut Transaction, outcome: MessageOutcome) -> Result<()> {
        let IncomingContent::Kept(kept) = self else { return Ok(()) };
        let kept = std::mem::take(kept);
        let connection = &mut transaction.lease.connection;
        let reply = connection.data().await?;
        if !reply.is_intermediate() {
            *self = IncomingContent::Refused(By::NextHop.says(reply));
            return Ok(());
        }
        connection.write(&kept).await?;
        *self = IncomingContent::Passing(kept.len(), outcome);
        Ok(())
    }

    /// Keeps a piece, hands it through, or throws it away, as the content is now. An error means that the next hop is
    /// lost, and its connection no good any more.
    pub async fn take(&mut self, piece: Vec<u8>, transaction: Option<&mut Transaction>) -> Result<()> {
        match self {
            IncomingContent::Kept(kept) if kept.is_empty() => *kept = piece,
            IncomingContent::Kept(kept) => kept.extend_from_slice(&piece),
            IncomingContent::Refused(_) => {}
            IncomingContent::Passing(octets, _) => {
                // Content goes on only with a transaction: who loses it refuses the content.
                let Some(transaction) = transaction else { return Ok(()) };
                transaction.lease.connection.write(&piece).await?;
                *octets += piece.len();
            }
        }
        Ok(())
    }
}
