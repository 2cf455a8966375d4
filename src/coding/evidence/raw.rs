//! Raw octets that have no label of their own: those in a header.

use super::damaged::is_damaged_utf_8;
use super::utf_8::{Utf8Verdict, is_cesu_8, label_or_utf_8};
use super::{Because, Witnesses, find_by_witnesses};
use crate::coding::charset::Charset;

/// Says what charset octets are in that stand in a header; none where nobody can say. All of them are in one.
///
/// ```
/// use septet::coding::charset::{Charset, Labels};
/// use septet::coding::evidence::{Because, Witnesses, judge_raw};
///
/// let labels = Labels::default();
/// let alone = Witnesses::none(&labels);
/// assert_eq!(judge_raw("Grüße".as_bytes(), &alone), Some((Charset::UTF_8, Because::Octets)));
/// assert_eq!(judge_raw(b"Gr\xFC\xDFe", &alone), None);
/// let neighbours = [Some((Charset::WINDOWS_1252, Because::Part)), None, None, None];
/// let read = judge_raw(b"Gr\xFC\xDFe", &Witnesses { neighbours, ..alone });
/// assert_eq!(read, Some((Charset::WINDOWS_1252, Because::Part)));
/// ```
pub fn judge_raw(octets: &[u8], witnesses: &Witnesses) -> Option<(Charset, Because)> {
    match simdutf8::basic::from_utf8(octets) {
        Ok(_) => Some((Charset::UTF_8, Because::Octets)),
        Err(_) if is_cesu_8(octets) => Some((Charset::CESU_8, Because::Octets)),
        Err(_) if is_damaged_utf_8(octets) => None,
        Err(_) => find_by_witnesses(octets, witnesses).filter(|(charset, _)| !has_words_in_utf_8(octets, *charset)),
    }
}

/// Returns `true` if words in UTF-8 stand beside octets of another charset, in which they would read as nonsense. It is
/// `false` for UTF-8 itself.
pub(super) fn has_words_in_utf_8(octets: &[u8], charset: Charset) -> bool {
    let mut words = octets.split(u8::is_ascii_whitespace).filter(|word| !word.is_ascii());
    let is_utf_8 = |word| label_or_utf_8(charset, word) == Some(Utf8Verdict::Utf8) || is_plainly_utf_8(word);
    charset != Charset::UTF_8 && words.any(is_utf_8)
}

/// Returns `true` if a word is UTF-8 in all likelihood, whatever other charset could read it: letters of Latin among those of
/// ASCII, or several characters with octets that hardly any letter has elsewhere.
fn is_plainly_utf_8(word: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(word) else { return false };
    let mut others = text.chars().filter(|character| !character.is_ascii());
    let has_letters = word.iter().filter(|octet| octet.is_ascii_alphabetic()).count() > 1;
    let has_rare = word.iter().any(|octet| matches!(octet, 0x80..=0x9F));
    has_rare && others.clone().count() > 1
        || has_letters && others.all(|character| matches!(character, '\u{C0}'..='\u{24F}'))
}
