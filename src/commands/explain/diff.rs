//! What would change, line by line.

use similar::TextDiff;

use crate::process::color::{BEFORE, CHANGED, FAINT, paint};
use crate::process::shown::printable_lines;

/// Writes a unified diff of both in printable form; empty where that is the same. The headings are `name` with `before`
/// and `after` behind it.
pub fn diff(before: &[u8], after: &[u8], name: &str) -> String {
    let (before, after) = (printable_lines(before), printable_lines(after));
    let diff = TextDiff::from_lines(&before, &after);
    let (old, new) = (format!("{name}before"), format!("{name}after"));
    let text = diff.unified_diff().context_radius(3).header(&old, &new).to_string();
    text.split_inclusive('\n').map(painted).collect()
}

/// Paints a line of a diff by its first character; one that is on both sides stays.
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
