//! Decodes quoted-printable as a robust reader does.
//!
//! Only two octets can begin something that is not itself: `=`, and the line feed, because the white space
//! before it was added on the way and goes (rule 3). A body that says no octet in another way is borrowed whole.

use memchr::memmem;

use super::blocks::{BlockReader, is_blank};
use crate::masks::{find_near, near_places};
use crate::transfer::{DecodedOctets, FaultCount};

const RAW_OCTET: &str = "an octet above 127 in quoted-printable";

/// Decodes a body; never fails, and never drops what it does not understand.
///
/// - `=` and two hexadecimal digits, in either letter case, are one octet.
/// - `=`, blanks and a line end (LF or CRLF, or the end of the body) are a soft line break and vanish.
/// - Any other `=` stays, and counts as a fault. So does each octet above 127.
/// - Blanks before a line end or the end of the body vanish (§6.7 (3)).
/// - Hard line breaks stay as they came, LF or CRLF, and other control characters stay as they are.
///
/// ```
/// use septet_text::transfer::quoted_printable::decode;
///
/// assert_eq!(*decode(b"caf=C3=A9 =\r\nau lait").bytes, *"café au lait".as_bytes());
/// let odd = decode(b"1=2!");
/// assert_eq!((&*odd.bytes, odd.faults), (&b"1=2!"[..], 1), "kept, and counted");
/// ```
pub fn decode(encoded: &[u8]) -> DecodedOctets<'_> {
    let mut faults = FaultCount::default();
    count_raw_octets(encoded, &mut faults);
    match unchanged_len(encoded) {
        length if length == encoded.len() => faults.with(encoded),
        length => read(encoded, length, faults),
    }
}

/// Counts the places that mail readers read in different ways: `==`, which is one `=` or two, `=3=41`, where some take
/// the second `=` for the lost digit, and `=` before a CR that begins no line end, where some drop the rest of the
/// line.
pub fn disputed(encoded: &[u8]) -> usize {
    near_places(encoded, b'=').filter(|at| is_disputed(&encoded[at + 1..])).count()
}

/// Returns `true` if a `=` is read in different ways before this.
#[inline]
fn is_disputed(behind: &[u8]) -> bool {
    match behind {
        [b'=', ..] => true,
        [digit, b'=', ..] if digit.is_ascii_hexdigit() => true,
        [b'\r', after @ ..] => after.first() != Some(&b'\n'),
        _ => false,
    }
}

/// How many lines end in blanks, which mean nothing there (§6.7 (3)).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TrailingBlanks {
    /// Lines of the text.
    pub lines: usize,
    /// Soft line breaks, with blanks between the `=` and the line end; some readers show them.
    pub soft_breaks: usize,
}

/// Counts the lines at whose end blanks stand that mean nothing.
///
/// ```
/// use septet_text::transfer::quoted_printable::trailing_blanks;
///
/// let found = trailing_blanks(b"a \nb= \nc=\n");
/// assert_eq!((found.lines, found.soft_breaks), (1, 1));
/// ```
pub fn trailing_blanks(encoded: &[u8]) -> TrailingBlanks {
    let mut found = TrailingBlanks::default();
    for end in near_places(encoded, b'\n').chain([encoded.len()]) {
        match solid_before_blanks(&encoded[..end]) {
            None => {}
            Some(Some(b'=')) => found.soft_breaks += 1,
            Some(_) => found.lines += 1,
        }
    }
    found
}

/// Returns `true` if the last line of a text, its LF left out, ends in blanks that mean nothing.
fn ends_in_blanks(text: &[u8]) -> bool {
    solid_before_blanks(text).is_some_and(|solid| solid != Some(b'='))
}

/// Returns what stands before the blanks that the last line of a text, its LF left out, ends in; `None` without blanks,
/// `Some(None)` where the line is nothing else.
fn solid_before_blanks(text: &[u8]) -> Option<Option<u8>> {
    let line = text.strip_suffix(b"\r").unwrap_or(text);
    line.last().is_some_and(|octet| is_blank(*octet)).then(|| last_solid(line))
}

/// Returns the last octet of a text that is no blank; `None` where all are, or there is none.
fn last_solid(text: &[u8]) -> Option<u8> {
    text.iter().rfind(|octet| !is_blank(**octet)).copied()
}

/// Returns `true` if a body means one text where its line ends are LF and another where they are CRLF: an escaped CR
/// right before a hard line break makes a line end with the LF, and stands alone before CRLF.
pub fn depends_on_line_ends(encoded: &[u8]) -> bool {
    let has_escaped_cr = memmem::find_iter(encoded, b"=0").any(|at| matches!(encoded.get(at + 2), Some(b'D' | b'd')));
    if !has_escaped_cr {
        return false;
    }
    let with_lf = with_line_ends(encoded, b"\r\n", b"\n");
    let with_crlf = with_line_ends(&with_lf, b"\n", b"\r\n");
    let (of_lf, of_crlf) = (decode(&with_lf).bytes, decode(&with_crlf).bytes);
    with_line_ends(&of_lf, b"\r\n", b"\n") != with_line_ends(&of_crlf, b"\r\n", b"\n")
}

/// Returns `true` if a line, its line end included, goes on in the next one; `false` for one without a line end, though
/// it ends in `=`.
pub fn ends_in_soft_break(line: &[u8]) -> bool {
    let Some(content) = line.strip_suffix(b"\n") else { return false };
    let content = content.strip_suffix(b"\r").unwrap_or(content);
    last_solid(content) == Some(b'=')
}

/// Returns a text with every line end `from` as `to`; where that is LF as CRLF, a CRLF becomes CR CRLF.
fn with_line_ends(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let lines = text.split_inclusive(|&octet| octet == b'\n');
    let pieces = lines.flat_map(|line| line.strip_suffix(from).map_or([line, b""], |line| [line, to]));
    pieces.collect::<Vec<&[u8]>>().concat()
}

/// Counts the octets above 127.
fn count_raw_octets(encoded: &[u8], faults: &mut FaultCount) {
    if !encoded.is_ascii() {
        let first = encoded.iter().position(|octet| !octet.is_ascii()).unwrap_or_default();
        let count = encoded[first..].iter().filter(|octet| !octet.is_ascii()).count();
        faults.add_many(count, first, RAW_OCTET);
    }
}

/// Returns the length of the lines at the start that mean themselves: without `=`, and without blanks at their ends.
fn unchanged_len(encoded: &[u8]) -> usize {
    let mut start = 0;
    let ended = find_near(encoded, b'=').unwrap_or(encoded.len());
    for end in near_places(&encoded[..ended], b'\n') {
        if ends_in_blanks(&encoded[start..end]) {
            return start;
        }
        start = end + 1;
    }
    if ended < encoded.len() || ends_in_blanks(&encoded[start..]) { start } else { encoded.len() }
}

/// Reads a body that means itself up to `start`, whose raw octets `faults` has counted.
fn read(encoded: &[u8], start: usize, faults: FaultCount) -> DecodedOctets<'_> {
    let mut octets = Vec::with_capacity(encoded.len());
    octets.extend_from_slice(&encoded[..start]);
    let mut reader = BlockReader::<_, false>::new(encoded, octets);
    reader.faults = faults;
    let BlockReader { sink, faults, .. } = reader.read(start);
    faults.with(sink)
}
