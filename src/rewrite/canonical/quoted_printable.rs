//! Reads canonical quoted-printable.

use memchr::memchr;

use super::meant::Meant;
use crate::coding::hex;
use crate::coding::transfer::quoted_printable::plain_len;
use crate::rewrite::LONGEST_LINE;

/// Returns `true` if a body is canonical, and the text goes on with all that it says.
pub fn says(body: &[u8], meant: &mut Meant) -> bool {
    let mut rest = body;
    while let Some(at) = memchr(b'\n', rest) {
        let line = rest[..at].strip_suffix(b"\r").unwrap_or(&rest[..at]);
        if !line_says(line, true, meant) {
            return false;
        }
        rest = &rest[at + 1..];
    }
    line_says(rest, false, meant)
}

/// Returns `true` if a line is canonical, and the text goes on with what it says; behind one that no soft line break
/// ends, a line end is text, if one stands there (`is_ended`).
fn line_says(line: &[u8], is_ended: bool, meant: &mut Meant) -> bool {
    let soft = line.strip_suffix(b"=");
    let content = soft.unwrap_or(line);
    // Blanks at the end of a line go on the way; behind the `=` of a soft break, where some see no break, they are such.
    let ends_well = soft.is_some() || !matches!(content.last(), Some(b' ' | b'\t'));
    // What goes on behind a soft break at the very end of a body is its delimiter's line end.
    ends_well
        && line.len() <= LONGEST_LINE
        && content_says(content, meant)
        && (soft.is_some() || !is_ended || meant.goes_on_at_line_end(b'\n'))
}

/// Returns `true` if a line without its soft break is canonical, and the text goes on with what it says.
fn content_says(content: &[u8], meant: &mut Meant) -> bool {
    let mut rest = content;
    while let Some(first) = rest.first() {
        if *first != b'=' {
            let plain = plain_len(rest);
            if plain == 0 || !meant.goes_on_with(&rest[..plain]) {
                return false;
            }
            rest = &rest[plain..];
        }
        while let [b'=', escape @ ..] = rest {
            let [high, low, after @ ..] = escape else { return false };
            // An escape of no digits, or of what is no text in a line, says nothing.
            let octet = hex::octet(*high, *low).unwrap_or_default();
            if matches!(octet, 0 | b'\n' | b'\r') || !meant.goes_on_with_octet(octet) {
                return false;
            }
            rest = after;
        }
    }
    true
}
