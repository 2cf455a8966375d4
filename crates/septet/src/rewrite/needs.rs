//! What a message needs of the server that it goes to next, as it stands.
//!
//! A header with an octet over 127 needs SMTPUTF8 if it is to be what RFC 6532 calls valid, and breaks RFC 5322 else;
//! 8-bit octets behind the header of the message need 8BITMIME (RFC 6152). Headers of parts count as the message's own
//! do (RFC 6532 §3): they are no body's text, and no transfer encoding can carry them. By this a sender chooses the
//! profile for a next hop ([`Profile::for_next_hop`](super::Profile::for_next_hop)).

use crate::message::{Limits, Message};

/// What a message needs of the next hop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Needs {
    /// SMTPUTF8 (RFC 6531): an octet over 127 stands in a header, that of a part or of a message inside included.
    pub utf8_header: bool,
    /// 8BITMIME (RFC 6152): an octet over 127 stands behind the message's own header.
    pub eight_bit: bool,
}

/// Tells what a message needs of the next hop, before or after a plan; nothing is read where all octets are ASCII.
///
/// The limit of a message's octets does not count here. Parts that another limit keeps from being read count as body
/// alone.
///
/// ```
/// use septet::Limits;
/// use septet::rewrite::{Needs, needs};
///
/// let limits = Limits::default();
/// assert_eq!(needs(b"Subject: a\n\nb\n", &limits), Needs::default());
/// let body = needs("Subject: a\n\n\u{e9}\n".as_bytes(), &limits);
/// assert_eq!(body, Needs { eight_bit: true, utf8_header: false });
/// let header = needs("Subject: \u{e9}\n\nb\n".as_bytes(), &limits);
/// assert_eq!(header, Needs { eight_bit: false, utf8_header: true });
/// ```
pub fn needs(raw: &[u8], limits: &Limits) -> Needs {
    if raw.is_ascii() {
        return Needs::default();
    }
    // Beyond that limit a message has no parts, and would seem to need nothing.
    let message = Message::read(raw, &limits.of_any_size());
    let utf8_header = message.parts().iter().any(|part| !message.slice(part.header).is_ascii());
    let eight_bit = message.parts().first().is_some_and(|root| !message.slice(root.body).is_ascii());
    Needs { utf8_header, eight_bit }
}
