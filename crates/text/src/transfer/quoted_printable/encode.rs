//! Encodes text in quoted-printable.
//!
//! A line is filled with pieces that must not be torn: a run of plain characters can be cut anywhere, an
//! escaped character can't. A line that goes on needs room for the `=` of its soft break, so it has 75
//! characters of its own; only a line that a hard break ends may have 76.
//!
//! Beyond RFC 2045 §6.7 two things are written as escapes, because mail systems change them on the way: the
//! `F` of a line that begins with `From `, which mailboxes quote with `>`, and a `.` at the start of a line,
//! which SMTP doubles and some servers then lose. Both count for lines that a soft break begins, too.

use super::blocks::is_blank;
use super::expand::encode_lines;
use super::forms::{ESCAPES, PLAIN};
use crate::masks::find_near;
use crate::scan::{count, printable_len};
use crate::transfer::LINE_LIMIT;

/// Encodes text: LF and CRLF are line breaks and become `line_end`, every other octet is kept by its value.
///
/// No line is longer than 76 characters; blanks at a line's end and a lone CR are escaped; the octets of one
/// UTF-8 character stay in one line. Decoding gives the text back, but for its line ends.
///
/// ```
/// use septet_text::transfer::quoted_printable::encode;
///
/// assert_eq!(encode("café = 1 \n".as_bytes(), b"\r\n"), b"caf=C3=A9 =3D 1=20\r\n");
/// ```
pub fn encode(text: &[u8], line_end: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + text.len() / 2);
    encode_lines(text, line_end, &mut out);
    out
}

/// Encodes a piece of a text that begins in column `column` of its encoded line; gives the column it ends in.
///
/// The piece may be followed by anything: its last line has at most 75 characters, its last blank is
/// escaped. A `From ` that lies in two pieces is not seen, so cut at line ends where that matters.
pub fn encode_segment(text: &[u8], column: usize, line_end: &[u8], out: &mut Vec<u8>) -> usize {
    if column == 0 { encode_lines(text, line_end, out) } else { write(text, column, line_end, out) }
}

/// Returns how many octets [`encode`] would write; allocates nothing.
pub fn encoded_len(text: &[u8], line_end: &[u8]) -> usize {
    let mut length = Length(0);
    write(text, 0, line_end, &mut length);
    length.0
}

/// Returns `true` if [`encode`] would write no more than `most` octets; most texts tell by two counts.
pub fn encodes_into(text: &[u8], line_end: &[u8], most: usize) -> bool {
    let least = count(text, |octet| octet != b'\r') + 2 * count(text, |octet| octet >= 0x80);
    if least > most {
        return false;
    }
    // Beside these, each line may have a blank at its end escaped, and each piece that a soft line break ends its first
    // octet. There are as many pieces as their shortest length allows.
    let escaped = count(text, |octet| !matches!(octet, b' '..=b'~' | b'\t' | b'\n') || octet == b'=');
    let lines = count(text, |octet| octet == b'\n') + 1;
    let content = text.len() + 2 * escaped;
    let longest = content + lines * (line_end.len() + 4) + content / SHORTEST_PIECE * (line_end.len() + 3);
    longest <= most || encoded_len(text, line_end) <= most
}

/// The fewest characters of a piece that a soft line break ends: one more character of four octets had no place.
const SHORTEST_PIECE: usize = LINE_LIMIT - 1 - 3 * 4;

/// Where encoded octets go: into a buffer, or just into a sum.
trait OctetSink {
    fn put(&mut self, octets: &[u8]);
    /// Puts the first `length` octets of a text.
    fn put_run(&mut self, text: &[u8], length: usize);
    /// Puts each octet of a character as an escape.
    fn put_escaped(&mut self, character: &[u8]);
}

impl OctetSink for Vec<u8> {
    fn put(&mut self, octets: &[u8]) {
        self.extend_from_slice(octets);
    }

    #[inline]
    fn put_run(&mut self, text: &[u8], length: usize) {
        match text.first_chunk::<16>() {
            // Most runs are short: a piece of fixed length is copied without a call, and cut.
            Some(piece) if length <= piece.len() => put_start(self, piece, length),
            _ => self.extend_from_slice(&text[..length]),
        }
    }

    #[inline]
    fn put_escaped(&mut self, character: &[u8]) {
        let mut escapes = [0; 12];
        for (escape, octet) in escapes.as_chunks_mut().0.iter_mut().zip(character) {
            *escape = ESCAPES[usize::from(*octet)];
        }
        put_start(self, &escapes, 3 * character.len());
    }
}

/// Appends the first `length` octets of a piece, which is copied whole and cut.
#[inline]
fn put_start<const N: usize>(out: &mut Vec<u8>, piece: &[u8; N], length: usize) {
    out.extend_from_slice(piece);
    out.truncate(out.len() - (N - length));
}

/// How many octets were put.
struct Length(usize);

impl OctetSink for Length {
    fn put(&mut self, octets: &[u8]) {
        self.0 += octets.len();
    }

    fn put_run(&mut self, _: &[u8], length: usize) {
        self.0 += length;
    }

    fn put_escaped(&mut self, character: &[u8]) {
        self.0 += 3 * character.len();
    }
}

/// Writes a text from a column on; gives the column it ends in.
fn write(text: &[u8], mut column: usize, line_end: &[u8], sink: &mut impl OctetSink) -> usize {
    let mut rest = text;
    while let Some(at) = find_near(rest, b'\n') {
        let content = &rest[..at];
        let content = content.strip_suffix(b"\r").unwrap_or(content);
        write_line(LineFormat { limit: LINE_LIMIT, end: line_end }, content, column, sink);
        sink.put(line_end);
        (column, rest) = (0, &rest[at + 1..]);
    }
    write_line(LineFormat { limit: LINE_LIMIT - 1, end: line_end }, rest, column, sink)
}

/// What a line without line ends in it is written by.
#[derive(Clone, Copy)]
struct LineFormat<'l> {
    /// The most characters of the last encoded line: one more where a hard line break follows.
    limit: usize,
    /// The line end behind a soft line break.
    end: &'l [u8],
}

/// Writes a line from column `column` on; gives the column it ends in.
fn write_line(line: LineFormat, text: &[u8], mut column: usize, sink: &mut impl OctetSink) -> usize {
    let mut rest = text;
    while let Some(first) = rest.first() {
        // Text that is not ASCII comes in runs, so a run of plain characters is looked for only where one can be.
        if first.is_ascii() && !(column == 0 && needs_guard(rest)) {
            let plain = line.plain_run(rest, column);
            sink.put_run(rest, plain);
            column += plain;
            rest = &rest[plain..];
            if rest.is_empty() {
                break;
            }
        }
        let octets = line.escaped_piece(rest, column);
        if octets == 0 {
            sink.put(b"=");
            sink.put(line.end);
            column = 0;
        } else {
            sink.put_escaped(&rest[..octets]);
            column += 3 * octets;
            rest = &rest[octets..];
        }
    }
    column
}

/// Returns `true` if a line that starts with `text` would be changed on the way.
fn needs_guard(text: &[u8]) -> bool {
    text[0] == b'.' || text.starts_with(b"From ")
}

impl LineFormat<'_> {
    /// Returns how many plain characters of `text`, which is not empty, go into the line from `column` on. A blank at
    /// the end of the text is none of them, since it must be escaped.
    #[inline]
    fn plain_run(self, text: &[u8], column: usize) -> usize {
        let room = LINE_LIMIT.saturating_sub(column).min(text.len());
        let run = plain_len(&text[..room]);
        let ends = run == text.len();
        if ends && run > 0 && is_blank(text[run - 1]) {
            return run - 1;
        }
        run.min(self.limit_of(ends).saturating_sub(column))
    }

    /// Returns how many octets at the start of `text` are escaped next, in one piece; 0 when a soft break must
    /// come first, and where the line is full but a plain character follows.
    #[inline]
    fn escaped_piece(self, text: &[u8], column: usize) -> usize {
        if column > 0 && PLAIN[usize::from(text[0])] && !(is_blank(text[0]) && text.len() == 1) {
            return 0;
        }
        let octets = character_len(text);
        if column + 3 * octets <= self.limit_of(octets == text.len()) { octets } else { 0 }
    }

    /// Returns the most characters of a line that ends the text, or goes on.
    fn limit_of(self, ends: bool) -> usize {
        if ends { self.limit } else { LINE_LIMIT - 1 }
    }
}

/// Returns how many plain characters `text` starts with: printable ASCII but `=`, and blanks.
#[inline]
pub fn plain_len(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(piece) = text[at..].first_chunk::<16>() {
        let run = printable_len(piece, b'~', *b"=");
        at += run;
        match piece.get(run) {
            None => {}
            Some(b'\t') => at += 1,
            Some(_) => return at,
        }
    }
    let rest = &text[at..];
    at + rest.iter().position(|octet| !PLAIN[usize::from(*octet)]).unwrap_or(rest.len())
}

/// Returns the length of the UTF-8 character at the start of `text`; 1 when there is none.
fn character_len(text: &[u8]) -> usize {
    let length = match text[0] {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => 1,
    };
    let tail = text.get(1..length).unwrap_or_default();
    if tail.len() + 1 == length && tail.iter().all(|octet| octet & 0xC0 == 0x80) { length } else { 1 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_return_alone_takes_three_octets() {
        assert_eq!(encode(b".\r\r", b"\n"), b"=2E=0D=0D");
        assert!(encodes_into(b".\r\r", b"\n", 9) && !encodes_into(b".\r\r", b"\n", 8));
    }

    proptest! {
        #[test]
        fn lines_are_written_as_octet_by_octet(
            pieces in prop::collection::vec(
                prop_oneof![
                    6 => prop::sample::select(vec![
                        "é", "€", "😀", " ", "\t", "=", ".", "From ", "\n", "\r\n", "\r", "\0", "a", "plain text of some length",
                    ]).prop_map(|text| text.as_bytes().to_vec()),
                    1 => prop::collection::vec(any::<u8>(), 0..4),
                ],
                0..60,
            ),
            line_end in prop::sample::select(vec![&b"\n"[..], b"\r\n"]),
        ) {
            let text = pieces.concat();
            let (mut one, mut other) = (Vec::new(), Vec::new());
            let columns = (encode_lines(&text, line_end, &mut one), write(&text, 0, line_end, &mut other));
            prop_assert_eq!(String::from_utf8_lossy(&one), String::from_utf8_lossy(&other));
            prop_assert_eq!(columns.0, columns.1);
        }
    }
}
