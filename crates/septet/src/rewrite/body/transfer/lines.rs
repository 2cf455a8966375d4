//! What a body's writer needs to know of lines: where they end, and what hides in them.

use memchr::memchr_iter;

use crate::coding::masks::near_places;
use crate::message::{count_line_feeds, crlfs};

/// Returns how many octets of a text its first `count` lines take: all there are if they are the `last`, so that a line
/// without an end goes with them, or if there are fewer.
pub fn length_of_lines(text: &[u8], count: usize, last: bool) -> usize {
    if last {
        return text.len();
    }
    match count.checked_sub(1) {
        Some(before) => near_places(text, b'\n').nth(before).map_or(text.len(), |at| at + 1),
        None => 0,
    }
}

/// Returns the line end at the end of a line, which must have one: CRLF, or LF alone.
pub fn line_end_of(line: &[u8]) -> &'static [u8] {
    if line.ends_with(b"\r\n") { b"\r\n" } else { b"\n" }
}

/// Counts the octets 0.
pub fn nuls(text: &[u8]) -> usize {
    memchr_iter(0, text).count()
}

/// Counts the CRs that no LF follows.
pub fn lone_returns(text: &[u8]) -> usize {
    memchr_iter(b'\r', text).count() - crlfs(text)
}

/// Counts the LFs that no CR stands before.
pub fn lone_line_feeds(text: &[u8]) -> usize {
    count_line_feeds(text) - crlfs(text)
}

/// Returns `true` if a text has no more of what is counted than another; the other is counted only where that matters.
/// It is no proof that they are the same ones.
pub fn has_no_more(count: fn(&[u8]) -> usize, text: &[u8], other: &[u8]) -> bool {
    let found = count(text);
    found == 0 || found <= count(other)
}
