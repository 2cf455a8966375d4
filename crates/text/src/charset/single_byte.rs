//! Charsets of one octet a character that the Encoding Standard lacks.

use std::ops::ControlFlow;

use super::sink::{Flow, TextSink};
use crate::fault::MappingError;

/// Stands in a table where the charset has no character.
pub(super) const NONE: char = char::REPLACEMENT_CHARACTER;

/// A charset of one octet a character.
pub(super) struct SingleByte {
    /// The character of each octet.
    characters: [char; 256],
    /// The same, sorted by character.
    octets: [(char, u8); 256],
}

impl SingleByte {
    /// Makes a page of ASCII and the characters of 80..=FF, in order.
    pub const fn of(high: &[char; 128]) -> SingleByte {
        let mut characters = [NONE; 256];
        let mut octet = 0;
        while octet < 128 {
            characters[octet] = octet as u8 as char;
            characters[octet + 128] = high[octet];
            octet += 1;
        }
        SingleByte { characters, octets: sorted(&characters) }
    }

    /// Makes a page as [`of`](SingleByte::of) does, of a text that holds the 128 characters.
    pub const fn of_text(high: &str) -> SingleByte {
        SingleByte::of(&read(high))
    }

    /// Puts other characters at some octets.
    pub const fn with(self, changes: &[(u8, char)]) -> SingleByte {
        let mut characters = self.characters;
        let mut change = 0;
        while change < changes.len() {
            characters[changes[change].0 as usize] = changes[change].1;
            change += 1;
        }
        SingleByte { characters, octets: sorted(&characters) }
    }

    /// Puts the C1 controls at 80..=9F, as the charsets of ISO 8859 have them.
    pub const fn with_c1(self) -> SingleByte {
        let mut characters = self.characters;
        let mut octet = 0x80;
        while octet < 0xA0 {
            characters[octet] = octet as u8 as char;
            octet += 1;
        }
        SingleByte { characters, octets: sorted(&characters) }
    }

    /// Whether each octet below 80 is its ASCII character.
    pub const fn is_ascii_compatible(&self) -> bool {
        let mut octet = 0;
        while octet < 128 {
            if self.characters[octet] as usize != octet {
                return false;
            }
            octet += 1;
        }
        true
    }

    /// Decodes octets.
    pub fn decode(&self, bytes: &[u8], sink: &mut TextSink) -> Flow {
        for (offset, octet) in bytes.iter().enumerate() {
            match self.characters[usize::from(*octet)] {
                NONE => sink.fault(offset, "an octet that the charset leaves undefined")?,
                character => sink.text.push(character),
            }
        }
        ControlFlow::Continue(())
    }

    /// Encodes text.
    pub fn encode(&self, text: &str) -> Result<Vec<u8>, MappingError> {
        let octets = text
            .char_indices()
            .map(|(offset, character)| self.octet(character).ok_or(MappingError { offset, character }));
        octets.collect()
    }

    /// Returns the octet of a character; `None` where the charset lacks it.
    pub fn octet(&self, character: char) -> Option<u8> {
        // ARMSCII-8 has some of ASCII's punctuation twice; the octet of ASCII is the one to write.
        if let Some(octet @ 0..=0x7F) =
            u8::try_from(character).ok().filter(|octet| self.characters[usize::from(*octet)] == character)
        {
            return Some(octet);
        }
        let found = self.octets.binary_search_by_key(&character, |(known, _)| *known).ok()?;
        self.octets.get(found).map(|(_, octet)| *octet).filter(|_| character != NONE)
    }
}

/// Sorts octets by their characters, by insertion: it is done while the program is compiled.
const fn sorted(characters: &[char; 256]) -> [(char, u8); 256] {
    let mut pairs = [(NONE, 0); 256];
    let mut next = 0;
    while next < 256 {
        let mut hole = next;
        while hole > 0 && pairs[hole - 1].0 as u32 > characters[next] as u32 {
            pairs[hole] = pairs[hole - 1];
            hole -= 1;
        }
        pairs[hole] = (characters[next], next as u8);
        next += 1;
    }
    pairs
}

/// Reads 128 characters, none of them above U+FFFF, while the program is compiled; a wrong length fails there.
const fn read(text: &str) -> [char; 128] {
    let utf8 = text.as_bytes();
    let mut characters = [NONE; 128];
    let (mut at, mut next) = (0, 0);
    while at < utf8.len() {
        let (lead, len) = match utf8[at] {
            octet @ 0..=0x7F => (octet, 1),
            octet @ 0xC0..=0xDF => (octet & 0x1F, 2),
            octet => (octet & 0x0F, 3),
        };
        let mut code = lead as u32;
        let mut tail = 1;
        while tail < len {
            code = code << 6 | (utf8[at + tail] & 0x3F) as u32;
            tail += 1;
        }
        characters[next] = match char::from_u32(code) {
            Some(character) => character,
            None => NONE,
        };
        at += len;
        next += 1;
    }
    assert!(next == 128);
    characters
}
