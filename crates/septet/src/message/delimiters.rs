//! What of a text is the delimiter of a multipart, or may be taken for one.

use std::collections::HashSet;

use memchr::{memchr2, memmem};

/// Returns what stands behind the delimiter of this boundary, `--` and the boundary, that a text begins with; none
/// where it begins otherwise.
fn behind_delimiter<'t>(text: &'t [u8], boundary: &[u8]) -> Option<&'t [u8]> {
    text.strip_prefix(b"--")?.strip_prefix(boundary)
}

/// Returns `true` if a line, its line end left out, is the closing line of this boundary, and `false` if it is one
/// before a part; none where it is neither. White space at its end does not count.
pub(super) fn boundary_line(line: &[u8], boundary: &[u8]) -> Option<bool> {
    match behind_delimiter(line, boundary)?.trim_ascii_end() {
        b"" => Some(false),
        b"--" => Some(true),
        _ => None,
    }
}

/// Returns `true` if a text begins with the closing delimiter of this boundary, whatever stands behind.
pub(super) fn closes(text: &[u8], boundary: &[u8]) -> bool {
    behind_delimiter(text, boundary).is_some_and(|behind| behind.starts_with(b"--"))
}

/// Returns `true` if a written body has a delimiter, anywhere in its lines, no more often than `raw`, the one that
/// came, and if each of its lines that starts with it stood there before: what was no delimiter on the line that came
/// (`--b-`) must not become one.
pub fn adds_no_boundary(raw: &[u8], body: &[u8], delimiter: &[u8]) -> bool {
    // To get a search ready takes longer than most bodies are, and many multiparts may stand around each.
    if body.len() < delimiter.len() {
        return true;
    }
    let delimiter = memmem::Finder::new(delimiter);
    let written = delimiter_lines(body, &delimiter);
    delimiter.find_iter(body).count() <= delimiter.find_iter(raw).count()
        && (written.is_empty() || written.is_subset(&delimiter_lines(raw, &delimiter)))
}

/// Finds the lines that start with a delimiter, blanks at their ends left out, each with whether a CR alone stands
/// before it, and behind it: only to some readers that is a line end.
fn delimiter_lines<'t>(text: &'t [u8], delimiter: &memmem::Finder) -> HashSet<(bool, &'t [u8], bool)> {
    let lines = delimiter.find_iter(text).filter(|at| matches!(text[..*at], [] | [.., b'\r' | b'\n']));
    lines.map(|start| line_from(text, start)).collect()
}

/// Returns the line that starts at a place, as [`delimiter_lines`] has it.
fn line_from(text: &[u8], start: usize) -> (bool, &[u8], bool) {
    let end = memchr2(b'\r', b'\n', &text[start..]).map_or(text.len(), |length| start + length);
    let alone_before = text[..start].ends_with(b"\r");
    let alone_behind = text[end..].starts_with(b"\r") && !text[end..].starts_with(b"\r\n");
    (alone_before, text[start..end].trim_ascii_end(), alone_behind)
}
