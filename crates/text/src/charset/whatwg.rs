//! The charsets of the WHATWG Encoding Standard, over encoding_rs.
//!
//! The standard is for pages that must be shown whatever they hold. Mail that is to be rewritten wants some things
//! otherwise:
//!
//! - In windows-125x the standard reads octets that the code page leaves undefined as the C1 control of the same
//!   number. Here they are faults: nobody writes C1 controls in mail, so such an octet says that the label is wrong.
//!   Not so in windows-1252 and -1254, in whose place iso-8859-1 and -9 are written and which are the labels of all
//!   that has none better: there they are read as every mail program does.
//! - In the charsets of ISO 8859, 80..=9F are C1 controls that nobody means. Mail has the quotes and dashes there that
//!   the Windows code page beside it has, and is read so ([`Whatwg::beside`]); what is written never has them.
//! - Some encoders fold a character that their charset lacks to one that looks like it (U+00A5 YEN SIGN to `\`).
//!   Here that character is lacking: nothing is lost silently.
//! - "replacement" and x-user-defined are no charsets of mail, and no row of the table uses them.

use std::ops::ControlFlow;

use encoding_rs::{DecoderResult, EncoderResult, Encoding};

use super::octet_table::{OctetTable, is_dense};
use super::sink::{Flow, TextSink, encode_each};
use crate::fault::{MalformedError, MappingError};

/// A charset of the Encoding Standard.
pub(super) struct Whatwg {
    pub encoding: &'static Encoding,
    /// Octets that the code page leaves undefined and the standard reads as C1 controls: all are 80..=9F.
    pub undefined: &'static [u8],
    /// Characters that the standard's encoder folds to others; only where `undefined` is empty.
    pub folded: &'static [char],
    /// The code page whose characters stand at 80..=9F, where the charset itself has C1 controls; only where
    /// `undefined` and `folded` are empty.
    pub beside: Option<&'static Encoding>,
}

/// Returns `true` if ASCII text under this label is read as that by every program: a well-known label of a charset
/// in which ASCII octets mean ASCII.
pub fn is_plain_label(label: &[u8]) -> bool {
    let known = Encoding::for_label(label);
    known.is_some_and(|known| known.is_ascii_compatible() && known != encoding_rs::X_USER_DEFINED)
}

/// Texts of fewer octets are not looked through for how many are above 127.
const SHORT: usize = 64;

const UNDEFINED: &str = "an octet that the charset leaves undefined";
const NO_CHARACTER: &str = "octets that are no character of the charset";

impl Whatwg {
    /// Decodes octets to a sink that is empty.
    pub fn decode(&self, bytes: &[u8], sink: &mut TextSink) -> Flow {
        if self.encoding.is_single_byte()
            && bytes.len() >= SHORT
            && is_dense(bytes)
            && self.decode_by_table(bytes, sink)
        {
            return ControlFlow::Continue(());
        }
        if let Some(beside) = self.beside {
            return decode_beside(self.encoding, beside, bytes, sink);
        }
        if self.undefined.is_empty() {
            return decode(self.encoding, bytes, 0, sink);
        }
        // Undefined octets are rare, and looking for them in the text is far cheaper than in the octets: nothing
        // else becomes a C1 control.
        let mut trial = TextSink::new(bytes.len(), false);
        let good = decode(self.encoding, bytes, 0, &mut trial).is_continue();
        if good && first_control(&trial.text).is_none() {
            *sink = trial.like(sink);
            return ControlFlow::Continue(());
        }
        self.decode_around_undefined(bytes, sink)
    }

    /// Decodes octets of a charset of single octets by its table; `false`, and nothing is written, where one is a
    /// fault.
    fn decode_by_table(&self, bytes: &[u8], sink: &mut TextSink) -> bool {
        let key = (self.encoding, self.beside, self.undefined);
        OctetTable::of(key, |octet| self.character(octet)).is_some_and(|table| table.decode(bytes, &mut sink.text))
    }

    /// Returns what an octet is; none where that is undefined.
    fn character(&self, octet: &[u8; 1]) -> Option<String> {
        let encoding = self.beside.filter(|_| (0x80..0xA0).contains(&octet[0])).unwrap_or(self.encoding);
        let read = encoding.decode_without_bom_handling_and_without_replacement(octet);
        read.filter(|_| !self.undefined.contains(&octet[0])).map(|text| text.into_owned())
    }

    /// Decodes the octets between undefined ones. Only single-octet charsets have those, so a text can be cut there.
    fn decode_around_undefined(&self, bytes: &[u8], sink: &mut TextSink) -> Flow {
        let mut at = 0;
        for run in bytes.split_inclusive(|octet| self.undefined.contains(octet)) {
            let (good, bad) = match run.split_last() {
                Some((last, good)) if self.undefined.contains(last) => (good, true),
                _ => (run, false),
            };
            decode(self.encoding, good, at, sink)?;
            if bad {
                sink.fault(at + good.len(), UNDEFINED)?;
            }
            at += run.len();
        }
        ControlFlow::Continue(())
    }

    /// Encodes text that isn't all ASCII.
    pub fn encode(&self, text: &str) -> Result<Vec<u8>, MappingError> {
        if let Some(beside) = self.beside {
            return encode_beside(self.encoding, beside, text);
        }
        let refused = self.first_refused(text);
        let end = refused.map_or(text.len(), |refused| refused.offset);
        let out = encode(self.encoding, text.get(..end).unwrap_or_default())?;
        refused.map_or(Ok(out), Err)
    }

    /// Finds the first character that the standard's encoder would write and that isn't read back: one that it folds,
    /// or a control that it writes as an undefined octet. No charset has both.
    fn first_refused(&self, text: &str) -> Option<MappingError> {
        let found = match self.folded.is_empty() {
            true => self.first_undefined(text),
            false => text.char_indices().find(|(_, character)| self.folded.contains(character)),
        };
        found.map(|(offset, character)| MappingError { offset, character })
    }

    /// Finds the first control that the standard's encoder would write as an undefined octet.
    fn first_undefined(&self, text: &str) -> Option<(usize, char)> {
        let mut from = 0;
        while let Some(at) = first_control(text.get(from..)?) {
            let character = text.get(from + at..)?.chars().next()?;
            if u8::try_from(character).is_ok_and(|octet| self.undefined.contains(&octet)) {
                return Some((from + at, character));
            }
            from += at + character.len_utf8();
        }
        None
    }
}

/// Decodes octets, those of 80..=9F in another charset; one that it leaves undefined becomes a C1 control.
fn decode_beside(encoding: &'static Encoding, beside: &'static Encoding, bytes: &[u8], sink: &mut TextSink) -> Flow {
    let mut at = 0;
    for run in bytes.chunk_by(|left, right| is_c1(left) == is_c1(right)) {
        let charset = if run.first().is_some_and(is_c1) { beside } else { encoding };
        decode(charset, run, at, sink)?;
        at += run.len();
    }
    ControlFlow::Continue(())
}

/// Returns `true` if an octet is one of 80..=9F.
fn is_c1(octet: &u8) -> bool {
    (0x80..0xA0).contains(octet)
}

/// Encodes text, with the octets 80..=9F of another charset where the first lacks a character.
fn encode_beside(encoding: &'static Encoding, beside: &'static Encoding, text: &str) -> Result<Vec<u8>, MappingError> {
    encode_each(text, |character, out| {
        let own = encode_one(encoding, character).filter(|(octets, len)| *len > 1 || !is_c1(&octets[0]));
        let code = own.or_else(|| encode_one(beside, character).filter(|(octets, len)| *len == 1 && is_c1(&octets[0])));
        code.map(|(octets, len)| out.extend(octets.iter().take(len)))
    })
}

/// Returns the offset of the first C1 control of a text.
fn first_control(text: &str) -> Option<usize> {
    let octets = text.as_bytes();
    memchr::memchr_iter(0xC2, octets).find(|at| octets.get(at + 1).is_some_and(|next| *next < 0xA0))
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
fn encode(encoding: &'static Encoding, text: &str) -> Result<Vec<u8>, MappingError> {
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
