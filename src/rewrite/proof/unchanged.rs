//! What of a rewritten body stands as it stood, so that its second reader need not read it again.
//!
//! Of a newsletter some links change, and nearly every line goes out octet for octet as it came in. Both readers read
//! these lines now as they did before, provided that
//!
//! 1. nothing that says how they are read is another: the transfer encoding, the charset, the media type;
//! 2. nothing that a line says reaches into the next one: UTF-8 and ASCII have no state (ISO-2022-JP, UTF-7 and HZ have),
//!    base64 has no lines, and quoted-printable is cut only where a line leaves no `=` open;
//! 3. the line before such a stretch and the one behind it are shown, so that what changed is read beside what it stands
//!    beside.
//!
//! The planner isn't asked what it changed: the octets are held against each other. Where lines came or went, none behind
//! them is found, and the second reader is shown more, not less.

use std::ops::Range;

use memchr::{memmem, memrchr};

use super::{Claim, label};
use crate::coding::charset::Charset;
use crate::coding::transfer::TransferEncoding;
use crate::message::{Message, Part};
use crate::rewrite::body::written_lines;

/// The octets of a stretch that is worth leaving out.
const STRETCH: usize = 256;

impl Claim<'_, '_> {
    /// Finds the stretches of a rewritten body, counted from its start, that are the same and mean the same as before.
    pub fn unchanged(&self, index: usize, after: &Message) -> Vec<Range<usize>> {
        let (old, new) = (self.message.parts().get(index), after.parts().get(index));
        let Some((old, new)) = old.zip(new) else { return Vec::new() };
        match self.is_read_alike(old, after, new) && is_read_by_lines(&new.transfer) {
            true => unchanged_lines(self.message.slice(old.body), after.slice(new.body)),
            false => Vec::new(),
        }
    }

    /// Tells whether the header says the same of a body as before, and names a charset of which every line stands alone.
    fn is_read_alike(&self, old: &Part, after: &Message, new: &Part) -> bool {
        let (was, is) = (&old.content_type, &new.content_type);
        let charset = label(after, new);
        let stands_alone = |charset: Charset| charset == Charset::UTF_8 || charset == Charset::US_ASCII;
        old.transfer == new.transfer
            && (&was.main, &was.sub) == (&is.main, &is.sub)
            && label(self.message, old) == charset
            && charset.is_none_or(|label| self.profile.labels.find(&label).is_some_and(stands_alone))
    }
}

fn is_read_by_lines(transfer: &TransferEncoding) -> bool {
    transfer.is_identity() || *transfer == TransferEncoding::QuotedPrintable
}

/// Finds the stretches of whole lines, up to their hard line breaks, that stand in both bodies at the same line; but for
/// lines with `--`, which may be a boundary, and for the first and last line of each stretch.
fn unchanged_lines(was: &[u8], is: &[u8]) -> Vec<Range<usize>> {
    let mut dashes = memmem::find_iter(is, b"--").peekable();
    let (mut found, mut run, mut start) = (Vec::new(), None, 0);
    for (old, new) in written_lines(was).zip(written_lines(is)) {
        let end = start + new.len();
        let mut is_plain = true;
        while dashes.next_if(|at| *at < end).is_some() {
            is_plain = false;
        }
        run = match run {
            _ if !(is_plain && old == new && leaves_nothing_open(new)) => {
                found.extend(run.and_then(inner));
                None
            }
            None if is_empty(new) => None,
            None => Some((end, start)),
            Some((first_end, _)) => Some((first_end, start)),
        };
        start = end;
    }
    found.extend(run.and_then(inner));
    found
}

/// Returns what lies between the end of a stretch's first line and the start of its last, if that is worth it.
fn inner((first_end, last_start): (usize, usize)) -> Option<Range<usize>> {
    (last_start > first_end + STRETCH).then_some(first_end..last_start)
}

/// Tells whether a line holds nothing that would close what the line before it has left open.
fn is_empty(line: &[u8]) -> bool {
    line.iter().all(|octet| matches!(octet, b'\r' | b'\n'))
}

/// Tells whether a line ends, and whoever reads it is done with it there: after `=A` some take the next line's first
/// character for the other half.
fn leaves_nothing_open(line: &[u8]) -> bool {
    let is_done = |at: usize| line.get(at + 1..at + 3).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
    line.ends_with(b"\n") && memrchr(b'=', line).is_none_or(is_done)
}

#[cfg(test)]
mod tests;
