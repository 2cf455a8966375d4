//! A reply, and how it is written.

use std::fmt;

/// The octets of a reply line that is written, CRLF included (RFC 5321 §4.5.3.1.5).
const LINE_LIMIT: usize = 512;

/// The octets of a written line's text: what the code, the separator and CRLF leave.
const TEXT_LIMIT: usize = LINE_LIMIT - 6;

/// A reply of SMTP or LMTP (RFC 5321 §4.2).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Reply {
    /// The code, 200 to 599.
    pub code: u16,
    /// The text of each line, an enhanced status code included.
    pub lines: Vec<Vec<u8>>,
}

impl Reply {
    /// Makes a reply of a text; each line of it is a line of the reply.
    pub fn new(code: u16, text: impl AsRef<[u8]>) -> Reply {
        Reply { code, lines: text.as_ref().split(|&octet| octet == b'\n').map(<[u8]>::to_vec).collect() }
    }

    /// Makes a reply whose lines start with an enhanced status code (RFC 2034 §4).
    ///
    /// ```
    /// use septet::protocol::smtp::Reply;
    ///
    /// let mut out = Vec::new();
    /// Reply::with_status(451, "4.4.1", "no next hop\ntry later").write(&mut out);
    /// assert_eq!(out, b"451-4.4.1 no next hop\r\n451 4.4.1 try later\r\n");
    /// ```
    pub fn with_status(code: u16, status: &str, text: &str) -> Reply {
        Reply { code, lines: text.split('\n').map(|line| format!("{status} {line}").into_bytes()).collect() }
    }

    /// Returns the octets of its text.
    pub fn octets(&self) -> usize {
        self.lines.iter().map(Vec::len).sum()
    }

    /// Returns it with its first line alone, and no more than so many octets of it, wherever that cuts a character.
    #[must_use]
    pub fn shortened(mut self, octets: usize) -> Reply {
        self.lines.truncate(1);
        self.lines.iter_mut().for_each(|line| line.truncate(octets));
        self
    }

    /// Returns `true` if what was asked is done (2xx).
    pub fn is_positive(&self) -> bool {
        self.code / 100 == 2
    }

    /// Returns `true` if the peer waits for more (3xx).
    pub fn is_intermediate(&self) -> bool {
        self.code / 100 == 3
    }

    /// Returns `true` if it is refused for good (5xx).
    pub fn is_permanent(&self) -> bool {
        self.code / 100 == 5
    }

    /// Returns `true` if it is refused, for now or for good (4xx, 5xx).
    pub fn is_negative(&self) -> bool {
        matches!(self.code / 100, 4 | 5)
    }

    /// Returns `true` if the one who says it closes the connection (421).
    pub fn closes(&self) -> bool {
        self.code == 421
    }

    /// Writes it, whatever it holds: a control character but TAB, or an octet that is not UTF-8, becomes `?`, a long
    /// line is cut, and a code that is none becomes the nearest.
    pub fn write(&self, out: &mut Vec<u8>) {
        let code = self.code.clamp(200, 599).to_string();
        let (last, before) = self.lines.split_last().map_or((&[][..], &[][..]), |(last, before)| (&last[..], before));
        for line in before {
            write_line(&code, b'-', line, out);
        }
        write_line(&code, b' ', last, out);
    }
}

impl fmt::Display for Reply {
    /// Writes it as one line for logs: the code, and the lines with `/` between.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.code)?;
        for (index, line) in self.lines.iter().enumerate() {
            out.write_str(if index == 0 { " " } else { " / " })?;
            out.write_str(&String::from_utf8_lossy(line))?;
        }
        Ok(())
    }
}

/// Writes a line of a reply.
fn write_line(code: &str, separator: u8, text: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(code.as_bytes());
    out.push(separator);
    write_text(text, out);
    out.extend_from_slice(b"\r\n");
}

/// Writes what fits of a text into a line, cut between characters; a control character but TAB, and an octet that is
/// not UTF-8, as `?`.
fn write_text(text: &[u8], out: &mut Vec<u8>) {
    let end = out.len() + TEXT_LIMIT;
    for chunk in text.utf8_chunks() {
        let unread = chunk.invalid().iter().map(|_| '?');
        let read = chunk.valid().chars().map(|c| if c.is_control() && c != '\t' { '?' } else { c });
        for character in read.chain(unread) {
            if out.len() + character.len_utf8() > end {
                return;
            }
            out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
}
