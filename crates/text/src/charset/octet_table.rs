//! Charsets of single octets, decoded by a table: for each octet its character in UTF-8.
//!
//! Sixteen octets a turn are written as four octets each, and the place moves on by the length of their characters: no
//! branch, no comparison. Where accents come every few letters that is several times as fast as a decoder that runs
//! from one to the next; where nearly all is ASCII such a decoder is faster ([`is_dense`]).

use crate::scan::count;

/// For each octet its character in UTF-8, three octets at most, and above these how many they are; or a fault.
pub(super) struct OctetTable([u32; 256]);

/// What an octet has that is no character.
const FAULT: u32 = 1 << 31;

/// The octets that are decoded before they are appended.
const CHUNK: usize = 640;

/// The octets of a turn, and the room that it needs: three octets for each, and what the last writes beyond its
/// character.
const TURN: usize = 16;
const WRITTEN: usize = 3 * TURN + 4;

/// One octet in so many must be above 127.
const DENSE: usize = 16;

/// Returns `true` if many of the octets are above 127, so that a table pays.
pub(super) fn is_dense(octets: &[u8]) -> bool {
    count(octets, |octet| octet > 127) * DENSE > octets.len()
}

impl OctetTable {
    /// Makes the table of the character of each octet, none of them above U+FFFF; `none` stands for no character.
    pub fn of(characters: &[char; 256], none: char) -> OctetTable {
        OctetTable(characters.map(|character| {
            let mut entry = [0; 4];
            let length = character.encode_utf8(&mut entry).len();
            if character == none { FAULT } else { u32::from_le_bytes(entry) | (length as u32) << 24 }
        }))
    }

    /// Decodes octets to a text; `false`, and nothing is written, where one of them is no character.
    pub fn decode(&self, octets: &[u8], text: &mut String) -> bool {
        let before = text.len();
        let is_fine = octets.chunks(CHUNK).all(|chunk| self.decode_chunk(chunk, text));
        if !is_fine {
            text.truncate(before);
        }
        is_fine
    }

    /// Decodes at most [`CHUNK`] octets and appends them; `false`, and nothing is written, where one is no character.
    fn decode_chunk(&self, chunk: &[u8], text: &mut String) -> bool {
        let mut out = [0; 3 * CHUNK + WRITTEN];
        let (turns, rest) = chunk.as_chunks::<TURN>();
        let (mut length, mut faults) = (0, 0);
        for turn in turns {
            let Some(room) = out.get_mut(length..).and_then(|rest| rest.first_chunk_mut::<WRITTEN>()) else {
                return false;
            };
            let (written, found) = self.decode_into(turn, room);
            length += written;
            faults |= found;
        }
        let Some(room) = out.get_mut(length..).and_then(|rest| rest.first_chunk_mut::<WRITTEN>()) else { return false };
        let (written, found) = self.decode_into(rest, room);
        match simdutf8::basic::from_utf8(&out[..length + written]) {
            Ok(read) if (faults | found) & FAULT == 0 => {
                text.push_str(read);
                true
            }
            _ => false,
        }
    }

    /// Decodes at most a turn; returns how many octets are written, and a number in which the bit of [`FAULT`] is set
    /// if one of those decoded is no character.
    #[inline(always)]
    fn decode_into(&self, octets: &[u8], room: &mut [u8; WRITTEN]) -> (usize, u32) {
        let (mut at, mut faults) = (0, 0);
        for octet in octets {
            let entry = self.0[usize::from(*octet)];
            room[at..at + 4].copy_from_slice(&entry.to_le_bytes());
            at += (entry >> 24 & 3) as usize;
            faults |= entry;
        }
        (at, faults)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(charset: &'static encoding_rs::Encoding, octets: &[u8]) -> Option<String> {
        charset.decode_without_bom_handling_and_without_replacement(octets).map(|text| text.into_owned())
    }

    fn table(charset: &'static encoding_rs::Encoding) -> OctetTable {
        let read =
            |octet: usize| decoded(charset, &[octet as u8]).map_or('\0', |text| text.chars().next().unwrap_or('\0'));
        let mut characters: [char; 256] = std::array::from_fn(read);
        characters[0] = ' ';
        OctetTable::of(&characters, '\0')
    }

    #[test]
    fn a_table_reads_what_the_decoder_reads() {
        for charset in [encoding_rs::WINDOWS_1252, encoding_rs::KOI8_R, encoding_rs::IBM866, encoding_rs::WINDOWS_1253]
        {
            let table = table(charset);
            for length in [0, 1, 15, 16, 17, 639, 640, 641, 5_000] {
                let octets = (0..length).map(|at| (1 + at * 7 % 251) as u8);
                let octets: Vec<u8> = octets.filter(|octet| decoded(charset, &[*octet]).is_some()).collect();
                let mut text = "before ".to_owned();
                assert!(table.decode(&octets, &mut text), "{charset:?}");
                let read = decoded(charset, &octets).expect("it is read");
                assert_eq!(text, format!("before {read}"));
            }
        }
    }

    #[test]
    fn nothing_is_written_where_an_octet_is_no_character() {
        let charset = encoding_rs::WINDOWS_1253;
        let table = table(charset);
        let mut text = "before".to_owned();
        let octets = [vec![b'a'; 700], vec![0xD2]].concat();
        assert!(!table.decode(&octets, &mut text) && text == "before");
    }

    #[test]
    fn many_accents_are_dense_and_few_are_not() {
        assert!(is_dense(&b"\xE9t\xE9 ".repeat(100)) && !is_dense(&[&[b'a'; 1000][..], b"\xE9"].concat()));
    }
}
