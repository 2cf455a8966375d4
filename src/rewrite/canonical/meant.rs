//! The text that must be said, and how much of it was said already.

use memchr::memchr2;

/// A text that a body must say, piece by piece.
pub struct Meant<'t> {
    /// What is still to be said.
    rest: &'t [u8],
    /// Whether a line end was said behind the end of the text.
    ended: bool,
}

impl<'t> Meant<'t> {
    /// Takes a text of which nothing was said.
    pub fn new(text: &'t [u8]) -> Meant<'t> {
        Meant { rest: text, ended: false }
    }

    /// Returns `true` if the text goes on with a piece, which is then said; a line end is one in whichever form it
    /// stands. After a `false` nothing more may be asked.
    #[inline]
    pub fn goes_on_with(&mut self, piece: &[u8]) -> bool {
        match self.rest.strip_prefix(piece) {
            // A CR at the end of a piece may be half a line end.
            Some(rest) if !piece.ends_with(b"\r") => {
                self.rest = rest;
                true
            }
            _ => self.goes_on_by_lines(piece),
        }
    }

    /// Returns `true` if the text goes on with an octet, which is then said; a CR or an LF must not come here. After a
    /// `false` nothing more may be asked.
    #[inline]
    pub fn goes_on_with_octet(&mut self, octet: u8) -> bool {
        let [next, rest @ ..] = self.rest else { return false };
        self.rest = rest;
        *next == octet
    }

    /// Returns `true` if the text goes on with a piece, its line ends in any form.
    fn goes_on_by_lines(&mut self, mut piece: &[u8]) -> bool {
        while let Some(at) = memchr2(b'\r', b'\n', piece) {
            if !self.goes_on_as_it_is(&piece[..at]) || !self.goes_on_at_line_end(piece[at]) {
                return false;
            }
            piece = &piece[at + 1..];
        }
        self.goes_on_as_it_is(piece)
    }

    /// Returns `true` if the text goes on with just these octets.
    fn goes_on_as_it_is(&mut self, piece: &[u8]) -> bool {
        self.rest.strip_prefix(piece).inspect(|rest| self.rest = rest).is_some()
    }

    /// Returns `true` if the text goes on with a CR or an LF, or with the line end that the LF ends.
    #[inline]
    pub fn goes_on_at_line_end(&mut self, octet: u8) -> bool {
        self.rest = match (self.rest, octet) {
            ([b'\r', b'\n', rest @ ..], b'\n') => rest,
            // The CR of a line end says nothing by itself: an LF behind it does. Several CRs before one LF, and
            // one at the very end, are let through as well.
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

    /// Returns `true` if all of the text was said.
    pub fn is_said(&self) -> bool {
        self.rest.is_empty()
    }
}
