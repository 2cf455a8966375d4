//! What mail-parser reads in the header of one part, asked of it alone.

use std::panic::catch_unwind;

use mail_parser::{ContentType, MimeHeaders};

use super::PARSER;

/// What stands behind a header that is asked about: a field that is read only where the header has no end before it.
const BEHIND: &[u8] = b"End:\n\n";

/// A message of one field and no more, in each transfer encoding that is undone.
const SHORT_MESSAGES: [(&str, &[u8]); 2] = [("base64", b"WDoKCg=="), ("quoted-printable", b"X:=0A=0A")];

/// What mail-parser reads in a header.
pub(super) struct ParsedHeader {
    /// The boundary that it looks for in the body, if any.
    pub boundary: Option<String>,
    /// Whether the header has an end, so that the body starts no later than for septet.
    pub ends: bool,
    /// If it undoes a transfer encoding of the body, and reads what it finds as a message: a short one, so encoded.
    pub encoded_message: Option<&'static [u8]>,
}

impl ParsedHeader {
    /// Asks about a header, which must come with the line that ends it; none if mail-parser panics. A header in which
    /// it finds no message is one that says nothing.
    pub fn read(header: &[u8]) -> Option<ParsedHeader> {
        let shown = [header, BEHIND].concat();
        let parsed = catch_unwind(|| PARSER.parse_headers(&shown)).ok()?;
        let Some(part) = parsed.as_ref().and_then(|message| message.parts.first()) else {
            return Some(ParsedHeader { boundary: None, ends: true, encoded_message: None });
        };
        let content_type = part.content_type();
        let multipart = content_type.filter(|ty| ty.ctype() == "multipart");
        let boundary = multipart.and_then(|ty| ty.attribute("boundary")).map(str::to_owned);
        let encoding = part.content_transfer_encoding().unwrap_or_default();
        let short = SHORT_MESSAGES.iter().find(|(name, _)| encoding.eq_ignore_ascii_case(name));
        Some(ParsedHeader {
            boundary,
            ends: part.headers.iter().all(|field| (field.offset_field as usize) < header.len()),
            encoded_message: short.filter(|_| content_type.is_none_or(is_message)).map(|(_, message)| *message),
        })
    }
}

/// Returns `true` if a body of this type is a message to mail-parser.
fn is_message(ty: &ContentType) -> bool {
    ty.ctype() == "message" && matches!(ty.subtype(), Some("rfc822" | "global"))
}
