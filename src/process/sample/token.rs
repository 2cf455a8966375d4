//! The tokens of a text that is shown: what stands out stands out whole.
//!
//! A token is a word of the text, an atom of a field or a label of a host; of an encoded-word its charset, its encoding
//! and its text are one each (RFC 2047 §2). Signs between tokens, and characters of scripts that part no words by
//! blanks, stand by themselves.

use std::ops::Range;

/// Marks each token of which a sign is marked; there are as many marks as signs.
pub fn widen(signs: &[String], marks: &mut [bool]) {
    for token in tokens(signs) {
        if marks[token.clone()].contains(&true) {
            marks[token].fill(true);
        }
    }
}

/// Returns the tokens in their order; some may be empty.
fn tokens(signs: &[String]) -> Vec<Range<usize>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < signs.len() {
        let pieces = encoded_word(signs, at);
        let end = match pieces.last() {
            Some(text) => text.end + "?=".len(),
            None => at + signs[at..].iter().take_while(|sign| is_in_word(sign)).count(),
        };
        if pieces.is_empty() {
            tokens.push(at..end);
        }
        tokens.extend(pieces);
        at = end.max(at + 1);
    }
    tokens
}

/// Returns the charset, the encoding and the text of the encoded-word that starts at a place, none where none does. One
/// whose end is not shown is one as well.
fn encoded_word(signs: &[String], at: usize) -> Vec<Range<usize>> {
    if !matches!(signs.get(at..at + 2), Some([equals, mark]) if equals == "=" && mark == "?") {
        return Vec::new();
    }
    let (mut pieces, mut start) = (Vec::new(), at + 2);
    while pieces.len() < 3 {
        let length = signs[start..].iter().take_while(|sign| !matches!(sign.as_str(), "?" | " ")).count();
        pieces.push(start..start + length);
        if signs.get(start + length).is_none_or(|sign| sign != "?") {
            break;
        }
        start += length + 1;
    }
    if pieces.len() == 3 { pieces } else { Vec::new() }
}

/// Returns `true` if a sign is within words: a letter of a script that parts its words, a digit, an octet that is
/// written out, `-`, `_`, `+`, `'`, and `%` and `=` of what is encoded.
fn is_in_word(sign: &str) -> bool {
    let mut characters = sign.chars();
    match (characters.next(), characters.next()) {
        (Some('\\'), Some(_)) => true,
        (Some('-' | '_' | '+' | '\'' | '%' | '='), None) => true,
        // Han, kana and what else has no blanks between words begins there; Hangul and full-width letters do well
        // without.
        (Some(letter), None) => letter.is_alphanumeric() && letter < '\u{2E80}',
        _ => false,
    }
}
