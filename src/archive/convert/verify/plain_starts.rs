//! Messages counted by a rule that is not septet's: a line that starts with `From ` behind an empty line, or at the
//! start.
//!
//! So do most programs that read a mailbox file, whatever stands behind those five octets. It is counted in all
//! octets, of what was read and of what is written: what lies between messages must part them for others as before.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::archive::convert::Dialects;
use crate::protocol::mbox::Dialect;

/// What a line starts with, and the end of the one before.
const START: &[u8] = b"\nFrom ";

/// The octets of the end of an empty line and of such a start: one less is kept of what was read before.
const SEAM: usize = b"\n\r\nFrom ".len() - 1;

/// Counts the starts in octets that end behind `from`; those that end before it were counted with other octets.
fn count(octets: &[u8], from: usize) -> u64 {
    static FINDER: LazyLock<Finder> = LazyLock::new(|| Finder::new(START));
    let is_behind_empty = |at: &usize| octets[..*at].ends_with(b"\n") || octets[..*at].ends_with(b"\n\r");
    let ends_here = |at: &usize| at + START.len() > from;
    FINDER.find_iter(octets).filter(ends_here).filter(is_behind_empty).count() as u64
}

/// The lines inside of messages that part these for programs that go by `From ` alone, before and after.
#[derive(Default)]
pub struct Inside {
    before: u64,
    after: u64,
    /// Whether something stands before the first message, for [`difference`](Inside::difference).
    pub has_preamble: bool,
}

impl Inside {
    /// Counts the lines of a message that becomes another, or of every one where the dialect becomes another; `new` is
    /// none of one that stays. Returns what to tell the user if a change set a line free that nothing quotes.
    pub fn add(&mut self, old: &[u8], new: Option<&[u8]>, dialects: Dialects) -> Option<&'static str> {
        if new.is_none() && dialects.to.is_none() {
            return None;
        }
        let (was, is) = (count(old, 0), count(new.unwrap_or(old), 0));
        (self.before, self.after) = (self.before + was, self.after + is);
        // That dialect leaves such lines as they are, since its lengths say where messages end.
        let free = is > was && dialects.to.unwrap_or(dialects.from) != Dialect::Mboxcl2;
        free.then_some("a line of its text starts with From_ behind an empty line, where other programs part it")
    }

    /// Says that others find another number of messages than before; `before` and `after` are all starts of both files.
    /// None where they find as many.
    ///
    /// Where the dialect becomes another they must find as many as there are messages. This is not asked where
    /// something stands before the first one, since the starts in that are not counted by [`add`](Inside::add).
    pub fn difference(&self, [before, after]: [u64; 2], messages: u64, dialects: Dialects) -> Option<String> {
        let (was, is) = match dialects.to {
            Some(_) if self.has_preamble => return None,
            Some(_) => (messages, after.saturating_sub(self.after)),
            None => (before.saturating_sub(self.before), after.saturating_sub(self.after)),
        };
        (was != is).then(|| format!("{is} From_ lines start messages for other programs, not {was}"))
    }
}

/// Counts the starts in octets that come one after the other.
pub struct PlainStarts {
    /// How many there were so far.
    pub count: u64,
    /// The last octets. The start of a file is as good as an empty line.
    seam: Vec<u8>,
}

impl Default for PlainStarts {
    fn default() -> PlainStarts {
        PlainStarts { count: 0, seam: b"\n\n".to_vec() }
    }
}

impl PlainStarts {
    /// Counts the starts that end in these octets, which follow those of before.
    pub fn add(&mut self, octets: &[u8]) {
        let before = self.seam.len();
        self.seam.extend_from_slice(&octets[..octets.len().min(SEAM)]);
        self.count += count(&self.seam, before) + count(octets, SEAM);
        self.seam.truncate(before);
        self.seam.extend_from_slice(&octets[octets.len().saturating_sub(SEAM)..]);
        self.seam.drain(..self.seam.len().saturating_sub(SEAM));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
                let mut starts = PlainStarts::default();
                octets.chunks(few).for_each(|octets| starts.add(octets));
                assert_eq!(starts.count, wanted, "{:?}, {few} at a time", String::from_utf8_lossy(octets));
            }
        }
    }

    /// What a program sees that goes by `From ` behind an empty line: as many messages, and none parted anew.
    #[test]
    fn as_many_messages_start_for_others() {
        use Dialect::{Mboxcl2, Mboxrd};
        let (quoted, free) = ("From a\nA: b\n\n>From c\n\n", "From a\nA: b\n\nFrom c\n\n");
        let same = |from, to| Dialects { from, to };
        for (old, new, dialects, starts, is_named, differs) in [
            (quoted, free, same(Mboxrd, None), [1, 2], true, false),
            (quoted, free, same(Mboxcl2, None), [1, 2], false, false),
            (quoted, free, same(Mboxrd, Some(Mboxcl2)), [1, 2], false, false),
            (free, quoted, same(Mboxrd, None), [2, 1], false, false),
            (free, quoted, same(Mboxcl2, Some(Mboxrd)), [2, 1], false, false),
            (free, free, same(Mboxrd, None), [2, 2], false, false),
            (free, quoted, same(Mboxrd, None), [2, 2], false, true),
            (quoted, quoted, same(Mboxrd, None), [2, 1], false, true),
            (quoted, quoted, same(Mboxrd, Some(Mboxcl2)), [1, 2], false, true),
        ] {
            let mut inside = Inside::default();
            let named = inside.add(old.as_bytes(), Some(new.as_bytes()).filter(|_| old != new), dialects);
            assert_eq!(named.is_some(), is_named, "{old:?} {new:?} {dialects:?}");
            assert_eq!(inside.difference(starts, 1, dialects).is_some(), differs, "{old:?} {new:?} {dialects:?}");
        }
    }
}
