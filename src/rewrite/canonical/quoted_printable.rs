//! Decodes canonical quoted-printable.

use memchr::memchr;

use super::expected::ExpectedText;
use crate::coding::hex;
use crate::coding::transfer::quoted_printable::plain_len;
use crate::rewrite::LONGEST_LINE;

/// Decodes a body and consumes what it says from the text; `false` if it is not canonical, or says something else.
/// Whether all of the text was said is for the caller to ask.
pub fn decode_against(body: &[u8], expected: &mut ExpectedText) -> bool {
    let mut rest = body;
    while let Some(at) = memchr(b'\n', rest) {
        let line = rest[..at].strip_suffix(b"\r").unwrap_or(&rest[..at]);
        if !decode_line_against(line, true, expected) {
            return false;
        }
        rest = &rest[at + 1..];
    }
    decode_line_against(rest, false, expected)
}

/// Decodes a line and consumes what it says from the text; `false` if it is not canonical, or says something else.
/// `is_ended` says that a line end follows it: that is text, too, unless a soft line break ends the line.
fn decode_line_against(line: &[u8], is_ended: bool, expected: &mut ExpectedText) -> bool {
    let soft = line.strip_suffix(b"=");
    let content = soft.unwrap_or(line);
    // Blanks at the end of a line are lost on the way, and with one behind its `=` a soft break is none to some
    // readers. One before the `=` is safe.
    let ends_well = soft.is_some() || !matches!(content.last(), Some(b' ' | b'\t'));
    // A soft break may stand at the very end of a body, too: the line end that it takes away is then the delimiter's.
    ends_well
        && line.len() <= LONGEST_LINE
        && decode_content_against(content, expected)
        && (soft.is_some() || !is_ended || expected.consume_line_end(b'\n'))
}

/// Decodes a line without its line end and soft break, and consumes what it says from the text; `false` if it is not
/// canonical, or says something else.
fn decode_content_against(content: &[u8], expected: &mut ExpectedText) -> bool {
    let mut rest = content;
    while let Some(first) = rest.first() {
        if *first != b'=' {
            let plain = plain_len(rest);
            if plain == 0 || !expected.consume(&rest[..plain]) {
                return false;
            }
            rest = &rest[plain..];
        }
        while let [b'=', escape @ ..] = rest {
            let [high, low, after @ ..] = escape else { return false };
            // An escape without two digits is refused like one of an octet 0, an LF or a CR: none of these is text of a
            // line.
            let octet = hex::octet(*high, *low).unwrap_or_default();
            if matches!(octet, 0 | b'\n' | b'\r') || !expected.consume_octet(octet) {
                return false;
            }
            rest = after;
        }
    }
    true
}
