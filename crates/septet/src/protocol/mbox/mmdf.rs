//! MMDF's mailbox file: each message stands between two lines of four octets 1, and nothing is quoted.
//!
//! ```text
//! ^A^A^A^A
//! Subject: hello                     the message; a From_ line may stand before it
//!
//! text
//! ^A^A^A^A
//! ```
//!
//! SCO's systems, MMDF and Pine write it. Between two messages stand two such lines, in files that were cut by hand
//! perhaps one; so a message starts at such a line behind which text stands. A message can't have such a line, nor be
//! given one. Behind a message that ends in no line end nmh and mutt write the first of the two in its last line.

use memchr::memmem;

use super::from_line::first_message;
use crate::message::{LineEnd, behind_line};

/// The line, as it is written.
const LINE: &[u8] = b"\x01\x01\x01\x01\n";

/// Its octets without the line end.
const MARK: &[u8] = b"\x01\x01\x01\x01";

/// How many octets from the start of one tell whether it starts a message: two lines with CR LF.
const LOOK: usize = 12;

/// The From_ line of a message that has none, in a file that wants one.
const NOBODY: &[u8] = b"From MAILER-DAEMON Thu Jan  1 00:00:00 1970\n";

/// Returns `true` if a mailbox file is MMDF's by its first octets.
pub fn is_mmdf(head: &[u8]) -> bool {
    line_at(head).is_some()
}

/// Returns the octets of such a line that a text starts with, or that is all of it; none where it starts otherwise.
fn line_at(text: &[u8]) -> Option<usize> {
    let rest = text.strip_prefix(MARK)?;
    let end = if rest.starts_with(b"\r\n") { 2 } else { usize::from(rest.starts_with(b"\n")) };
    (end > 0 || rest.is_empty()).then_some(MARK.len() + end)
}

/// Finds the first such line of a text, from its start on or behind a line end.
fn find(text: &[u8]) -> Option<usize> {
    memmem::find_iter(text, MARK).find(|&at| (at == 0 || text[at - 1] == b'\n') && line_at(&text[at..]).is_some())
}

/// Parts what leads a message, the line and perhaps a From_ line, from what follows; none where it is no message of
/// MMDF.
pub(super) fn split_lead(raw: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line_at(raw)?;
    let rest = &raw[line..];
    let from_line = match first_message(rest) {
        Some(0) => behind_line(rest, 0),
        _ => 0,
    };
    Some(raw.split_at(line + from_line))
}

/// Parts the octets from one start of a message to the next into what leads the message, itself, and what ends it; none
/// where they are no message of MMDF.
pub(super) fn split(raw: &[u8]) -> Option<[&[u8]; 3]> {
    let (lead, rest) = split_lead(raw)?;
    let (content, end) = rest.split_at(find(rest).or_else(|| find_at_end(rest)).unwrap_or(rest.len()));
    Some([lead, content, end])
}

/// Finds the four octets that end a text in its last line, with or without a line end behind them.
fn find_at_end(text: &[u8]) -> Option<usize> {
    let line = LineEnd::strip(text);
    line.ends_with(MARK).then(|| line.len() - MARK.len())
}

/// Returns what leads a message in another mailbox file: its From_ line, or one that names nobody. A lead
/// without MMDF's line stays as it is.
pub(super) fn from_line(lead: &[u8]) -> &[u8] {
    match line_at(lead).map(|line| &lead[line..]) {
        None => lead,
        Some(b"") => NOBODY,
        Some(from_line) => from_line,
    }
}

/// Returns a message in MMDF's form, between two lines, its From_ line before it; a lead that is MMDF's already stays.
pub(super) fn framed(lead: &[u8], message: &[u8]) -> Vec<u8> {
    let line = if is_mmdf(lead) { &b""[..] } else { LINE };
    [line, lead, message, LINE].concat()
}

/// Finds where messages start in a mailbox file of MMDF, from octets that come in pieces of any size.
///
/// ```
/// use septet::protocol::mbox::{Dialect, Starts};
///
/// let file = b"\x01\x01\x01\x01\nA: b\n\x01\x01\x01\x01\n\x01\x01\x01\x01\nC: d\n\x01\x01\x01\x01\n";
/// let (mut splitter, mut starts) = (Starts::of(Dialect::Mmdf), Vec::new());
/// file.chunks(7).for_each(|piece| splitter.feed(piece, &mut starts));
/// splitter.finish(&mut starts);
/// assert_eq!(starts, [0, 15]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct MmdfSplitter {
    /// The last octets that were fed, from the one before `next` on.
    carry: Vec<u8>,
    fed: u64,
    /// Every line that starts before this offset is decided.
    next: u64,
}

impl MmdfSplitter {
    /// Takes the next octets of the file, and adds to `starts` the offsets in the file at which messages start.
    pub fn feed(&mut self, piece: &[u8], starts: &mut Vec<u64>) {
        self.carry.extend_from_slice(piece);
        self.fed += piece.len() as u64;
        self.scan(false, starts);
    }

    /// Decides what the end of the file was needed for.
    pub fn finish(&mut self, starts: &mut Vec<u64>) {
        self.scan(true, starts);
        self.next = self.fed;
    }

    /// Returns the offset before which every start of a message is known.
    pub fn settled(&self) -> u64 {
        self.next
    }

    /// Looks through what is held, and keeps what needs more octets; `ended` says that none come.
    fn scan(&mut self, ended: bool, starts: &mut Vec<u64>) {
        let window = std::mem::take(&mut self.carry);
        let base = self.fed - window.len() as u64;
        let from = (self.next - base) as usize;
        // A line that is cut by the end starts in the last octets.
        let mut decided = (window.len() + 1).saturating_sub(MARK.len()).max(from);
        for at in memmem::find_iter(&window[from..], MARK).map(|at| from + at) {
            let follows_line = if at == 0 { base == 0 } else { window[at - 1] == b'\n' };
            if !follows_line {
                continue;
            }
            if !ended && window.len() - at < LOOK {
                decided = at;
                break;
            }
            let behind = line_at(&window[at..]).map(|line| &window[at + line..]);
            if behind.is_some_and(|text| !text.is_empty() && line_at(text).is_none()) {
                starts.push(base + at as u64);
            }
        }
        self.next = base + decided as u64;
        self.carry = window[decided.saturating_sub(1)..].to_vec();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts(file: &[u8], piece: usize) -> Vec<u64> {
        let (mut splitter, mut starts) = (MmdfSplitter::default(), Vec::new());
        file.chunks(piece).for_each(|piece| splitter.feed(piece, &mut starts));
        splitter.finish(&mut starts);
        starts
    }

    #[test]
    fn finds_messages_whatever_the_pieces() {
        for (file, wanted) in [
            (&b"MMMM\nA: b\n\nMMMM x\nMMMM\nMMMM\nC: d\nMMMM\n"[..], &[0, 23][..]),
            (b"MMMM\r\nA: b\r\n\r\nMMMM\r\nMMMM\r\nC: d\r\nMMMM\r\n", &[0, 20]),
            // One line between two messages; an end that is cut.
            (b"MMMM\nA: b\nMMMM\nC: d\nMMMM", &[0, 10]),
            (b"MMMM\nA: b\n", &[0]),
            (b"MMMM\nA: MMMM\nMMMMM\n", &[0]),
            (b"MMMM\nMMMM\n", &[]),
            (b"", &[]),
        ] {
            let file: Vec<u8> = file.iter().map(|&octet| if octet == b'M' { 1 } else { octet }).collect();
            for piece in 1..=file.len().max(1) {
                assert_eq!(starts(&file, piece), wanted, "{:?} by {piece}", String::from_utf8_lossy(&file));
            }
        }
    }

    #[test]
    fn parts_a_message_from_its_lines() {
        let raw = b"\x01\x01\x01\x01\nFrom a\nA: b\n\nc\n\x01\x01\x01\x01\n";
        assert_eq!(split(raw), Some([&raw[..12], b"A: b\n\nc\n", LINE]));
        let glued = b"\x01\x01\x01\x01\nA: b\n\nc\x01\x01\x01\x01\n";
        assert_eq!(split(glued), Some([LINE, b"A: b\n\nc", LINE]), "no line end");
        assert_eq!(from_line(&raw[..12]), b"From a\n");
        assert_eq!(from_line(LINE), NOBODY);
        assert_eq!(split(b"From a\n"), None);
    }
}
