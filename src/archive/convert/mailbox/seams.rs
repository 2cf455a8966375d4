//! What stands between the messages of a mailbox file that is written.

use super::plan::MadePiece;
use crate::archive::convert::Seams;

impl Seams {
    /// Begins a mailbox file with what stands before its first message.
    pub fn behind(before: &[u8]) -> Seams {
        let mut seams = Seams::default();
        seams.add(before);
        seams
    }

    /// Returns `true` if there is no message yet.
    pub fn is_empty(&self) -> bool {
        self.messages == 0
    }

    /// Goes on behind a piece, and returns what is written before it. What stood so in a mailbox file stands apart from
    /// its neighbour as it did; any other wants an empty line. The writer and `--verify` ask it of the same pieces in
    /// the same order (`written.rs`, `made.rs`).
    pub fn pass(&mut self, piece: &MadePiece) -> &'static [u8] {
        self.pass_behind(piece, piece.file.is_some())
    }

    /// Goes on behind a message in a mailbox file that has only some of those which stood together, and returns what is
    /// written before it. Its neighbours are others than they were, so there must be an empty line, except between the
    /// lines of MMDF.
    pub fn pass_apart(&mut self, piece: &MadePiece) -> &'static [u8] {
        self.pass_behind(piece, !piece.octets().starts_with(b"\x01\x01\x01\x01"))
    }

    /// Goes on behind a piece that is `apart` from what stands before it, unless it stood behind that in a mailbox
    /// file.
    fn pass_behind(&mut self, piece: &MadePiece, apart: bool) -> &'static [u8] {
        let is_next = piece.line.is_some() && piece.line == self.line.map(|line| line + 1);
        let before = if self.is_empty() || is_next || !apart { b"" } else { self.to_empty_line() };
        self.messages += u64::from(piece.message > 0);
        self.line = piece.line;
        self.add(before);
        self.add(piece.octets());
        before
    }

    /// Returns what is wanted for an empty line at the end; behind CR LF too it ends with LF alone, as formail and
    /// nmh's `inc` want it.
    fn to_empty_line(&self) -> &'static [u8] {
        let ends = |end: &[u8]| self.tail.ends_with(end);
        match () {
            () if ends(b"\n\n") || ends(b"\n\r\n") => b"",
            () if ends(b"\n") || ends(b"\n\r") => b"\n",
            () => b"\n\n",
        }
    }

    /// Goes on behind octets that are written. Of the end four octets are kept, since an empty line is told by the last
    /// three (`to_empty_line`).
    fn add(&mut self, octets: &[u8]) {
        let tail = &mut self.tail;
        tail.extend_from_slice(&octets[octets.len().saturating_sub(4)..]);
        tail.drain(..tail.len().saturating_sub(4));
    }
}
