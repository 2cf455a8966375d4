//! The text that must be said, and how much of it was said already.

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

    /// Returns `true` if the text goes on with a piece; a line end is one in whichever form it stands.
    #[inline]
    pub fn goes_on_with(&mut self, piece: &[u8]) -> bool {
        match self.rest.strip_prefix(piece) {
            // A CR at the end of a piece may be half a line end.
            Some(rest) if !piece.ends_with(b"\r") => {
                self.rest = rest;
                true
            }
            _ => self.goes_on_by_octets(piece),
        }
    }

    fn goes_on_by_octets(&mut self, mut piece: &[u8]) -> bool {
        while let Some((first, after)) = piece.split_first() {
            (self.rest, piece) = match (self.rest, first) {
                ([b'\r', b'\n', rest @ ..], b'\n') => (rest, after),
                // The CR of a line end says nothing by itself: the LF behind it does, or the next piece fails.
                ([b'\n', ..] | [], b'\r') => (self.rest, after),
                ([], b'\n') if !self.ended => {
                    self.ended = true;
                    (self.rest, after)
                }
                ([next, rest @ ..], octet) if next == octet => (rest, after),
                _ => return false,
            };
        }
        true
    }

    /// Returns `true` if all of the text was said.
    pub fn is_said(&self) -> bool {
        self.rest.is_empty()
    }
}
