//! What the drivers in Rust share: messages come in, each behind its length on a line, and a line of JSON answers each.

use std::io::{Read, Write, stdin, stdout};

use serde_json::{Value, json};

/// The fields that are asked for names.
pub const FIELDS: [&str; 5] = ["from", "sender", "to", "cc", "reply-to"];

/// Answers each message with what `seen` makes of it; `None` is an answer as well.
pub fn answer(seen: impl Fn(&[u8]) -> Option<Value>) {
    let mut input = Vec::new();
    stdin().read_to_end(&mut input).expect("messages");
    let (mut rest, mut out) = (&input[..], stdout().lock());
    while let Some(line) = rest.iter().position(|&octet| octet == b'\n') {
        let length: usize = String::from_utf8_lossy(&rest[..line]).trim().parse().expect("a length");
        let message = &rest[line + 1..][..length];
        let shown = seen(message).unwrap_or_else(|| {
            json!({ "tree": [], "fields": [], "subject": null, "comments": null, "names": {}, "addresses": [],
                "files": [], "texts": [], "error": "it is no message" })
        });
        writeln!(out, "{shown}").expect("an answer");
        rest = &rest[line + 1 + length..];
    }
}
