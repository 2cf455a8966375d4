//! Reads canonical quoted-printable.

use memchr::memchr;

use crate::coding::hex;
use crate::coding::transfer::LINE_LIMIT;
use crate::coding::transfer::quoted_printable::plain_len;
use crate::rewrite::LONGEST_LINE;

/// Reads a body and gives its text in pieces; `false` where it is not canonical, or where a piece is not wanted.
pub fn read(body: &[u8], mut wants: impl FnMut(&[u8]) -> bool) -> bool {
    let mut rest = body;
    while let Some(at) = memchr(b'\n', rest) {
        let line = rest[..at].strip_suffix(b"\r").unwrap_or(&rest[..at]);
        if !read_line(line, true, &mut wants) {
            return false;
        }
        rest = &rest[at + 1..];
    }
    read_line(rest, false, &mut wants)
}

/// Reads a line; behind one that no soft line break ends, a line end is text, if one stands there.
fn read_line(line: &[u8], is_ended: bool, wants: &mut impl FnMut(&[u8]) -> bool) -> bool {
    let soft = line.strip_suffix(b"=");
    let content = soft.unwrap_or(line);
    let ends_well = !matches!(content.last(), Some(b' ' | b'\t'));
    // What goes on behind a soft break at the very end of a body is its delimiter's line end.
    ends_well
        && line.len() <= LONGEST_LINE
        && read_content(content, wants)
        && (soft.is_some() || !is_ended || wants(b"\n"))
}

fn read_content(content: &[u8], wants: &mut impl FnMut(&[u8]) -> bool) -> bool {
    // Escapes come in runs, one for each octet of a word: they are gathered and given together.
    let mut escaped = [0; LINE_LIMIT];
    let mut rest = content;
    while !rest.is_empty() {
        let plain = plain_len(rest);
        if plain > 0 && !wants(&rest[..plain]) {
            return false;
        }
        rest = &rest[plain..];
        let mut count = 0;
        while let [b'=', high, low, after @ ..] = rest {
            let Some(octet) = hex::octet(*high, *low).filter(|octet| !matches!(octet, 0 | b'\n' | b'\r')) else {
                return false;
            };
            if count == escaped.len() {
                break;
            }
            (escaped[count], rest) = (octet, after);
            count += 1;
        }
        if (plain == 0 && count == 0) || (count > 0 && !wants(&escaped[..count])) {
            return false;
        }
    }
    true
}
