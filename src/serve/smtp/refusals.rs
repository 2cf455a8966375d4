//! What the log says of what a client is refused: a line for each command, and one for each failure of a next hop.
//!
//! What becomes of a whole message stands in the message's own line, and so do the recipients whom LMTP refuses then in
//! lines of their own.

use tokio::io::{AsyncRead, AsyncWrite};
use tracing::{info, warn};

use super::connection::ClientConnection;
use super::next_hop::NextHopError;
use super::transaction::{AttributedReply, By};
use crate::config::NextHop;
use crate::protocol::smtp::{RefusedCommand, Reply};
use crate::serve::log::{LoggedClient, Printable, plain_text};

impl<S: AsyncRead + AsyncWrite + Unpin> ClientConnection<S> {
    /// Writes a line for each command that was refused since the last call, and counts it; `by` is who refused them.
    pub(super) fn log_refusals(&mut self, by: By) {
        for RefusedCommand { command, reply } in self.session.take_refusals() {
            self.shared.metrics.refusals.count(by.word());
            let envelope = self.client.envelope(self.session.envelope(), &[]);
            info!(
                listener = %self.listener.socket,
                queue_id = %Printable(envelope.queue_id),
                client = %LoggedClient(&envelope),
                helo = %Printable(envelope.helo),
                sender = %format_args!("<{}>", Printable(envelope.sender)),
                command = plain_text(&String::from_utf8_lossy(&command)),
                next_hop = self.at.as_ref().map(tracing::field::display),
                reply = plain_text(&reply.to_string()),
                refused_by = by.word(),
                "refused"
            );
        }
    }

    /// Writes a line for each recipient whom an LMTP next hop refused when the message was whole, with its reply for
    /// that one; other next hops have one reply for all. Replies that are not `by` the next hop refuse no recipient.
    /// Where there are not as many replies as recipients, nobody knows whose each is, and nothing is written.
    pub(super) fn log_refused_recipients(&self, by: By, replies: &[Reply]) {
        let recipients = &self.session.envelope().recipients;
        let is_lmtp = self.at.as_ref().is_some_and(NextHop::is_lmtp);
        if by == By::Septet || !is_lmtp || replies.len() != recipients.len() {
            return;
        }
        let envelope = self.client.envelope(self.session.envelope(), &[]);
        for (rcpt, reply) in recipients.iter().zip(replies).filter(|(_, reply)| !reply.is_positive()) {
            info!(
                listener = %self.listener.socket,
                queue_id = %Printable(envelope.queue_id),
                client = %LoggedClient(&envelope),
                sender = %format_args!("<{}>", Printable(envelope.sender)),
                recipient = %format_args!("<{}>", Printable(rcpt.path.raw())),
                next_hop = self.at.as_ref().map(tracing::field::display),
                reply = plain_text(&reply.to_string()),
                refused_by = By::NextHop.word(),
                "recipient refused"
            );
        }
    }

    /// Logs and counts that a next hop failed, and returns what the client is told. The reply is the next hop's own
    /// where it refused the message.
    pub(super) fn report_next_hop_failure(&self, error: &NextHopError) -> AttributedReply {
        self.shared.metrics.all.next_hop_errors.count(error.code());
        let client = self.client.envelope(self.session.envelope(), &[]);
        warn!(
            listener = %self.listener.socket,
            client = %LoggedClient(&client),
            next_hop = self.at.as_ref().map(tracing::field::display),
            "the next hop failed: {error}"
        );
        let by = if matches!(error, NextHopError::Refused(_)) { By::NextHop } else { By::Septet };
        by.says(error.reply())
    }
}
