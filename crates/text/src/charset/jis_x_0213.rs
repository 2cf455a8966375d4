//! JIS X 0213 as far as it isn't JIS X 0208, from `jis_x_0213.txt`; encoding_rs has none of it.
//!
//! The table is that of 2004, which added ten ideographs to plane 1 and otherwise only says which form of a character
//! is meant. Where code page 932 has a lookalike (U+FF5E for the wave dash), the table has what the standard says.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A place: plane, row and cell, the latter two 21..=7E.
type Place = [u8; 3];

/// What the file has.
#[derive(Default)]
struct Added {
    characters: BTreeMap<Place, char>,
    /// Those of two characters of Unicode; all are in plane 1.
    pairs: BTreeMap<Place, [char; 2]>,
    /// The same by characters.
    places: BTreeMap<[char; 2], Place>,
}

static ADDED: LazyLock<Added> = LazyLock::new(|| {
    let mut added = Added::default();
    for line in include_str!("jis_x_0213.txt").lines() {
        if let Some((place, text)) = line.split_once('\t') {
            added.read(place, text);
        }
    }
    added
});

impl Added {
    /// Reads a line: a place in hexadecimal and the characters from there on, or, behind a space, pairs with spaces
    /// between them.
    fn read(&mut self, place: &str, text: &str) {
        let Some([plane, row, cell]) = parse(place) else { return };
        let places = (cell..=0x7E).map(|cell| [plane, row, cell]);
        match text.strip_prefix(' ') {
            None => self.characters.extend(places.zip(text.chars())),
            Some(pairs) => {
                let pairs = pairs.split(' ').filter_map(pair_of);
                self.pairs.extend(places.zip(pairs));
                self.places = self.pairs.iter().map(|(place, pair)| (*pair, *place)).collect();
            }
        }
    }
}

/// Reads a place: plane, row and cell in hexadecimal.
fn parse(place: &str) -> Option<Place> {
    let octets = u32::from_str_radix(place, 16).ok()?.to_be_bytes();
    let (_, place) = octets.split_first()?;
    place.try_into().ok()
}

/// Reads two characters; what follows them is not looked at.
fn pair_of(text: &str) -> Option<[char; 2]> {
    let mut characters = text.chars();
    Some([characters.next()?, characters.next()?])
}

/// Returns the character at a place of which JIS X 0208 has none, or another one; `None` at any other place.
pub(super) fn character(place: Place) -> Option<char> {
    ADDED.characters.get(&place).copied()
}

/// Returns the two characters that are one at a row and cell of plane 1; `None` where no pair is.
pub(super) fn pair(row: u8, cell: u8) -> Option<[char; 2]> {
    ADDED.pairs.get(&[1, row, cell]).copied()
}

/// Returns the row and cell in plane 1 of two characters that are one there; `None` for any others.
pub(super) fn pair_code(first: char, second: char) -> Option<[u8; 2]> {
    // No pair ends in another character, and most text has none of these.
    if !matches!(second, '\u{309A}' | '\u{300}' | '\u{301}' | '\u{2E5}' | '\u{2E9}') {
        return None;
    }
    ADDED.places.get(&[first, second]).map(|[_, row, cell]| [*row, *cell])
}

/// Returns `true` if the edition of 2004 added the character at a row and cell of plane 1.
pub(super) fn is_of_2004(row: u8, cell: u8) -> bool {
    matches!((row, cell), (0x2E, 0x21) | (0x2F, 0x7E) | (0x4F, 0x54 | 0x7E) | (0x74, 0x27) | (0x7E, 0x7A..))
}
