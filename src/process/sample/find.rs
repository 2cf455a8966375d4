//! Finds the octets of an entry's place in a message.

use std::borrow::Cow;

use super::LONGEST;
use crate::message::{Kind, Message, Part};
use crate::rewrite::{BodyLabel, Change, Entry, Outcome, Place};

/// The octets of a place: a field's value, or a body without its transfer encoding; at most [`LONGEST`].
pub type PlaceOctets<'a> = Cow<'a, [u8]>;

/// Finds the octets of an entry's place that was left. Of several fields with one name it is the one that `nth`
/// (from 0) says, among those that hold text which is no ASCII or stands in encoded-words; where there are fewer, the
/// last of them, else the first field. None where the place is the message as a whole, or the message has no such part
/// or field.
pub fn octets_of<'a>(message: &Message<'a>, entry: &Entry, nth: usize) -> Option<PlaceOctets<'a>> {
    let part = message.numbered(&entry.part)?;
    match &entry.place {
        Place::Body => Some(decoded(message, part)),
        Place::Field(name) => {
            let values = values(message, part, name);
            let of_text: Vec<&[u8]> = values.iter().copied().filter(|value| may_be_text(value)).collect();
            let value = of_text.get(nth).or(of_text.last()).or(values.first());
            value.map(|value| Cow::Borrowed(*value))
        }
        Place::Message => None,
    }
}

/// Returns `true` if a value holds octets that are no ASCII, an escape (ESC) or encoded-words.
fn may_be_text(value: &[u8]) -> bool {
    value.iter().any(|octet| !octet.is_ascii() || *octet == 0x1B) || memchr::memmem::find(value, b"=?").is_some()
}

/// Finds the octets of an entry's place before and after: of several fields with one name the one that `nth` (from 0)
/// says among those that differ, of a body what it decodes to, or its octets as they are if only the transfer encoding
/// differs. What was done to a label alone stands in the field of that label. None where [`octets_of`] has none in one
/// of the messages, where so many fields of the name don't differ, and where the body is made of other parts: these
/// have entries of their own.
pub fn octets_before_and_after<'a>(
    before: &Message<'a>,
    after: &Message<'a>,
    entry: &Entry,
    nth: usize,
) -> Option<(PlaceOctets<'a>, PlaceOctets<'a>)> {
    let (old, new) = (before.numbered(&entry.part)?, after.numbered(&entry.part)?);
    let name = match &entry.place {
        Place::Message => return None,
        Place::Field(name) => Some(name.as_str()),
        Place::Body => label_field(entry),
    };
    if let Some(name) = name {
        let (old, new) = (values(before, old, name), values(after, new, name));
        let (old, new) = old.into_iter().zip(new).filter(|(old, new)| old != new).nth(nth)?;
        return Some((Cow::Borrowed(old), Cow::Borrowed(new)));
    }
    if old.kind != Kind::Leaf {
        return None;
    }
    let texts = (decoded(before, old), decoded(after, new));
    if texts.0 != texts.1 {
        return Some(texts);
    }
    Some((Cow::Borrowed(head(before.slice(old.body))), Cow::Borrowed(head(after.slice(new.body)))))
}

/// Returns the name of the field that was changed where nothing but a label of the body was; of two labels the first's.
fn label_field(entry: &Entry) -> Option<&'static str> {
    let Outcome::Done(changes) = &entry.outcome else { return None };
    let mut fields = changes.iter().map(|change| match change {
        Change::Label { what: BodyLabel::Transfer, .. } => Some("Content-Transfer-Encoding"),
        Change::Label { .. } => Some("Content-Type"),
        _ => None,
    });
    let first = fields.next()??;
    fields.all(|field| field.is_some()).then_some(first)
}

/// Returns the values of the fields with a name, without blanks around them, each cut at [`LONGEST`].
fn values<'a>(message: &Message<'a>, part: &Part, name: &str) -> Vec<&'a [u8]> {
    let fields = message.fields(part).iter().filter(|field| field.is(message.raw(), name));
    fields.map(|field| head(message.slice(field.value).trim_ascii())).collect()
}

/// Decodes the first [`LONGEST`] octets of a body from its transfer encoding, as far as that can be read; without a
/// transfer encoding that decodes, or with an unknown one, they are returned as they are. What is cut ends with a line,
/// so that no character is cut.
fn decoded<'a>(message: &Message<'a>, part: &Part) -> PlaceOctets<'a> {
    let whole = message.slice(part.body);
    let body = head(whole);
    let text = part.transfer.decode(body);
    if body.len() == whole.len() {
        return text;
    }
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(whole_lines(text, text.len())),
        Cow::Owned(text) => Cow::Owned(whole_lines(&text, text.len()).to_owned()),
    }
}

/// Returns the lines that end within the first `longest` octets; all these octets where no line ends there, and the
/// text where it is no longer.
pub fn whole_lines(text: &[u8], longest: usize) -> &[u8] {
    let Some(start) = text.get(..longest) else { return text };
    memchr::memrchr(b'\n', start).map_or(start, |end| &start[..=end])
}

/// Returns the first [`LONGEST`] octets.
fn head(octets: &[u8]) -> &[u8] {
    octets.get(..LONGEST).unwrap_or(octets)
}
