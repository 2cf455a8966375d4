//! Finds the octets of an entry's place in a message.

use std::borrow::Cow;

use super::LONGEST;
use crate::coding::transfer::{TransferEncoding, base64, quoted_printable};
use crate::message::{Message, Part};
use crate::rewrite::{Entry, Place};

/// The octets of a place: a field's value, or a body without its transfer encoding; at most [`LONGEST`].
pub type PlaceOctets<'a> = Cow<'a, [u8]>;

/// Finds the octets of an entry's place; of several fields with one name the first that is no ASCII, or the first. None
/// where the place is the message as a whole, or the message has no such part or field.
pub fn octets_of<'a>(message: &Message<'a>, entry: &Entry) -> Option<PlaceOctets<'a>> {
    let part = message.numbered(&entry.part)?;
    match &entry.place {
        Place::Body => Some(decoded(message, part)),
        Place::Field(name) => {
            let values = values(message, part, name);
            values.iter().find(|value| !value.is_ascii()).or(values.first()).map(|value| Cow::Borrowed(*value))
        }
        Place::Message => None,
    }
}

/// Finds the octets of an entry's place before and after: of several fields with one name the first that differs, of a
/// body what it decodes to, or its octets as they are if only the transfer encoding differs. None where [`octets_of`]
/// has none in one of the messages, and where no field of the name differs.
pub fn octets_before_and_after<'a>(
    before: &Message<'a>,
    after: &Message<'a>,
    entry: &Entry,
) -> Option<(PlaceOctets<'a>, PlaceOctets<'a>)> {
    let (old, new) = (before.numbered(&entry.part)?, after.numbered(&entry.part)?);
    match &entry.place {
        Place::Message => None,
        Place::Field(name) => {
            let (old, new) = (values(before, old, name), values(after, new, name));
            let pair = old.into_iter().zip(new).find(|(old, new)| old != new)?;
            Some((Cow::Borrowed(pair.0), Cow::Borrowed(pair.1)))
        }
        Place::Body => {
            let texts = (decoded(before, old), decoded(after, new));
            let raw = || (Cow::Borrowed(head(before.slice(old.body))), Cow::Borrowed(head(after.slice(new.body))));
            Some(if texts.0 == texts.1 { raw() } else { texts })
        }
    }
}

/// Returns the values of the fields with a name, without blanks around them, each cut at [`LONGEST`].
fn values<'a>(message: &Message<'a>, part: &Part, name: &str) -> Vec<&'a [u8]> {
    let fields = message.fields(part).iter().filter(|field| field.is(message.raw(), name));
    fields.map(|field| head(message.slice(field.value).trim_ascii())).collect()
}

/// Decodes the first [`LONGEST`] octets of a body from its transfer encoding, as far as that can be read; without a
/// transfer encoding that decodes, or with an unknown one, they are returned as they are.
fn decoded<'a>(message: &Message<'a>, part: &Part) -> PlaceOctets<'a> {
    let body = head(message.slice(part.body));
    match part.transfer {
        TransferEncoding::Base64 => base64::decode(body).bytes,
        TransferEncoding::QuotedPrintable => quoted_printable::decode(body).bytes,
        _ => Cow::Borrowed(body),
    }
}

/// Returns the first [`LONGEST`] octets.
fn head(octets: &[u8]) -> &[u8] {
    octets.get(..LONGEST).unwrap_or(octets)
}
