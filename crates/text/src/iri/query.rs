//! Queries of http and https in the charset of the document (draft-ietf-iri-3987bis-06 §3.5).
//!
//! Every octet becomes `%HH`, those that look like ASCII too: half of a Shift_JIS character may be a `\`, and
//! a bare one makes an invalid URI. The draft is silent about a character that the charset lacks; browsers write
//! its numeric character reference, percent-encoded whole (`%26%238224%3B`), and so does this.

use super::syntax::{self, is_leiri_only};
use crate::charset::Charset;
use crate::scan::head;

/// Returns `true` if a charset is a form of Unicode, so that §3.5 does not apply; ASCII is part of UTF-8.
pub(super) fn is_ucs(charset: Charset) -> bool {
    charset.is_unicode() || charset.name() == "us-ascii"
}

/// Appends a run of characters that a URI can't hold. With `liberal`, what only a LEIRI may hold was
/// percent-encoded before the query was looked at (§6.1, §6.2), so it is UTF-8.
pub(super) fn push(out: &mut String, run: &str, charset: Charset, liberal: bool) {
    let mut rest = run;
    while let Some(first) = rest.chars().next() {
        let is_utf_8 = is_in_utf_8(first, liberal);
        let end = rest.find(|character| is_in_utf_8(character, liberal) != is_utf_8).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        match is_utf_8 {
            true => syntax::push_pct(out, piece.as_bytes()),
            false => push_encoded(out, piece, charset),
        }
        rest = after;
    }
}

/// Returns `true` if a character is percent-encoded in UTF-8, whatever the charset of the query.
fn is_in_utf_8(character: char, liberal: bool) -> bool {
    character.is_ascii() || liberal && is_leiri_only(character)
}

/// How much is encoded at once after a character was lacking, in octets: each lack costs one encoding.
const PIECE: usize = 256;

/// Appends text in a charset as `%HH`, with references for what that lacks.
fn push_encoded(out: &mut String, text: &str, charset: Charset) {
    let mut rest = text;
    let mut limit = text.len();
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(head(rest, limit).len());
        match charset.encode(piece) {
            Ok(octets) => {
                syntax::push_pct(out, &octets);
                (rest, limit) = (after, PIECE);
            }
            // What stands before the character comes first.
            Err(lacking) if lacking.offset > 0 => limit = lacking.offset,
            Err(lacking) => {
                out.push_str(&format!("%26%23{}%3B", u32::from(lacking.character)));
                (rest, limit) = (&rest[lacking.character.len_utf8()..], PIECE);
            }
        }
    }
}
