//! Johab (KS X 1001, annex 3): a syllable is its three letters of five bits each, all else is KS X 1001 in another
//! order.
//!
//! An octet below 80 is ASCII. The first of two octets, 84 to D3, has its top bit set and begins a syllable of an
//! initial, a vowel and a final; with one of them alone it is that letter. From D9 on the rows of KS X 1001 that hold
//! no syllables follow, two to a lead octet.

use encoding_rs::EUC_KR;

use super::sink::{Flow, NO_CHARACTER, TextSink, encode_each};
use super::whatwg::{decode_one, encode_one};
use crate::fault::{MalformedError, MappingError};

/// The five bits of the first of the nineteen initials; the others follow.
const FIRST_INITIAL: u32 = 2;
/// The five bits of each vowel.
const VOWELS: [u32; 21] = [3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 18, 19, 20, 21, 22, 23, 26, 27, 28, 29];
/// The five bits of each final; the first is none.
const FINALS: [u32; 28] =
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29];
/// The bits of no initial, of no vowel, of no final; [`character`] has them as numbers in its patterns.
const NO_LETTER: (u32, u32, u32) = (1, 2, 1);

/// The initials and the finals as letters alone; what is both is written as an initial.
const INITIAL_LETTERS: [char; 19] =
    ['ㄱ', 'ㄲ', 'ㄴ', 'ㄷ', 'ㄸ', 'ㄹ', 'ㅁ', 'ㅂ', 'ㅃ', 'ㅅ', 'ㅆ', 'ㅇ', 'ㅈ', 'ㅉ', 'ㅊ', 'ㅋ', 'ㅌ', 'ㅍ', 'ㅎ'];
const FINAL_LETTERS: [char; 27] = [
    'ㄱ', 'ㄲ', 'ㄳ', 'ㄴ', 'ㄵ', 'ㄶ', 'ㄷ', 'ㄹ', 'ㄺ', 'ㄻ', 'ㄼ', 'ㄽ', 'ㄾ', 'ㄿ', 'ㅀ', 'ㅁ', 'ㅂ', 'ㅄ', 'ㅅ',
    'ㅆ', 'ㅇ', 'ㅈ', 'ㅊ', 'ㅋ', 'ㅌ', 'ㅍ', 'ㅎ',
];
const FIRST_VOWEL_LETTER: u32 = 0x314F;
const FIRST_SYLLABLE: u32 = 0xAC00;

/// Decodes octets.
pub(super) fn decode(bytes: &[u8], sink: &mut TextSink) -> Flow {
    sink.characters(bytes, |rest, text| match *rest {
        [lead, trail, ..] => (character(lead, trail).map(|found| text.push(found)).ok_or(NO_CHARACTER), 2),
        _ => (Err(MalformedError::CUT), 1),
    })
}

/// Encodes text; the first character that the charset lacks is an error.
pub(super) fn encode(text: &str) -> Result<Vec<u8>, MappingError> {
    encode_each(text, |character, out| code(character).map(|code| out.extend(code)))
}

/// Returns the character of two octets, the first above 7F; `None` where they are none.
fn character(lead: u8, trail: u8) -> Option<char> {
    if lead >= 0xD8 {
        let (row, cell) = row_and_cell(lead, trail)?;
        return decode_one(EUC_KR, &[row + 0xA0, cell + 0xA0]).filter(|found| is_moved(*found));
    }
    let bits = u32::from(u16::from_be_bytes([lead, trail]));
    let (initial, vowel, last) = (bits >> 10 & 31, bits >> 5 & 31, bits & 31);
    let vowel_index = index(&VOWELS, vowel);
    match (initial, vowel, last) {
        (1, 2, 1) => Some('\u{3000}'),
        (1, 2, last) => FINAL_LETTERS.get(index(&FINALS, last)?.checked_sub(1)? as usize).copied(),
        (1, _, 1) => char::from_u32(FIRST_VOWEL_LETTER + vowel_index?),
        (_, 2, 1) => INITIAL_LETTERS.get(initial.checked_sub(FIRST_INITIAL)? as usize).copied(),
        _ => {
            let initial = initial.checked_sub(FIRST_INITIAL).filter(|initial| *initial < 19)?;
            char::from_u32(FIRST_SYLLABLE + (initial * 21 + vowel_index?) * 28 + index(&FINALS, last)?)
        }
    }
}

/// Returns the two octets of a character; `None` where the charset lacks it.
fn code(character: char) -> Option<[u8; 2]> {
    let value = u32::from(character);
    let letters = match character {
        'ㄱ'..='ㅣ' => letter(character)?,
        '가'..='힣' => {
            let syllable = value - FIRST_SYLLABLE;
            let vowel = *VOWELS.get((syllable / 28 % 21) as usize)?;
            (syllable / 588 + FIRST_INITIAL, vowel, *FINALS.get((syllable % 28) as usize)?)
        }
        _ => return moved_code(character),
    };
    let (initial, vowel, last) = letters;
    Some(u16::try_from(0x8000 | initial << 10 | vowel << 5 | last).ok()?.to_be_bytes())
}

/// Returns the bits of the initial, the vowel and the final of a letter alone; `None` where Johab has none for it.
fn letter(character: char) -> Option<(u32, u32, u32)> {
    let initial = INITIAL_LETTERS.iter().zip(FIRST_INITIAL..).find(|(known, _)| **known == character);
    let last = FINAL_LETTERS.iter().zip(FINALS.iter().skip(1)).find(|(known, _)| **known == character);
    let (no_initial, no_vowel, no_final) = NO_LETTER;
    match (initial, last) {
        (Some((_, bits)), _) => Some((bits, no_vowel, no_final)),
        (_, Some((_, bits))) => Some((no_initial, no_vowel, *bits)),
        _ => {
            let vowel = u32::from(character).checked_sub(FIRST_VOWEL_LETTER)?;
            Some((no_initial, *VOWELS.get(vowel as usize)?, no_final))
        }
    }
}

/// Returns the place of five bits in a table; `None` where it does not have them.
fn index(bits: &[u32], wanted: u32) -> Option<u32> {
    bits.iter().zip(0..).find(|(bits, _)| **bits == wanted).map(|(_, index)| index)
}

/// Returns `true` if a character of KS X 1001 stands in the rows from D9 on: no syllable, and no letter that has bits.
fn is_moved(character: char) -> bool {
    !matches!(character, 'ㄱ'..='ㅣ' | '가'..='힣')
}

/// Returns the row and the cell of KS X 1001, from 1, that two octets name; `None` for a lead octet before D9, or where
/// no character can be.
fn row_and_cell(lead: u8, trail: u8) -> Option<(u8, u8)> {
    let row = match lead {
        0xD9..=0xDE => (lead - 0xD9) * 2 + 1,
        0xE0..=0xF9 => (lead - 0xE0) * 2 + 42,
        _ => return None,
    };
    let cell = match trail {
        0x31..=0x7E => trail - 0x31,
        0x91..=0xFE => trail - 0x43,
        _ => return None,
    };
    Some((row + cell / 94, cell % 94 + 1))
}

/// Returns the octets of a character that stands in the rows from D9 on; `None` for any other.
fn moved_code(character: char) -> Option<[u8; 2]> {
    let ([lead, trail, ..], 2) = encode_one(EUC_KR, character)? else { return None };
    let (row, cell) = (lead.checked_sub(0xA1)?, trail.checked_sub(0xA1)?);
    let (lead, second) = match row {
        0..=11 => (0xD9 + row / 2, row % 2),
        41..=92 => (0xE0 + (row - 41) / 2, (row - 41) % 2),
        _ => return None,
    };
    let cell = cell + second * 94;
    let trail = if cell < 0x4E { cell + 0x31 } else { cell + 0x43 };
    // Nothing is written that is not read back as the same character.
    self::character(lead, trail).filter(|read| *read == character).map(|_| [lead, trail])
}
