//! What of a text may be taken for the delimiter of a multipart.

use std::collections::HashSet;

use memchr::{memchr2, memmem};

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
