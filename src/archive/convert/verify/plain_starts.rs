//! Messages counted by a rule that is not septet's: a line that starts with `From ` behind an empty line, or at the start.
//!
//! So do most programs that read a mailbox file, whatever stands behind those five octets. It is counted in the stream, of
//! what was read and of what was written: what lies between messages must part them for others as before.

use std::cell::Cell;
use std::io::{self, Read};
use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::protocol::mbox::Dialect;

/// What a line starts with, and the end of the one before.
const START: &[u8] = b"\nFrom ";

/// The octets of the end of an empty line and of such a start: one less is kept of what was read before.
const SEAM: usize = b"\n\r\nFrom ".len() - 1;

/// Counts such starts in octets from a place on, which may itself be the end of one.
fn count(octets: &[u8], from: usize) -> u64 {
    static FINDER: LazyLock<Finder> = LazyLock::new(|| Finder::new(START));
    let is_behind_empty = |at: &usize| octets[..*at].ends_with(b"\n") || octets[..*at].ends_with(b"\n\r");
    let ends_here = |at: &usize| at + START.len() > from;
    FINDER.find_iter(octets).filter(ends_here).filter(is_behind_empty).count() as u64
}

/// Counts the starts inside of one message, where they part it for others.
pub fn within(message: &[u8]) -> u64 {
    count(message, 0)
}

/// Tells whether a dialect leaves such lines as they are, since its lengths say where messages end.
pub fn may_stand_free(dialect: Dialect) -> bool {
    dialect == Dialect::Mboxcl2
}

/// Passes octets on, and counts the starts in them.
pub struct Counted<'c, R> {
    from: R,
    starts: &'c Cell<u64>,
    /// The last octets that were read; none at the start.
    seam: Vec<u8>,
    begun: bool,
}

impl<'c, R: Read> Counted<'c, R> {
    /// Begins to count into a cell.
    pub fn new(from: R, starts: &'c Cell<u64>) -> Counted<'c, R> {
        Counted { from, starts, seam: Vec::new(), begun: false }
    }

    fn see(&mut self, octets: &[u8]) {
        if octets.is_empty() {
            return;
        }
        let mut found = 0;
        if !self.begun {
            // The start of a file is as good as an empty line.
            self.seam.extend_from_slice(b"\n\n");
            self.begun = true;
        }
        let before = self.seam.len();
        self.seam.extend_from_slice(&octets[..octets.len().min(SEAM)]);
        found += count(&self.seam, before);
        found += count(octets, SEAM);
        self.starts.set(self.starts.get() + found);
        if octets.len() >= SEAM {
            self.seam.clear();
            self.seam.extend_from_slice(&octets[octets.len() - SEAM..]);
        } else {
            self.seam.drain(..self.seam.len().saturating_sub(SEAM));
        }
    }
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(into)?;
        self.see(into.get(..read).unwrap_or_default());
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a few octets at a time.
    struct Few<'o>(&'o [u8], usize);

    impl Read for Few<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let few = self.0.len().min(self.1).min(into.len());
            let (now, later) = self.0.split_at(few);
            into[..few].copy_from_slice(now);
            self.0 = later;
            Ok(few)
        }
    }

    #[test]
    fn starts_are_counted_however_they_are_read() {
        for (octets, wanted) in [
            (&b""[..], 0),
            (b"From a\n\nFrom b\n\nFrom c", 3),
            (b"From a\r\n\r\nFrom b\r\n\r\n>From c\r\n", 2),
            (b"From a\nFrom b\n\n From c\n\n\nFrom d\n", 2),
            (b"\xef\xbb\xbfFrom a\n\nFrom", 0),
            (b"From \n\nFrom \n\nFrom ", 3),
        ] {
            for few in [1, 2, 3, 5, 6, 7, 8, 9, 13, 100] {
                let starts = Cell::new(0);
                let mut read = Vec::new();
                Counted::new(Few(octets, few), &starts).read_to_end(&mut read).expect("memory can be read");
                assert!(read == octets);
                assert_eq!(starts.get(), wanted, "{:?}, {few} at a time", String::from_utf8_lossy(octets));
            }
        }
    }
}
