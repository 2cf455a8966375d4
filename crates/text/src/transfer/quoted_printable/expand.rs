//! Encodes text in quoted-printable in two steps: a line is written without soft line breaks, and then cut.
//!
//! Sixteen octets a turn are written as four octets each, and the place moves on by what of that is wanted: no column
//! is counted octet by octet. Where a piece ends is found by looking back a few octets from the place where it is full.
//! The octets are those of the other way ([`encode`](super::encode)), which begins in any column.

use super::blocks::is_blank;
use super::forms::{ESCAPES, PLAIN};
use crate::masks::find_near;
use crate::transfer::LINE_LIMIT;

/// The octets of a turn, and the most that is written in it.
const TURN: usize = 16;
const WRITTEN: usize = 3 * TURN + 4;

/// How each octet is written, in three octets at most, and above these how many they are.
static FORMS: [u32; 256] = {
    let mut table = [0; 256];
    let mut octet = 0;
    while octet < 256 {
        let [equals, high, low] = ESCAPES[octet];
        table[octet] = match PLAIN[octet] {
            true => 1 << 24 | octet as u32,
            false => u32::from_le_bytes([equals, high, low, 3]),
        };
        octet += 1;
    }
    table
};

/// Encodes a text that begins in the first column; gives the column it ends in. Line breaks become `line_end`; the last
/// line is followed by anything, so it has at most 75 characters.
pub(super) fn encode_lines(text: &[u8], line_end: &[u8], out: &mut Vec<u8>) -> usize {
    let mut lines = LineCutter { line_end, expanded: Vec::new(), out };
    let mut rest = text;
    while let Some(at) = find_near(rest, b'\n') {
        lines.write(rest[..at].strip_suffix(b"\r").unwrap_or(&rest[..at]), LINE_LIMIT);
        lines.out.extend_from_slice(line_end);
        rest = &rest[at + 1..];
    }
    lines.write(rest, LINE_LIMIT - 1)
}

/// Writes lines, cut into pieces.
struct LineCutter<'o> {
    line_end: &'o [u8],
    /// A line without soft line breaks, and room behind it.
    expanded: Vec<u8>,
    out: &'o mut Vec<u8>,
}

impl LineCutter<'_> {
    /// Writes a line of a text, of which the last piece has `limit` characters at most; gives the column it ends in.
    fn write(&mut self, line: &[u8], limit: usize) -> usize {
        let length = expand(line, &mut self.expanded);
        let mut rest = &self.expanded[..length];
        while !rest.is_empty() {
            let (guard, body) = guarded(rest);
            self.out.extend_from_slice(guard);
            if guard.len() + body.len() <= limit {
                self.out.extend_from_slice(body);
                return guard.len() + body.len();
            }
            let cut = cut_before(body, LINE_LIMIT - 1 - guard.len());
            self.out.extend_from_slice(&body[..cut]);
            self.out.push(b'=');
            self.out.extend_from_slice(self.line_end);
            rest = &body[cut..];
        }
        0
    }
}

/// Parts what is changed on the way at the start of a piece, as the escape that it becomes, from the rest.
fn guarded(piece: &[u8]) -> (&[u8], &[u8]) {
    let is_guarded = piece[0] == b'.' || piece.starts_with(b"From ") || piece == b"From=20";
    if is_guarded { (&ESCAPES[usize::from(piece[0])], &piece[1..]) } else { (b"", piece) }
}

/// Writes each octet of a line, without soft line breaks; a blank at its end as an escape. Returns the length.
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

/// Writes each octet of a turn; returns the length.
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
/// character in UTF-8.
fn cut_before(line: &[u8], most: usize) -> usize {
    let cut = match (line[most - 1], line[most - 2]) {
        (b'=', _) => most - 1,
        (_, b'=') => most - 2,
        _ => most,
    };
    let (mut start, mut steps) = (cut, 0);
    while steps < 3 && continues(line, start) && line[start - 3] == b'=' {
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
