//! Writes content as the octets of DATA.

use memchr::{memchr, memchr2};

/// Puts the dots in and the end behind, however the content is cut.
///
/// What it writes has no CR and no LF but in CRLF, so that `CRLF . CRLF` stands at its end alone: content from an
/// archive may have other line ends, and each of them is written as CRLF. A line that starts with a NUL gets a dot too,
/// which every server takes off again (RFC 5321 §4.5.2): one that drops NULs would read an end in `CRLF NUL . CRLF`.
#[derive(Debug, Clone, Default)]
pub struct DataWriter {
    at: At,
}

/// Where the content stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum At {
    #[default]
    LineStart,
    /// Within a line.
    Line,
    /// Behind a CR that is not written yet.
    Cr,
}

impl DataWriter {
    /// Writes a piece.
    pub fn write(&mut self, content: &[u8], out: &mut Vec<u8>) {
        out.reserve(content.len() + 8);
        let mut rest = content;
        while let Some(&first) = rest.first() {
            rest = match self.at {
                At::LineStart => {
                    if matches!(first, b'.' | 0) {
                        out.push(b'.');
                    }
                    self.at = At::Line;
                    rest
                }
                At::Line => self.line(rest, out),
                At::Cr => {
                    out.extend_from_slice(b"\r\n");
                    self.at = At::LineStart;
                    if first == b'\n' { &rest[1..] } else { rest }
                }
            };
        }
    }

    /// Writes the end: a line end where there is none, a dot, a line end. The next message may follow.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(if self.at == At::LineStart { b".\r\n" } else { b"\r\n.\r\n" });
        self.at = At::LineStart;
    }

    /// Writes up to the next line end that needs a closer look, and returns what follows.
    fn line<'a>(&mut self, rest: &'a [u8], out: &mut Vec<u8>) -> &'a [u8] {
        let end = clean_run(rest);
        out.extend_from_slice(&rest[..end]);
        match rest.get(end) {
            None => return &rest[end..],
            Some(b'\r') => self.at = At::Cr,
            Some(_) => {
                out.extend_from_slice(b"\r\n");
                self.at = At::LineStart;
            }
        }
        &rest[end + 1..]
    }
}

/// Measures what can be taken as it stands, from within a line: up to a CR or LF that is not part of a CRLF, or whose
/// next line starts with a dot or a NUL, or is not here yet.
pub(super) fn clean_run(block: &[u8]) -> usize {
    let mut line = 0;
    while let Some(found) = memchr2(b'\r', b'\n', &block[line..]) {
        let end = line + found;
        match block[end..] {
            [b'\r', b'\n', next, ..] if !matches!(next, b'.' | 0) => line = end + 2,
            _ => return end,
        }
    }
    block.len()
}

/// Tells whether there is a NUL.
pub(super) fn has_nul(block: &[u8]) -> bool {
    memchr(0, block).is_some()
}
