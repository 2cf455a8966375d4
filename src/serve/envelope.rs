//! What a protocol tells of a message that is whole: its envelope, and the message itself.
//!
//! Rules, transport and the log line read these and no protocol's own session: here is one half of the seam between
//! a protocol and the rest of the daemon. The other half is [`super::outcome`].

use std::net::IpAddr;

use crate::config::MessageContext;
use crate::edit::Span;
use crate::message::LimitReached;
use crate::protocol::BodyParameter;

/// Who sends a message and to whom, as far as the protocol told; what it did not tell is empty.
#[derive(Debug, Clone, Copy, Default)]
pub struct Envelope<'a> {
    /// The client's name, as verified.
    pub client_name: &'a [u8],
    /// The client's address; none for a local one.
    pub client_address: Option<IpAddr>,
    /// What the client calls itself in HELO or EHLO.
    pub helo: &'a [u8],
    /// The name that the client authenticated as.
    pub authenticated: &'a [u8],
    /// The sender, without angle brackets; empty for a bounce.
    pub sender: &'a [u8],
    /// The recipients, without angle brackets.
    pub recipients: &'a [Vec<u8>],
    /// The name that the message has in the MTA's queue.
    pub queue_id: &'a [u8],
    /// What the client said of 8-bit octets in the body.
    pub body: Option<BodyParameter>,
    /// Whether the client declared UTF-8 in the header (RFC 6531).
    pub smtputf8: bool,
    /// What the MTA that gets the message next calls itself, where that is the client; empty where septet forwards.
    pub mta: &'a [u8],
}

/// A message that is whole, as a protocol has rebuilt it.
pub trait ReceivedMessage {
    /// Returns its octets; none of a message [over a limit](ReceivedMessage::over).
    fn raw(&self) -> &[u8];

    /// Returns the names and values of its header fields in their order, and where each lies, with its line end.
    fn fields(&self) -> impl Iterator<Item = (&[u8], &[u8], Span)>;

    /// Returns where its header ends: after the last field.
    fn header_end(&self) -> usize;

    /// Returns the limit beyond which nothing of it was kept, if it went beyond one. A protocol that refuses such a
    /// message itself leaves it at none.
    fn over(&self) -> Option<LimitReached> {
        None
    }

    /// Returns its octets' number, those beyond a limit included.
    fn size(&self) -> usize {
        self.raw().len()
    }
}

impl Envelope<'_> {
    /// Shows `look` a message as rules see it, and returns what it returns. What is not UTF-8 in a name or an address
    /// is shown with U+FFFD.
    pub fn with_context<T>(&self, message: &impl ReceivedMessage, look: impl FnOnce(&MessageContext<'_>) -> T) -> T {
        let name = String::from_utf8_lossy(self.client_name);
        let sender = String::from_utf8_lossy(self.sender);
        let recipients: Vec<_> = self.recipients.iter().map(|to| String::from_utf8_lossy(to)).collect();
        let recipients: Vec<&str> = recipients.iter().map(|to| to.as_ref()).collect();
        let header: Vec<_> = message.fields().map(|(name, value, _)| (name, value)).collect();
        look(&MessageContext {
            client_name: (!name.is_empty()).then_some(&name),
            client_address: self.client_address,
            authenticated: !self.authenticated.is_empty(),
            sender: Some(&sender),
            recipients: &recipients,
            header: &header,
            size: message.size(),
        })
    }
}
