//! What a connection holds: its buffers, the envelope and the message, each paid for before it grows.

use tokio::io::{AsyncRead, AsyncWrite};

use super::connection::ClientConnection;
use crate::protocol::smtp::RcptCommand;

/// The octets that a connection to a next hop takes with its buffers.
const NEXT_HOP: usize = 24 << 10;

impl<S: AsyncRead + AsyncWrite + Unpin> ClientConnection<S> {
    /// Counts what the connection holds, and waits for room; false when none came in time, and then the caller has to
    /// give something up. Who waits has not paid, and so holds as little as he can.
    pub(super) async fn count_memory(&mut self) -> bool {
        let held = self.held();
        if self.memory.set(held) {
            return true;
        }
        self.stream.keep_small();
        let held = self.held();
        self.memory.hold(held).await
    }

    /// Counts what the connection holds when it holds less than before, for which there is always room.
    pub(super) fn release_memory(&mut self) {
        let held = self.held();
        self.memory.set(held);
    }

    /// Returns the octets that the connection holds, with those of its connection to a next hop.
    fn held(&self) -> usize {
        let next_hop = if self.transaction.is_some() { NEXT_HOP } else { 0 };
        self.content.memory() + self.envelope_size + self.stream.memory() + next_hop
    }

    /// Counts a recipient twice, since session and transaction each keep one; false when there is no room, and then the
    /// recipient is not counted.
    pub(super) fn count_recipient(&mut self, rcpt: &RcptCommand) -> bool {
        let before = self.envelope_size;
        self.envelope_size += 2 * rcpt.memory();
        let held = self.held();
        if self.memory.set(held) {
            self.memory.count_received(rcpt.memory());
            return true;
        }
        self.envelope_size = before;
        self.release_memory();
        false
    }

    /// Takes back what [`count_recipient`](Self::count_recipient) counted, since nobody keeps the recipient.
    pub(super) fn forget_recipient(&mut self, rcpt: &RcptCommand) {
        self.envelope_size = self.envelope_size.saturating_sub(2 * rcpt.memory());
        self.release_memory();
    }

    /// Counts the buffers, which grow with what a client sends at once, and keeps them small where there is no room.
    /// A message that comes in is counted piece by piece, and waits for its turn there.
    pub(super) fn count_buffers(&mut self) {
        if self.content.memory() > 0 {
            return;
        }
        let held = self.held();
        if !self.memory.set(held) {
            self.stream.keep_small();
            self.release_memory();
        }
    }
}
