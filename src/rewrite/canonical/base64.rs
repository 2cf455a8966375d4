//! Reads canonical base64.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use memchr::memchr;

use crate::coding::transfer::LINE_LIMIT;

/// The octets that a full line says.
const FULL: usize = LINE_LIMIT / 4 * 3;

/// Reads a body and gives its octets in pieces; `false` where it is not canonical, or where a piece is not wanted.
pub fn read(body: &[u8], mut wants: impl FnMut(&[u8]) -> bool) -> bool {
    let mut octets = [0; FULL];
    let mut rest = body;
    while !rest.is_empty() {
        let (line, after) = first_line(rest);
        let is_whole = line.len() == LINE_LIMIT || after.is_empty() && line.len() < LINE_LIMIT && !line.is_empty();
        let Some(count) = STANDARD.decode_slice(line, &mut octets).ok().filter(|_| is_whole) else { return false };
        // Padding ends the whole.
        if (count % 3 != 0 && !after.is_empty()) || !wants(&octets[..count]) {
            return false;
        }
        rest = after;
    }
    true
}

/// Splits off a line, without its line end. Nearly every one is full, so that its end is known beforehand.
fn first_line(text: &[u8]) -> (&[u8], &[u8]) {
    match text.get(LINE_LIMIT..) {
        Some([b'\r', b'\n', after @ ..] | [b'\n', after @ ..]) => (&text[..LINE_LIMIT], after),
        _ => {
            let end = memchr(b'\n', text).unwrap_or(text.len());
            let line = &text[..end];
            (line.strip_suffix(b"\r").unwrap_or(line), text.get(end + 1..).unwrap_or_default())
        }
    }
}
