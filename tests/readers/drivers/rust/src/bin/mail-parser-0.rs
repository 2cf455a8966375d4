//! Reads mail with the crate mail-parser 0.11.9, `full_encoding`.

use mail_parser_0::{Message, MessageParser, MessagePart, MimeHeaders, PartType};
use septet_readers::{FIELDS, answer};
use serde_json::{Map, Value, json};

fn main() {
    answer(|octets| MessageParser::new().default_header_text().parse(octets).map(|message| seen(&message)));
}

fn seen(message: &Message) -> Value {
    let mut parts = Vec::new();
    collect(message, &mut parts);
    let named = |field: &str| Some(message.header(field)?.as_address()?.iter().map(|it| it.name()).collect());
    let names: Map<String, Value> =
        FIELDS.iter().filter_map(|field| Some((field.to_string(), named(field)?))).collect();
    json!({
        "tree": parts.iter().map(|part| kind(part)).collect::<Vec<_>>(),
        "fields": message.headers().iter().map(|field| field.name().to_lowercase()).collect::<Vec<_>>(),
        "subject": message.subject(),
        "comments": message.header("Comments").and_then(|value| value.as_text()),
        "names": names,
        "addresses": message.from().map(|from| from.iter().map(|it| it.address()).collect()).unwrap_or(vec![]),
        "files": parts.iter().filter_map(|part| part.attachment_name()).collect::<Vec<_>>(),
        "texts": parts.iter().filter_map(|part| match &part.body {
            PartType::Text(text) | PartType::Html(text) => Some(text),
            _ => None,
        }).collect::<Vec<_>>(),
    })
}

/// Collects the parts of a message in their order, and behind an attached message what is in it.
fn collect<'m>(message: &'m Message, parts: &mut Vec<&'m MessagePart<'m>>) {
    for part in &message.parts {
        parts.push(part);
        if let PartType::Message(inner) = &part.body {
            collect(inner, parts);
        }
    }
}

fn kind(part: &MessagePart) -> String {
    let Some(media) = part.content_type() else { return "text/plain".to_owned() };
    format!("{}/{}", media.ctype(), media.subtype().unwrap_or_default()).to_lowercase()
}
