//! Decodes canonical base64.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use encodify::base64::LENIENT;
use memchr::memchr;

use super::expected::ExpectedText;
use crate::coding::transfer::LINE_LIMIT;
use crate::message::LineEnd;

/// The octets that a full line encodes.
const FULL: usize = LINE_LIMIT / 4 * 3;

/// How many full lines are read together, all at once and by the processor's vectors.
const TOGETHER: usize = 64;

/// Decodes a body and consumes what it says from the text; `false` if it is not canonical, or says something else.
/// Whether all of the text was said is for the caller to ask.
pub fn decode_against(body: &[u8], expected: &mut ExpectedText) -> bool {
    let mut octets = [0; FULL];
    let mut rest = body;
    while let Some((octets, after)) = decode_full_lines(rest) {
        if !expected.consume(&octets) {
            return false;
        }
        rest = after;
    }
    while !rest.is_empty() {
        let (line, after) = split_line(rest);
        // Only the last line may be shorter than full, and none is empty.
        let is_whole = line.len() == LINE_LIMIT || after.is_empty() && line.len() < LINE_LIMIT && !line.is_empty();
        let Some(count) = STANDARD.decode_slice(line, &mut octets).ok().filter(|_| is_whole) else { return false };
        // Padding, which leaves less than three octets in a group, may stand at the end of the body alone.
        if (count % 3 != 0 && !after.is_empty()) || !expected.consume(&octets[..count]) {
            return false;
        }
        rest = after;
    }
    true
}

/// Decodes [`TOGETHER`] full lines at the start of a body, and returns what follows them, too; none where there are
/// fewer, or one is not canonical. The decoder passes over what is no digit, but then gets fewer octets than so many
/// full lines encode.
fn decode_full_lines(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let end = LineEnd::of(text.get(..LINE_LIMIT + 2)?).as_bytes();
    let (lines, after) = text.split_at_checked(TOGETHER * (LINE_LIMIT + end.len()))?;
    let are_ended = lines.chunks_exact(LINE_LIMIT + end.len()).all(|line| line.ends_with(end));
    let octets = LENIENT.decode(lines).ok().filter(|octets| are_ended && octets.len() == TOGETHER * FULL)?;
    Some((octets, after))
}

/// Returns the first line of a body without its line end, and what follows it. Nearly every line is full, so its end is
/// looked for there first.
fn split_line(text: &[u8]) -> (&[u8], &[u8]) {
    match text.get(LINE_LIMIT..) {
        Some([b'\r', b'\n', after @ ..] | [b'\n', after @ ..]) => (&text[..LINE_LIMIT], after),
        _ => {
            let end = memchr(b'\n', text).unwrap_or(text.len());
            let line = &text[..end];
            (line.strip_suffix(b"\r").unwrap_or(line), text.get(end + 1..).unwrap_or_default())
        }
    }
}
