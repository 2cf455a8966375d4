//! Encodes text in quoted-printable in two steps: a line is written without soft line breaks, and then cut.
//!
//! Sixteen octets a turn are written as four octets each, and the place moves on by what of that is wanted: no column
//! is counted octet by octet. Where a piece ends is found by looking back a few octets from the place where it is full.
//! A line is filled with pieces that must not be torn: a run of plain characters can be cut anywhere, an escaped
//! character can't. A line that goes on needs room for the `=` of its soft break, so it has 75 characters of its own;
//! only a line that a hard break ends may have 76.
//!
//! Beyond RFC 2045 §6.7 two things are written as escapes, because mail systems change them on the way: the
//! `F` of a line that begins with `From `, which mailboxes quote with `>`, and a `.` at the start of a line,
//! which SMTP doubles and some servers then lose. Both count for lines that a soft break begins, too.

use super::blocks::is_blank;
use crate::hex;
use crate::masks::find_near;
use crate::scan::count;
use crate::transfer::LINE_LIMIT;

/// Each octet as an escape.
static ESCAPES: [[u8; 3]; 256] = hex::escapes(b'=');

/// The octets of a turn, and the most that is written in it.
const TURN: usize = 16;
const WRITTEN: usize = 3 * TURN + 4;

/// How each octet is written, in three octets at most, and above these how many they are. Printable ASCII and blanks
/// stand for themselves (§6.7 (2)).
static FORMS: [u32; 256] = {
    let mut table = [0; 256];
    let mut octet = 0;
    while octet < 256 {
        let [equals, high, low] = ESCAPES[octet];
        table[octet] = match octet as u8 {
            b' '..=b'<' | b'>'..=b'~' | b'\t' => 1 << 24 | octet as u32,
            _ => u32::from_le_bytes([equals, high, low, 3]),
        };
        octet += 1;
    }
    table
};

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
    encode_segment(text, 0, line_end, &mut out);
    out
}

/// Encodes a piece of a text that begins in column `column` of its encoded line, 75 at most, so that a soft break has
/// room; gives the column it ends in.
///
/// The piece may be followed by anything: its last line has at most 75 characters, its last blank is
/// escaped. A `From ` that lies in two pieces is not seen, so cut at line ends where that matters.
pub fn encode_segment(text: &[u8], mut column: usize, line_end: &[u8], out: &mut Vec<u8>) -> usize {
    let mut lines = LineCutter { line_end, expanded: Vec::new(), out };
    let mut rest = text;
    while let Some(at) = find_near(rest, b'\n') {
        lines.write(rest[..at].strip_suffix(b"\r").unwrap_or(&rest[..at]), column, LINE_LIMIT);
        lines.out.extend_from_slice(line_end);
        (column, rest) = (0, &rest[at + 1..]);
    }
    lines.write(rest, column, LINE_LIMIT - 1)
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
    longest <= most || encode(text, line_end).len() <= most
}

/// The fewest characters of a piece that a soft line break ends: one more character of four octets had no place.
const SHORTEST_PIECE: usize = LINE_LIMIT - 1 - 3 * 4;

/// Writes lines, cut into pieces.
struct LineCutter<'o> {
    line_end: &'o [u8],
    /// A line without soft line breaks, and room behind it.
    expanded: Vec<u8>,
    out: &'o mut Vec<u8>,
}

impl LineCutter<'_> {
    /// Writes a line of a text from a column on; its last piece has no more than `limit` columns. Returns the column
    /// that it ends in.
    fn write(&mut self, line: &[u8], mut column: usize, limit: usize) -> usize {
        let length = expand(line, &mut self.expanded);
        let mut rest = &self.expanded[..length];
        while !rest.is_empty() {
            let (guard, body) = if column == 0 { guarded(rest) } else { (&b""[..], rest) };
            self.out.extend_from_slice(guard);
            column += guard.len();
            if column + body.len() <= limit {
                self.out.extend_from_slice(body);
                return column + body.len();
            }
            let cut = cut_before(body, (LINE_LIMIT - 1).saturating_sub(column));
            self.out.extend_from_slice(&body[..cut]);
            self.out.push(b'=');
            self.out.extend_from_slice(self.line_end);
            (column, rest) = (0, &body[cut..]);
        }
        column
    }
}

/// Parts what is changed on the way at the start of a piece, as the escape that it becomes, from the rest. The piece is
/// not empty; `From=20` is `From ` whose blank ends the line.
fn guarded(piece: &[u8]) -> (&[u8], &[u8]) {
    let is_guarded = piece[0] == b'.' || piece.starts_with(b"From ") || piece == b"From=20";
    if is_guarded { (&ESCAPES[usize::from(piece[0])], &piece[1..]) } else { (b"", piece) }
}

/// Writes each octet of a line, without soft line breaks; a blank at its end as an escape. Returns the length; what
/// `expanded` holds behind it means nothing.
fn expand(line: &[u8], expanded: &mut Vec<u8>) -> usize {
    if expanded.len() < 3 * line.len() + WRITTEN {
        expanded.resize(3 * line.len() + WRITTEN, 0);
    }
    let (turns, rest) = line.as_chunks::<TURN>();
    let mut length = 0;
    for turn in turns {
        length += expand_turn(turn, &mut expanded[length..]);
    }
    length += expand_turn(rest, &mut expanded[length..]);
    if let Some(last) = line.last().filter(|last| is_blank(**last)) {
        expanded[length - 1..length + 2].copy_from_slice(&ESCAPES[usize::from(*last)]);
        length += 2;
    }
    length
}

/// Writes each octet of a turn, [`TURN`] at most; returns the length, 0 where `room` has fewer than [`WRITTEN`] octets.
#[inline(always)]
fn expand_turn(turn: &[u8], room: &mut [u8]) -> usize {
    let Some(room) = room.first_chunk_mut::<WRITTEN>() else { return 0 };
    let mut at = 0;
    for octet in turn {
        let form = FORMS[usize::from(*octet)];
        room[at..at + 4].copy_from_slice(&form.to_le_bytes());
        at += (form >> 24) as usize;
    }
    at
}

/// Returns where an expanded line is cut that is longer than `most`: neither in an escape nor between those of one
/// character in UTF-8. Where a line starts, `most` is so large that this is not 0, or [`write`](LineCutter::write)
/// would not end.
fn cut_before(line: &[u8], most: usize) -> usize {
    let cut = match &line[..most] {
        [.., b'='] => most - 1,
        [.., b'=', _] => most - 2,
        _ => most,
    };
    let (mut start, mut steps) = (cut, 0);
    while steps < 3 && continues(line, start) && start >= 3 && line[start - 3] == b'=' {
        start -= 3;
        steps += 1;
    }
    let is_cut = steps > 0 && character_len(&line[start..]).is_some_and(|octets| octets > steps);
    if is_cut { start } else { cut }
}

/// Returns `true` if the escape at a place is one of an octet that continues a character.
fn continues(line: &[u8], at: usize) -> bool {
    matches!(line.get(at..), Some([b'=', b'8' | b'9' | b'A' | b'B', ..]))
}

/// Returns how many octets a character has whose first escape stands at the start; none where it is not whole.
fn character_len(line: &[u8]) -> Option<usize> {
    let octets = match line {
        [b'=', b'C', b'2'..=b'9' | b'A'..=b'F', ..] | [b'=', b'D', ..] => 2,
        [b'=', b'E', ..] => 3,
        [b'=', b'F', b'0'..=b'4', ..] => 4,
        _ => return None,
    };
    (1..octets).all(|nth| continues(line, 3 * nth)).then_some(octets)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::transfer::quoted_printable::decode;

    #[test]
    fn a_return_alone_takes_three_octets() {
        assert_eq!(encode(b".\r\r", b"\n"), b"=2E=0D=0D");
        assert!(encodes_into(b".\r\r", b"\n", 9) && !encodes_into(b".\r\r", b"\n", 8));
    }

    proptest! {
        #[test]
        fn a_segment_goes_on_in_any_column(
            pieces in prop::collection::vec(
                prop_oneof![
                    6 => prop::sample::select(vec![
                        "é", "€", "😀", " ", "\t", "=", ".", "From ", "\n", "\r", "\0", "a", "plain text of some length",
                    ]).prop_map(|text| text.as_bytes().to_vec()),
                    1 => prop::collection::vec(any::<u8>(), 0..4),
                ],
                0..60,
            ),
            column in 0..LINE_LIMIT,
        ) {
            let (text, mut out) = (pieces.concat(), vec![b'x'; column]);
            let end = encode_segment(&text, column, b"\n", &mut out);
            let lines: Vec<&[u8]> = out.split(|octet| *octet == b'\n').collect();
            prop_assert_eq!(lines.last().map(|last| last.len()), Some(end));
            prop_assert!(end < LINE_LIMIT && lines.iter().all(|line| line.len() <= LINE_LIMIT));
            prop_assert!(lines.iter().all(|line| line.strip_suffix(b"=").is_none_or(|it| it.len() < LINE_LIMIT)));
            let meant = String::from_utf8_lossy(&text).replace("\r\n", "\n");
            let read = decode(&out).bytes;
            prop_assert_eq!(String::from_utf8_lossy(&read[column..]), meant);
        }
    }
}
