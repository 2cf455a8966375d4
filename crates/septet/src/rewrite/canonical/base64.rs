//! Decodes canonical base64.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use encodify::base64::LENIENT;

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
    let end = body.get(..LINE_LIMIT + 2).map_or(LineEnd::Lf, LineEnd::of).as_bytes();
    // All lines but the last must be full. The last begins behind as many full lines as leave an octet at least: it may
    // be full, too, or shorter and padded.
    let full = LINE_LIMIT + end.len();
    let (lines, last) = body.split_at(body.len().saturating_sub(1) / full * full);
    let mut together = lines.chunks(TOGETHER * full);
    together.all(|lines| decode_full_lines(lines, end).is_some_and(|octets| expected.consume(&octets)))
        && decode_last_line(last).is_some_and(|octets| expected.consume(&octets))
}

/// Decodes full lines; none where one is not canonical. The decoder passes over what is no digit, but then gets fewer
/// octets than so many full lines encode.
fn decode_full_lines(lines: &[u8], end: &[u8]) -> Option<Vec<u8>> {
    let mut each = lines.chunks_exact(LINE_LIMIT + end.len());
    let count = each.len();
    let are_ended = each.all(|line| line.ends_with(end));
    LENIENT.decode(lines).ok().filter(|octets| are_ended && octets.len() == count * FULL)
}

/// Decodes the last line, of which the line end may be missing; none where it is not canonical. A line without digits
/// is not, nor is one with a CR alone, but an empty body is. That the line ends of a body are of one kind is for the
/// caller to ask (`has_one_line_end` in [`super`]).
fn decode_last_line(line: &[u8]) -> Option<Vec<u8>> {
    let content = LineEnd::strip(line);
    let is_line = content.len() <= LINE_LIMIT && (!content.is_empty() || line.is_empty());
    STANDARD.decode(content).ok().filter(|_| is_line)
}
