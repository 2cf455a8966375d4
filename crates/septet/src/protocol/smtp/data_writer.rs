//! Writes content as the octets of DATA.

use memchr::memchr2;

/// Puts the dots in and the end behind, however the content is cut.
///
/// What it writes has no CR and no LF but in CRLF, so that `CRLF . CRLF` stands at its end alone: content from an
/// archive may have other line ends, and each of them is written as CRLF. A line whose first octet that is no NUL is a
/// dot gets a dot too, before the NULs; every server takes it off again (RFC 5321 §4.5.2), and one that drops NULs
/// would read an end in `CRLF NUL . CRLF`. Any other line that starts with a NUL gets none: `CRLF . NUL CRLF` would be
/// one.
#[derive(Debug, Clone, Default)]
pub struct DataWriter {
    at: WritePosition,
}

/// Where the content stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum WritePosition {
    /// At the start of a line.
    #[default]
    LineStart,
    /// Behind so many NULs at the start of a line, which are not written yet.
    Nuls(usize),
    /// Within a line.
    Line,
    /// Behind a CR that is not written yet.
    Cr,
}

impl DataWriter {
    /// Writes a piece. NULs at the start of a line, and a CR, are held back until the octet behind them comes, or
    /// [`finish`](DataWriter::finish).
    pub fn write(&mut self, content: &[u8], out: &mut Vec<u8>) {
        out.reserve(content.len() + 8);
        let mut rest = content;
        while let Some(&first) = rest.first() {
            rest = match self.at {
                WritePosition::LineStart => self.line_start(0, rest, out),
                WritePosition::Nuls(before) => self.line_start(before, rest, out),
                WritePosition::Line => self.line(rest, out),
                WritePosition::Cr => {
                    out.extend_from_slice(b"\r\n");
                    self.at = WritePosition::LineStart;
                    if first == b'\n' { &rest[1..] } else { rest }
                }
            };
        }
    }

    /// Writes the end: a line end where there is none, a dot, a line end. The next message may follow.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        if let WritePosition::Nuls(nuls) = self.at {
            out.resize(out.len() + nuls, 0);
        }
        out.extend_from_slice(if self.at == WritePosition::LineStart { b".\r\n" } else { b"\r\n.\r\n" });
        self.at = WritePosition::LineStart;
    }

    /// Takes the NULs at the start of a line, of which `before` came already, and writes them with the dot that they
    /// may need once the octet behind them is there. Returns what follows them.
    fn line_start<'a>(&mut self, before: usize, rest: &'a [u8], out: &mut Vec<u8>) -> &'a [u8] {
        let more = rest.iter().take_while(|&&octet| octet == 0).count();
        let (nuls, rest) = (before + more, &rest[more..]);
        let Some(&first) = rest.first() else {
            self.at = WritePosition::Nuls(nuls);
            return rest;
        };
        if first == b'.' {
            out.push(b'.');
        }
        out.resize(out.len() + nuls, 0);
        self.at = WritePosition::Line;
        rest
    }

    /// Writes up to the next line end that needs a closer look, and returns what follows.
    fn line<'a>(&mut self, rest: &'a [u8], out: &mut Vec<u8>) -> &'a [u8] {
        let end = clean_run(rest);
        out.extend_from_slice(&rest[..end]);
        match rest.get(end) {
            None => return &rest[end..],
            Some(b'\r') => self.at = WritePosition::Cr,
            Some(_) => {
                out.extend_from_slice(b"\r\n");
                self.at = WritePosition::LineStart;
            }
        }
        &rest[end + 1..]
    }
}

/// Measures what can be taken as it stands, from within a line: up to a CR or LF that is not part of a CRLF, or whose
/// next line starts with a dot or a NUL, or is not here yet. The reader takes it by the same rule, so that it sees each
/// line that starts with a dot.
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
