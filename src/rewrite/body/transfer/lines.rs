//! What a body's writer needs to know of lines: where they end, how long they are, what hides in them.

use std::borrow::Cow;
use std::collections::HashSet;

use memchr::{memchr, memchr_iter, memchr2, memmem};

use crate::coding::transfer::quoted_printable;

/// Returns the lines of a quoted-printable body, each up to its hard line break, soft breaks inside.
pub fn written_lines(raw: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (mut start, mut piece) = (0, 0);
    let mut ends = memchr_iter(b'\n', raw).map(|at| at + 1).chain([raw.len()]);
    std::iter::from_fn(move || {
        for end in ends.by_ref() {
            let line = &raw[start..end];
            let is_hard = !quoted_printable::ends_in_soft_break(&raw[piece..end]);
            piece = end;
            if is_hard && start < end {
                start = end;
                return Some(line);
            }
        }
        // A soft break at the very end leaves a line that no hard break ends.
        let line = &raw[start..];
        start = raw.len();
        (!line.is_empty()).then_some(line)
    })
}

/// Returns `true` if a quoted-printable body has a hard line break before its last line ends.
pub fn has_inner_hard_break(raw: &[u8]) -> bool {
    let mut lines = written_lines(raw);
    lines.next().is_some_and(|first| first.ends_with(b"\n") && lines.next().is_some())
}

/// Returns `true` if a quoted-printable body has a hard line break anywhere, at its very end too.
pub fn has_hard_break(raw: &[u8]) -> bool {
    written_lines(raw).next().is_some_and(ends_in_hard_break)
}

/// Returns `true` if a quoted-printable line ends in a hard line break; a soft one at the very end of a body is no line end.
pub fn ends_in_hard_break(line: &[u8]) -> bool {
    line.ends_with(b"\n") && !quoted_printable::ends_in_soft_break(line)
}

/// Returns how many octets of a text its first `count` lines take: all there are if they are the `last`, so that a line
/// without an end goes with them, or if there are fewer.
pub fn length_of_lines(text: &[u8], count: usize, last: bool) -> usize {
    if last {
        return text.len();
    }
    match count.checked_sub(1) {
        Some(before) => memchr_iter(b'\n', text).nth(before).map_or(text.len(), |at| at + 1),
        None => 0,
    }
}

/// Returns the line end that a line has, which has one.
pub fn line_end_of(line: &[u8]) -> &'static [u8] {
    if line.ends_with(b"\r\n") { b"\r\n" } else { b"\n" }
}

/// Returns `true` if a quoted-printable body has a CR or LF written as an octet (`=0D`, `=0A`): in its text that can't
/// be told from a line end.
pub fn has_written_line_ends(raw: &[u8]) -> bool {
    memmem::find_iter(raw, b"=0").any(|at| matches!(raw.get(at + 2), Some(b'A' | b'a' | b'D' | b'd')))
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
pub fn has_no_more(count: fn(&[u8]) -> usize, text: &[u8], other: &[u8]) -> bool {
    let found = count(text);
    found == 0 || found <= count(other)
}

/// The octets of a stretch in which a sum of ones fits an octet, so that a processor can add up many at a time.
const STRETCH: usize = 255;

/// Counts the CRLFs.
fn crlfs(text: &[u8]) -> usize {
    let Some(first) = memchr(b'\r', text) else { return 0 };
    let text = &text[first..];
    let seconds = text.get(1..).unwrap_or_default();
    let is_pair = |(first, second): (&u8, &u8)| u8::from(*first == b'\r') & u8::from(*second == b'\n');
    let count = |(first, second): (&[u8], &[u8])| usize::from(first.iter().zip(second).map(is_pair).sum::<u8>());
    text.chunks(STRETCH).zip(seconds.chunks(STRETCH)).map(count).sum()
}

/// Returns `true` if a written body has a delimiter no more often than `raw`, the one that came, and if each of its
/// lines that starts with it stood there before: what was no delimiter on the line that came (`--b-`) must not become
/// one.
pub fn adds_no_boundary(raw: &[u8], body: &[u8], delimiter: &[u8]) -> bool {
    // To get a search ready takes longer than most bodies are, and many multiparts may stand around each.
    if body.len() < delimiter.len() {
        return true;
    }
    let delimiter = memmem::Finder::new(delimiter);
    let count = |text: &[u8]| delimiter.find_iter(text).count();
    let written = delimiter_lines(body, &delimiter);
    count(body) <= count(raw) && (written.is_empty() || written.is_subset(&delimiter_lines(raw, &delimiter)))
}

/// Finds the lines that start with a delimiter, blanks at their ends left out, each with whether a CR alone stands before
/// it, and behind it: only to some readers that is a line end.
fn delimiter_lines<'t>(text: &'t [u8], delimiter: &memmem::Finder) -> HashSet<(bool, &'t [u8], bool)> {
    let at = |at: usize| text.get(at).copied();
    let starts = |start: &usize| start.checked_sub(1).is_none_or(|before| matches!(text[before], b'\r' | b'\n'));
    let line = |start: usize| {
        let end = memchr2(b'\r', b'\n', &text[start..]).map_or(text.len(), |length| start + length);
        let alone_before = start.checked_sub(1).and_then(at) == Some(b'\r');
        let alone_behind = at(end) == Some(b'\r') && at(end + 1) != Some(b'\n');
        (alone_before, text[start..end].trim_ascii_end(), alone_behind)
    };
    delimiter.find_iter(text).filter(starts).map(line).collect()
}

/// Returns the octets of the longest line, its line end left out.
pub fn longest_line(text: &[u8]) -> usize {
    let mut longest = 0;
    let mut start = 0;
    for at in memchr_iter(b'\n', text) {
        let end = if text[start..at].ends_with(b"\r") { at - 1 } else { at };
        longest = longest.max(end - start);
        start = at + 1;
    }
    longest.max(text.len() - start)
}

/// Returns a text with every LF and CRLF as `end`, which must be one of them; a CR alone stays. Borrowed where nothing changes.
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
