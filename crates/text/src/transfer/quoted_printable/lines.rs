//! The lines of quoted-printable: up to a hard line break each, and the line ends that are written as octets.

use memchr::memmem;

use crate::masks::near_places;

use super::decode::ends_in_soft_break;

/// Returns the lines of a quoted-printable body, each up to its hard line break, soft breaks inside.
pub fn written_lines(raw: &[u8]) -> impl Iterator<Item = &[u8]> {
    // Where the line starts, and where its last piece does: behind its last soft break.
    let (mut start, mut piece) = (0, 0);
    let mut ends = near_places(raw, b'\n').map(|at| at + 1).chain([raw.len()]);
    std::iter::from_fn(move || {
        for end in ends.by_ref() {
            let line = &raw[start..end];
            let is_hard = !ends_in_soft_break(&raw[piece..end]);
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

/// Returns `true` if a quoted-printable line ends in a hard line break; a soft one at the very end of a body is no line
/// end.
pub fn ends_in_hard_break(line: &[u8]) -> bool {
    line.ends_with(b"\n") && !ends_in_soft_break(line)
}

/// Returns `true` if a quoted-printable body has a CR or LF written as an octet (`=0D`, `=0A`): in its text that can't
/// be told from a line end.
pub fn has_written_line_ends(raw: &[u8]) -> bool {
    memmem::find_iter(raw, b"=0").any(|at| matches!(raw.get(at + 2), Some(b'A' | b'a' | b'D' | b'd')))
}
