//! What mail-parser reads in the header of one part, asked of it alone.

use std::panic::catch_unwind;

use mail_parser::MimeHeaders;

use super::PARSER;

/// What stands behind a header that is asked about: a field that is read only where the header has no end before it.
const BEHIND: &[u8] = b"End:\n\n";

/// What mail-parser reads in a header. Whatever septet reads there, it is by this that mail-parser goes on through the
/// message.
pub(super) struct ParsedHeader {
    /// The boundary that it looks for in the body, if any.
    pub boundary: Option<String>,
    /// Whether the header has an end, so that the body starts no later than for septet.
    pub ends: bool,
}

impl ParsedHeader {
    /// Asks about a header, which must come with the line that ends it; none if mail-parser panics. A header in which
    /// it finds no message is one that says nothing.
    pub fn read(header: &[u8]) -> Option<ParsedHeader> {
        let shown = [header, BEHIND].concat();
        let parsed = catch_unwind(|| PARSER.parse_headers(&shown)).ok()?;
        let Some(part) = parsed.as_ref().and_then(|message| message.parts.first()) else {
            return Some(ParsedHeader { boundary: None, ends: true });
        };
        let multipart = part.content_type().filter(|ty| ty.ctype() == "multipart");
        let boundary = multipart.and_then(|ty| ty.attribute("boundary")).map(str::to_owned);
        let ends = part.headers.iter().all(|field| (field.offset_field as usize) < header.len());
        Some(ParsedHeader { boundary, ends })
    }
}
