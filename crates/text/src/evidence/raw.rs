//! Raw octets that have no label of their own: those in a header.

use super::damaged::is_damaged_utf_8;
use super::hearing::find_by_witnesses;
use super::utf_8::{Utf8Verdict, is_cesu_8, label_or_utf_8};
use super::{Because, DecodeError, Witnesses};
use crate::charset::Charset;

/// What raw octets are in, and why; or why nobody can say.
pub type RawReading = Result<(Charset, Because), DecodeError>;

/// Says what charset octets are in that stand in a header. All of them are in one.
///
/// ```
/// use septet_text::charset::{Charset, Labels};
/// use septet_text::evidence::{Because, DecodeError, Neighbour, Witnesses, judge_raw, only};
///
/// let labels = Labels::default();
/// let alone = Witnesses::none(&labels);
/// assert_eq!(judge_raw("Grüße".as_bytes(), &alone), Ok((Charset::UTF_8, Because::Octets)));
/// assert_eq!(judge_raw(b"Gr\xFC\xDFe", &alone), Err(DecodeError::Unlabelled));
/// let latin = Neighbour { charset: Charset::WINDOWS_1252, because: Because::Part, has_testified: true };
/// let read = judge_raw(b"Gr\xFC\xDFe", &Witnesses { neighbours: only(latin), ..alone });
/// assert_eq!(read, Ok((Charset::WINDOWS_1252, Because::Part)));
/// assert!(matches!(judge_raw("Grüße aus Köl".as_bytes().split_at(14).0, &alone), Err(DecodeError::Malformed(..))));
/// ```
///
/// # Errors
///
/// [`DecodeError::Malformed`] for damaged UTF-8, [`DecodeError::Unlabelled`] where nothing says it, and
/// [`DecodeError::Ambiguous`] where only the label of a text in ASCII reads them, and the octets speak against it.
pub fn judge_raw(octets: &[u8], witnesses: &Witnesses) -> RawReading {
    match Charset::UTF_8.decode(octets) {
        Ok(_) => Ok((Charset::UTF_8, Because::Octets)),
        Err(_) if is_cesu_8(octets) => Ok((Charset::CESU_8, Because::Octets)),
        Err(fault) if is_damaged_utf_8(octets) => Err(DecodeError::Malformed(Charset::UTF_8, fault)),
        Err(_) => find_by_witnesses(octets, witnesses)?
            .filter(|(charset, _)| !has_words_in_utf_8(octets, *charset))
            .ok_or(DecodeError::Unlabelled),
    }
}

/// Returns `true` if words in UTF-8 stand beside octets of another charset, in which they would read as nonsense. It is
/// `false` for UTF-8 itself.
pub(super) fn has_words_in_utf_8(octets: &[u8], charset: Charset) -> bool {
    let mut words = octets.split(u8::is_ascii_whitespace).filter(|word| !word.is_ascii());
    charset != Charset::UTF_8
        && words.any(|word| label_or_utf_8(charset, word) == Some(Utf8Verdict::Utf8) || is_plainly_utf_8(word))
}

/// Returns `true` if a word is UTF-8 in all likelihood, whatever other charset could read it: letters of Latin among
/// those of ASCII, or several characters with octets that hardly any letter has elsewhere.
fn is_plainly_utf_8(word: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(word) else { return false };
    let mut others = text.chars().filter(|character| !character.is_ascii());
    let has_letters = word.iter().filter(|octet| octet.is_ascii_alphabetic()).count() > 1;
    let has_rare = word.iter().any(|octet| matches!(octet, 0x80..=0x9F));
    has_rare && others.clone().count() > 1
        || has_letters && others.all(|character| matches!(character, '\u{C0}'..='\u{24F}'))
}
