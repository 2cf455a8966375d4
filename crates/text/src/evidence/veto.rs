//! What speaks against a charset that only the label of a text in ASCII names.

use super::faults::is_letter;
use super::readings::readings;
use super::statistics;
use crate::charset::Charset;

/// The margin with which statistics speak against a label, in tenths of a natural logarithm.
const ENOUGH: i32 = 16;

/// The letters of Latin beyond ASCII that are a word by themselves in some language.
const WORDS: &str = "àáâäåæéèêíîóòôöøúýÀÁÂÄÅÆÉÈÊÍÎÓÒÔÖØÚÝ";

/// Returns the charset that octets are in rather than in the one that is `named`, if they speak against that:
/// statistics find another text in them, or words of Latin stand there without one letter of ASCII, as hardly any
/// language has them.
pub(super) fn veto(octets: &[u8], named: Charset) -> Option<Charset> {
    let text = named.decode(octets).ok()?;
    let guess = statistics::guess_against(&[octets], named).filter(|guess| guess.margin >= ENOUGH);
    guess.map(|guess| guess.charset).filter(|charset| reads_otherwise(octets, *charset, &text)).or_else(|| {
        let is_odd = text.split(|character| !is_letter(character)).any(is_odd_word);
        readings(octets).into_iter().find(|charset| is_odd && reads_otherwise(octets, *charset, &text))
    })
}

/// Returns `true` if octets are well-formed in a charset, and another text there.
pub(super) fn reads_otherwise(octets: &[u8], charset: Charset, text: &str) -> bool {
    charset.decode(octets).is_ok_and(|other| other != text)
}

/// Returns `true` if a word has letters of Latin, but none of ASCII, and is not one of the [`WORDS`] of one letter.
fn is_odd_word(word: &str) -> bool {
    let is_latin = word.chars().all(|letter| matches!(letter, '\u{C0}'..='\u{24F}'));
    !word.is_empty() && is_latin && !(word.chars().count() == 1 && WORDS.contains(word))
}
