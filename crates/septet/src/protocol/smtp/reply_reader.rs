//! Reads the replies of a next hop, which may send anything.

use thiserror::Error;

use super::reply::Reply;

/// The octets of a reply's line that are read, its line end aside; RFC 5321 allows 512.
pub const REPLY_LINE_LIMIT: usize = 2048;

/// The octets of a whole reply.
pub const REPLY_LIMIT: usize = 64 << 10;

/// The lines of a reply.
pub const REPLY_LINES: usize = 200;

/// Why a next hop can't be believed any more.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReplyError {
    /// A line goes on and on.
    #[error("a line of a reply over {REPLY_LINE_LIMIT} octets")]
    LongLine,
    /// A reply goes on and on.
    #[error("a reply over {REPLY_LIMIT} octets")]
    LongReply,
    /// A reply has too many lines.
    #[error("a reply over {REPLY_LINES} lines")]
    ManyLines,
    /// A line does not start with three digits and a separator.
    #[error("a line that is no reply")]
    NoReply,
    /// A code is none that SMTP has.
    #[error("a reply with the code {0}")]
    Code(u16),
    /// The lines of one reply have several codes.
    #[error("a reply with the codes {0} and {1}")]
    Codes(u16, u16),
    /// A reply to nothing.
    #[error("a reply {0} that nothing was asked for")]
    Unasked(u16),
}

/// Reads replies, however they are cut.
#[derive(Debug, Default)]
pub struct ReplyReader {
    /// What came of the line that is being read.
    line: Vec<u8>,
    /// The code of the reply; none before its first line is whole.
    code: Option<u16>,
    /// The texts of its lines that are whole.
    lines: Vec<Vec<u8>>,
    /// The octets of it that came, line ends included.
    octets: usize,
}

impl ReplyReader {
    /// Takes octets up to the end of a reply; returns how many, and the reply if it is whole.
    ///
    /// After an error nothing that follows can be trusted.
    pub fn read(&mut self, input: &[u8]) -> Result<(usize, Option<Reply>), ReplyError> {
        let mut used = 0;
        while let Some(rest) = input.get(used..).filter(|rest| !rest.is_empty()) {
            let end = memchr::memchr(b'\n', rest);
            let line = &rest[..end.unwrap_or(rest.len())];
            self.take(line)?;
            used += line.len();
            if end.is_some() {
                used += 1;
                if let Some(reply) = self.end_of_line()? {
                    return Ok((used, Some(reply)));
                }
            }
        }
        Ok((used, None))
    }

    /// Returns `true` if a reply has begun and is not whole.
    pub fn is_in_reply(&self) -> bool {
        self.octets > 0
    }

    /// Takes a piece of a line; beyond the limit that comes first, it is an error.
    fn take(&mut self, piece: &[u8]) -> Result<(), ReplyError> {
        // One more than the limit, for a CR that may be part of the line's end.
        let line_room = REPLY_LINE_LIMIT + 1 - self.line.len();
        let reply_room = REPLY_LIMIT.saturating_sub(self.octets);
        if piece.len() > line_room.min(reply_room) {
            return Err(if line_room <= reply_room { ReplyError::LongLine } else { ReplyError::LongReply });
        }
        self.octets += piece.len();
        self.line.extend_from_slice(piece);
        Ok(())
    }

    /// Reads the line that is whole now, and returns the reply if that was its last one.
    fn end_of_line(&mut self) -> Result<Option<Reply>, ReplyError> {
        let line = self.line.strip_suffix(b"\r").unwrap_or(&self.line);
        let (code, is_last, text) = read_line(line)?;
        match self.code {
            Some(first) if first != code => return Err(ReplyError::Codes(first, code)),
            _ if self.lines.len() == REPLY_LINES => return Err(ReplyError::ManyLines),
            _ => self.code = Some(code),
        }
        self.lines.push(text.to_vec());
        self.line.clear();
        // For the LF.
        self.octets += 1;
        if !is_last {
            return Ok(None);
        }
        let lines = std::mem::take(&mut self.lines);
        *self = ReplyReader { line: std::mem::take(&mut self.line), ..ReplyReader::default() };
        Ok(Some(Reply { code, lines }))
    }
}

/// Reads one line: its code, whether it is the last, its text.
fn read_line(line: &[u8]) -> Result<(u16, bool, &[u8]), ReplyError> {
    let (digits, rest) = line.split_first_chunk::<3>().ok_or(ReplyError::NoReply)?;
    if !digits.iter().all(u8::is_ascii_digit) {
        return Err(ReplyError::NoReply);
    }
    let code = digits.iter().fold(0, |code, digit| code * 10 + u16::from(digit - b'0'));
    if !(200..=599).contains(&code) {
        return Err(ReplyError::Code(code));
    }
    match rest.split_first() {
        None => Ok((code, true, rest)),
        Some((b' ', text)) => Ok((code, true, text)),
        Some((b'-', text)) => Ok((code, false, text)),
        Some(_) => Err(ReplyError::NoReply),
    }
}
