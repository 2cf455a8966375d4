//! Whether a message means what it meant, as mail-parser reads both.
//!
//! The same parts in the same order, of the same types and with the same names; the same fields in the same order, with the
//! same text; files with the same octets; texts that say the same. What the profile is allowed to write otherwise
//! ([`Allowed`]) counts as the same. Where mail-parser can't read the old message well (raw 8-bit, labels that it does not know), the new
//! text must be what one of the charsets that may be meant makes of the old octets ([`candidates`](super::candidates)).

use std::panic::{AssertUnwindSafe, catch_unwind};

use mail_parser::{Header, HeaderName, HeaderValue, Message, MessageParser, MessagePart, MimeHeaders, PartType};

use super::allowed::Allowed;
use super::candidates;
use crate::message::Message as OwnMessage;
use crate::rewrite::Profile;

/// The fields that say how a body is written, and not what it says; a change of the body changes them.
const OF_FORM: [&str; 6] =
    ["mime-version", "content-type", "content-transfer-encoding", "content-length", "lines", "content-md5"];

/// Says what a message means otherwise than before; none when it means the same.
pub fn difference(old: &[u8], new: &[u8], profile: &Profile) -> Option<String> {
    let (old, new) = match within_limits(old, new, profile) {
        Ok(both) => both,
        Err(what) => return Some(what),
    };
    let read = || {
        let (before, after) = (parser().parse(old)?, parser().parse(new)?);
        Some(Both { allowed: Allowed::of(profile), profile, old, new }.difference(&before, &after))
    };
    let unreadable = || Some(Some("it can't be read".to_owned()));
    let compared = catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| unreadable());
    // A message without any field is none to mail-parser.
    compared.unwrap_or_else(|| (old != new).then(|| "it can't be read".to_owned()))
}

fn parser() -> MessageParser {
    MessageParser::new().with_mime_headers().default_header_text()
}

/// Leaves out what a limit kept septet from reading, which must have the octets that it had: mail-parser has no limit on
/// depth.
fn within_limits<'a>(old: &'a [u8], new: &'a [u8], profile: &Profile) -> Result<(&'a [u8], &'a [u8]), String> {
    let beyond = |raw| {
        let message = OwnMessage::read(raw, &profile.limits);
        let part = message.parts().iter().find(|part| part.limit.is_some()).map(|part| part.body.start);
        part.into_iter().chain(message.unread()).min().unwrap_or(raw.len())
    };
    let (one, other) = (old.split_at(beyond(old)), new.split_at(beyond(new)));
    if one.1 != other.1 {
        return Err("other octets beyond a limit".to_owned());
    }
    Ok((one.0, other.0))
}

/// Both readings of a message.
struct Both<'b> {
    allowed: Allowed<'b>,
    profile: &'b Profile,
    old: &'b [u8],
    new: &'b [u8],
}

impl Both<'_> {
    fn difference(&self, before: &Message, after: &Message) -> Option<String> {
        let mut open = vec![(before, after)];
        while let Some((before, after)) = open.pop() {
            if before.parts.len() != after.parts.len() {
                return Some(format!("{} parts, not {}", after.parts.len(), before.parts.len()));
            }
            for (index, (one, other)) in before.parts.iter().zip(&after.parts).enumerate() {
                let found = self.part(one, other);
                if let Some(what) = found {
                    return Some(format!("part {index}: {what}"));
                }
                if let (PartType::Message(one), PartType::Message(other)) = (&one.body, &other.body) {
                    open.push((one, other));
                }
            }
        }
        None
    }

    fn part(&self, one: &MessagePart, other: &MessagePart) -> Option<String> {
        if let Some(what) = self.fields(&one.headers, &other.headers) {
            return Some(what);
        }
        if media(one) != media(other) {
            return Some("another media type".to_owned());
        }
        let names = |part: &MessagePart| part.attachment_name().unwrap_or_default().to_owned();
        let (name, name_now) = (names(one), names(other));
        if !self.allowed.same(&name, &name_now) && !self.names_by_charset(one, &name_now) {
            return Some(format!("another file name: {name_now:?}, not {name:?}"));
        }
        self.body(one, other)
    }

    /// Tells whether a file name is what the octets of its fields say in another charset.
    fn names_by_charset(&self, one: &MessagePart, name_now: &str) -> bool {
        let fields = one.headers.iter().filter(|header| {
            matches!(header.name, HeaderName::ContentType | HeaderName::ContentDisposition)
        });
        let texts = fields.filter_map(|header| Some(candidates::of_field(self.value(header)?, self.profile)));
        let squeezed = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let wanted = squeezed(name_now);
        let mut all = texts.flatten();
        all.any(|text| squeezed(&text).contains(&wanted) || self.allowed.contains(&text, name_now))
    }

    fn body(&self, one: &MessagePart, other: &MessagePart) -> Option<String> {
        let (text, text_now) = match (&one.body, &other.body) {
            (PartType::Text(text), PartType::Text(now)) | (PartType::Html(text), PartType::Html(now)) => (text, now),
            (
                PartType::Binary(octets) | PartType::InlineBinary(octets),
                PartType::Binary(now) | PartType::InlineBinary(now),
            ) => return (octets != now).then(|| "other octets in a file".to_owned()),
            (PartType::Multipart(_), PartType::Multipart(_)) | (PartType::Message(_), PartType::Message(_)) => None?,
            _ => return Some("another kind of part".to_owned()),
        };
        if self.allowed.same(text, text_now) {
            return None;
        }
        let body = self.old.get(one.offset_body as usize..one.offset_end as usize).unwrap_or_default();
        let body_now = self.new.get(other.offset_body as usize..other.offset_end as usize).unwrap_or_default();
        if body == body_now {
            // Its label alone became another; what that means is judged by the text that both labels give.
            let same = one.content_type().zip(other.content_type()).is_none_or(|(a, b)| a.attribute("charset") == b.attribute("charset"));
            if same {
                return None;
            }
        }
        let read = candidates::of_body(body, one, self.profile);
        match read.iter().any(|text| self.allowed.same(text, text_now)) {
            true => None,
            false => Some("another text".to_owned()),
        }
    }

    fn fields(&self, one: &[Header], other: &[Header]) -> Option<String> {
        let counts = |header: &&Header| !OF_FORM.contains(&name(header).as_str());
        let (mut olds, mut news) = (one.iter().filter(counts), other.iter().filter(counts));
        loop {
            let (old, new) = match (olds.next(), news.next()) {
                (None, None) => return None,
                (Some(old), Some(new)) => (old, new),
                (Some(old), None) => return Some(format!("the field {} is gone", name(old))),
                (None, Some(new)) => return Some(format!("a field {} that was not there", name(new))),
            };
            let (was, is) = (name(old), name(new));
            if was != is && is.strip_prefix("downgraded-") != Some(&was) {
                return Some(format!("the field {is} where {was} was"));
            }
            if !self.same_field(old, new) {
                return Some(format!("another text in the field {was}"));
            }
        }
    }

    fn same_field(&self, old: &Header, new: &Header) -> bool {
        if self.value(old).is_some_and(|value| self.value_now(new) == Some(value)) {
            return true;
        }
        let (Some(text), Some(text_now)) = (shown(&old.value), shown(&new.value)) else { return false };
        if self.allowed.same_field(&text, &text_now) {
            return true;
        }
        let Some(value) = self.value(old) else { return false };
        // What mail-parser does not decode of the new one is decoded here; what it does stays as it is.
        let now = candidates::decoded(text_now.as_bytes(), self.profile);
        candidates::of_field(value, self.profile).iter().any(|text| {
            self.allowed.same_field(text, &text_now) || self.allowed.same_field(text, &now)
        })
    }

    fn value(&self, header: &Header) -> Option<&[u8]> {
        self.old.get(header.offset_start as usize..header.offset_end as usize)
    }

    fn value_now(&self, header: &Header) -> Option<&[u8]> {
        self.new.get(header.offset_start as usize..header.offset_end as usize)
    }
}

fn name(header: &Header) -> String {
    header.name.as_str().to_ascii_lowercase()
}

/// Returns the type of a part and its parameters, but for those of its form.
fn media(part: &MessagePart) -> (String, Vec<(String, String)>) {
    let Some(declared) = part.content_type() else { return ("text/plain".to_owned(), Vec::new()) };
    let media = format!("{}/{}", declared.ctype(), declared.subtype().unwrap_or_default()).to_ascii_lowercase();
    let parameters = declared.attributes().into_iter().flatten();
    let mut kept: Vec<_> = parameters
        .map(|attribute| (attribute.name.to_ascii_lowercase(), attribute.value.to_string()))
        .filter(|(name, value)| name == "boundary" && !value.is_empty())
        .collect();
    kept.sort();
    (media, kept)
}

/// Returns the text of a field, whatever mail-parser made of it.
fn shown(value: &HeaderValue) -> Option<String> {
    Some(match value {
        HeaderValue::Text(text) => text.to_string(),
        HeaderValue::TextList(texts) => texts.join(" "),
        HeaderValue::Empty => String::new(),
        HeaderValue::ContentType(declared) => {
            let mut text = format!("{}/{}", declared.ctype(), declared.subtype().unwrap_or_default());
            let parameters = declared.attributes().into_iter().flatten();
            parameters.for_each(|attribute| text += &format!("; {}={}", attribute.name, attribute.value));
            text
        }
        _ => return None,
    })
}
