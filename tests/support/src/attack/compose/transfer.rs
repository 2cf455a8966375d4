//! Hides octets in a transfer encoding (RFC 2045 §6), tidily or not.

use septet::coding::transfer::base64;

use super::{Around, Choices};

/// How a body is carried: the name for the field, none for no field.
pub struct Carried {
    pub name: Option<String>,
    pub body: Vec<u8>,
}

/// Carries octets somehow; what only base64 can carry without harm mostly gets it.
pub fn carry(choices: &mut Choices, around: &Around, octets: &[u8]) -> Carried {
    let (name, body) = match choices.below(12) {
        0 => (None, octets.to_vec()),
        1 => (Some("7bit"), octets.to_vec()),
        2 => (Some("8bit"), octets.to_vec()),
        3 => (Some("binary"), octets.to_vec()),
        4 => (Some("x-unknown"), octets.to_vec()),
        5..=8 => (Some("quoted-printable"), quoted_printable(choices, around, octets)),
        _ => (Some("base64"), in_base64(choices, around, octets)),
    };
    Carried { name: name.map(str::to_owned), body }
}

fn quoted_printable(choices: &mut Choices, around: &Around, octets: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut column = 0;
    let mut at = 0;
    let hides = 1 + choices.below(6);
    while let Some(&octet) = octets.get(at) {
        let is_end = octets[at..].starts_with(around.end.as_bytes());
        if is_end && !choices.one_in(12) {
            out.extend_from_slice(around.end.as_bytes());
            (at, column) = (at + around.end.len(), 0);
            continue;
        }
        if column > 70 || choices.one_in(40) {
            out.extend_from_slice(if choices.one_in(9) { b"= \t" } else { b"=" });
            out.extend_from_slice(around.end.as_bytes());
            column = 0;
        }
        let raw = matches!(octet, b'!'..=b'<' | b'>'..=b'~' | b' ') && !choices.one_in(hides);
        let written = match raw {
            true => char::from(octet).to_string(),
            false if choices.one_in(20) => format!("={octet:02x}"),
            false => format!("={octet:02X}"),
        };
        out.extend_from_slice(written.as_bytes());
        (at, column) = (at + 1, column + written.len());
    }
    if choices.one_in(8) {
        // The line end behind it is the delimiter's.
        out.extend_from_slice(if choices.one_in(4) { b"= " } else { b"=" });
    }
    out
}

fn in_base64(choices: &mut Choices, around: &Around, octets: &[u8]) -> Vec<u8> {
    let mut out = base64::encode(octets, around.end.as_bytes());
    match choices.below(10) {
        0 if !out.is_empty() => {
            let at = choices.below(out.len());
            out.splice(at..at, *b"!-");
        }
        1 => out.retain(|&octet| octet != b'='),
        2 => out.extend_from_slice(b"_______________________________________________\nlist footer\n"),
        3 => out.retain(|octet| !octet.is_ascii_whitespace()),
        _ => {}
    }
    if !out.is_empty() && !out.ends_with(b"\n") {
        out.extend_from_slice(around.end.as_bytes());
    }
    out
}
