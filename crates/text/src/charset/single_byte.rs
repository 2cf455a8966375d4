//! Charsets of one octet a character: what each octet is, and from that both ways.
//!
//! Those of the Encoding Standard are read off encoding_rs, the others are written down ([`pages`](super::pages) and
//! its like). A table is made of either when it is first used, so that both are read and written by the same few lines.
//!
//! Mail that is to be rewritten wants some things otherwise than the Encoding Standard, which is for pages that must be
//! shown whatever they hold:
//!
//! - In windows-125x the standard reads octets that the code page leaves undefined as the C1 control of the same
//!   number. Here they are faults: nobody writes C1 controls in mail, so such an octet says that the label is wrong.
//!   Not so in windows-1252 and -1254, in whose place iso-8859-1 and -9 are written and which are the labels of all
//!   that has none better: there they are read as every mail program does.
//! - In the charsets of ISO 8859, 80..=9F are C1 controls that nobody means. Mail has the quotes and dashes there that
//!   the Windows code page beside it has, and is read so ([`Base::Web`]).

use std::ops::ControlFlow;

use encoding_rs::Encoding;

use super::octet_table::{OctetTable, is_dense};
use super::sink::{Flow, TextSink, encode_each};
use super::whatwg::decode_one;
use crate::fault::MappingError;
use crate::scan::has_c1;

/// Stands in a page where the charset has no character.
const NONE: char = char::REPLACEMENT_CHARACTER;

/// Texts of fewer octets are not looked through for how many are above 127.
const SHORT: usize = 64;

/// A charset of one octet a character.
#[derive(Clone, Copy)]
pub(super) struct SingleByte {
    base: Base,
    /// The characters from 80 on, in the place of those of the base; empty for a charset that keeps these.
    high: &'static str,
    /// Characters in the place of all these, each text from an octet on; U+FFFD for no character.
    changes: &'static [(u8, &'static str)],
}

/// What a charset is but for its changes.
#[derive(Clone, Copy)]
pub(super) enum Base {
    /// Nothing above 7F.
    Ascii,
    /// Each octet is the character of its number, C1 controls among them.
    Latin1,
    /// ASCII with these characters at the [octets](NATIONAL) that are a nation's own, all twelve in their order.
    National(&'static str),
    /// A charset of the Encoding Standard, and the one whose characters stand at 80..=9F: the same as a rule.
    Web(&'static Encoding, &'static Encoding),
    /// A charset of the Encoding Standard without the C1 controls that it has.
    Windows(&'static Encoding),
}

/// The octets that a nation may put other characters at (ISO 646).
const NATIONAL: &[u8; 12] = b"#$@[\\]^`{|}~";

impl SingleByte {
    /// Each octet is the character of its number, C1 controls among them.
    pub const LATIN_1: SingleByte = SingleByte::of(Base::Latin1);

    /// ASCII, and nothing above 7F.
    pub const ASCII: SingleByte = SingleByte::of(Base::Ascii);

    /// Makes a charset that is its base, without changes.
    pub const fn of(base: Base) -> SingleByte {
        SingleByte { base, high: "", changes: &[] }
    }

    /// Makes a page of ASCII and a text that holds the characters of 80..=FF, U+FFFD where there is none.
    pub const fn of_text(high: &'static str) -> SingleByte {
        SingleByte { high, ..SingleByte::ASCII }
    }

    /// Puts other characters at some octets: those of each text, from an octet on. Not for a charset of the Encoding
    /// Standard as it is or of Windows: [`decode_by_web`](SingleByteTables::decode_by_web) does not know of them.
    pub const fn with(self, changes: &'static [(u8, &'static str)]) -> SingleByte {
        SingleByte { changes, ..self }
    }

    /// Returns `true` if each octet below 80 is its ASCII character.
    pub fn is_ascii_compatible(&self) -> bool {
        !matches!(self.base, Base::National(_)) && self.changes.iter().all(|(first, _)| *first >= 0x80)
    }

    /// Returns the character of an octet in the base; `None` where it has none.
    fn base(&self, octet: u8) -> Option<char> {
        match self.base {
            // So it is in each of them.
            Base::Web(..) | Base::Windows(_) if octet.is_ascii() => Some(char::from(octet)),
            Base::Web(_, beside) if (0x80..0xA0).contains(&octet) => decode_one(beside, &[octet]),
            Base::Web(encoding, _) => decode_one(encoding, &[octet]),
            Base::Windows(encoding) => {
                decode_one(encoding, &[octet]).filter(|read| !matches!(read, '\u{80}'..='\u{9F}'))
            }
            Base::Latin1 => Some(char::from(octet)),
            Base::National(own) => match NATIONAL.iter().position(|national| *national == octet) {
                Some(at) => own.chars().nth(at),
                None => Some(char::from(octet)).filter(char::is_ascii),
            },
            Base::Ascii => Some(char::from(octet)).filter(char::is_ascii),
        }
    }

    /// Makes the tables by which the charset is read and written.
    pub fn tables(&self) -> SingleByteTables {
        let mut characters = [NONE; 256];
        for (octet, character) in (0..=255).zip(&mut characters) {
            *character = self.base(octet).unwrap_or(NONE);
        }
        for (first, text) in [(0x80, self.high)].iter().chain(self.changes) {
            let places = characters.iter_mut().skip(usize::from(*first));
            places.zip(text.chars()).for_each(|(place, character)| *place = character);
        }
        SingleByteTables::of(characters, self)
    }
}

/// What each octet of a charset is, both ways.
pub(super) struct SingleByteTables {
    /// The character of each octet.
    characters: [char; 256],
    /// The same in UTF-8.
    octet_table: OctetTable,
    /// The octet of each character, by the upper octet of its number and then by the lower: 0 for none. A page without
    /// any has no octets.
    octets: Vec<Vec<u8>>,
    /// Whether each octet below 80 is its ASCII character.
    keeps_ascii: bool,
    /// What the charset is but for its changes.
    base: Base,
}

impl SingleByteTables {
    /// Makes the tables of the character of each octet in `page`, [`NONE`] where it has none. Of several octets that
    /// are the same one it is that of ASCII that is written (ARMSCII-8 has some of ASCII's punctuation twice), and one
    /// of 80..=9F after all others.
    fn of(characters: [char; 256], page: &SingleByte) -> SingleByteTables {
        let mut octets = vec![Vec::new(); 256];
        for octet in (0..0x80).chain(0xA0..=0xFF).chain(0x80..0xA0_u8) {
            let Ok(code) = u16::try_from(u32::from(characters[usize::from(octet)])) else { continue };
            let [page, place] = code.to_be_bytes().map(usize::from);
            octets[page].resize(256, 0);
            if octets[page][place] == 0 {
                octets[page][place] = octet;
            }
        }
        let octet_table = OctetTable::of(&characters, NONE);
        SingleByteTables { characters, octet_table, octets, keeps_ascii: page.is_ascii_compatible(), base: page.base }
    }

    /// Decodes octets to a sink that is empty: [`decode_by_web`](Self::decode_by_web) writes over what it has.
    pub fn decode(&self, bytes: &[u8], sink: &mut TextSink) -> Flow {
        if bytes.len() >= SHORT && (self.decode_dense(bytes, sink) || self.decode_by_web(bytes, sink)) {
            return ControlFlow::Continue(());
        }
        if self.keeps_ascii {
            return sink.characters(bytes, |rest, text| (self.read(rest[0]).map(|read| text.push(read)), 1));
        }
        for (offset, octet) in bytes.iter().enumerate() {
            match self.read(*octet) {
                Ok(character) => sink.text.push(character),
                Err(rule) => sink.fault(offset, rule)?,
            }
        }
        ControlFlow::Continue(())
    }

    /// Decodes octets by the table; `false`, and nothing is written, where that is not the fastest way or one is a
    /// fault.
    fn decode_dense(&self, bytes: &[u8], sink: &mut TextSink) -> bool {
        is_dense(bytes) && self.octet_table.decode(bytes, &mut sink.text)
    }

    /// Decodes octets as encoding_rs does, which is the fastest way where nearly all are ASCII; `false`, and nothing is
    /// written, where the charset as a whole is none of encoding_rs's, or one is a fault.
    fn decode_by_web(&self, bytes: &[u8], sink: &mut TextSink) -> bool {
        let (encoding, keeps_c1) = match self.base {
            Base::Web(encoding, beside) if encoding == beside => (encoding, true),
            Base::Windows(encoding) => (encoding, false),
            _ => return false,
        };
        let read = encoding.decode_without_bom_handling_and_without_replacement(bytes);
        let read = read.filter(|text| keeps_c1 || !has_c1(text));
        read.map(|text| sink.text = text.into_owned()).is_some()
    }

    /// Returns the character of an octet, or what is wrong with it.
    fn read(&self, octet: u8) -> Result<char, &'static str> {
        match self.characters[usize::from(octet)] {
            NONE => Err("an octet that the charset leaves undefined"),
            character => Ok(character),
        }
    }

    /// Encodes text; the first character that the charset lacks is an error.
    pub fn encode(&self, text: &str) -> Result<Vec<u8>, MappingError> {
        if self.keeps_ascii {
            return encode_each(text, |character, out| self.octet(character).map(|octet| out.push(octet)));
        }
        let octets = text
            .char_indices()
            .map(|(offset, character)| self.octet(character).ok_or(MappingError { offset, character }));
        octets.collect()
    }

    /// Returns the octet of a character; `None` where the charset lacks it.
    fn octet(&self, character: char) -> Option<u8> {
        let [page, place] = u16::try_from(u32::from(character)).ok()?.to_be_bytes().map(usize::from);
        let octet = *self.octets[page].get(place)?;
        (character != NONE && (octet > 0 || character == '\0')).then_some(octet)
    }
}
