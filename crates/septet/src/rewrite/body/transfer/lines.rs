//! What a body's writer needs to know of lines: where they end, and what hides in them.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter};

use crate::coding::masks::near_places;

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

/// Counts the LFs.
pub fn line_feeds(text: &[u8]) -> usize {
    memchr_iter(b'\n', text).count()
}

/// Counts the LFs that no CR stands before.
pub fn lone_line_feeds(text: &[u8]) -> usize {
    line_feeds(text) - crlfs(text)
}

/// Returns `true` if a text has no more of what is counted than another; the other is counted only where that matters.
/// It is no proof that they are the same ones.
pub fn has_no_more(count: fn(&[u8]) -> usize, text: &[u8], other: &[u8]) -> bool {
    let found = count(text);
    found == 0 || found <= count(other)
}

/// The octets of a stretch in which a sum of ones fits an octet, so that a processor can add up many at a time.
const STRETCH: usize = 255;

/// Counts the CRLFs. One may lie across two stretches, so that each octet is held against the one behind it.
fn crlfs(text: &[u8]) -> usize {
    let Some(first) = memchr(b'\r', text) else { return 0 };
    let text = &text[first..];
    let seconds = text.get(1..).unwrap_or_default();
    let stretches = text.chunks(STRETCH).zip(seconds.chunks(STRETCH));
    stretches.map(|(ones, others)| usize::from(count_crlfs_across(ones, others))).sum()
}

/// Counts the places at which a CR stands in one stretch, and an LF in the other. The stretches must have no more than
/// [`STRETCH`] octets, or the sum overflows.
fn count_crlfs_across(ones: &[u8], others: &[u8]) -> u8 {
    ones.iter().zip(others).map(|(first, second)| u8::from(*first == b'\r') & u8::from(*second == b'\n')).sum()
}

/// Returns a text with every LF and CRLF as `end`, which must be one of them; a CR alone stays. Borrowed where nothing
/// changes.
pub fn with_line_ends<'a>(text: &'a [u8], end: &[u8]) -> Cow<'a, [u8]> {
    let crlf = crlfs(text);
    if (end == b"\n" && crlf == 0) || (end != b"\n" && crlf == line_feeds(text)) {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len() + line_feeds(text));
    for line in text.split_inclusive(|&octet| octet == b'\n') {
        match line.strip_suffix(b"\n") {
            Some(content) => {
                out.extend_from_slice(content.strip_suffix(b"\r").unwrap_or(content));
                out.extend_from_slice(end);
            }
            None => out.extend_from_slice(line),
        }
    }
    Cow::Owned(out)
}
