//! Reads a mailbox file in batches: many whole messages in one buffer, so that what does not change is written from
//! where it was read, in one piece.
//!
//! A batch has about [`BATCH`] octets, or one message that is larger, up to the `hold` of the reader. A message beyond
//! that is given piece by piece over several batches, never held whole; so memory is bounded by the batches and the
//! larger of the messages that are held. Where messages state their length, what is in doubt until its end is seen is
//! held as well, up to the same bound.

use std::io::{self, ErrorKind, Read};
use std::ops::Range;

use super::ReadAs;
use crate::protocol::mbox::{Chain, MboxMessage, Starts, span_around};

/// The octets of a batch, about: with two workers six are held at once, and twice as much takes three megabytes more
/// and no less time.
pub const BATCH: usize = 256 << 10;

/// The octets that are asked for in one read. Each takes memory of the system, in every buffer.
const READ: usize = 128 << 10;

/// The octets that a buffer has room for beyond a batch: most never grow, and what nobody writes to takes no memory.
const ROOM: usize = 4 * READ;

/// The octets that are held at least to see whether a Content-Length is right.
const DOUBT: usize = 16 << 20;

/// Some of the octets of a mailbox file, in a row.
#[derive(Debug, Default)]
pub struct Batch {
    buffer: Vec<u8>,
    filled: usize,
    /// Where it starts in the file.
    pub at: u64,
    /// Where messages start in it. What stands before the first belongs to an earlier batch, or to no message.
    pub starts: Vec<usize>,
    /// Where the first `From ` of a message stands that starts none; none where nobody looked.
    texts: Option<Vec<usize>>,
    /// What lengths cover against the From_ lines, in the file: from a message whose Content-Length leads beyond a
    /// From_ line to the next message that it leads to; sorted and apart.
    covered: Vec<Range<u64>>,
    /// Whether the last message goes on in the next batch.
    pub open: bool,
}

impl Batch {
    /// Returns its octets.
    pub fn octets(&self) -> &[u8] {
        &self.buffer[..self.filled]
    }

    /// Returns the octets of each message that starts in it, as ranges; the last may go on in the next batch.
    pub fn spans(&self) -> impl DoubleEndedIterator<Item = Range<usize>> {
        let ends = self.starts.iter().skip(1).copied().chain([self.filled]);
        self.starts.iter().copied().zip(ends.collect::<Vec<_>>()).map(|(start, end)| start..end)
    }

    /// Returns a message that starts and ends in it; whether it needs unquoting at all is known from splitting. Not for
    /// the last one of a batch that is `open`.
    pub fn item(&self, span: &Range<usize>) -> MboxMessage<'_> {
        let has_text = |texts: &Vec<usize>| {
            let next = texts.partition_point(|&text| text < span.start);
            texts.get(next).is_some_and(|&text| text < span.end)
        };
        MboxMessage {
            may_hold_from: self.texts.as_ref().is_none_or(has_text),
            is_covered: self.is_covered(span),
            ..MboxMessage::of(&self.octets()[span.clone()])
        }
    }

    /// Returns `true` if a length joins a message with its neighbours, against the From_ lines.
    pub fn is_covered(&self, span: &Range<usize>) -> bool {
        span_around(&self.covered, self.at + span.start as u64).is_some()
    }

    /// Returns where in the file it may be cut: where messages start that no length joins with those before them.
    pub fn cuts(&self) -> impl Iterator<Item = u64> {
        let starts = self.starts.iter().map(|&start| self.at + start as u64);
        starts.filter(|&start| span_around(&self.covered, start).is_none_or(|span| span.start == start))
    }

    /// Returns its buffer back, to be used again; one that a giant message has grown is given up.
    pub fn into_buffer(self) -> Vec<u8> {
        if self.buffer.len() > 4 * BATCH { Vec::new() } else { self.buffer }
    }
}

/// Reads a mailbox file in batches.
#[derive(Debug)]
pub struct Batches<R> {
    from: R,
    hold: usize,
    splitter: Starts,
    /// Where it began in the file; what is told of places below is told from there.
    base: u64,
    /// Tells which From_ lines count, in a file whose messages state their length; in others, what lengths cover.
    chain: Option<Chain>,
    /// Whether a length is believed that can't be checked.
    trusted: bool,
    /// The From_ lines that the splitter found last.
    found: Vec<u64>,
    /// Every start of a message before this offset is known.
    settled: u64,
    /// Where the next batch starts.
    at: u64,
    /// What was read beyond the last batch, and its octets.
    rest: Vec<u8>,
    beyond: usize,
    /// The starts that were found and given in no batch yet.
    starts: Vec<u64>,
    ended: bool,
}

impl<R: Read> Batches<R> {
    /// Makes a reader that holds messages of up to `hold` octets whole.
    pub fn new(from: R, hold: usize, mailbox: ReadAs) -> Batches<R> {
        Batches::starting(from, hold, mailbox, 0)
    }

    /// Makes a reader of what starts at an offset of a file, where a message starts. `from` stands there. With a `hold`
    /// of 0, and in a dialect that somebody chose, what lengths cover against the From_ lines is not noted.
    pub fn starting(from: R, hold: usize, mailbox: ReadAs, base: u64) -> Batches<R> {
        let ReadAs { dialect, chosen: trusted } = mailbox;
        let notes = dialect.goes_by_from_lines() && !trusted && hold > 0;
        let chain = if dialect.counts() { Some(Chain::new()) } else { notes.then(Chain::noting) };
        let splitter = Starts::of(dialect);
        // Where lengths count, messages start elsewhere than the splitter finds them.
        let splitter = if dialect.counts() { splitter } else { splitter.noting_texts() };
        let (found, rest, starts) = (Vec::new(), Vec::new(), Vec::new());
        let (settled, at, beyond, ended) = (0, 0, 0, false);
        Batches { from, hold, splitter, base, chain, trusted, found, settled, at, rest, beyond, starts, ended }
    }

    /// Reads the next batch; none at the end of the file. What is read beyond it goes into a buffer that is used again;
    /// after an error nothing more may be asked of it, since what was read is given up.
    pub fn next(&mut self, spare: Vec<u8>) -> io::Result<Option<Batch>> {
        let mut buffer = std::mem::replace(&mut self.rest, spare);
        let mut filled = std::mem::take(&mut self.beyond);
        while !self.ended {
            if let Some((cut, open)) = self.cut(filled) {
                return Ok(Some(self.give(buffer, filled, cut, open)));
            }
            make_room(&mut buffer, filled + READ);
            let read = read(&mut self.from, &mut buffer[filled..filled + READ])?;
            self.splitter.feed(&buffer[filled..filled + read], &mut self.found);
            filled += read;
            if read == 0 {
                self.ended = true;
                self.splitter.finish(&mut self.found);
            }
            self.decide(&buffer[..filled]);
        }
        Ok((filled > 0).then(|| self.give(buffer, filled, filled, false)))
    }

    /// Sorts out which of the From_ lines that were found start messages, and up to where that is settled; `octets`
    /// are all from the start of the next batch. A doubt that leaves more than half of them unsettled is given up
    /// once they are too many to be held.
    fn decide(&mut self, octets: &[u8]) {
        let settled = self.splitter.settled();
        let Some(chain) = &mut self.chain else {
            self.starts.append(&mut self.found);
            self.settled = settled;
            return;
        };
        chain.add(self.found.drain(..));
        self.settled = chain.decide(octets, self.at, settled, self.ended, &mut self.starts);
        while chain.is_in_doubt()
            && octets.len() > self.hold.max(DOUBT)
            && self.settled < self.at + octets.len() as u64 / 2
        {
            chain.give_up(self.trusted);
            self.settled = chain.decide(octets, self.at, settled, self.ended, &mut self.starts);
        }
    }

    /// Tells where a batch may end, and whether that is inside of a message; none while it is too small. It ends
    /// before the last message that starts in it; one message alone is cut only where it is larger than what is held.
    fn cut(&self, filled: usize) -> Option<(usize, bool)> {
        if filled < BATCH {
            return None;
        }
        let last = self.starts.iter().rev().find(|&&start| !self.parts(start));
        match last.map(|&start| self.offset(start)) {
            Some(start @ 1..) => Some((start, false)),
            Some(_) if filled <= self.hold => None,
            _ => Some((self.offset(self.settled), true)).filter(|&(cut, _)| cut > 0),
        }
    }

    /// Returns `true` if a cut at an offset parts messages that a length joins.
    fn parts(&self, offset: u64) -> bool {
        span_around(self.covered(), offset).is_some_and(|span| span.start < offset)
    }

    /// Returns what lengths cover against the From_ lines.
    fn covered(&self) -> &[Range<u64>] {
        self.chain.as_ref().map(Chain::covered).unwrap_or_default()
    }

    /// Returns an offset from where the reader began as one in the next batch; 0 for what is before that.
    fn offset(&self, of: u64) -> usize {
        usize::try_from(of.saturating_sub(self.at)).unwrap_or(usize::MAX)
    }

    /// Cuts a batch off what was read, and keeps the rest for the next; `open` says that its last message goes on
    /// there.
    fn give(&mut self, buffer: Vec<u8>, filled: usize, cut: usize, open: bool) -> Batch {
        self.beyond = filled - cut;
        make_room(&mut self.rest, self.beyond);
        self.rest[..self.beyond].copy_from_slice(&buffer[cut..filled]);
        let at = self.at;
        let later = self.starts.partition_point(|&start| start < at + cut as u64);
        let places = |of: Vec<u64>| of.into_iter().map(|place| (place - at) as usize).collect();
        let starts = places(self.starts.drain(..later).collect());
        let texts = self.splitter.take_texts(at + cut as u64).map(places);
        self.at += cut as u64;
        let of_file = |span: &Range<u64>| self.base + span.start..self.base.saturating_add(span.end);
        let before = self.covered().partition_point(|span| span.end <= at);
        let covered = self.covered()[before..].iter().map(of_file).collect();
        Batch { buffer, filled: cut, at: self.base + at, starts, texts, covered, open }
    }
}

/// Makes a buffer at least so long; what it has grown to is kept when it is used again.
fn make_room(buffer: &mut Vec<u8>, octets: usize) {
    if buffer.len() >= octets {
        return;
    }
    let octets = octets.max(BATCH + ROOM);
    match buffer.is_empty() {
        // The system gives zeroes, which need not be written.
        true => *buffer = vec![0; octets],
        false => buffer.resize(octets, 0),
    }
}

/// Reads once, and again where a signal came between; 0 at the end.
fn read(from: &mut impl Read, into: &mut [u8]) -> io::Result<usize> {
    loop {
        match from.read(into) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

#[cfg(test)]
mod tests {
    use memchr::memmem;

    use super::*;
    use crate::protocol::mbox::Dialect;

    const FROM: &str = "From a Mon Jan  1 00:00:00 2007\nA: b\n\n";

    /// Returns every batch's octets joined, every start, and the largest batch.
    fn read_all(file: &[u8], hold: usize) -> (Vec<u8>, Vec<u64>, usize) {
        let mut batches = Batches::new(file, hold, ReadAs::default());
        let (mut octets, mut starts, mut largest, mut spare) = (Vec::new(), Vec::new(), 0, Vec::new());
        let mut open = false;
        while let Some(batch) = batches.next(spare).expect("memory can be read") {
            assert_eq!(batch.at, octets.len() as u64);
            assert!(open || batch.starts.first() == Some(&0), "a message that was not open goes on");
            open = batch.open;
            octets.extend_from_slice(batch.octets());
            starts.extend(batch.starts.iter().map(|&start| batch.at + start as u64));
            largest = largest.max(batch.octets().len());
            spare = batch.into_buffer();
        }
        assert!(!open, "the last message ends");
        (octets, starts, largest)
    }

    #[test]
    fn gives_every_octet_once_and_every_start() {
        let message = |size: usize| [FROM.as_bytes(), &vec![b'x'; size], b"\n\n"].concat();
        let sizes = [10, BATCH, 3, BATCH + READ + 7, 5_000, 100];
        let file: Vec<u8> = sizes.iter().cycle().take(30).flat_map(|&size| message(size)).collect();
        for hold in [0, BATCH + READ, 16 << 20] {
            let (octets, starts, largest) = read_all(&file, hold);
            assert!(octets == file, "hold {hold}");
            assert_eq!(starts.len(), 30, "hold {hold}");
            assert!(largest <= hold.max(BATCH) + 2 * READ, "hold {hold}: {largest}");
        }
    }

    #[test]
    fn knows_of_each_message_whether_from_stands_in_it() {
        let texts = ["", "now From here\n", "\nFrom then on\n", "\n>From me\n", "Fro m\n"];
        let message = |at: usize| format!("{FROM}{}{}\n", texts[at * 7 % 5], "x\n".repeat(at % 900));
        let file: String = (0..4_000).map(message).collect();
        for (dialect, is_known) in [(Dialect::Mboxrd, true), (Dialect::Mboxcl, false)] {
            let mailbox = ReadAs { dialect, ..ReadAs::default() };
            let mut batches = Batches::new(file.as_bytes(), BATCH, mailbox);
            while let Some(batch) = batches.next(Vec::new()).expect("memory can be read") {
                for span in batch.spans() {
                    let stands = memmem::find(&batch.octets()[span.start + 1..span.end], b"From ").is_some();
                    assert_eq!(batch.item(&span).may_hold_from, stands || !is_known, "{span:?}");
                }
            }
        }
    }

    #[test]
    fn holds_no_more_of_a_message_than_it_is_told() {
        let file = [FROM.as_bytes(), &vec![b'x'; 20 << 20], b"\n\n", FROM.as_bytes()].concat();
        let (octets, starts, largest) = read_all(&file, 4 << 20);
        assert!(octets == file);
        assert_eq!(starts, [0, (file.len() - FROM.len()) as u64]);
        assert!(largest <= (4 << 20) + READ, "{largest}");
    }
}
