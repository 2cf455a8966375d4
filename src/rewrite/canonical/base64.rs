//! Reads canonical base64.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use encodify::base64::LENIENT;
use memchr::memchr;

use super::meant::Meant;
use crate::coding::transfer::LINE_LIMIT;
use crate::message::LineEnd;

/// The octets that a full line says.
const FULL: usize = LINE_LIMIT / 4 * 3;

/// How many full lines are read together, all at once and by the processor's vectors.
const TOGETHER: usize = 64;

/// Returns `true` if a body is canonical, and the text goes on with all that it says.
pub fn says(body: &[u8], meant: &mut Meant) -> bool {
    let mut octets = [0; FULL];
    let mut rest = body;
    while let Some((octets, after)) = full_lines(rest) {
        if !meant.goes_on_with(&octets) {
            return false;
        }
        rest = after;
    }
    while !rest.is_empty() {
        let (line, after) = first_line(rest);
        let is_whole = line.len() == LINE_LIMIT || after.is_empty() && line.len() < LINE_LIMIT && !line.is_empty();
        let Some(count) = STANDARD.decode_slice(line, &mut octets).ok().filter(|_| is_whole) else { return false };
        // Padding ends the whole.
        if (count % 3 != 0 && !after.is_empty()) || !meant.goes_on_with(&octets[..count]) {
            return false;
        }
        rest = after;
    }
    true
}

/// Reads [`TOGETHER`] full lines at the start of a text; none where there are fewer, or they are not canonical. A
/// tolerant reader may read them: it gets all the octets of a line only if there is nothing but digits in it.
fn full_lines(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let end = LineEnd::of(text.get(..LINE_LIMIT + 2)?).as_bytes();
    let (lines, after) = text.split_at_checked(TOGETHER * (LINE_LIMIT + end.len()))?;
    let are_ended = lines.chunks_exact(LINE_LIMIT + end.len()).all(|line| line.ends_with(end));
    let octets = LENIENT.decode(lines).ok().filter(|octets| are_ended && octets.len() == TOGETHER * FULL)?;
    Some((octets, after))
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
