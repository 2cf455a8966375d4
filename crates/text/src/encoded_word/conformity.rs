//! How well words are written.

use super::group::Conformity;
use super::{EncodedWord, Encoding, WORD_LIMIT, WordPlace, base, quoted};

/// The especials of RFC 2047 §2, which no token has.
const ESPECIALS: &[u8] = b"()<>@,;:\"/[]?.=\\";

/// Tells how well a word obeys RFC 2047 §2 and §5, its text's charset aside.
pub(super) fn conformity(value: &[u8], word: &EncodedWord, place: WordPlace) -> Conformity {
    let text = &value[word.text.clone()];
    let label = &value[word.label.clone()];
    let stands_alone = is_edge(value[..word.at.start].last()) && is_edge(value.get(word.at.end));
    let (good_text, readable_text) = match word.encoding {
        Encoding::Q => (quoted::is_conforming(text, place), quoted::is_readable(text, place)),
        Encoding::B => (base::is_conforming(text), base::is_conforming(text)),
    };
    let is_token = !label.is_empty() && !label.iter().any(|octet| ESPECIALS.contains(octet));
    if !is_token || !stands_alone || !readable_text {
        return Conformity::Broken;
    }
    if word.at.len() <= WORD_LIMIT && good_text { Conformity::Conforming } else { Conformity::Readable }
}

/// Returns `true` if an octet beside a word is white space, or missing: the text's edge.
fn is_edge(octet: Option<&u8>) -> bool {
    octet.is_none_or(|octet| matches!(octet, b' ' | b'\t' | b'\r' | b'\n'))
}
