//! Which of the four dialects a mailbox file is in.
//!
//! A file does not say it. What it shows is looked at, in its first octets:
//!
//! - it counts, when more than half of its messages state a Content-Length that leads to the next From_ line, and no
//!   more are wrong than are right. One message alone could be somebody's trick to hide the next;
//! - of the two that count, a From_ line inside a counted body is one that *mboxcl2* does not quote, and so is a bare
//!   `From ` where no line is quoted;
//! - of the two that don't, it is taken for *mboxrd*, whose quoting can be undone.
//!
//! MMDF's file says it: it starts with a line that no other has.

use memchr::memmem::find_iter;

use super::chain::Chain;
use super::dialect::Dialect;
use super::from_line::LOOK;
use super::mmdf::is_mmdf;
use super::split::Splitter;

impl Dialect {
    /// How many octets at the start of a file tell its dialect.
    pub const SAMPLE: usize = 512 << 10;

    /// Recognises the dialect of a file by its first octets; `whole` says that they are all of it.
    ///
    /// ```
    /// use septet::protocol::mbox::Dialect;
    ///
    /// let one = "From a Mon Jan  1 00:00:00 2007\nContent-Length: 40\n\nFrom b Tue Jan  2 00:00:00 2007\nno: mail\n\n";
    /// assert_eq!(Dialect::recognise(one.as_bytes(), true), Dialect::Mboxcl2);
    /// let one = one.replace("40", "41");
    /// assert_eq!(Dialect::recognise(one.as_bytes(), true), Dialect::Mboxcl2, "the separator may be counted");
    /// let one = one.replace("41", "9");
    /// assert_eq!(Dialect::recognise(one.as_bytes(), true), Dialect::Mboxrd);
    /// ```
    pub fn recognise(head: &[u8], whole: bool) -> Dialect {
        if is_mmdf(head) {
            return Dialect::Mmdf;
        }
        let (mut splitter, mut chain, mut found, mut starts) = (Splitter::new(), Chain::new(), Vec::new(), Vec::new());
        splitter.feed(head, &mut found);
        if whole {
            splitter.finish(&mut found);
        }
        let settled = splitter.settled();
        chain.add(found.drain(..));
        chain.decide(head, 0, settled, whole, &mut starts);
        let seen = chain.seen();
        if !whole && starts.len() <= 1 && chain.claims_beyond(head.len() as u64 + LOOK as u64) {
            // Its first message is longer than what there is to look at. Whether what it states is true will be seen.
            return Dialect::Mboxcl;
        }
        if seen.right == 0 || seen.wrong > seen.right || seen.right <= seen.silent {
            return Dialect::Mboxrd;
        }
        if seen.hidden > 0 || quotes_nothing(head) { Dialect::Mboxcl2 } else { Dialect::Mboxcl }
    }
}

/// Returns `true` if a line starts with `From ` that starts no message, and none with `>From `.
fn quotes_nothing(head: &[u8]) -> bool {
    let first = usize::from(head.starts_with(b"From "));
    let lines = first + find_iter(head, b"\nFrom ").count();
    lines > Splitter::starts_of(head).len() && find_iter(head, b"\n>From ").next().is_none()
}
