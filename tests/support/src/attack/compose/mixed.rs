//! Messages whose lines end in either way, a CR alone among them: no MTA makes such, and archives have them.

use super::{Choices, hinted, named, quoted, worded};

/// Composes a message of any kind, and ends each of its lines by itself.
pub fn message(choices: &mut Choices) -> Vec<u8> {
    let whole = [super::message, hinted::message, named::message, quoted::message, worded::message];
    let raw = whole[choices.below(whole.len())](choices);
    // Most lines end as most others do.
    let (rare, often) = (choices.of(&["\r\n", "\n", "\r"]), 2 + choices.below(8));
    let mut out = Vec::with_capacity(raw.len());
    for line in raw.split_inclusive(|octet| *octet == b'\n') {
        let content = line.strip_suffix(b"\n").map(|content| content.strip_suffix(b"\r").unwrap_or(content));
        match content {
            Some(content) if choices.one_in(often) => {
                out.extend_from_slice(content);
                out.extend_from_slice(rare.as_bytes());
            }
            _ => out.extend_from_slice(line),
        }
    }
    out
}
