//! What would change, line by line.

use similar::TextDiff;

use crate::process::color::{BEFORE, CHANGED, FAINT, paint};
use crate::process::shown::{Escape, is_hidden};

/// Writes a unified diff of both in printable form; empty where that is the same. The headings are `name` with `before`
/// and `after` behind it.
pub fn diff(before: &[u8], after: &[u8], name: &str) -> String {
    let (before, after) = (printable_lines(before), printable_lines(after));
    let diff = TextDiff::from_lines(&before, &after);
    let (old, new) = (format!("{name}before"), format!("{name}after"));
    let text = diff.unified_diff().context_radius(3).header(&old, &new).to_string();
    text.split_inclusive('\n').map(painted).collect()
}

/// Paints a line of a diff by its first character.
fn painted(line: &str) -> String {
    let (content, end) = line.strip_suffix('\n').map_or((line, ""), |content| (content, "\n"));
    let style = match content.as_bytes().first() {
        Some(b'-') => BEFORE,
        Some(b'+') => CHANGED,
        Some(b'@') => FAINT,
        _ => return line.to_owned(),
    };
    paint(style, content) + end
}

/// Writes octets as text that a terminal shows: what is not UTF-8 as `\xNN`, and what can't be seen as [`Escape`] does,
/// but for LF and tab.
pub fn printable(octets: &[u8]) -> String {
    let mut text = String::with_capacity(octets.len());
    for chunk in octets.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\n' | '\t' => text.push(character),
                hidden if is_hidden(hidden) => text += &Escape(hidden).to_string(),
                other => text.push(other),
            }
        }
        chunk.invalid().iter().for_each(|octet| text += &format!("\\x{octet:02X}"));
    }
    text
}

/// Writes lines as [`printable`] does; the CR of a CRLF is not shown.
fn printable_lines(octets: &[u8]) -> String {
    let lines = octets.split_inclusive(|&octet| octet == b'\n');
    let line = |line: &[u8]| match line.strip_suffix(b"\r\n") {
        Some(content) => printable(content) + "\n",
        None => printable(line),
    };
    lines.map(line).collect()
}
