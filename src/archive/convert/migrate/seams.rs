//! What stands between the messages of a mailbox file that is written of messages from elsewhere.

use super::letter::MigratingMessage;
use super::source::MessageOrigin;
use crate::archive::convert::cursor::SeamsCursor;

/// How far a mailbox file is, as far as what follows depends on it.
#[derive(Debug, Default)]
pub struct Seams {
    at: SeamsCursor,
}

impl Seams {
    /// Goes on where another was.
    pub fn go_on(at: SeamsCursor) -> Seams {
        Seams { at }
    }

    /// Tells where it is.
    pub fn cursor(&self) -> SeamsCursor {
        self.at.clone()
    }

    /// Returns what is written before a message. What stood so in a mailbox file stands apart from its neighbour as it did; any
    /// other wants an empty line.
    pub fn before(&self, letter: &MigratingMessage) -> &'static [u8] {
        let is_next = letter.made.line.is_some() && letter.made.line == self.at.line.map(|line| line + 1);
        let is_of_file = matches!(letter.found.beside, MessageOrigin::File { .. });
        if self.is_empty() || is_next || !is_of_file { b"" } else { self.to_empty_line() }
    }

    /// Returns what is wanted for an empty line at the end.
    fn to_empty_line(&self) -> &'static [u8] {
        let ends = |end: &[u8]| self.at.tail.ends_with(end);
        match () {
            () if ends(b"\n\n") || ends(b"\n\r\n") => b"",
            () if ends(b"\r\n") => b"\r\n",
            () if ends(b"\n") || ends(b"\n\r") => b"\n",
            () => b"\n\n",
        }
    }

    /// Returns `true` if there is no message yet.
    pub fn is_empty(&self) -> bool {
        self.at.messages == 0
    }

    /// Goes on behind a message.
    pub fn pass(&mut self, letter: &MigratingMessage) {
        self.at.messages += 1;
        self.at.line = letter.made.line;
    }

    /// Goes on behind octets that are written.
    pub fn add(&mut self, octets: &[u8]) {
        let tail = &mut self.at.tail;
        tail.extend_from_slice(&octets[octets.len().saturating_sub(4)..]);
        tail.drain(..tail.len().saturating_sub(4));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_line_is_made_once() {
        for (octets, wanted) in [
            ("a", "a\n\n"),
            ("a\n", "a\n\n"),
            ("a\n\n", "a\n\n"),
            ("a\r\n", "a\r\n\r\n"),
            ("a\r\n\r\n", "a\r\n\r\n"),
            ("a\n\r", "a\n\r\n"),
        ] {
            let mut seams = Seams::default();
            octets.as_bytes().chunks(1).for_each(|octet| seams.add(octet));
            assert_eq!([octets.as_bytes(), seams.to_empty_line()].concat(), wanted.as_bytes(), "{octets:?}");
        }
    }
}
