//! The charsets of the WHATWG Encoding Standard that have several octets a character, over encoding_rs. Those of one
//! octet are in [`single_byte`](super::single_byte).
//!
//! The standard is for pages that must be shown whatever they hold. Mail that is to be rewritten wants some things
//! otherwise:
//!
//! - Some encoders fold a character that their charset lacks to one that looks like it (U+00A5 YEN SIGN to `\`).
//!   Here that character is lacking: nothing is lost silently.
//! - "replacement" and x-user-defined are no charsets of mail, and no row of the table uses them.

use std::ops::ControlFlow;

use encoding_rs::{DecoderResult, EncoderResult, Encoding};

use super::sink::{Flow, NO_CHARACTER, TextSink};
use crate::fault::{MalformedError, MappingError};

/// Returns `true` if ASCII text under this label is read as that by every program: a well-known label of a charset in
/// which ASCII octets mean ASCII. `false` for one that the Encoding Standard lacks.
pub fn is_plain_label(label: &[u8]) -> bool {
    let known = Encoding::for_label(label);
    known.is_some_and(|known| known.is_ascii_compatible() && known != encoding_rs::X_USER_DEFINED)
}

/// Encodes text; one of the characters that the standard's encoder folds to others is lacking.
pub(super) fn encode(encoding: &'static Encoding, folded: &[char], text: &str) -> Result<Vec<u8>, MappingError> {
    let refused = text.char_indices().find(|(_, character)| folded.contains(character));
    let end = refused.map_or(text.len(), |(offset, _)| offset);
    let out = encode_folding(encoding, text.get(..end).unwrap_or_default())?;
    refused.map_or(Ok(out), |(offset, character)| Err(MappingError { offset, character }))
}

/// The octets that a decoder is given to write to at once.
const PIECE: usize = 8 << 10;

/// The octets of a piece for a short text: room for any one step of a decoder, and for what it may write behind it.
const LEAST_PIECE: usize = 64;

/// Decodes octets; `base` is added to the offsets of faults.
///
/// The decoder writes to a piece of little room: at each call one of encoding_rs touches every page of the room that it
/// is given, and it is called anew behind each fault, so that room for the whole text would take quadratic time.
pub(super) fn decode(encoding: &'static Encoding, bytes: &[u8], base: usize, sink: &mut TextSink) -> Flow {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut piece = "\0".repeat(bytes.len().saturating_mul(3).clamp(LEAST_PIECE, PIECE));
    let (mut read, mut last) = (0, false);
    loop {
        // The end is handed over after the octets, so that a fault at the end is known to be a truncation.
        let rest = bytes.get(read..).unwrap_or_default();
        let (result, taken, written) = decoder.decode_to_str_without_replacement(rest, &mut piece, last);
        sink.text.extend(piece.get(..written));
        read += taken;
        match result {
            DecoderResult::InputEmpty if last => return ControlFlow::Continue(()),
            DecoderResult::InputEmpty => last = true,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(len, after) => {
                let offset = read.saturating_sub(usize::from(len) + usize::from(after));
                sink.fault(base + offset, if last { MalformedError::CUT } else { NO_CHARACTER })?;
            }
        }
    }
}

/// Encodes text as the standard's encoder does, foldings included: the caller looks for those first.
fn encode_folding(encoding: &'static Encoding, text: &str) -> Result<Vec<u8>, MappingError> {
    let mut encoder = encoding.new_encoder();
    let mut out = vec![0; text.len() + text.len() / 2 + 16];
    let (mut read, mut written) = (0, 0);
    loop {
        let rest = text.get(read..).unwrap_or_default();
        let room = out.get_mut(written..).unwrap_or_default();
        let (result, taken, put) = encoder.encode_from_utf8_without_replacement(rest, room, true);
        read += taken;
        written += put;
        match result {
            EncoderResult::InputEmpty => break,
            EncoderResult::OutputFull => out.resize(out.len() * 2, 0),
            EncoderResult::Unmappable(character) => {
                return Err(MappingError { offset: read - character.len_utf8(), character });
            }
        }
    }
    out.truncate(written);
    Ok(out)
}

/// Encodes one character as the standard's encoder does, foldings included: its octets, and how many they are. `None`
/// where the charset lacks it.
pub(super) fn encode_one(encoding: &'static Encoding, character: char) -> Option<([u8; 4], usize)> {
    let mut octets = [0; 8];
    let mut utf8 = [0; 4];
    let text = character.encode_utf8(&mut utf8);
    match encoding.new_encoder().encode_from_utf8_without_replacement(text, &mut octets, true) {
        (EncoderResult::InputEmpty, _, put) => {
            let (first, _) = octets.split_first_chunk()?;
            Some((*first, put))
        }
        _ => None,
    }
}

/// Decodes one character; `None` where octets are not exactly one.
pub(super) fn decode_one(encoding: &'static Encoding, octets: &[u8]) -> Option<char> {
    let text = encoding.decode_without_bom_handling_and_without_replacement(octets)?;
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}
