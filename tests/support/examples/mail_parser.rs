//! Reads messages with mail-parser, and shows each on a line of JSON; see tests/forms/readers.py for what goes in and out.

use std::io::{BufRead, Read, stdin};

use mail_parser::{Address, Message, MessageParser, MessagePart, MimeHeaders, PartType};
use serde_json::{Value, json};

fn main() {
    let mut input = stdin().lock();
    let mut line = String::new();
    while input.read_line(&mut line).is_ok_and(|length| length > 0) {
        let mut raw = vec![0; line.trim().parse().expect("a length")];
        input.read_exact(&mut raw).expect("a message");
        let shown = std::panic::catch_unwind(|| MessageParser::new().parse(&raw).map(|it| seen(&it)));
        println!("{}", shown.ok().flatten().unwrap_or_else(|| json!({})));
        line.clear();
    }
}

fn seen(message: &Message) -> Value {
    let people = message.from().map(people).unwrap_or_default();
    json!({
        "tree": message.parts.iter().map(media).collect::<Vec<_>>(),
        "fields": message.headers().iter().map(|it| it.name.as_str().to_ascii_lowercase()).collect::<Vec<_>>(),
        "subject": message.subject(),
        "names": people.iter().map(|(name, _)| name).collect::<Vec<_>>(),
        "addresses": people.iter().map(|(_, address)| address).collect::<Vec<_>>(),
        "files": message.parts.iter().map(MimeHeaders::attachment_name).collect::<Vec<_>>(),
        "texts": message.parts.iter().filter_map(text).collect::<Vec<_>>(),
    })
}

fn people(address: &Address) -> Vec<(Option<String>, Option<String>)> {
    address.iter().map(|it| (it.name().map(str::to_owned), it.address().map(str::to_owned))).collect()
}

fn media(part: &MessagePart) -> String {
    let kind = match part.body {
        PartType::Text(_) | PartType::Html(_) => "text",
        PartType::Binary(_) | PartType::InlineBinary(_) => "binary",
        PartType::Message(_) => "message",
        PartType::Multipart(_) => "multipart",
    };
    let said = part.content_type().map(|it| format!("{}/{}", it.ctype(), it.subtype().unwrap_or_default()));
    format!("{kind} {}", said.unwrap_or_default().to_ascii_lowercase())
}

fn text<'p>(part: &'p MessagePart) -> Option<&'p str> {
    match &part.body {
        PartType::Text(text) | PartType::Html(text) => Some(text),
        _ => None,
    }
}
