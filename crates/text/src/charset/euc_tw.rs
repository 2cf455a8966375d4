//! EUC-TW: CNS 11643 in two octets (plane 1) or, behind 8E and the number of the plane, in four.
//!
//! Planes 1 and 2 are read, which hold what Big5 has; the rarer hanzi of the other planes are faults.

use super::iso_2022::Set;
use super::sink::{Flow, TextSink, encode_each};
use crate::fault::{MalformedError, MappingError};

const NO_CHARACTER: &str = "octets that are no character of planes 1 and 2";

/// Decodes octets.
pub(super) fn decode(bytes: &[u8], sink: &mut TextSink) -> Flow {
    sink.characters(bytes, |rest, text| {
        let (found, len) = match *rest {
            [0x8E | 0xA1..=0xFE] | [0x8E, 0xA1..=0xFE] | [0x8E, 0xA1..=0xFE, 0xA1..=0xFE] => {
                return (Err(MalformedError::CUT), rest.len());
            }
            [0x8E, 0xA1, row, cell, ..] => (double(Set::Cns1, row, cell), 4),
            [0x8E, 0xA2, row, cell, ..] => (double(Set::Cns2, row, cell), 4),
            [0x8E, _, _, _, ..] => (None, 4),
            [row, cell, ..] => (double(Set::Cns1, row, cell), 2),
            _ => (None, 1),
        };
        (found.map(|character| text.push(character)).ok_or(NO_CHARACTER), len)
    })
}

/// Encodes text; the first character that the charset lacks is an error.
pub(super) fn encode(text: &str) -> Result<Vec<u8>, MappingError> {
    encode_each(text, |character, out| {
        match high_code(Set::Cns1, character) {
            Some(code) => out.extend(code),
            None => out.extend([[0x8E, 0xA2], high_code(Set::Cns2, character)?].as_flattened()),
        }
        Some(())
    })
}

/// Returns the code of a character in a set, both octets above 127; `None` where the set lacks it.
fn high_code(set: Set, character: char) -> Option<[u8; 2]> {
    set.code(character).map(|code| code.map(|octet| octet | 0x80))
}

/// Returns the character of two octets; `None` where the plane has none there, or one of them is below A1.
fn double(set: Set, row: u8, cell: u8) -> Option<char> {
    set.double(row.checked_sub(0x80)?, cell.checked_sub(0x80)?)
}
