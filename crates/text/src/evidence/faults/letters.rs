//! Which letters are usual: those of the charsets that mail was written in before it was written in UTF-8.

use std::collections::HashSet;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_script::Script;

use super::facts::{Family, family};
use super::word::is_letter;
use crate::charset::Charset;

/// The charsets of eight bits that most of the world's mail was written in. Every letter of any of them is usual.
#[rustfmt::skip]
const EIGHT_BIT: [Charset; 36] = [
    Charset::ISO_8859_1, Charset::ISO_8859_2, Charset::ISO_8859_3, Charset::ISO_8859_4, Charset::ISO_8859_5,
    Charset::ISO_8859_6, Charset::ISO_8859_7, Charset::ISO_8859_8, Charset::ISO_8859_9, Charset::ISO_8859_10,
    Charset::ISO_8859_11, Charset::ISO_8859_13, Charset::ISO_8859_14, Charset::ISO_8859_15, Charset::ISO_8859_16,
    Charset::WINDOWS_874, Charset::WINDOWS_1250, Charset::WINDOWS_1251, Charset::WINDOWS_1252, Charset::WINDOWS_1253,
    Charset::WINDOWS_1254, Charset::WINDOWS_1255, Charset::WINDOWS_1256, Charset::WINDOWS_1257, Charset::WINDOWS_1258,
    Charset::KOI8_R, Charset::KOI8_U, Charset::KOI8_T, Charset::PTCP154, Charset::KZ_1048, Charset::ARMSCII_8,
    Charset::GEORGIAN_PS, Charset::MACINTOSH, Charset::IBM850, Charset::IBM866, Charset::VISCII,
];

static USUAL: LazyLock<HashSet<char>> = LazyLock::new(|| {
    let all = EIGHT_BIT.iter().flat_map(|charset| (0x80..=0xFF).filter_map(|octet| read(*charset, octet)));
    // Unicode gave Romanian the comma, Persian its yeh, and Azerbaijani a letter.
    all.filter(|character| is_letter(*character)).chain("ȘșȚțƏəی".chars()).collect()
});

/// Returns the character of an octet, if it is one in that charset.
fn read(charset: Charset, octet: u8) -> Option<char> {
    charset.decode(&[octet]).ok()?.chars().next()
}

/// Returns `true` if one of the charsets of eight bits has a letter, or it is one of a few of Unicode alone; the
/// florin, which is one by its category alone, counts as none.
pub(super) fn is_usual(letter: char) -> bool {
    letter != 'ƒ' && USUAL.contains(&letter)
}

/// Returns the letter that a letter and a mark make, `None` if they stay two; windows-1258 has the tone of Vietnamese
/// behind a letter that has a mark.
fn composed(letter: char, mark: char) -> Option<char> {
    let mut composed = [letter, mark].into_iter().nfc();
    composed.next().filter(|_| composed.next().is_none())
}

/// Returns `true` if a mark makes, with the letter before it, one that is usual. Marks that belong to one script do,
/// and so do all on letters of other scripts than Latin, Greek, Cyrillic and those of East Asia.
pub(super) fn composes(letter: char, mark: char) -> bool {
    let needs_usual =
        matches!(family(letter), Family::EastAsian | Family::Of(Script::Latin | Script::Greek | Script::Cyrillic));
    !needs_usual || family(mark) != Family::None || composed(letter, mark).is_some_and(|letter| USUAL.contains(&letter))
}
