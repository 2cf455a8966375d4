//! Parts: texts, files, multiparts and messages, up to three deep.

use super::label::{parameter, token};
use super::{Around, Choices, boundary, charset, field, text, transfer};

/// The deepest multipart or message.
const DEEPEST: usize = 3;

const MULTIPARTS: [&str; 9] =
    ["mixed", "mixed", "alternative", "related", "digest", "report", "signed", "encrypted", "x-odd"];
const MESSAGES: [&str; 5] =
    ["message/rfc822", "message/rfc822", "message/global", "message/news", "message/delivery-status"];
const TEXTS: [&str; 9] = [
    "text/plain",
    "text/plain",
    "text/plain",
    "text/html",
    "text/html",
    "text/plain; format=flowed; delsp=yes",
    "text/csv",
    "text/x-patch",
    "text/rtf",
];

/// Writes a part: its MIME fields, the empty line, its body.
pub fn part(choices: &mut Choices, around: &mut Around, depth: usize, out: &mut Vec<u8>) {
    match choices.below(if depth < DEEPEST { 7 } else { 3 }) {
        0..=2 => leaf(choices, around, out),
        3..=5 => multipart(choices, around, depth, out),
        _ => message(choices, around, depth, out),
    }
}

fn multipart(choices: &mut Choices, around: &mut Around, depth: usize, out: &mut Vec<u8>) {
    let sub = choices.of(&MULTIPARTS);
    let boundary = boundary::boundary(choices, &around.boundaries);
    let written = parameter(choices, "boundary", &boundary);
    around.line(out, &format!("Content-Type: multipart/{sub}{written}"));
    composite_fields(choices, around, out);
    if choices.one_in(4) {
        around.line(out, "This is a multipart \u{E9}");
    }
    around.boundaries.push(boundary.clone());
    for _ in 0..1 + choices.below(3) {
        around.line(out, &format!("--{boundary}"));
        part(choices, around, depth + 1, out);
        // Mostly the line end before a boundary is there and does not belong to the body.
        if !choices.one_in(10) {
            around.line(out, "");
        }
    }
    around.boundaries.pop();
    if !choices.one_in(8) {
        around.line(out, &format!("--{boundary}--"));
    }
}

fn message(choices: &mut Choices, around: &mut Around, depth: usize, out: &mut Vec<u8>) {
    let media = choices.of(&MESSAGES);
    around.line(out, &format!("Content-Type: {media}"));
    composite_fields(choices, around, out);
    field::message_fields(choices, around, out);
    part(choices, around, depth + 1, out);
}

/// Writes the fields that say nothing good of what is made of parts, and the empty line.
fn composite_fields(choices: &mut Choices, around: &Around, out: &mut Vec<u8>) {
    if choices.one_in(6) {
        let name = choices.of(&["7bit", "8bit", "binary", "base64", "quoted-printable"]);
        around.line(out, &format!("Content-Transfer-Encoding: {name}"));
    }
    around.line(out, "");
}

fn leaf(choices: &mut Choices, around: &Around, out: &mut Vec<u8>) {
    let text = text::text(choices, around);
    let written = charset::write(choices, around, &text);
    let carried = transfer::carry(choices, around, &written.octets);
    let mut fields = leaf_fields(choices, written.label, carried.name.as_deref());
    if choices.one_in(12) {
        // A second field that says something else.
        fields.push(
            choices.of(&["Content-Type: text/html; charset=utf-7", "Content-Transfer-Encoding: base64"]).to_owned(),
        );
    }
    if choices.one_in(2) {
        fields.reverse();
    }
    fields.iter().for_each(|line| around.line(out, line));
    if choices.one_in(25) {
        around.line(out, "junk \u{E9} without a colon");
    }
    if !choices.one_in(40) {
        around.line(out, "");
    }
    out.extend_from_slice(&carried.body);
}

fn leaf_fields(choices: &mut Choices, label: &str, transfer: Option<&str>) -> Vec<String> {
    let mut fields = Vec::new();
    let media = if choices.one_in(15) { "application/octet-stream" } else { choices.of(&TEXTS) };
    let charset = if label.is_empty() { String::new() } else { parameter(choices, "charset", label) };
    let name = if choices.one_in(8) { named(choices, "name") } else { String::new() };
    if !choices.one_in(20) {
        fields.push(format!("Content-Type: {media}{charset}{name}"));
    }
    if let Some(transfer) = transfer {
        fields.push(format!("Content-Transfer-Encoding: {}", token(choices, transfer)));
    }
    if choices.one_in(5) {
        let how = choices.of(&["attachment", "attachment", "inline"]);
        fields.push(format!("Content-Disposition: {how}{}", named(choices, "filename")));
    }
    if choices.one_in(8) {
        fields.push(
            choices.of(&["Content-MD5: Q2hlY2s=", "Lines: 3", "Content-Length: 17", "Content-ID: <a@b>"]).to_owned(),
        );
    }
    fields
}

fn named(choices: &mut Choices, name: &str) -> String {
    let value = field::file_name(choices);
    parameter(choices, name, value)
}
