//! A session's message and its envelope, as the rest of the daemon reads them.

use crate::edit::Span;
use crate::message::LimitReached;
use crate::protocol::milter::{ClientAddress, MessageBuffer, MilterSession};
use crate::serve::envelope::{Envelope, ReceivedMessage};

/// Returns the envelope of the message that a session holds. HELO is empty, as an MTA is not asked to show it, and so
/// are the recipients where they were not asked for.
pub fn envelope(session: &MilterSession) -> Envelope<'_> {
    let (client, sender) = (session.client(), session.sender());
    Envelope {
        client_name: &client.host,
        client_address: match client.address {
            ClientAddress::Inet { ip, .. } => Some(ip),
            _ => None,
        },
        helo: b"",
        authenticated: &sender.authenticated,
        sender: &sender.address,
        recipients: session.recipients(),
        queue_id: session.queue_id(),
        body: sender.body,
        smtputf8: sender.smtputf8,
        mta: &client.mta,
    }
}

impl ReceivedMessage for MessageBuffer {
    fn raw(&self) -> &[u8] {
        MessageBuffer::raw(self)
    }

    fn fields(&self) -> impl Iterator<Item = (&[u8], &[u8], Span)> {
        let raw = MessageBuffer::raw(self);
        MessageBuffer::fields(self).iter().map(move |field| (field.name(raw), field.value(raw), field.line))
    }

    fn header_end(&self) -> usize {
        MessageBuffer::header_end(self)
    }

    fn over(&self) -> Option<LimitReached> {
        MessageBuffer::over(self)
    }

    fn size(&self) -> usize {
        MessageBuffer::size(self)
    }
}
