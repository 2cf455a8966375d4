//! CESU-8 (Unicode Technical Report 26): UTF-8 made of UTF-16, a surrogate at a time, as Java and Oracle write it.
//!
//! A character above U+FFFF is two surrogates of three octets each. UTF-8 has no surrogates, so that such a pair can be
//! nothing else. Characters of four octets, which CESU-8 has not, are read as well: some programs mix both.

use std::ops::{ControlFlow, Range};

use super::sink::{Flow, TextSink};
use crate::fault::MalformedError;
use crate::utf8;

/// The octets of a pair.
const PAIR: usize = 6;

/// Decodes octets.
pub(super) fn decode(bytes: &[u8], sink: &mut TextSink) -> Flow {
    let mut start = 0;
    // No octet of a character but its first is ED. That of a low surrogate lies before `start`, and is passed over.
    for at in memchr::memchr_iter(0xED, bytes) {
        if let Some(character) = bytes.get(at..at + PAIR).and_then(pair).filter(|_| at >= start) {
            decode_utf_8(bytes, start..at, sink)?;
            sink.text.push(character);
            start = at + PAIR;
        }
    }
    decode_utf_8(bytes, start..bytes.len(), sink)
}

/// Decodes what stands between pairs: a range of all the octets, in which the offsets of faults count.
fn decode_utf_8(bytes: &[u8], range: Range<usize>, sink: &mut TextSink) -> Flow {
    let mut at = range.start;
    let between = bytes.get(range).unwrap_or_default();
    for chunk in between.utf8_chunks() {
        sink.text.push_str(chunk.valid());
        at += chunk.valid().len();
        if !chunk.invalid().is_empty() {
            let here = bytes.get(at..bytes.len().min(at + 4)).unwrap_or_default();
            let rule = utf8::decode(here).err().map_or(MalformedError::CUT, |fault| fault.rule);
            sink.fault(at, rule)?;
        }
        at += chunk.invalid().len();
    }
    ControlFlow::Continue(())
}

/// Returns the character of six octets that are a high surrogate and a low one; `None` for any others.
fn pair(octets: &[u8]) -> Option<char> {
    let &[0xED, high @ 0xA0..=0xAF, low_of_high @ 0x80..=0xBF, 0xED, low @ 0xB0..=0xBF, low_of_low @ 0x80..=0xBF] =
        octets
    else {
        return None;
    };
    char::decode_utf16([surrogate_of(high, low_of_high), surrogate_of(low, low_of_low)]).next()?.ok()
}

/// Returns the surrogate of three octets, of which the first is ED.
fn surrogate_of(second: u8, third: u8) -> u16 {
    0xD000 | u16::from(second & 0x3F) << 6 | u16::from(third & 0x3F)
}

/// Encodes text; CESU-8 has every character.
pub(super) fn encode(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + text.len() / 2);
    for character in text.chars() {
        match character.len_utf8() {
            4 => out.extend(character.encode_utf16(&mut [0; 2]).iter().flat_map(|unit| surrogate(*unit))),
            _ => out.extend(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    out
}

/// Returns the three octets of a surrogate.
fn surrogate(unit: u16) -> [u8; 3] {
    let [high, low] = (unit & 0xFFF).to_be_bytes();
    [0xED, 0x80 | high << 2 | low >> 6, 0x80 | low & 0x3F]
}

#[cfg(test)]
mod tests {
    use crate::charset::Charset;

    const SMILE: &[u8] = b"a\xED\xA0\xBD\xED\xB8\x80\xC3\xA9";

    #[test]
    fn a_character_is_two_surrogates() {
        assert_eq!(Charset::CESU_8.decode(SMILE).as_deref(), Ok("a😀é"));
        assert_eq!(Charset::CESU_8.encode("a😀é").as_deref(), Ok(SMILE));
        assert_eq!(Charset::CESU_8.decode("😀".as_bytes()).as_deref(), Ok("😀"), "four octets");
        for character in ['\u{10000}', '\u{1F600}', '\u{10FFFF}', '\u{E000}', '\u{D7FF}'] {
            let text = character.to_string();
            let octets = Charset::CESU_8.encode(&text).expect("every character").into_owned();
            assert_eq!(Charset::CESU_8.decode(&octets).as_deref(), Ok(&*text));
        }
    }

    #[test]
    fn half_a_pair_is_a_fault() {
        for (octets, offset) in [(&b"a\xED\xA0\xBD"[..], 1), (b"\xED\xB8\x80\xED\xA0\xBD", 0), (b"a\xFF", 1)] {
            assert_eq!(Charset::CESU_8.decode(octets).map_err(|fault| fault.offset), Err(offset));
        }
        assert_eq!(Charset::CESU_8.decode_lossy(b"\xED\xA0\xBDx").1, Charset::UTF_8.decode_lossy(b"\xED\xA0\xBDx").1);
    }
}
