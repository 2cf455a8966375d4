//! Reads mail with the crate mail-parser 1.0.1, `full_encoding`.

use mail_parser_1::{HeaderForm, Message, MessageParser, MessagePart};
use septet_readers::{FIELDS, answer};
use serde_json::{Map, Value, json};

fn main() {
    answer(|octets| MessageParser::new().unknown_headers(HeaderForm::Text).parse(octets).map(|message| seen(&message)));
}

fn seen(message: &Message) -> Value {
    let root = message.root();
    let named =
        |field: &str| Some(root.headers().get(field)?.value().as_address()?.mailboxes().map(|it| it.name()).collect());
    let names: Map<String, Value> =
        FIELDS.iter().filter_map(|field| Some((field.to_string(), named(field)?))).collect();
    let addresses = root.headers().from().map(|from| from.mailboxes().map(|it| it.address()).collect());
    json!({
        "tree": message.parts().map(|part| kind(&part)).collect::<Vec<_>>(),
        "fields": root.headers().iter().map(|field| field.raw_name().to_lowercase()).collect::<Vec<_>>(),
        "subject": root.headers().subject(),
        "comments": root.headers().comments(),
        "names": names,
        "addresses": addresses.unwrap_or(vec![]),
        "files": message.parts().filter_map(|part| part.attachment_name()).collect::<Vec<_>>(),
        "texts": message.parts().filter_map(|part| part.text()).collect::<Vec<_>>(),
    })
}

fn kind(part: &MessagePart) -> String {
    let Some(media) = part.content_type() else { return "text/plain".to_owned() };
    format!("{}/{}", media.ctype(), media.subtype().unwrap_or_default()).to_lowercase()
}
