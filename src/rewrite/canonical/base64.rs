//! Reads canonical base64.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::coding::transfer::LINE_LIMIT;

/// The octets that a full line says.
const FULL: usize = LINE_LIMIT / 4 * 3;

/// Reads a body and gives its octets in pieces; `false` where it is not canonical, or where a piece is not wanted.
pub fn read(body: &[u8], mut wants: impl FnMut(&[u8]) -> bool) -> bool {
    let mut octets = [0; FULL];
    let mut lines = body.split(|octet| *octet == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line)).peekable();
    while let Some(line) = lines.next() {
        // Behind the last line end stands nothing.
        let is_last = lines.peek().is_none_or(|next| next.is_empty());
        if line.is_empty() && lines.peek().is_none() {
            return true;
        }
        let is_whole = line.len() == LINE_LIMIT || is_last && line.len() < LINE_LIMIT && !line.is_empty();
        let Some(count) = STANDARD.decode_slice(line, &mut octets).ok().filter(|_| is_whole) else { return false };
        // Padding ends the whole.
        if (count % 3 != 0 && !is_last) || !wants(&octets[..count]) {
            return false;
        }
    }
    true
}
