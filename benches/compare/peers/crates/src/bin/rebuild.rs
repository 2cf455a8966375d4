//! Reads a mailbox with mail-parser and writes every message anew in UTF-8 with mail-builder: `rebuild FILE`.
//!
//! It is what a programmer writes in an hour: no links, no proof, and nothing stays as it was. What mail-builder has no
//! type for is written raw.

use std::borrow::Cow;
use std::error::Error;
use std::io::{BufWriter, Write, stdout};

use mail_builder::headers::HeaderType;
use mail_builder::headers::address::Address as NewAddress;
use mail_builder::headers::content_type::ContentType as NewContentType;
use mail_builder::headers::date::Date;
use mail_builder::headers::message_id::MessageId;
use mail_builder::headers::raw::Raw;
use mail_builder::headers::text::Text;
use mail_builder::mime::{BodyPart, MimePart};
use mail_parser::{
    Addr, Address, ContentType, Header, HeaderName, HeaderValue, Message, MessageParser, MessagePart, PartType,
};

const DEPTH: usize = 50;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: rebuild FILE")?;
    let mailbox = std::fs::read(path)?;
    let mut out = BufWriter::with_capacity(1 << 18, stdout().lock());
    let parser = MessageParser::default();
    let mut rest = mailbox.as_slice();
    while !rest.is_empty() {
        let (entry, behind) = rest.split_at(end_of_entry(rest));
        rewrite(&parser, entry, &mut out)?;
        rest = behind;
    }
    Ok(out.flush()?)
}

/// Where the next line that begins with `From ` stands behind an empty one.
fn end_of_entry(mailbox: &[u8]) -> usize {
    memchr::memmem::find(mailbox, b"\n\nFrom ").map_or(mailbox.len(), |at| at + 2)
}

fn rewrite(parser: &MessageParser, entry: &[u8], out: &mut impl Write) -> std::io::Result<()> {
    let (from, raw) = entry.split_at(memchr::memchr(b'\n', entry).map_or(entry.len(), |at| at + 1));
    out.write_all(from)?;
    if let Some(message) = parser.parse(raw).filter(|message| !message.parts.is_empty()) {
        let mut written = Vec::with_capacity(raw.len());
        rebuilt(&message, 0, 0).write_part(&mut written);
        out.write_all(&written)?;
    }
    out.write_all(b"\n")
}

fn rebuilt<'m>(message: &'m Message<'m>, number: usize, depth: usize) -> MimePart<'m> {
    let part = &message.parts[number];
    let mut headers: Vec<_> = (part.headers.iter())
        .filter(|header| header.name != HeaderName::ContentTransferEncoding)
        .map(|header| (Cow::Borrowed(header.name.as_str()), value(message, part, header)))
        .collect();
    if is_text(part) && !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("Content-Type")) {
        headers.push(("Content-Type".into(), unlabelled(part)));
    }
    MimePart { headers, contents: contents(message, part, depth) }
}

fn is_text(part: &MessagePart) -> bool {
    matches!(part.body, PartType::Text(_) | PartType::Html(_))
}

fn contents<'m>(message: &'m Message<'m>, part: &'m MessagePart<'m>, depth: usize) -> BodyPart<'m> {
    match &part.body {
        PartType::Text(text) | PartType::Html(text) => BodyPart::Text(Cow::Borrowed(text)),
        PartType::Binary(octets) | PartType::InlineBinary(octets) => BodyPart::Binary(Cow::Borrowed(octets)),
        PartType::Multipart(_) | PartType::Message(_) if depth == DEPTH => BodyPart::Text("".into()),
        PartType::Multipart(parts) => {
            BodyPart::Multipart(parts.iter().map(|number| rebuilt(message, *number as usize, depth + 1)).collect())
        }
        PartType::Message(inner) => {
            let mut written = Vec::new();
            rebuilt(inner, 0, depth + 1).write_part(&mut written);
            BodyPart::Binary(written.into())
        }
    }
}

fn value<'m>(message: &'m Message<'m>, part: &MessagePart, header: &'m Header<'m>) -> HeaderType<'m> {
    let is_of_ids = matches!(
        header.name,
        HeaderName::MessageId | HeaderName::ContentId | HeaderName::References | HeaderName::InReplyTo
    );
    match &header.value {
        HeaderValue::Address(addresses) => all_addresses(addresses).into(),
        HeaderValue::Text(id) if is_of_ids => MessageId::new(&**id).into(),
        HeaderValue::TextList(ids) if is_of_ids => MessageId::new_list(ids.iter().map(|id| &**id)).into(),
        HeaderValue::Text(text) => Text::new(&**text).into(),
        HeaderValue::TextList(texts) => Text::new(texts.join(", ")).into(),
        HeaderValue::DateTime(date) => Date::new(date.to_timestamp()).into(),
        HeaderValue::ContentType(media) => {
            content_type(media, is_text(part) && header.name == HeaderName::ContentType).into()
        }
        _ => raw(message, header),
    }
}

fn raw<'m>(message: &'m Message<'m>, header: &Header) -> HeaderType<'m> {
    let octets = &message.raw_message[header.offset_start as usize..header.offset_end as usize];
    Raw::new(String::from_utf8_lossy(octets).trim().to_owned()).into()
}

fn all_addresses<'m>(addresses: &'m Address<'m>) -> NewAddress<'m> {
    match addresses {
        Address::List(list) => NewAddress::new_list(list.iter().map(address).collect()),
        Address::Group(groups) => NewAddress::new_list(
            (groups.iter())
                .map(|group| {
                    NewAddress::new_group(group.name.as_deref(), group.addresses.iter().map(address).collect())
                })
                .collect(),
        ),
    }
}

fn address<'m>(address: &'m Addr<'m>) -> NewAddress<'m> {
    NewAddress::new_address(address.name.as_deref(), address.address.as_deref().unwrap_or_default())
}

/// The media type with its parameters, but for a boundary, which mail-builder makes, and the charset of a text.
fn content_type<'m>(media: &'m ContentType<'m>, is_text: bool) -> NewContentType<'m> {
    let name = match &media.c_subtype {
        Some(subtype) => format!("{}/{subtype}", media.c_type),
        None => media.c_type.to_string(),
    };
    let stays =
        |name: &str| !name.eq_ignore_ascii_case("boundary") && !(is_text && name.eq_ignore_ascii_case("charset"));
    let kept = media.attributes.iter().flatten().filter(|attribute| stays(&attribute.name));
    let new = kept.fold(NewContentType::new(name), |new, attribute| new.attribute(&*attribute.name, &*attribute.value));
    if is_text { new.attribute("charset", "utf-8") } else { new }
}

fn unlabelled<'m>(part: &MessagePart) -> HeaderType<'m> {
    let name = if matches!(part.body, PartType::Html(_)) { "text/html" } else { "text/plain" };
    NewContentType::new(name).attribute("charset", "utf-8").into()
}
