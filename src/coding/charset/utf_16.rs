//! UTF-16 and UTF-32 (RFC 2781, The Unicode Standard §3.10).
//!
//! `utf-16` and `utf-32` begin with a byte order mark, which is no part of the text; without one they are
//! big-endian (RFC 2781 §4.3). In `utf-16le` and its like U+FEFF at the start is a character (§4.1, §4.2).

use std::ops::ControlFlow;

use super::sink::{Flow, Sink};

/// The order of the octets in a code unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// As the byte order mark says.
    Marked,
    Big,
    Little,
}

const TRUNCATED: &str = "the text ends inside a character";
const LONE: &str = "a lone surrogate";

/// Takes the mark off, and says which order the rest has.
fn unmark<'a>(bytes: &'a [u8], order: Order, big: &[u8], little: &[u8]) -> (&'a [u8], bool) {
    match order {
        Order::Big => (bytes, true),
        Order::Little => (bytes, false),
        // Only UTF-32 could take FF FE 00 00 for a mark of both, and it is asked for by its own marks.
        Order::Marked => match (bytes.strip_prefix(big), bytes.strip_prefix(little)) {
            (Some(rest), _) => (rest, true),
            (None, Some(rest)) => (rest, false),
            (None, None) => (bytes, true),
        },
    }
}

/// Decodes UTF-16.
pub(super) fn decode_16(bytes: &[u8], order: Order, sink: &mut Sink) -> Flow {
    let (rest, big) = unmark(bytes, order, b"\xFE\xFF", b"\xFF\xFE");
    let mut offset = bytes.len() - rest.len();
    let (pairs, odd) = rest.as_chunks();
    let units = pairs.iter().map(|pair| if big { u16::from_be_bytes(*pair) } else { u16::from_le_bytes(*pair) });
    for found in char::decode_utf16(units) {
        match found {
            Ok(character) => {
                sink.text.push(character);
                offset += 2 * character.len_utf16();
            }
            Err(_) => {
                sink.fault(offset, LONE)?;
                offset += 2;
            }
        }
    }
    if odd.is_empty() { ControlFlow::Continue(()) } else { sink.fault(offset, TRUNCATED) }
}

/// Decodes UTF-32.
pub(super) fn decode_32(bytes: &[u8], order: Order, sink: &mut Sink) -> Flow {
    let (rest, big) = unmark(bytes, order, b"\0\0\xFE\xFF", b"\xFF\xFE\0\0");
    let mut offset = bytes.len() - rest.len();
    let (units, odd) = rest.as_chunks();
    for unit in units {
        let code = if big { u32::from_be_bytes(*unit) } else { u32::from_le_bytes(*unit) };
        match char::from_u32(code) {
            Some(character) => sink.text.push(character),
            None if code > 0x10FFFF => sink.fault(offset, "above U+10FFFF")?,
            None => sink.fault(offset, LONE)?,
        }
        offset += 4;
    }
    if odd.is_empty() { ControlFlow::Continue(()) } else { sink.fault(offset, TRUNCATED) }
}

/// Encodes as UTF-16: big-endian behind a mark, or in the order named, without one.
pub(super) fn encode_16(text: &str, order: Order) -> Vec<u8> {
    let mut out = Vec::with_capacity(2 * text.len() + 2);
    if order == Order::Marked && !text.is_empty() {
        out.extend(b"\xFE\xFF");
    }
    for unit in text.encode_utf16() {
        out.extend(if order == Order::Little { unit.to_le_bytes() } else { unit.to_be_bytes() });
    }
    out
}

/// Encodes as UTF-32: big-endian behind a mark, or in the order named, without one.
pub(super) fn encode_32(text: &str, order: Order) -> Vec<u8> {
    let mut out = Vec::with_capacity(4 * text.len() + 4);
    if order == Order::Marked && !text.is_empty() {
        out.extend(b"\0\0\xFE\xFF");
    }
    for character in text.chars() {
        let code = u32::from(character);
        out.extend(if order == Order::Little { code.to_le_bytes() } else { code.to_be_bytes() });
    }
    out
}
