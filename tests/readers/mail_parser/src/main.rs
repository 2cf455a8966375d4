//! Reads fixtures/reading.jsonl with mail-parser, and says for each case what it shows.

use std::io::stdin;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use mail_parser::{Address, HeaderValue, Message, MessageParser, MessagePart, MimeHeaders, PartType};
use serde_json::{Value, json};

fn main() {
    for line in stdin().lines() {
        let case: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        let octets = STANDARD.decode(case["message"].as_str().expect("a message")).expect("base64");
        let message = MessageParser::new().default_header_text().parse(&octets);
        let text = message.and_then(|message| seen(&message, &case["place"]));
        println!("{}", json!({ "id": case["id"], "text": text }));
    }
}

fn seen(message: &Message, place: &Value) -> Option<String> {
    if let Some(path) = place["part"].as_str() {
        let numbers = path.split('.').skip(1).map(|it| it.parse().expect("a number"));
        let part = child(message, numbers.collect())?;
        return match place["what"].as_str() {
            Some("filename") => part.attachment_name().map(str::to_owned),
            _ => body(part),
        };
    }
    match message.header(place["field"].as_str()?)? {
        HeaderValue::Address(address) => name(address, place["at"].as_u64().unwrap_or(1)),
        value => value.as_text().map(str::to_owned),
    }
}

/// Finds a part by the numbers of its path.
fn child<'m>(message: &'m Message, path: Vec<usize>) -> Option<&'m MessagePart<'m>> {
    path.iter().try_fold(message.parts.first()?, |part, number| match &part.body {
        PartType::Multipart(parts) => message.parts.get(*parts.get(number - 1)? as usize),
        _ => None,
    })
}

fn body(part: &MessagePart) -> Option<String> {
    match &part.body {
        PartType::Text(text) | PartType::Html(text) => Some(text.to_string()),
        _ => None,
    }
}

/// Returns the name of the mailbox at a number; the members of a group count like others.
fn name(address: &Address, at: u64) -> Option<String> {
    address.iter().nth(at as usize - 1)?.name().map(str::to_owned)
}
