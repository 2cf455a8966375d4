//! UTF-16 and UTF-32 (RFC 2781, The Unicode Standard §3.10).
//!
//! `utf-16` and `utf-32` begin with a byte order mark, which is no part of the text. Without one they should be
//! big-endian (RFC 2781 §4.3), but Windows programs write them little-endian, and browsers, Python and iconv read them
//! so. The text itself says which it is: the high octets of code units name its few scripts, and vary less than the low
//! ones. Where both readings are as good, it is big-endian. In `utf-16le` and its like the order is the label's, and
//! U+FEFF at the start is a character (§4.1, §4.2).

use std::ops::ControlFlow;

use super::sink::{Flow, TextSink};
use crate::fault::MalformedError;

/// The order of the octets in a code unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteOrder {
    /// As the byte order mark says, or where there is none, as the text shows.
    Marked,
    Big,
    Little,
}

const LONE: &str = "a lone surrogate";

/// The byte order marks: big-endian, little-endian.
pub(super) struct ByteOrderMarks(&'static [u8], &'static [u8]);

/// Those of UTF-16.
pub(super) const MARKS_16: ByteOrderMarks = ByteOrderMarks(b"\xFE\xFF", b"\xFF\xFE");

/// Those of UTF-32.
pub(super) const MARKS_32: ByteOrderMarks = ByteOrderMarks(b"\0\0\xFE\xFF", b"\xFF\xFE\0\0");

/// Returns the length of the mark that octets begin with, where the order is that of a mark.
pub(super) fn mark_len(bytes: &[u8], order: ByteOrder, marks: &ByteOrderMarks) -> usize {
    let is_there = order == ByteOrder::Marked && (bytes.starts_with(marks.0) || bytes.starts_with(marks.1));
    if is_there { marks.0.len() } else { 0 }
}

/// Takes off the mark, where the order is that of a mark; returns the rest, and `true` if it is big-endian. `look`
/// decides that where a mark is expected and there is none.
fn unmark<'a>(bytes: &'a [u8], order: ByteOrder, marks: &ByteOrderMarks, look: fn(&[u8]) -> bool) -> (&'a [u8], bool) {
    match order {
        ByteOrder::Big => (bytes, true),
        ByteOrder::Little => (bytes, false),
        // FF FE 00 00 is a mark of UTF-32, and one of UTF-16 before U+0000: `marks` says which is meant.
        ByteOrder::Marked => match (bytes.strip_prefix(marks.0), bytes.strip_prefix(marks.1)) {
            (Some(rest), _) => (rest, true),
            (None, Some(rest)) => (rest, false),
            (None, None) => (bytes, look(bytes)),
        },
    }
}

/// Returns `true` if UTF-16 without a mark reads better big-endian than little-endian, or as well.
fn is_big_16(bytes: &[u8]) -> bool {
    let (pairs, _) = bytes.as_chunks::<2>();
    let [big, little] = [0, 1].map(|high| strangeness(pairs, high));
    (big, faults(pairs, u16::from_be_bytes)) <= (little, faults(pairs, u16::from_le_bytes))
}

/// Counts the surrogates that stand alone.
fn faults(pairs: &[[u8; 2]], read: fn([u8; 2]) -> u16) -> usize {
    char::decode_utf16(pairs.iter().map(|pair| read(*pair))).filter(Result::is_err).count()
}

/// Says how strange a text were whose high octets are those at `high`, 0 or 1, of each pair: how many scripts it would
/// have, and how many code units of scripts that mail does not have.
fn strangeness(pairs: &[[u8; 2]], high: usize) -> (usize, usize) {
    let mut seen = [0; 256];
    pairs.iter().for_each(|pair| seen[usize::from(pair[high])] += 1);
    // Zero is the script of spaces and digits too, which stand in every text.
    let scripts = seen.iter().skip(1).filter(|count| **count > 0).count();
    (scripts, seen.iter().enumerate().filter(|(high, _)| !is_usual(*high)).map(|(_, count)| count).sum())
}

/// Returns `true` if mail has code units of a high octet.
fn is_usual(high: usize) -> bool {
    matches!(high, 0..=0x0E | 0x10 | 0x11 | 0x1E..=0x27 | 0x30..=0x33 | 0x4E..=0x9F | 0xAC..=0xDF | 0xF9 | 0xFE | 0xFF)
}

/// Returns `true` if UTF-32 without a mark has as many characters big-endian as little-endian, or more.
fn is_big_32(bytes: &[u8]) -> bool {
    let (units, _) = bytes.as_chunks::<4>();
    let big = units.iter().filter(|unit| char::from_u32(u32::from_be_bytes(**unit)).is_some()).count();
    let little = units.iter().filter(|unit| char::from_u32(u32::from_le_bytes(**unit)).is_some()).count();
    big >= little
}

/// Decodes UTF-16.
pub(super) fn decode_16(bytes: &[u8], order: ByteOrder, sink: &mut TextSink) -> Flow {
    let (rest, big) = unmark(bytes, order, &MARKS_16, is_big_16);
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
    if odd.is_empty() { ControlFlow::Continue(()) } else { sink.fault(offset, MalformedError::CUT) }
}

/// Decodes UTF-32.
pub(super) fn decode_32(bytes: &[u8], order: ByteOrder, sink: &mut TextSink) -> Flow {
    let (rest, big) = unmark(bytes, order, &MARKS_32, is_big_32);
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
    if odd.is_empty() { ControlFlow::Continue(()) } else { sink.fault(offset, MalformedError::CUT) }
}

/// Encodes as UTF-16: big-endian behind a mark, or in the order named, without one. An empty text gets no mark.
pub(super) fn encode_16(text: &str, order: ByteOrder) -> Vec<u8> {
    let mut out = Vec::with_capacity(2 * text.len() + 2);
    if order == ByteOrder::Marked && !text.is_empty() {
        out.extend(b"\xFE\xFF");
    }
    for unit in text.encode_utf16() {
        out.extend(if order == ByteOrder::Little { unit.to_le_bytes() } else { unit.to_be_bytes() });
    }
    out
}

/// Encodes as UTF-32: big-endian behind a mark, or in the order named, without one. An empty text gets no mark.
pub(super) fn encode_32(text: &str, order: ByteOrder) -> Vec<u8> {
    let mut out = Vec::with_capacity(4 * text.len() + 4);
    if order == ByteOrder::Marked && !text.is_empty() {
        out.extend(b"\0\0\xFE\xFF");
    }
    for character in text.chars() {
        let code = u32::from(character);
        out.extend(if order == ByteOrder::Little { code.to_le_bytes() } else { code.to_be_bytes() });
    }
    out
}

/// Encodes as UTF-16 in the order of other octets, behind their mark where they have one; else in the order that they
/// read best in.
pub(super) fn encode_16_like(text: &str, came: &[u8]) -> Vec<u8> {
    let (rest, is_big) = unmark(came, ByteOrder::Marked, &MARKS_16, is_big_16);
    [&came[..came.len() - rest.len()], &encode_16(text, named(is_big))].concat()
}

/// Encodes as UTF-32 in the order of other octets, behind their mark where they have one; else in the order that they
/// read best in.
pub(super) fn encode_32_like(text: &str, came: &[u8]) -> Vec<u8> {
    let (rest, is_big) = unmark(came, ByteOrder::Marked, &MARKS_32, is_big_32);
    [&came[..came.len() - rest.len()], &encode_32(text, named(is_big))].concat()
}

/// Returns the order as one that a label names, so that nothing is written before the text.
fn named(is_big: bool) -> ByteOrder {
    if is_big { ByteOrder::Big } else { ByteOrder::Little }
}

#[cfg(test)]
mod tests {
    use super::super::Charset;
    use super::*;

    #[test]
    fn without_a_mark_the_text_says_its_order() {
        let texts = [
            "Bericht",
            "Réunion déplacée à vendredi",
            "é",
            "Straße",
            "Привет",
            "Ελληνικά, 20 €",
            "会議",
            "会議のお知らせ",
            "本日は晴天なり。",
            "한국어 텍스트",
            "שלום",
            "a 😀 b",
        ];
        for text in texts {
            for order in [ByteOrder::Big, ByteOrder::Little] {
                let octets = encode_16(text, order);
                assert_eq!(Charset::UTF_16.decode(&octets).as_deref(), Ok(text), "{order:?}");
                let octets = encode_32(text, order);
                assert_eq!(Charset::UTF_32.decode(&octets).as_deref(), Ok(text), "{order:?}");
            }
        }
        // Nothing tells: RFC 2781 §4.3.
        assert_eq!(Charset::UTF_16.decode(b"\x67\x2C").as_deref(), Ok("本"));
    }
}
