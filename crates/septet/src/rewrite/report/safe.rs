//! Text of a message in a line of a report, which must not look like more of the line.

use std::fmt;

/// Text from a message made safe for one line of a log: its first 56 characters, with `?` for blanks, `;`, `"` and all
/// that is no printable ASCII; `none` where it is empty. Whoever reads a line again relies on there being no blank in
/// it ([`EntryLine::reason_detail`](super::EntryLine::reason_detail)), and no `; `, which stands between entries.
pub struct Safe<'a>(pub &'a str);

impl fmt::Display for Safe<'_> {
    /// Writes it, a `?` for each character that may not stand there.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return out.write_str("none");
        }
        for character in self.0.chars().take(56) {
            let safe = character.is_ascii_graphic() && !matches!(character, ';' | '"');
            write!(out, "{}", if safe { character } else { '?' })?;
        }
        Ok(())
    }
}
