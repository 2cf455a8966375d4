//! Goes from message to message by what each states as its length, where that leads to a From_ line.
//!
//! In a file that counts (mboxcl, mboxcl2), a From_ line inside a counted body is text: often a message that somebody
//! forwarded, whole. So a [`Splitter`](super::Splitter) finds the From_ lines, and the chain tells which of them start
//! a message. It starts at the first; if the Content-Length of a message is **right**, the next message is where it
//! leads, and the From_ lines before are text. It is right when the file ends there, or a From_ line stands there,
//! behind up to two empty lines: some writers count the separator and some write none. Else it is wrong, and the next
//! From_ line starts the next message, as in any mailbox file.
//!
//! Whether a length is right can be told only when the octets are there to which it leads. Until then the From_ lines
//! before are in doubt. Who can't hold so much says so ([`Chain::give_up`]); the doubt ends by what the caller wants.
//!
//! In a file that does not count, the From_ lines decide, and lengths are only noted ([`Chain::noting`]): one that is
//! right and has From_ lines before its end may be a program's that quotes nothing, or a sender's. What it covers is
//! told, so that it is left alone.

use std::collections::VecDeque;
use std::ops::Range;

use super::content_length::body_and_length;
use super::follows::FROM;
use super::from_line::{LOOK, is_from_line_at};
use super::item::MboxMessage;

/// The octets of a message, its From_ line included, in which a Content-Length is looked for.
const HEADER: usize = 256 << 10;

/// The empty lines that may stand between the counted octets and the next From_ line.
const EMPTY_LINES: usize = 2;

/// How many messages stated a length, and how many were right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LengthTally {
    /// Those that were right.
    pub right: usize,
    /// Those that were wrong.
    pub wrong: usize,
    /// Messages that stated none, or none that could be followed.
    pub silent: usize,
    /// From_ lines that stood inside a body.
    pub hidden: usize,
}

/// Tells which From_ lines start messages, in a file whose messages state their length.
#[derive(Debug, Clone, Default)]
pub struct Chain {
    /// From_ lines that were found and are not decided, in order.
    candidates: VecDeque<u64>,
    position: ChainPosition,
    /// Where the message that it has come to starts.
    message: u64,
    /// What lengths cover beyond a From_ line, where they are only noted; none where they decide.
    covered: Option<Vec<Range<u64>>>,
    seen: LengthTally,
}

/// What is known of the message that the chain has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum ChainPosition {
    /// It ends at the next From_ line; or there is none yet.
    #[default]
    Uncounted,
    /// It starts here, and its header was not read yet.
    Header(u64),
    /// It says that it ends here.
    Claims(u64),
    /// It says that it ends here, and is believed without a look.
    Trusted(u64),
}

/// What stands where a length leads.
enum There {
    /// A From_ line, at this offset of the file.
    Message(u64),
    /// The file's end.
    End,
    /// Neither: the length is wrong.
    Text,
    /// More octets are needed to tell.
    NotYet,
}

impl Chain {
    /// Makes a chain at the start of a file.
    pub fn new() -> Chain {
        Chain::default()
    }

    /// Makes a chain for which every From_ line starts a message, whatever lengths say: what they cover is noted for
    /// [`covered`](Chain::covered).
    pub fn noting() -> Chain {
        Chain { covered: Some(Vec::new()), ..Chain::default() }
    }

    /// Returns what lengths that are right cover beyond a From_ line, in order, from the message that states one to the
    /// next message that it leads to; nothing where lengths decide.
    pub fn covered(&self) -> &[Range<u64>] {
        self.covered.as_deref().unwrap_or_default()
    }

    /// Takes From_ lines that a splitter found, in their order.
    pub fn add(&mut self, found: impl IntoIterator<Item = u64>) {
        self.candidates.extend(found);
    }

    /// Returns what was seen of lengths so far.
    pub fn seen(&self) -> LengthTally {
        self.seen
    }

    /// Returns `true` if the message that it has come to states a length that could not be looked at yet.
    pub fn is_in_doubt(&self) -> bool {
        matches!(self.position, ChainPosition::Claims(_))
    }

    /// Returns `true` if the message that it has come to claims to end beyond an offset.
    pub fn claims_beyond(&self, offset: u64) -> bool {
        matches!(self.position, ChainPosition::Claims(end) if end > offset)
    }

    /// Decides what can be decided, and adds the starts of messages to `starts`. Returns the offset before which all is
    /// decided.
    ///
    /// `octets` start at `base`, which is nowhere behind what was returned last; `settled` is the splitter's, and
    /// `ended` says that they end where the file does.
    pub fn decide(&mut self, octets: &[u8], base: u64, settled: u64, ended: bool, starts: &mut Vec<u64>) -> u64 {
        loop {
            let before = (self.position, self.candidates.len());
            match self.position {
                ChainPosition::Uncounted => self.next(starts),
                ChainPosition::Header(start) => self.read_header(octets_from(start, base, octets), start, ended),
                ChainPosition::Claims(end) | ChainPosition::Trusted(end) => {
                    self.check_claim(octets, base, end, ended, starts)
                }
            }
            if before == (self.position, self.candidates.len()) {
                return self.decided(settled);
            }
        }
    }

    /// Ends a doubt for which more octets would be needed than can be held: `believe` takes the length for right, so
    /// that no From_ line before its end starts a message; else it is wrong. Without a doubt nothing happens.
    ///
    /// A chain that only notes lengths must not believe one: it is no message's end there, and what it covers would be
    /// noted without a look (`Batches::new` notes only where nothing is trusted).
    pub fn give_up(&mut self, believe: bool) {
        match self.position {
            ChainPosition::Claims(end) if believe => self.position = ChainPosition::Trusted(end),
            ChainPosition::Claims(_) => self.refute(),
            _ => {}
        }
    }

    /// Returns the offset before which all is decided, `settled` at the most. A From_ line in doubt is not decided, and
    /// neither is the octet before a claimed end, which tells whether a line starts there.
    fn decided(&self, settled: u64) -> u64 {
        match (self.position, self.candidates.front()) {
            (ChainPosition::Header(start), _) => settled.min(start),
            (ChainPosition::Claims(end), Some(&first)) => settled.min(first).min(end.saturating_sub(1)),
            (ChainPosition::Claims(end) | ChainPosition::Trusted(end), _) => settled.min(end.saturating_sub(1)),
            (ChainPosition::Uncounted, _) => settled,
        }
    }

    /// Takes the next From_ line for the start of a message, if one was found.
    fn next(&mut self, starts: &mut Vec<u64>) {
        if let Some(start) = self.candidates.pop_front() {
            starts.push(start);
            self.go_to(start);
        }
    }

    /// Comes to the message that starts at an offset.
    fn go_to(&mut self, start: u64) {
        self.message = start;
        self.position = ChainPosition::Header(start);
    }

    /// Takes the length of this message for wrong: it ends at the next From_ line.
    fn refute(&mut self) {
        self.seen.wrong += 1;
        self.position = ChainPosition::Uncounted;
    }

    /// Reads what length the message states that starts at `start`, with the octets `message`, once its header is
    /// whole. A header that does not end before the next From_ line, in [`HEADER`] octets or in the file states none.
    fn read_header(&mut self, message: &[u8], start: u64, ended: bool) {
        let limit =
            self.candidates.front().map_or(usize::MAX, |&next| usize::try_from(next - start).unwrap_or(usize::MAX));
        // Nothing is looked for beyond it: so no line is read twice, however many headers end nowhere, and it does not
        // matter how much is there.
        let (from_line, rest) = MboxMessage::split_from_line(&message[..message.len().min(limit).min(HEADER)]);
        let Some((length, stated)) = body_and_length(rest) else {
            if ended || message.len() > HEADER || limit < usize::MAX {
                self.seen.silent += 1;
                self.position = ChainPosition::Uncounted;
            }
            return;
        };
        let body = from_line.len() + length;
        let claim = stated.filter(|_| body <= limit);
        self.position = match claim.and_then(|octets| (start + body as u64).checked_add(octets)) {
            Some(end) => ChainPosition::Claims(end),
            None => {
                self.seen.silent += 1;
                ChainPosition::Uncounted
            }
        };
    }

    /// Checks whether a From_ line or the end of the file stands at `end`, where the message claims to end, and goes on
    /// there if so. If its length is believed, the From_ lines before that are text even where the octets are not there
    /// yet.
    fn check_claim(&mut self, octets: &[u8], base: u64, end: u64, ended: bool, starts: &mut Vec<u64>) {
        if let ChainPosition::Trusted(end) = self.position {
            self.hide(end, starts);
        }
        match what_stands_at(octets, base, end, ended) {
            There::NotYet => {}
            There::Text => self.refute(),
            There::End => {
                self.seen.right += 1;
                self.hide(u64::MAX, starts);
                self.position = ChainPosition::Uncounted;
            }
            There::Message(start) => {
                self.seen.right += 1;
                self.hide(start, starts);
                match self.candidates.front() == Some(&start) {
                    true => drop(self.candidates.pop_front()),
                    // Where lengths decide nothing, this is text.
                    false if self.covered.is_some() => return self.position = ChainPosition::Uncounted,
                    false => {}
                }
                starts.push(start);
                self.go_to(start);
            }
        }
    }

    /// Takes the From_ lines before an offset for text; where lengths are only noted, for messages, which this one's
    /// length covers up to that offset.
    fn hide(&mut self, before: u64, starts: &mut Vec<u64>) {
        let hidden = self.candidates.iter().take_while(|&&found| found < before).count();
        self.seen.hidden += hidden;
        let hidden = self.candidates.drain(..hidden);
        if let Some(covered) = self.covered.as_mut().filter(|_| hidden.len() > 0) {
            covered.push(self.message..before);
            starts.extend(hidden);
        }
    }
}

/// Returns the span that holds an offset, of some that are disjoint and in order.
///
/// ```
/// use septet::protocol::mbox::span_around;
///
/// assert_eq!(span_around(&[3..5, 8..9], 8), Some(&(8..9)));
/// assert_eq!(span_around(&[3..5, 8..9], 5), None);
/// ```
pub fn span_around(spans: &[Range<u64>], offset: u64) -> Option<&Range<u64>> {
    spans.get(spans.partition_point(|span| span.end <= offset)).filter(|span| span.contains(&offset))
}

/// Returns the octets from an offset of the file on, where `octets` start at `base`, which must not be behind it;
/// nothing where they end before it.
fn octets_from(at: u64, base: u64, octets: &[u8]) -> &[u8] {
    usize::try_from(at.saturating_sub(base)).ok().and_then(|at| octets.get(at..)).unwrap_or_default()
}

/// Tells what stands at the offset `end` of the file, behind two empty lines at most, where `octets` start at `base`,
/// which must not be behind it; a From_ line must start a line.
fn what_stands_at(octets: &[u8], base: u64, end: u64, ended: bool) -> There {
    let Some(at) = usize::try_from(end.saturating_sub(base)).ok().filter(|&at| at <= octets.len()) else {
        return if ended { There::Text } else { There::NotYet };
    };
    let rest = &octets[at..];
    let mut skipped = 0;
    for _ in 0..EMPTY_LINES {
        skipped += line_end(&rest[skipped..]);
    }
    let line = &rest[skipped..];
    if line.is_empty() && ended {
        return There::End;
    }
    if line.len() < LOOK && !ended {
        return if could_be_from_line(line) { There::NotYet } else { There::Text };
    }
    let at_start = at + skipped == 0 || octets[at + skipped - 1] == b'\n';
    match at_start && is_from_line_at(line) {
        true => There::Message(end + skipped as u64),
        false => There::Text,
    }
}

/// Returns `true` if what there is of a line, not all of it perhaps, may be a From_ line or the line ends before one.
fn could_be_from_line(line: &[u8]) -> bool {
    line == b"\r" || line.iter().zip(FROM).all(|(one, other)| one == other)
}

/// Returns how many octets the line end has that a text starts with; 0 where it starts with none.
fn line_end(text: &[u8]) -> usize {
    match text {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
