//! The Han characters that are usual in a charset of East Asia.

use std::ops::RangeInclusive;

use crate::charset::Charset;

/// The Han characters and hangul that are usual in a charset of East Asia: the first level of its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Han {
    /// The charset has none.
    None,
    /// GB 2312, rows 16 to 55.
    Simplified,
    /// Big5, A440 to C67E.
    Traditional,
    /// JIS X 0208, rows 16 to 47.
    Japanese,
    /// The hangul of KS X 1001; its Han characters are rare.
    Korean,
    /// Those of any of the four.
    Any,
    /// Every one: none counts as rare.
    All,
}

/// The charsets of Japanese that need no sequences.
const JAPANESE: [Charset; 5] =
    [Charset::SHIFT_JIS, Charset::WINDOWS_31J, Charset::EUC_JP, Charset::SHIFT_JISX0213, Charset::EUC_JISX0213];

impl Han {
    /// Returns those of a charset. ISO-2022-* has none: faults are only counted under its label where no sequence
    /// stands.
    pub fn of(charset: Charset) -> Han {
        const TABLE: [(Han, &[Charset]); 4] = [
            (Han::Simplified, &[Charset::GB2312, Charset::GBK, Charset::GB18030, Charset::HZ_GB_2312]),
            (Han::Traditional, &[Charset::BIG5, Charset::EUC_TW]),
            (Han::Japanese, &JAPANESE),
            (Han::Korean, &[Charset::EUC_KR, Charset::WINDOWS_949, Charset::JOHAB]),
        ];
        let of_the_rest = if charset.is_unicode() { Han::Any } else { Han::None };
        TABLE.iter().find(|(_, charsets)| charsets.contains(&charset)).map_or(of_the_rest, |(han, _)| *han)
    }

    /// Returns `true` if a character is a usual one; the others count as rare.
    pub(in crate::evidence) fn has(self, character: char) -> bool {
        match self {
            Han::None => false,
            Han::All => true,
            Han::Simplified => is_in(character, Charset::GB2312, 0xB0A1..=0xD7FE),
            Han::Traditional => is_in(character, Charset::BIG5, 0xA440..=0xC67E),
            Han::Japanese => is_in(character, Charset::EUC_JP, 0xB0A1..=0xCFFE),
            Han::Korean => is_in(character, Charset::EUC_KR, 0xB0A1..=0xC8FE),
            Han::Any => {
                [Han::Simplified, Han::Traditional, Han::Japanese, Han::Korean].iter().any(|han| han.has(character))
            }
        }
    }
}

/// Returns `true` if a charset writes a character with one of these codes of two octets.
fn is_in(character: char, charset: Charset, codes: RangeInclusive<u16>) -> bool {
    match charset.encode(character.encode_utf8(&mut [0; 4])).as_deref() {
        Ok([lead, trail]) => codes.contains(&u16::from_be_bytes([*lead, *trail])),
        _ => false,
    }
}
