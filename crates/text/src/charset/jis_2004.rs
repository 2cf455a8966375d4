//! JIS X 0213 in 8 bits: Shift_JIS-2004 and EUC-JIS-2004.
//!
//! An octet below 80 is ASCII, as everywhere in mail, where the standard has the yen sign and the overline in
//! Shift_JIS.

use super::iso_2022::Set;
use super::sink::{Flow, NO_CHARACTER, TextSink};
use crate::fault::{MalformedError, MappingError};

/// How rows and cells are octets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum JisEncoding {
    ShiftJis,
    Euc,
}

/// A set, and the row and cell that octets name, of which it may have no character; half-width katakana are of row 0.
/// Else what is wrong with the octets.
type JisCode = Result<(Set, u8, u8), &'static str>;

/// Decodes octets.
pub(super) fn decode(form: JisEncoding, bytes: &[u8], sink: &mut TextSink) -> Flow {
    sink.characters(bytes, |rest, text| {
        let (code, len) = match form {
            JisEncoding::ShiftJis => shift_jis(rest),
            JisEncoding::Euc => euc(rest),
        };
        (code.and_then(|(set, row, cell)| push(set, row, cell, text)), len)
    })
}

/// Encodes text, two characters as one where the standard has one for both; the first that it lacks is an error.
pub(super) fn encode(form: JisEncoding, text: &str) -> Result<Vec<u8>, MappingError> {
    let mut out = Vec::with_capacity(text.len());
    let mut characters = text.char_indices().peekable();
    while let Some((offset, character)) = characters.next() {
        let second = characters.peek().map(|(_, second)| *second);
        if let Some(code) = second.and_then(|second| Set::Jis0213.pair_code(character, second)) {
            form.put(Set::Jis0213, code, &mut out);
            characters.next();
            continue;
        }
        let sets = [Set::Ascii, Set::Kana, Set::Jis0213, Set::Jis0213Plane2];
        let found = sets.into_iter().find_map(|set| Some((set, set.code(character)?)));
        let (set, code) = found.ok_or(MappingError { offset, character })?;
        form.put(set, code, &mut out);
    }
    Ok(out)
}

/// Appends the character at a row and cell of a set; an error where the set has none.
fn push(set: Set, row: u8, cell: u8, text: &mut String) -> Result<(), &'static str> {
    let is_there = match set {
        Set::Kana => set.single(cell).map(|kana| text.push(kana)).is_some(),
        _ => set.push_double(row, cell, text),
    };
    is_there.then_some(()).ok_or(NO_CHARACTER)
}

impl JisEncoding {
    /// Writes a character by its code, both octets below 80; those of ASCII and katakana are of row 0.
    fn put(self, set: Set, code: [u8; 2], out: &mut Vec<u8>) {
        let [row, cell] = code;
        match (set, self) {
            (Set::Ascii, _) => out.push(cell),
            (Set::Kana, JisEncoding::ShiftJis) => out.push(cell | 0x80),
            (Set::Kana, JisEncoding::Euc) => out.extend([0x8E, cell | 0x80]),
            (_, JisEncoding::ShiftJis) => out.extend(shifted(set, row, cell)),
            (Set::Jis0213Plane2, JisEncoding::Euc) => out.extend([0x8F, row | 0x80, cell | 0x80]),
            (_, JisEncoding::Euc) => out.extend([row | 0x80, cell | 0x80]),
        }
    }
}

/// Reads the code at the start of octets in EUC-JIS-2004, of which the first isn't ASCII, and returns how many octets
/// it has. Those of a fault may have ASCII among them, and be more than there are: [`TextSink::characters`] counts
/// them.
fn euc(octets: &[u8]) -> (JisCode, usize) {
    match *octets {
        [0x8E, kana @ 0xA1..=0xDF, ..] => (Ok((Set::Kana, 0, kana & 0x7F)), 2),
        [0x8F, row @ 0xA1..=0xFE, cell @ 0xA1..=0xFE, ..] => (Ok((Set::Jis0213Plane2, row & 0x7F, cell & 0x7F)), 3),
        [row @ 0xA1..=0xFE, cell @ 0xA1..=0xFE, ..] => (Ok((Set::Jis0213, row & 0x7F, cell & 0x7F)), 2),
        [0x8E | 0x8F | 0xA1..=0xFE] | [0x8F, 0xA1..=0xFE] => (Err(MalformedError::CUT), 2),
        [0x8F, ..] => (Err(NO_CHARACTER), 3),
        [0x8E | 0xA1..=0xFE, ..] => (Err(NO_CHARACTER), 2),
        _ => (Err(NO_CHARACTER), 1),
    }
}

/// Reads the code at the start of octets in Shift_JIS-2004 as [`euc`] does.
fn shift_jis(octets: &[u8]) -> (JisCode, usize) {
    match *octets {
        [kana @ 0xA1..=0xDF, ..] => (Ok((Set::Kana, 0, kana & 0x7F)), 1),
        [lead @ (0x81..=0x9F | 0xE0..=0xFC), trail @ (0x40..=0x7E | 0x80..=0xFC), ..] => (unshifted(lead, trail), 2),
        [0x81..=0x9F | 0xE0..=0xFC] => (Err(MalformedError::CUT), 1),
        [0x81..=0x9F | 0xE0..=0xFC, ..] => (Err(NO_CHARACTER), 2),
        _ => (Err(NO_CHARACTER), 1),
    }
}

/// The rows of plane 2 by the lead octets F0 and on: the odd one, whose trail octets end with 9E, and the even one.
#[rustfmt::skip]
const ROWS_OF_PLANE_2: [[u8; 2]; 13] = [
    [0x21, 0x28], [0x23, 0x24], [0x25, 0x2C], [0x2D, 0x2E], [0x2F, 0x6E], [0x6F, 0x70], [0x71, 0x72],
    [0x73, 0x74], [0x75, 0x76], [0x77, 0x78], [0x79, 0x7A], [0x7B, 0x7C], [0x7D, 0x7E],
];

/// Returns the row and cell of two octets of Shift_JIS, a lead octet and 40..=FC without 7F.
fn unshifted(lead: u8, trail: u8) -> JisCode {
    let (second, cell) = match trail {
        0x9F.. => (1, trail - 0x7E),
        0x80.. => (0, trail - 0x20),
        _ => (0, trail - 0x1F),
    };
    match ROWS_OF_PLANE_2.get(usize::from(lead.wrapping_sub(0xF0))) {
        Some([first, _]) if second == 0 => Ok((Set::Jis0213Plane2, *first, cell)),
        Some([_, second]) => Ok((Set::Jis0213Plane2, *second, cell)),
        None => {
            let two = lead - if lead < 0xA0 { 0x81 } else { 0xC1 };
            Ok((Set::Jis0213, 0x21 + 2 * two + second, cell))
        }
    }
}

/// Returns the two octets of Shift_JIS for a row and cell that the set has.
fn shifted(set: Set, row: u8, cell: u8) -> [u8; 2] {
    let of_plane_2 = (0xF0..).zip(&ROWS_OF_PLANE_2).find(|(_, rows)| rows.contains(&row));
    let lead = match of_plane_2.filter(|_| set == Set::Jis0213Plane2) {
        Some((lead, _)) => lead,
        None => row.wrapping_sub(0x21) / 2 + if row < 0x5F { 0x81 } else { 0xC1 },
    };
    let trail = match cell {
        _ if row.is_multiple_of(2) => cell + 0x7E,
        ..0x60 => cell + 0x1F,
        _ => cell + 0x20,
    };
    [lead, trail]
}
