//! Messages in a transfer encoding, which mail-parser opens and septet does not (RFC 2046 §5.2.1 does not allow them).

use super::UNREADABLE;
use super::parsed_header::ParsedHeader;
use crate::message::{CONTENT_TRANSFER_ENCODING, CONTENT_TYPE, Kind, Message, Part};

/// Returns a short message in the same transfer encoding, to be shown in place of the body, if a part is such a
/// message to mail-parser, which opens it. An error says what readers differ in, if the part is another thing to
/// septet. `has_digest` says that the message has a multipart/digest, in which a part without a type is a message.
pub(super) fn short_stand_in(
    message: &Message,
    part: &Part,
    has_digest: bool,
) -> Result<Option<&'static [u8]>, &'static str> {
    if !may_be_message(message, part, has_digest) {
        return Ok(None);
    }
    let header = &message.raw()[part.header.start..part.body.start];
    match ParsedHeader::read(header).ok_or(UNREADABLE)?.encoded_message {
        None => Ok(None),
        Some(_) if !part.content_type.declared => Err("what a part without a media type is"),
        Some(_) if part.kind != Kind::Leaf => Err("a transfer encoding"),
        Some(short) => Ok(Some(short)),
    }
}

/// Returns `true` if a part may be a message in a transfer encoding by its fields. Most parts are none, and mail-parser
/// need not be asked of them. None that it would open may be missed ([`linear`](super::linear) says why).
fn may_be_message(message: &Message, part: &Part, has_digest: bool) -> bool {
    let fields = message.fields(part);
    let mut types = fields.iter().filter(|field| field.is_one_of(CONTENT_TYPE)).peekable();
    let is_encoded = fields.iter().any(|field| field.is_one_of(CONTENT_TRANSFER_ENCODING));
    is_encoded
        && match types.peek() {
            None => has_digest,
            Some(_) => types.any(|field| names_message(message.slice(field.value))),
        }
}

/// Returns `true` if the value of a Content-Type holds the name of a type for messages, wherever in it.
fn names_message(value: &[u8]) -> bool {
    ["rfc822", "global"].iter().any(|sub| value.windows(sub.len()).any(|it| it.eq_ignore_ascii_case(sub.as_bytes())))
}
