//! Charsets of one octet a character that the Encoding Standard lacks.

use std::ops::ControlFlow;

use super::sink::{Flow, TextSink, encode_each};
use crate::fault::MappingError;

/// Stands in a table where the charset has no character.
pub(super) const NONE: char = char::REPLACEMENT_CHARACTER;

/// A charset of one octet a character.
pub(super) struct SingleByte {
    /// The character of each octet.
    pub characters: [char; 256],
    /// The same, sorted by character.
    octets: [(char, u8); 256],
}

impl SingleByte {
    /// Each octet is the character of its number, C1 controls among them.
    pub const LATIN_1: SingleByte = SingleByte::of({
        let mut characters = ['\0'; 256];
        let mut octet = 0;
        while octet < 256 {
            characters[octet] = octet as u8 as char;
            octet += 1;
        }
        characters
    });

    /// The same, with nothing above 7F.
    pub const ASCII: SingleByte = {
        let mut characters = [NONE; 256];
        let (low, _) = characters.split_at_mut(128);
        low.copy_from_slice(SingleByte::LATIN_1.characters.split_at(128).0);
        SingleByte::of(characters)
    };

    /// Makes a page of ASCII and a text that holds the characters of 80..=FF.
    pub const fn of_text(high: &str) -> SingleByte {
        let mut characters = SingleByte::ASCII.characters;
        assert!(put(&mut characters, 0x80, high) == 256);
        SingleByte::of(characters)
    }

    /// Makes a page of the character of each octet.
    pub const fn of(characters: [char; 256]) -> SingleByte {
        SingleByte { characters, octets: sorted(&characters) }
    }

    /// Puts other characters at some octets: those of each text, from an octet on.
    pub const fn with(self, changes: &[(u8, &str)]) -> SingleByte {
        let mut characters = self.characters;
        let mut change = 0;
        while change < changes.len() {
            let (first, text) = changes[change];
            put(&mut characters, first as usize, text);
            change += 1;
        }
        SingleByte::of(characters)
    }

    /// Returns `true` if each octet below 80 is its ASCII character.
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
        encode_each(text, |character, out| self.octet(character).map(|octet| out.push(octet)))
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

/// Puts characters, none of them above U+FFFF, at places that follow one another, while the program is compiled;
/// returns the place behind them. Too many fail there.
pub(super) const fn put<const N: usize>(places: &mut [char; N], first: usize, text: &str) -> usize {
    let utf8 = text.as_bytes();
    let (mut at, mut place) = (0, first);
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
        places[place] = match char::from_u32(code) {
            Some(character) => character,
            None => NONE,
        };
        at += len;
        place += 1;
    }
    place
}
