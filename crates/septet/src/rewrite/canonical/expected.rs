//! The text that a body must say, and how much of it was said already.

use memchr::memchr2;

/// A text that a body must say. Its decoder consumes it piece by piece, so that what was decoded need not be kept. It
/// is said if every piece was consumed and [`is_consumed`](Self::is_consumed) is `true` in the end.
pub struct ExpectedText<'t> {
    /// What was not consumed yet.
    rest: &'t [u8],
    /// Whether a line end was let through behind the end of the text.
    ended: bool,
}

impl<'t> ExpectedText<'t> {
    /// Takes a text of which nothing was said yet.
    pub fn new(text: &'t [u8]) -> ExpectedText<'t> {
        ExpectedText { rest: text, ended: false }
    }

    /// Consumes a piece; `false` if the text does not go on with it. A line end is the same in any form
    /// (`consume_line_end`), and may stand in two pieces. After a `false` nothing more may be asked, since some of the
    /// piece may be consumed.
    #[inline]
    pub fn consume(&mut self, piece: &[u8]) -> bool {
        // A CR at the end of a piece may be half of a line end, which the text may have in another form.
        !piece.ends_with(b"\r") && self.consume_exactly(piece) || self.consume_by_lines(piece)
    }

    /// Consumes a piece, its line ends in any form; `false` if the text does not go on with it.
    fn consume_by_lines(&mut self, mut piece: &[u8]) -> bool {
        while let Some(at) = memchr2(b'\r', b'\n', piece) {
            if !self.consume_exactly(&piece[..at]) || !self.consume_line_end(piece[at]) {
                return false;
            }
            piece = &piece[at + 1..];
        }
        self.consume_exactly(piece)
    }

    /// Consumes just these octets; `false` if the text does not go on with them, and then nothing is consumed.
    fn consume_exactly(&mut self, piece: &[u8]) -> bool {
        self.rest.strip_prefix(piece).inspect(|rest| self.rest = rest).is_some()
    }

    /// Consumes a CR or an LF of the body; `false` if the text does not go on with it. An LF consumes a CRLF of the
    /// text, too, and behind the end of the text one LF is let through, since a body may end with the line end of its
    /// message.
    #[inline]
    fn consume_line_end(&mut self, octet: u8) -> bool {
        self.rest = match (self.rest, octet) {
            ([b'\r', b'\n', rest @ ..], b'\n') => rest,
            // The CR of a line end consumes nothing, for the LF behind it does. Several CRs before one LF, and one at
            // the very end, are let through as well.
            ([b'\n', ..] | [], b'\r') => self.rest,
            ([], b'\n') if !self.ended => {
                self.ended = true;
                self.rest
            }
            ([next, rest @ ..], _) if *next == octet => rest,
            _ => return false,
        };
        true
    }

    /// Returns `true` if all of the text was consumed.
    pub fn is_consumed(&self) -> bool {
        self.rest.is_empty()
    }
}
