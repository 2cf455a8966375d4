//! The sets that the registers hold.
//!
//! The sets of 94 x 94 characters are read once from encoding_rs's tables, at their first use, into a table for
//! each direction: the sets are parts of its EUC encodings, in another order or behind a prefix. JIS X 0213
//! has a table of its own beside JIS X 0208.

use std::sync::{LazyLock, OnceLock};

use encoding_rs::{EUC_JP, EUC_KR, GBK, ISO_8859_7};

use super::super::jis_x_0213;
use super::super::subset::is_gb2312;
use super::super::whatwg::{decode_one, encode_one};
use super::cns;

/// A set of graphic characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Set {
    Ascii,
    /// JIS X 0201, Latin: ASCII but for the yen sign and the overline.
    Roman,
    /// JIS X 0201, half-width katakana.
    Kana,
    /// JIS X 0208; it is read as [`Set::Jis0208Wide`].
    Jis0208,
    /// JIS X 0208 with NEC's row 13 and NEC's selection of IBM's kanji in rows 89 to 92.
    Jis0208Wide,
    Jis0212,
    /// JIS X 0213, plane 1.
    Jis0213,
    /// The same without what the edition of 2004 added, when it is written.
    Jis0213Of2000,
    /// JIS X 0213, plane 2.
    Jis0213Plane2,
    Gb2312,
    Ksc5601,
    /// CNS 11643 plane 1.
    Cns1,
    /// CNS 11643 plane 2.
    Cns2,
    /// ISO-8859-1, right half.
    Latin1,
    /// ISO-8859-7, right half.
    Greek,
}

/// A set of 94 x 94 characters, both ways.
struct CharacterTable {
    /// By row and cell; U+FFFD where the set has none.
    characters: Vec<char>,
    /// By character: row and cell; made where somebody writes in the set.
    codes: OnceLock<Vec<(char, u16)>>,
}

impl CharacterTable {
    /// Returns the character at a row and cell; `None` where the set has none, or where one of them is not of 21..=7E.
    fn character(&self, row: u8, cell: u8) -> Option<char> {
        let (row, cell) = (row.checked_sub(0x21)?, cell.checked_sub(0x21).filter(|cell| *cell < 94)?);
        let known = self.characters.get(usize::from(row) * 94 + usize::from(cell))?;
        Some(*known).filter(|known| *known != char::REPLACEMENT_CHARACTER)
    }

    /// Returns the row and cell of each character as one number, each of them an octet of 21 to 7E, sorted by
    /// character; of several, the first.
    fn codes(&self) -> &[(char, u16)] {
        self.codes.get_or_init(|| {
            let coded = self.characters.iter().copied().zip(pairs().map(|(row, cell)| u16::from_be_bytes([row, cell])));
            let mut codes: Vec<(char, u16)> =
                coded.filter(|(known, _)| *known != char::REPLACEMENT_CHARACTER).collect();
            codes.sort_unstable();
            codes.dedup_by_key(|(known, _)| *known);
            codes
        })
    }
}

/// Returns all pairs of octets of 21..=7E, in order.
fn pairs() -> impl Iterator<Item = (u8, u8)> {
    (0x21..=0x7E).flat_map(|row| (0x21..=0x7E).map(move |cell| (row, cell)))
}

static JIS_0208: LazyLock<CharacterTable> =
    LazyLock::new(|| table(|row, cell| decode_one(EUC_JP, &[row | 0x80, cell | 0x80])));
static JIS_0212: LazyLock<CharacterTable> =
    LazyLock::new(|| table(|row, cell| decode_one(EUC_JP, &[0x8F, row | 0x80, cell | 0x80])));
static JIS_0213: LazyLock<CharacterTable> = LazyLock::new(|| {
    table(|row, cell| match jis_x_0213::character([1, row, cell]) {
        None if is_of_0208(row) => decode_one(EUC_JP, &[row | 0x80, cell | 0x80]),
        found => found,
    })
});
static JIS_0213_PLANE_2: LazyLock<CharacterTable> =
    LazyLock::new(|| table(|row, cell| jis_x_0213::character([2, row, cell])));
static KSC_5601: LazyLock<CharacterTable> =
    LazyLock::new(|| table(|row, cell| decode_one(EUC_KR, &[row | 0x80, cell | 0x80])));
static CNS_1: LazyLock<CharacterTable> = LazyLock::new(|| table(cns::plane_1));
static CNS_2: LazyLock<CharacterTable> = LazyLock::new(|| table(cns::plane_2));
static GB_2312: LazyLock<CharacterTable> = LazyLock::new(|| {
    table(|row, cell| {
        let (lead, trail) = (row | 0x80, cell | 0x80);
        if is_gb2312(lead, trail) { decode_one(GBK, &[lead, trail]) } else { None }
    })
});

/// Returns `true` if a row is one of JIS X 0208 itself, and not one that NEC or IBM added.
fn is_of_0208(row: u8) -> bool {
    matches!(row, 0x21..=0x28 | 0x30..=0x74)
}

/// Makes the table of a set from what two octets of 21..=7E mean.
fn table(character: impl Fn(u8, u8) -> Option<char>) -> CharacterTable {
    let characters = pairs().map(|(row, cell)| character(row, cell).unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    CharacterTable { characters, codes: OnceLock::new() }
}

impl Set {
    /// Returns the table of a set of two octets a character; `None` for another set.
    fn table(self) -> Option<&'static CharacterTable> {
        match self {
            Set::Jis0208 | Set::Jis0208Wide => Some(&JIS_0208),
            Set::Jis0212 => Some(&JIS_0212),
            Set::Jis0213 | Set::Jis0213Of2000 => Some(&JIS_0213),
            Set::Jis0213Plane2 => Some(&JIS_0213_PLANE_2),
            Set::Gb2312 => Some(&GB_2312),
            Set::Ksc5601 => Some(&KSC_5601),
            Set::Cns1 => Some(&CNS_1),
            Set::Cns2 => Some(&CNS_2),
            Set::Ascii | Set::Roman | Set::Kana | Set::Latin1 | Set::Greek => None,
        }
    }

    /// Returns `true` if an octet below 80 means ASCII, but for two symbols at most.
    pub fn is_ascii(self) -> bool {
        matches!(self, Set::Ascii | Set::Roman)
    }

    /// Returns `true` if a character is two octets.
    pub fn is_double(self) -> bool {
        self.table().is_some()
    }

    /// Returns the character of one octet below 80; `None` where the set has none, or has two octets a character.
    pub fn single(self, octet: u8) -> Option<char> {
        match (self, octet) {
            (Set::Roman, 0x5C) => Some('\u{A5}'),
            (Set::Roman, 0x7E) => Some('\u{203E}'),
            (Set::Ascii | Set::Roman, 0x00..=0x7F) => Some(char::from(octet)),
            (Set::Kana, 0x21..=0x5F) => char::from_u32(0xFF61 + u32::from(octet) - 0x21),
            (Set::Latin1, 0x20..=0x7F) => Some(char::from(octet | 0x80)),
            (Set::Greek, 0x20..=0x7F) => decode_one(ISO_8859_7, &[octet | 0x80]),
            _ => None,
        }
    }

    /// Returns the character of two octets; `None` where the set has none, or two of Unicode
    /// ([`push_double`](Set::push_double)), or has one octet a character.
    pub fn double(self, row: u8, cell: u8) -> Option<char> {
        self.table()?.character(row, cell)
    }

    /// Appends the character of two octets, be it one of Unicode or two, and returns `true` if there is any.
    pub fn push_double(self, row: u8, cell: u8, text: &mut String) -> bool {
        if let Some(character) = self.double(row, cell) {
            text.push(character);
            return true;
        }
        // Nothing is read as Jis0213Of2000.
        let pair = if self == Set::Jis0213 { jis_x_0213::pair(row, cell) } else { None };
        text.extend(pair.into_iter().flatten());
        pair.is_some()
    }

    /// Appends characters of two octets as long as each is one of Unicode, and returns how many octets they had: none
    /// in a set of one octet a character.
    pub fn push_doubles(self, octets: &[u8], text: &mut String) -> usize {
        let Some(table) = self.table() else { return 0 };
        let (pairs, _) = octets.as_chunks();
        let characters = pairs.iter().map_while(|[row, cell]| table.character(*row, *cell));
        2 * characters.map(|character| text.push(character)).count()
    }

    /// Returns the octets of a character, all below 80: one, behind a 0, or two. `None` where the set has none; what
    /// [`Set::Roman`] shares with ASCII is only written as [`Set::Ascii`].
    pub fn code(self, character: char) -> Option<[u8; 2]> {
        let single = match (self, character) {
            (Set::Ascii, '\0'..='\x7F') => u8::try_from(character).ok(),
            (Set::Roman, '\u{A5}') => Some(0x5C),
            (Set::Roman, '\u{203E}') => Some(0x7E),
            (Set::Kana, '\u{FF61}'..='\u{FF9F}') => u8::try_from(u32::from(character) - 0xFF61 + 0x21).ok(),
            (Set::Latin1, '\u{A0}'..='\u{FF}') => u8::try_from(character).ok().map(|octet| octet & 0x7F),
            (Set::Greek, '\u{A0}'..) => match encode_one(ISO_8859_7, character) {
                Some(([octet, ..], 1)) => Some(octet & 0x7F),
                _ => None,
            },
            _ => None,
        };
        single.map(|octet| [0, octet]).or_else(|| self.double_code(character))
    }

    /// Returns the row and cell of a character in a set of two octets a character, as far as it may be written there.
    fn double_code(self, character: char) -> Option<[u8; 2]> {
        let codes = self.table()?.codes();
        let found = codes.binary_search_by_key(&character, |(known, _)| *known).ok()?;
        let [row, cell] = codes.get(found)?.1.to_be_bytes();
        let has = match self {
            Set::Jis0208 => is_of_0208(row),
            Set::Jis0213Of2000 => !jis_x_0213::is_of_2004(row, cell),
            _ => true,
        };
        has.then_some([row, cell])
    }

    /// Returns the octets of two characters that are one in the set; `None` where they are not.
    pub fn pair_code(self, first: char, second: char) -> Option<[u8; 2]> {
        let has = matches!(self, Set::Jis0213 | Set::Jis0213Of2000);
        if has { jis_x_0213::pair_code(first, second) } else { None }
    }

    /// Returns the sequence that designates the set, without its ESC: to G2 where [`is_g2`](Set::is_g2), else to G0, or
    /// to G1 in Chinese and Korean mail (`shifts`).
    pub fn designation(self, shifts: bool) -> &'static [u8] {
        match (self, shifts) {
            (Set::Ascii, _) => b"(B",
            (Set::Roman, _) => b"(J",
            (Set::Kana, _) => b"(I",
            (Set::Jis0208 | Set::Jis0208Wide, _) => b"$B",
            (Set::Jis0212, _) => b"$(D",
            (Set::Jis0213, _) => b"$(Q",
            (Set::Jis0213Of2000, _) => b"$(O",
            (Set::Jis0213Plane2, _) => b"$(P",
            (Set::Gb2312, false) => b"$A",
            (Set::Gb2312, true) => b"$)A",
            (Set::Ksc5601, false) => b"$(C",
            (Set::Ksc5601, true) => b"$)C",
            (Set::Cns1, _) => b"$)G",
            (Set::Cns2, _) => b"$*H",
            (Set::Latin1, _) => b".A",
            (Set::Greek, _) => b".F",
        }
    }

    /// Returns `true` if the set is designated to G2, and each of its characters stands behind ESC N.
    pub fn is_g2(self) -> bool {
        matches!(self, Set::Cns2 | Set::Latin1 | Set::Greek)
    }
}
