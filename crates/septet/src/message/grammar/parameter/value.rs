//! What the value of a section says: quotes, backslashes, comments, percent signs, the charset mark.

use std::borrow::Cow;

use crate::coding::encoded_word::unfold;
use crate::coding::hex;
use crate::message::grammar::lexer::{Grammar, Lexer, TokenKind};

/// Returns a value without its quotes, its backslashes resolved and its folds undone. Of one that has no quotes,
/// comments and folds are taken out, and backslashes stay.
///
/// A quote that opens and never closes is dropped all the same, and so is what stands behind one that closes.
pub fn unquote(value: &[u8]) -> Cow<'_, [u8]> {
    let Some(inner) = value.strip_prefix(b"\"") else { return without_comments(value) };
    let end = memchr::memchr2(b'"', b'\\', inner).unwrap_or(inner.len());
    if inner.get(end) != Some(&b'\\') {
        return unfold(&inner[..end]);
    }
    let mut plain = Vec::with_capacity(inner.len());
    let mut octets = inner.iter().copied();
    while let Some(octet) = octets.next() {
        match octet {
            b'"' => break,
            b'\\' => plain.push(octets.next().unwrap_or(octet)),
            octet => plain.push(octet),
        }
    }
    Cow::Owned(unfold(&plain).into_owned())
}

/// Returns a value without quotes as it is but for its comments and folds.
fn without_comments(value: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'(', value).is_none() {
        return unfold(value);
    }
    let solid = Lexer::new(value, Grammar::Mime).filter(|token| token.kind != TokenKind::Comment);
    let plain: Vec<u8> = solid.flat_map(|token| value[token.at].iter().copied()).collect();
    Cow::Owned(unfold(plain.trim_ascii()).into_owned())
}

/// Joins the values of one parameter's sections, which come in the order of their numbers: each as written, and whether
/// it is extended. The first leaves its charset mark out, if it is extended and has one.
pub(super) fn joined<'a>(sections: impl Iterator<Item = (&'a [u8], bool)>) -> Vec<u8> {
    let mut octets = Vec::new();
    for (place, (value, extended)) in sections.enumerate() {
        let value = unquote(value);
        match extended {
            true if place == 0 => {
                percent_decode(ExtendedHead::of(&value).map_or(&value, |head| head.rest), &mut octets)
            }
            true => percent_decode(&value, &mut octets),
            false => octets.extend_from_slice(&value),
        }
    }
    octets
}

/// The beginning of an extended value: `charset'language'`.
#[derive(Debug, Default)]
pub(in crate::message) struct ExtendedHead<'a> {
    pub label: &'a [u8],
    pub language: &'a [u8],
    /// What stands behind it, a quote that closes the value too.
    pub rest: &'a [u8],
}

impl ExtendedHead<'_> {
    /// Splits a value, as written or without its quotes; one without two apostrophes has no head. A quote before it is
    /// dropped, one behind it is not.
    pub fn of(value: &[u8]) -> Option<ExtendedHead<'_>> {
        let bare = value.strip_prefix(b"\"").unwrap_or(value);
        let mut pieces = bare.splitn(3, |&octet| octet == b'\'');
        match (pieces.next(), pieces.next(), pieces.next()) {
            (Some(label), Some(language), Some(rest)) => Some(ExtendedHead { label, language, rest }),
            _ => None,
        }
    }
}

/// Adds a text to `out` with its `%HH` decoded; a percent sign without two digits stands for itself, as every other
/// octet does.
pub fn percent_decode(text: &[u8], out: &mut Vec<u8>) {
    let mut rest = text;
    while let [first, after @ ..] = rest {
        let escaped = match (first, after) {
            (b'%', [high, low, after @ ..]) => hex::octet(*high, *low).map(|octet| (octet, after)),
            _ => None,
        };
        let (octet, after) = escaped.unwrap_or((*first, after));
        out.push(octet);
        rest = after;
    }
}

/// Returns `true` if every percent sign of a text has two digits behind it.
pub(in crate::message) fn has_whole_percents(text: &[u8]) -> bool {
    memchr::memchr_iter(b'%', text)
        .all(|at| matches!(text[at + 1..], [high, low, ..] if hex::octet(high, low).is_some()))
}

/// Returns `true` if every reader reads the text of an extended value alike: in quotes, which RFC 2231 has not, nothing
/// needs a backslash, and outside of them nothing ends the value. `quoted` is `true` if the value begins with a quote,
/// which the text must not have; it has the one that closes it.
pub(super) fn is_readable_percent_text(text: &[u8], quoted: bool) -> bool {
    let inner = text.strip_suffix(b"\"").unwrap_or(text);
    let ends: &[u8] = if quoted { b"\"\\" } else { b"()<>@,;:\\\"/[]?= " };
    let is_bare = inner.iter().all(|octet| matches!(octet, b' '..=b'~') && !ends.contains(octet));
    quoted == text.ends_with(b"\"") && is_bare && has_whole_percents(inner)
}

/// Returns `true` if a text is `*(%HH / attribute-char)` (RFC 2231 §7).
pub(super) fn is_percent_text(text: &[u8]) -> bool {
    text.iter().all(|&octet| octet == b'%' || super::write::is_attribute_char(octet)) && has_whole_percents(text)
}
