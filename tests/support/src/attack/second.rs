//! The second reader: mail-parser.

use std::panic::PanicHookInfo;
use std::sync::Once;

use mail_parser::{Message, MessageParser, MessagePart, MimeHeaders, PartType};

use super::seen::{Seen, in_ascii};

/// Reads a message with mail-parser; an error is what it panicked with. Only MIME's fields are read for what they say:
/// at a date that is none, its reader of dates goes on into the next field.
pub fn read(raw: &[u8]) -> Result<Vec<Seen>, String> {
    keep_its_panics_quiet();
    let parse = || {
        let mut parts = Vec::new();
        if let Some(message) = MessageParser::new().with_mime_headers().default_header_ignore().parse(raw) {
            add(&message, 0, 0, &mut parts);
        }
        parts
    };
    std::panic::catch_unwind(parse).map_err(|_| "mail-parser panics".to_owned())
}

/// Keeps panics of mail-parser from being told, and from ending a fuzzer, whose hook ends it at one that is caught too:
/// mail-parser panics at some messages, and that is noted.
pub fn keep_its_panics_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        let its_own = |info: &PanicHookInfo| info.location().is_some_and(|at| at.file().contains("mail-parser"));
        std::panic::set_hook(Box::new(move |info| {
            if !its_own(info) {
                usual(info)
            }
        }));
    });
}

fn add(message: &Message, index: usize, depth: usize, parts: &mut Vec<Seen>) {
    let Some(part) = message.parts.get(index) else { return };
    parts.push(seen(part, depth));
    match &part.body {
        // It makes some parts children of themselves.
        PartType::Multipart(children) => {
            let below = children.iter().map(|&child| child as usize).filter(|child| *child > index);
            below.for_each(|child| add(message, child, depth + 1, parts));
        }
        PartType::Message(inner) => add(inner, 0, depth + 1, parts),
        _ => {}
    }
}

fn seen(part: &MessagePart, depth: usize) -> Seen {
    let names = part.headers.iter().map(|header| header.name.as_str().to_ascii_lowercase()).collect();
    let multipart = matches!(part.body, PartType::Multipart(_));
    let boundary = part.content_type().filter(|_| multipart).and_then(|content| content.attribute("boundary"));
    Seen {
        depth,
        media: media(part),
        boundary: boundary.map(str::to_owned),
        name: part.attachment_name().map(str::to_owned),
        fields: Some(names),
        text: None,
    }
}

/// Names what it takes the part for, and what the part says it is.
fn media(part: &MessagePart) -> String {
    let kind = match part.body {
        PartType::Text(_) | PartType::Html(_) => "text",
        PartType::Binary(_) | PartType::InlineBinary(_) => "binary",
        PartType::Message(_) => return "message".to_owned(),
        PartType::Multipart(_) => "multipart",
    };
    // Where no semicolon stands behind the type, it takes what follows for more of it.
    let sub = |content: &mail_parser::ContentType| {
        content.subtype().unwrap_or_default().split([' ', '\t', ',']).next().unwrap_or_default().to_owned()
    };
    let said = part.content_type().map(|content| format!("{}/{}", content.ctype(), sub(content)).to_ascii_lowercase());
    // What has no Content-Type may get one that says the same, and a text without a subtype is called plain.
    let said = said.filter(|said| said != "text/").unwrap_or_else(|| "text/plain".to_owned());
    // It shows headers under the name that they have in ASCII, and keeps them under the other one.
    let kind = if said == "message/global-headers" { "text" } else { kind };
    format!("{kind} {}", if said == "message/global" { "message/rfc822" } else { in_ascii(&said) })
}
