//! HZ: GB 2312 between `~{` and `~}`, 7 bits throughout (RFC 1843).

use std::ops::ControlFlow;

use super::iso_2022::{HALF, HIGH, LINE_END, NO_CHARACTER, Set};
use super::sink::{Flow, TextSink};
use crate::fault::MappingError;

const TILDE: &str = "a tilde that begins nothing";

/// Decodes octets; a line end goes back to ASCII, and is a fault if nothing did so before.
pub(super) fn decode(bytes: &[u8], sink: &mut TextSink) -> Flow {
    let (mut at, mut hanzi) = (0, false);
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        at += match rest {
            [b'~', b'{', ..] if !hanzi => {
                hanzi = true;
                2
            }
            [b'~', b'}', ..] if hanzi => {
                hanzi = false;
                2
            }
            _ if hanzi => hanzi_at(rest, at, &mut hanzi, sink)?,
            _ => ascii_at(rest, at, sink)?,
        };
    }
    ControlFlow::Continue(())
}

/// Takes octets outside `~{ ~}`, and returns how many. `at` is their offset in the text, for faults.
fn ascii_at(rest: &[u8], at: usize, sink: &mut TextSink) -> ControlFlow<(), usize> {
    match rest {
        [b'~', b'~', ..] => {
            sink.text.push('~');
            ControlFlow::Continue(2)
        }
        // A line that goes on: the tilde and the line end are no text.
        [b'~', b'\r', b'\n', ..] => ControlFlow::Continue(3),
        [b'~', b'\n', ..] => ControlFlow::Continue(2),
        [b'~', ..] => {
            sink.fault(at, TILDE)?;
            ControlFlow::Continue(1)
        }
        _ => {
            let len = memchr::memchr(b'~', rest).unwrap_or(rest.len());
            sink.ascii(rest.get(..len).unwrap_or_default(), at, HIGH)?;
            ControlFlow::Continue(len)
        }
    }
}

/// Takes octets inside `~{ ~}`, and returns how many: none at a line end, which only clears `hanzi`.
fn hanzi_at(rest: &[u8], at: usize, hanzi: &mut bool, sink: &mut TextSink) -> ControlFlow<(), usize> {
    match rest {
        [b'\r', b'\n', ..] | [b'\n', ..] => {
            sink.fault(at, LINE_END)?;
            *hanzi = false;
            ControlFlow::Continue(0)
        }
        [octet @ (..=0x20 | 0x7F), ..] => {
            sink.text.push(char::from(*octet));
            ControlFlow::Continue(1)
        }
        // Row 7E has no characters, so that this never runs over `~}`.
        [0x21..=0x7E, 0x21..=0x7E, ..] => match Set::Gb2312.push_doubles(rest, &mut sink.text) {
            0 => {
                sink.fault(at, NO_CHARACTER)?;
                ControlFlow::Continue(2)
            }
            read => ControlFlow::Continue(read),
        },
        [octet, ..] => {
            sink.fault(at, if octet.is_ascii() { HALF } else { HIGH })?;
            ControlFlow::Continue(1)
        }
        [] => ControlFlow::Continue(0),
    }
}

/// Encodes text; hanzi never run over a line end. The first character that neither ASCII nor GB 2312 has is an error.
pub(super) fn encode(text: &str) -> Result<Vec<u8>, MappingError> {
    let mut out = Vec::with_capacity(text.len() + 4);
    let mut hanzi = false;
    for (offset, character) in text.char_indices() {
        if character.is_ascii() == hanzi {
            out.extend(if hanzi { b"~}" } else { b"~{" });
            hanzi = !hanzi;
        }
        match character {
            '~' => out.extend(b"~~"),
            '\0'..='\x7F' => out.extend(Set::Ascii.code(character).map(|[_, octet]| octet)),
            _ => out.extend(Set::Gb2312.code(character).ok_or(MappingError { offset, character })?),
        }
    }
    if hanzi {
        out.extend(b"~}");
    }
    Ok(out)
}

/// Returns `true` if octets and text are the same, in either direction: ASCII without a tilde.
pub(super) fn is_plain(bytes: &[u8]) -> bool {
    bytes.is_ascii() && memchr::memchr(b'~', bytes).is_none()
}
