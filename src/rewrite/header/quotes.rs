//! Proves that the quotes, comments and quoted pairs of a field that was rewritten are as whole as they were.
//!
//! The proof of a field reads it in one way, by the grammar. Where a quote opens and never closes, or a backslash stands
//! where no pair can, each reader goes on in its own way: one sees a text begin where another sees it end. There the
//! field may change only between its quotes, and nothing may get into such a state that was in none.

use super::kind::FieldKind;
use crate::message::grammar::lexer::{Grammar, is_open, tokens};

/// Tells what is wrong with the quotes of a field that were right before, or were in disorder and are in another.
///
/// Where a body asks for something else of a Content-Type (`retyped`), a value in disorder may be written anew.
pub fn prove(name: &[u8], was: &[u8], now: &[u8], retyped: bool) -> Result<(), &'static str> {
    let (before, after) = (Quotes::of(name, was), Quotes::of(name, now));
    let is_in_disorder = before.opens || before.has_loose_backslash;
    match () {
        () if !before.opens && after.opens => Err("a quote or comment that never closes"),
        () if is_in_disorder && !retyped && !marks(was).eq(marks(now)) => Err("a quote, where quotes are in disorder"),
        () if before.quoted_starts < after.quoted_starts => Err("a backslash before a word or white space"),
        () => Ok(()),
    }
}

/// The state of the quotes of a field; that of a field that has none is the default.
#[derive(Debug, Clone, Copy, Default)]
struct Quotes {
    /// A quote or a comment opens and never closes, and takes in what follows.
    opens: bool,
    /// A backslash stands in no quote and no comment. In a parameter it is a letter like others.
    has_loose_backslash: bool,
    /// How many encoded-words and white space have a backslash before them that quotes their first octet.
    quoted_starts: usize,
}

impl Quotes {
    fn of(name: &[u8], value: &[u8]) -> Quotes {
        let grammar = match FieldKind::of(name) {
            FieldKind::Unstructured => return Quotes::default(),
            FieldKind::Parameters => Grammar::Mime,
            _ => Grammar::Address,
        };
        let tokens = tokens(value, grammar);
        let has_loose_backslash = grammar == Grammar::Address && tokens.iter().any(|token| token.is(b'\\'));
        Quotes { opens: is_open(&tokens), has_loose_backslash, quoted_starts: quoted_starts(value) }
    }
}

fn quoted_starts(value: &[u8]) -> usize {
    let is_start = |at: usize| value[at..].starts_with(b"=?") || value.get(at).is_none_or(u8::is_ascii_whitespace);
    let (mut count, mut at) = (0, 0);
    while let Some(found) = memchr::memchr(b'\\', &value[at..]) {
        at = (at + found + 1).min(value.len());
        // What it quotes is no backslash of the next pair.
        if is_start(at) {
            count += 1;
        }
        at = (at + 1).min(value.len());
    }
    count
}

/// Returns what quotes: the quotes, parentheses and backslashes of a value.
fn marks(value: &[u8]) -> impl Iterator<Item = u8> + '_ {
    value.iter().copied().filter(|octet| b"\"()\\".contains(octet))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_that_never_closes_is_new_or_stays() {
        let is_right = |was: &[u8], now: &[u8]| prove(b"From", was, now, false).is_ok();
        assert!(is_right(br#""a\"b" <c@d>"#, br#"=?utf-8?q?a=22b?= <c@d>"#));
        assert!(!is_right(br#""a\"b" <c@d>"#, br#""a"b" <c@d>"#), "it opens");
        assert!(is_right(br#""a" "b\" =?koi8-r?q?=CF?= <c@d>"#, b"\"a\" \"b\\\" \xD0\xBE <c@d>"));
        assert!(!is_right(br#""a\"" "b <c@d>"#, br#""a"" "b <c@d>"#), "another quote opens");
    }

    #[test]
    fn a_pair_takes_in_no_word_and_no_white_space() {
        assert_eq!(quoted_starts(br"a\ b \\ c \\\ d \=?x \\=?x \= e\"), 4);
        assert_eq!(quoted_starts(b""), 0);
    }
}
