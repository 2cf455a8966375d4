//! A stand-in for `coding::utf7` until it is there: reads and writes nothing but plain ASCII.

use super::Unmappable;
use super::sink::{Flow, Sink};

#[derive(Debug, Clone, Copy)]
pub(super) enum Variant {
    Rfc1642,
    Rfc2152,
}

pub(super) fn is_plain(bytes: &[u8]) -> bool {
    bytes.is_ascii() && memchr::memchr(b'+', bytes).is_none()
}

pub(super) fn decode(bytes: &[u8], _variant: Variant, sink: &mut Sink) -> Flow {
    let offset = bytes.iter().position(|octet| *octet == b'+' || !octet.is_ascii()).unwrap_or(0);
    sink.fault(offset, "not built yet")
}

pub(super) fn encode(text: &str, _variant: Variant) -> Result<Vec<u8>, Unmappable> {
    let lacking = text.char_indices().find(|(_, character)| *character == '+' || !character.is_ascii());
    lacking.map_or(Ok(text.into()), |(offset, character)| Err(Unmappable { offset, character }))
}
