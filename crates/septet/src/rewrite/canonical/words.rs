//! Reads canonical encoded-words, and what stands beside them.
//!
//! A word is canonical that is written as RFC 2047 has it and no otherwise: `=?utf-8?Q?…?=` or `=?utf-8?B?…?=`, 75
//! octets at most, whole characters in it, white space or an end on both sides. In a value of printable ASCII, of which
//! nothing but words was replaced and in which no other word stands, every reader then finds the texts that were meant.

use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::coding::encoded_word::starts;
use crate::coding::hex;

/// The octets that a word has at the most (RFC 2047 §2).
const WORD_LIMIT: usize = 75;

/// What is written in the place of a range of a value: an empty range inserts.
pub type ValueEdit = (Range<usize>, String);

/// Returns `true` if what is written in a value are canonical words that say just the texts that were meant, and folds,
/// and what stays beside them can't be read as anything else. `written` is in order; `texts` are the ranges that words
/// are written for, in order, with what they mean. `true` spares a field its proof (`HeaderPlanner::plan`); `false`
/// decides nothing: such a value is proved by reading it.
///
/// In all but unstructured fields (`phrases`) what is replaced must be words or atoms, too, and a word holds no octet
/// that ends one for some readers (RFC 2047 §5 (3)).
pub fn are_canonical(value: &[u8], written: &[ValueEdit], texts: &[(&Range<usize>, &str)], phrases: bool) -> bool {
    let mut texts = texts.iter();
    let (mut end, mut now) = (0, Vec::with_capacity(value.len()));
    for (at, with) in written {
        let (Some(kept), Some(replaced)) = (value.get(end..at.start), value.get(at.clone())) else { return false };
        let is_good = match with.trim_start_matches(['\r', '\n']) {
            // A fold before white space that stays.
            "" => at.is_empty(),
            with => texts.next().is_some_and(|(range, text)| {
                **range == *at
                    && stands_alone(value, at, with)
                    && (!phrases || is_words_alone(replaced))
                    && words_spell(with, text, phrases)
            }),
        };
        if !is_good || !is_kept(kept, phrases) || !replaced.is_ascii() {
            return false;
        }
        now.extend_from_slice(kept);
        now.extend_from_slice(with.as_bytes());
        end = at.end;
    }
    now.extend_from_slice(&value[end..]);
    texts.next().is_none() && is_kept(&value[end..], phrases) && is_text_with_folds(&now)
}

/// Returns `true` if a value is printable ASCII, blanks, tabs and folds: white space follows every line end, and a CR
/// stands in no other place.
fn is_text_with_folds(value: &[u8]) -> bool {
    value.iter().all(|octet| matches!(octet, b' '..=b'~' | b'\t' | b'\r' | b'\n'))
        && memchr::memchr2_iter(b'\r', b'\n', value)
            .all(|at| matches!(value[at..], [b'\r', b'\n', ..] | [b'\n', b' ' | b'\t', ..]))
}

/// Returns `true` if white space or an end of `value` stands on both sides of what is written; a blank may be its own.
/// The octets beside `at` must stay as they are: no two words that are written touch, since the planner joins words
/// between which nothing but white space stands.
fn stands_alone(value: &[u8], at: &Range<usize>, with: &str) -> bool {
    let before = at.start.checked_sub(1).and_then(|before| value.get(before));
    let behind = value.get(at.end);
    (with.starts_with(' ') || before.is_none_or(u8::is_ascii_whitespace))
        && (with.ends_with(' ') || behind.is_none_or(u8::is_ascii_whitespace))
}

/// Returns `true` if octets that stay beside words begin no word; with `phrases` they quote nothing either, so that no
/// word stands in quotes or in a comment.
fn is_kept(kept: &[u8], phrases: bool) -> bool {
    starts(kept).next().is_none() && !(phrases && kept.iter().any(|octet| b"\"()\\".contains(octet)))
}

/// Returns `true` if what is replaced in a phrase is nothing but words in which no special stands, atoms of letters and
/// digits, and white space, so that no structure of the field goes with it.
fn is_words_alone(replaced: &[u8]) -> bool {
    let mut words = replaced.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.all(|word| match word.starts_with(b"=?") && word.ends_with(b"?=") {
        true => !word.iter().any(|octet| b"\"()<>@,;:\\[]".contains(octet)),
        false => word.iter().all(u8::is_ascii_alphanumeric),
    })
}

/// Returns `true` if canonical words say just this text; blanks and folds between them are none of it.
fn words_spell(written: &str, text: &str, phrases: bool) -> bool {
    let mut rest = text.as_bytes();
    for word in written.split([' ', '\r', '\n']).filter(|word| !word.is_empty()) {
        let said = decode_word(word, phrases);
        let Some(after) = said.and_then(|said| rest.strip_prefix(&*said)) else { return false };
        rest = after;
    }
    rest.is_empty()
}

/// Decodes one word, all of `word`; none if it is not canonical.
fn decode_word(word: &str, phrases: bool) -> Option<Vec<u8>> {
    let inner = word.strip_prefix("=?utf-8?")?.strip_suffix("?=").filter(|_| word.len() <= WORD_LIMIT)?;
    let (encoding, text) = inner.split_once('?')?;
    let octets = match encoding {
        "Q" => decode_q(text.as_bytes(), phrases)?,
        "B" => STANDARD.decode(text).ok()?,
        _ => return None,
    };
    str::from_utf8(&octets).is_ok().then_some(octets)
}

/// Decodes the text of a word in the encoding Q; none where an octet stands bare that may not (RFC 2047 §4.2), or with
/// `phrases` not in a phrase (§5 (3)).
fn decode_q(text: &[u8], phrases: bool) -> Option<Vec<u8>> {
    let (mut octets, mut rest) = (Vec::with_capacity(text.len()), text);
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        octets.push(match (first, after) {
            (b'_', _) => b' ',
            (b'=', [high, low, after @ ..]) => {
                rest = after;
                hex::octet(*high, *low)?
            }
            (octet, _) if is_bare(octet, phrases) => octet,
            _ => return None,
        });
    }
    Some(octets)
}

/// Returns `true` if an octet may stand for itself in a word in the encoding Q (RFC 2047 §4.2; with `phrases` §5 (3)).
fn is_bare(octet: u8, phrases: bool) -> bool {
    match phrases {
        true => octet.is_ascii_alphanumeric() || b"!*+-/".contains(&octet),
        false => octet.is_ascii_graphic() && !b"=?_".contains(&octet),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_said(value: &str, written: &[(Range<usize>, &str)], texts: &[(Range<usize>, &str)], phrases: bool) -> bool {
        let written: Vec<ValueEdit> = written.iter().map(|(at, with)| (at.clone(), (*with).to_owned())).collect();
        let texts: Vec<_> = texts.iter().map(|(at, text)| (at, *text)).collect();
        are_canonical(value.as_bytes(), &written, &texts, phrases)
    }

    #[test]
    fn words_between_white_space_say_their_text() {
        let old = " =?iso-8859-1?Q?caf=E9?= au lait";
        assert!(is_said(old, &[(1..24, "=?utf-8?Q?caf=C3=A9?=")], &[(1..24, "caf\u{E9}")], false));
        assert!(is_said(old, &[(1..24, "=?utf-8?B?Y2Fmw6k=?=")], &[(1..24, "caf\u{E9}")], true));
        assert!(is_said(old, &[(1..24, "=?utf-8?Q?caf?=\r\n =?utf-8?Q?=C3=A9?=")], &[(1..24, "caf\u{E9}")], true));
        assert!(
            is_said(old, &[(1..27, "=?utf-8?Q?caf=C3=A9_au?=")], &[(1..27, "caf\u{E9} au")], true),
            "an atom beside it"
        );
        assert!(is_said(old, &[(1..24, "=?utf-8?Q?caf=C3=A9?="), (27..27, "\n")], &[(1..24, "caf\u{E9}")], true));
    }

    #[test]
    fn anything_else_is_left_to_the_readers_of_everything() {
        let old = " =?iso-8859-1?Q?caf=E9?= au lait";
        let refused = [
            ("another text", "=?utf-8?Q?caf=C3=A8?="),
            ("half a character", "=?utf-8?Q?caf=C3?= =?utf-8?Q?=A9?="),
            ("another charset", "=?iso-8859-1?Q?caf=E9?="),
            ("no word", "caf\u{E9}"),
            ("more than was meant", "=?utf-8?Q?caf=C3=A9?= x"),
            ("a fold without a blank", "=?utf-8?Q?caf?=\n=?utf-8?Q?=C3=A9?="),
            ("an empty line", "\r\n\r\n =?utf-8?Q?caf=C3=A9?="),
            ("a line end before a word", "\n=?utf-8?Q?caf=C3=A9?="),
        ];
        for (why, with) in refused {
            assert!(!is_said(old, &[(1..24, with)], &[(1..24, "caf\u{E9}")], false), "{why}");
        }
        let good = "=?utf-8?Q?caf=C3=A9?=";
        assert!(!is_said("a=?x?Q?=E9?=", &[(1..12, good)], &[(1..12, "caf\u{E9}")], false), "glued");
        let two = " =?x?Q?=E9?= =?y?Q?z?=";
        assert!(!is_said(two, &[(1..12, good)], &[(1..12, "caf\u{E9}")], false), "a word that stays");
        let plain = " =?x?Q?=E9?= a. <c@d>";
        assert!(!is_said(plain, &[(1..15, "=?utf-8?Q?=C3=A9_a=2E?=")], &[(1..15, "\u{E9} a.")], true), "a full stop");
        let comma = " =?x?Q?a,b?= <c@d>";
        assert!(!is_said(comma, &[(1..12, "=?utf-8?Q?a=2Cb?=")], &[(1..12, "a,b")], true), "a special in a phrase");
        assert!(!is_said(comma, &[(1..12, "=?utf-8?Q?a,b?=")], &[(1..12, "a,b")], true));
        let quoted = " \" =?x?Q?=E9?= \" <c@d>";
        assert!(!is_said(quoted, &[(3..14, good)], &[(3..14, "caf\u{E9}")], true), "a word in quotes");
        assert!(!is_said("\0 x", &[(2..3, good)], &[(2..3, "caf\u{E9}")], false), "a control character beside it");
        assert!(!is_said(" \r x", &[(3..4, good)], &[(3..4, "caf\u{E9}")], false), "a CR alone");
        assert!(!is_said(" x", &[(1..2, good)], &[], false), "a text that was not meant");
    }
}
