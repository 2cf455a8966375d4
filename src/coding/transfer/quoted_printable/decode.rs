//! Decodes quoted-printable as a robust reader does.
//!
//! Only two octets can begin something that is not itself: `=`, and the line feed, because the white space
//! before it was added on the way and goes (rule 3). Everything between them is copied as it stands, so a
//! body without either kind is borrowed whole.

use memchr::{memchr_iter, memchr2, memmem};

use crate::coding::hex;
use crate::coding::transfer::{Decoded, Faults};

const BARE_EQUALS: &str = "\"=\" without two hexadecimal digits or a line end after it";
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
/// use septet::coding::transfer::quoted_printable::decode;
///
/// assert_eq!(*decode(b"caf=C3=A9 =\r\nau lait").bytes, *"café au lait".as_bytes());
/// let odd = decode(b"1=2!");
/// assert_eq!((&*odd.bytes, odd.faults), (&b"1=2!"[..], 1), "kept, and counted");
/// ```
pub fn decode(encoded: &[u8]) -> Decoded<'_> {
    let mut reader = Reader { encoded, out: Vec::new(), kept: 0, faults: Faults::default() };
    reader.count_raw_octets();
    let mut at = 0;
    while let Some(found) = memchr2(b'=', b'\n', &encoded[at..]) {
        let found = at + found;
        at = match encoded[found] {
            b'\n' => reader.line_end(found),
            _ => reader.equals(found),
        };
    }
    reader.finish()
}

/// Counts the places that mail readers read in different ways: `==`, which is one `=` or two, and `=` before a CR
/// that begins no line end, where some drop the rest of the line.
pub fn disputed(encoded: &[u8]) -> usize {
    let differs = |at: &usize| match &encoded[at + 1..] {
        [b'=', ..] => true,
        [b'\r', after @ ..] => after.first() != Some(&b'\n'),
        _ => false,
    };
    memchr_iter(b'=', encoded).filter(differs).count()
}

/// Counts the lines at whose end blanks stand that mean nothing (§6.7 (3)); those of a soft line break are none.
pub fn trailing_blanks(encoded: &[u8]) -> usize {
    let ends = memchr_iter(b'\n', encoded).chain([encoded.len()]);
    ends.filter(|&end| ends_in_blanks(&encoded[..end])).count()
}

/// Tells whether the last line of a text, its LF left out, ends in blanks that mean nothing.
fn ends_in_blanks(text: &[u8]) -> bool {
    let line = text.strip_suffix(b"\r").unwrap_or(text);
    line.last().is_some_and(|octet| is_blank(*octet)) && last_solid(line) != Some(b'=')
}

/// Returns the last octet of a text that is no blank.
fn last_solid(text: &[u8]) -> Option<u8> {
    text.iter().rfind(|octet| !is_blank(**octet)).copied()
}

/// Tells whether a body means one text where its line ends are LF and another where they are CRLF: an escaped CR right
/// before a hard line break makes a line end with the LF, and stands alone before CRLF.
pub fn depends_on_line_ends(encoded: &[u8]) -> bool {
    let has_escaped_cr = memmem::find_iter(encoded, b"=0").any(|at| escape_at(&encoded[at..]) == Some(b'\r'));
    if !has_escaped_cr {
        return false;
    }
    let meaning = |text: &[u8]| without_cr(&decode(text).bytes);
    let with_lf = without_cr(encoded);
    meaning(&with_lf) != meaning(&with_cr(&with_lf))
}

/// Tells whether a line, its line end included, goes on in the next one.
pub fn ends_in_soft_break(line: &[u8]) -> bool {
    let Some(content) = line.strip_suffix(b"\n") else { return false };
    let content = content.strip_suffix(b"\r").unwrap_or(content);
    last_solid(content) == Some(b'=')
}

/// Writes every CRLF as LF.
fn without_cr(text: &[u8]) -> Vec<u8> {
    let lines = text.split_inclusive(|&octet| octet == b'\n');
    lines
        .flat_map(|line| line.strip_suffix(b"\r\n").map_or([line, &b""[..]], |line| [line, b"\n"]))
        .collect::<Vec<&[u8]>>()
        .concat()
}

/// Writes every LF as CRLF.
fn with_cr(text: &[u8]) -> Vec<u8> {
    let lines = text.split_inclusive(|&octet| octet == b'\n');
    lines
        .flat_map(|line| line.strip_suffix(b"\n").map_or([line, &b""[..]], |line| [line, b"\r\n"]))
        .collect::<Vec<&[u8]>>()
        .concat()
}

/// Copies the text in pieces: `kept` is where the piece begins that is not copied yet.
struct Reader<'a> {
    encoded: &'a [u8],
    out: Vec<u8>,
    kept: usize,
    faults: Faults,
}

impl<'a> Reader<'a> {
    fn count_raw_octets(&mut self) {
        if !self.encoded.is_ascii() {
            let first = self.encoded.iter().position(|octet| !octet.is_ascii()).unwrap_or_default();
            let count = self.encoded[first..].iter().filter(|octet| !octet.is_ascii()).count();
            self.faults.add_many(count, first, RAW_OCTET);
        }
    }

    /// Leaves out `from..to` and gives `to`.
    fn cut(&mut self, from: usize, to: usize) -> usize {
        if self.out.capacity() == 0 {
            self.out.reserve(self.encoded.len());
        }
        self.out.extend_from_slice(&self.encoded[self.kept..from]);
        self.kept = to;
        to
    }

    /// Drops the blanks before the line feed at `at`.
    fn line_end(&mut self, at: usize) -> usize {
        let end = if at > 0 && self.encoded[at - 1] == b'\r' { at - 1 } else { at };
        self.drop_blanks(end);
        at + 1
    }

    /// Drops the blanks before `end`. They can't be part of something decoded before: an escape ends in a
    /// digit, a soft line break in a line feed.
    fn drop_blanks(&mut self, end: usize) {
        let line = &self.encoded[self.kept..end];
        let blanks = line.iter().rev().take_while(|octet| is_blank(**octet)).count();
        if blanks > 0 {
            self.cut(end - blanks, end);
        }
    }

    /// Reads what the `=` at `at` begins; escapes that follow one another are read in one go.
    fn equals(&mut self, at: usize) -> usize {
        if escape_at(&self.encoded[at..]).is_some() {
            self.cut(at, at);
            while let Some(octet) = escape_at(&self.encoded[self.kept..]) {
                self.out.push(octet);
                self.kept += 3;
            }
            return self.kept;
        }
        match soft_break(&self.encoded[at..]) {
            Some(length) => self.cut(at, at + length),
            None => {
                self.faults.add(at, BARE_EQUALS);
                at + 1
            }
        }
    }

    fn finish(mut self) -> Decoded<'a> {
        self.drop_blanks(self.encoded.len());
        if self.kept == 0 {
            return self.faults.with(self.encoded);
        }
        self.cut(self.encoded.len(), self.encoded.len());
        self.faults.with(self.out)
    }
}

fn is_blank(octet: u8) -> bool {
    octet == b' ' || octet == b'\t'
}

/// Reads `=XX` at the start of `text`.
fn escape_at(text: &[u8]) -> Option<u8> {
    let [b'=', high, low, ..] = text else { return None };
    hex::octet(*high, *low)
}

/// Returns the length of the soft line break at the start of `text`, which begins with `=`.
fn soft_break(text: &[u8]) -> Option<usize> {
    let blanks = text.iter().skip(1).take_while(|octet| is_blank(**octet)).count();
    match &text[1 + blanks..] {
        [] => Some(1 + blanks),
        [b'\n', ..] => Some(blanks + 2),
        [b'\r', b'\n', ..] => Some(blanks + 3),
        _ => None,
    }
}
