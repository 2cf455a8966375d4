//! Reads quoted-printable by blocks of 64 octets, as a robust reader does, or only what is canonical.
//!
//! In a text with accents an escape comes every few letters. One mask tells all places of `=` and line feeds in a
//! block; what stands between two is copied by pieces of fixed lengths, without a call for each, into a window that is
//! handed on when it is full.

use crate::hex;
use crate::masks::{BLOCK, Block, padded};
use crate::transfer::{FaultCount, LONGEST_LINE};

/// A block and what stands behind it: an escape, and as many octets as are copied at a time.
const REACH: usize = 2 * BLOCK;

/// The octets of a window; one of 2 KB would be cleared by a slower way.
const WINDOW: usize = 1984;

/// The octets that are copied at least.
const PIECE: usize = 16;

/// What is said of an `=` that begins nothing.
const BARE_EQUALS: &str = "\"=\" without two hexadecimal digits or a line end after it";

/// What is said of anything that a canonical body has not.
const NOT_CANONICAL: &str = "not canonical";

/// Takes what was read.
pub(super) trait ReadSink {
    /// Takes octets; `false` where nothing more is wanted.
    fn take(&mut self, octets: &[u8]) -> bool;

    /// Gives up the last octets that were taken. Of a canonical body it is only asked at the end, for none: blanks
    /// there are a fault, and then nobody wants what was taken.
    fn take_back(&mut self, octets: usize);
}

impl ReadSink for Vec<u8> {
    fn take(&mut self, octets: &[u8]) -> bool {
        self.extend_from_slice(octets);
        true
    }

    fn take_back(&mut self, octets: usize) {
        self.truncate(self.len() - octets);
    }
}

/// Hands what a canonical body says to a function.
struct Said<F>(F);

impl<F: FnMut(&[u8]) -> bool> ReadSink for Said<F> {
    fn take(&mut self, octets: &[u8]) -> bool {
        self.0(octets)
    }

    fn take_back(&mut self, _: usize) {}
}

/// Decodes a body and hands what it says, its line ends as LF, to `take`, some octets at a time, until that returns
/// `false`. Returns `true` if it took all, and the body is canonical; octets that are no text, and CRs that are no line
/// end's, are for the caller to look for.
pub fn decode_canonical(encoded: &[u8], take: impl FnMut(&[u8]) -> bool) -> bool {
    let read = BlockReader::<_, true>::new(encoded, Said(take)).read(0);
    read.goes_on && read.faults.count == 0
}

/// Reads a body, as canonical or in any form.
pub(super) struct BlockReader<'e, S, const CANONICAL: bool> {
    encoded: &'e [u8],
    /// What was read.
    pub sink: S,
    /// What is wrong with the body.
    pub faults: FaultCount,
    /// Whether more is wanted.
    goes_on: bool,
    /// The end of the last soft line break.
    broken: usize,
    /// Where the line starts.
    line: usize,
}

impl<'e, S: ReadSink, const CANONICAL: bool> BlockReader<'e, S, CANONICAL> {
    /// Makes a reader that hands on to `sink`.
    pub fn new(encoded: &'e [u8], sink: S) -> BlockReader<'e, S, CANONICAL> {
        BlockReader { encoded, sink, faults: FaultCount::default(), goes_on: true, broken: 0, line: 0 }
    }

    /// Reads what stands from `start` on, where a line starts; what stands before it is in the sink as it came.
    pub fn read(mut self, start: usize) -> Self {
        let (mut window, mut at) = (Window { octets: [0; WINDOW], written: 0 }, start);
        while at < self.encoded.len() && self.goes_on && !(CANONICAL && self.faults.count > 0) {
            // What one block gives, and what `copy` writes beyond that, is less than REACH + BLOCK octets.
            if window.written > WINDOW - REACH - BLOCK {
                self.goes_on = window.hand_on(&mut self.sink);
            }
            at = self.read_block(at, &mut window);
        }
        self.goes_on &= self.sink.take(&window.octets[..window.written]);
        self.end();
        self
    }

    /// Reads the block at `base`, and what was begun in it; returns where that ends.
    #[inline(always)]
    fn read_block(&mut self, base: usize, window: &mut Window) -> usize {
        let rest = &self.encoded[base..];
        let filled;
        let block: &[u8; REACH] = match rest.first_chunk() {
            Some(block) => block,
            None => {
                filled = padded(rest);
                &filled
            }
        };
        let (size, mut done) = (rest.len().min(BLOCK), 0);
        let mut found = Block::start_of(block).any_of(*b"=\n");
        while found != 0 {
            let place = found.trailing_zeros() as usize;
            window.copy(block, done, place - done);
            done = match block[place] {
                b'=' => self.equals(base, (block, place), window),
                _ => self.line_feed(base + place, window) + 1 - base,
            };
            found &= if done < BLOCK { !0 << done } else { 0 };
        }
        if done < size {
            window.copy(block, done, size - done);
            done = size;
        }
        base + done
    }

    /// Reads what the `=` at a place of a block begins; escapes that follow one another are read in one go. Returns
    /// where that ends.
    #[inline(always)]
    fn equals(&mut self, base: usize, (block, place): (&[u8; REACH], usize), window: &mut Window) -> usize {
        let mut at = place;
        while let Some([b'=', high, low]) = block[at..].first_chunk()
            && let Some(octet) = hex::octet(*high, *low)
        {
            if CANONICAL && matches!(octet, 0 | b'\n' | b'\r') {
                self.faults.add(base + at, NOT_CANONICAL);
            }
            window.push(octet);
            at += 3;
            if at >= BLOCK {
                break;
            }
        }
        if at > place {
            return at;
        }
        match self.soft_break(base + place) {
            Some(length) => place + length,
            None => {
                window.push(b'=');
                place + 1
            }
        }
    }

    /// Reads an `=` that begins no escape, and returns the length of the soft line break that it is, or notes a fault.
    #[inline(never)]
    fn soft_break(&mut self, at: usize) -> Option<usize> {
        let Some(length) = soft_break(&self.encoded[at..]) else {
            self.faults.add(at, BARE_EQUALS);
            return None;
        };
        self.broken = at + length;
        if CANONICAL {
            self.look_at_soft_break(at);
        }
        Some(length)
    }

    /// Looks whether the soft line break at `at` is canonical. With a blank behind its `=` it is none to some readers.
    /// It may stand at the very end of a body, too: the line end that it takes away is then the delimiter's.
    fn look_at_soft_break(&mut self, at: usize) {
        let written = &self.encoded[at..self.broken];
        if !matches!(written, b"=" | b"=\n" | b"=\r\n") || at + 1 - self.line > LONGEST_LINE {
            self.faults.add(at, NOT_CANONICAL);
        }
        if written.ends_with(b"\n") {
            self.line = self.broken;
        }
    }

    /// Reads the line feed at `end`, and returns its place.
    #[inline(always)]
    fn line_feed(&mut self, end: usize, window: &mut Window) -> usize {
        if CANONICAL {
            // The CR stands in the window, which never hands its last octet on.
            window.written -= usize::from(self.ends_in_return(end));
        } else if end > self.broken && matches!(self.encoded[end - 1], b'\r' | b' ' | b'\t') {
            self.drop_blanks(end, window);
        }
        window.push(b'\n');
        end
    }

    /// Looks at the line that the LF at `end` ends, and returns `true` if a CR stands before it. It must not end in
    /// blanks, which are lost on the way, nor be too long.
    #[inline(always)]
    fn ends_in_return(&mut self, end: usize) -> bool {
        let line = &self.encoded[self.line..end];
        let content = line.strip_suffix(b"\r").unwrap_or(line);
        let ends_blank = content.last().is_some_and(|octet| is_blank(*octet)) && end > self.broken;
        if content.len() > LONGEST_LINE || ends_blank {
            self.faults.add(end, NOT_CANONICAL);
        }
        self.line = end + 1;
        content.len() < line.len()
    }

    /// Drops the blanks before the LF at `end`, and keeps a CR between (RFC 2045 §6.7 (3)).
    #[inline(never)]
    fn drop_blanks(&mut self, end: usize, window: &mut Window) {
        let returns = usize::from(self.encoded[end - 1] == b'\r');
        let line = &self.encoded[self.broken.min(end - returns)..end - returns];
        let blanks = line.len() - solid_len(line);
        if blanks > 0 {
            self.sink.take(&window.octets[..window.written]);
            self.sink.take_back(blanks + returns);
            window.written = 0;
            (0..returns).for_each(|_| window.push(b'\r'));
        }
    }

    /// Drops the blanks at the end of the body, which are not canonical; nor is a last line that is too long.
    fn end(&mut self) {
        let line = &self.encoded[self.broken..];
        let blanks = line.len() - solid_len(line);
        if CANONICAL && (blanks > 0 || self.encoded.len() - self.line > LONGEST_LINE) {
            self.faults.add(self.encoded.len(), NOT_CANONICAL);
        }
        self.sink.take_back(blanks);
    }
}

/// Octets that were read, before they are handed on.
struct Window {
    octets: [u8; WINDOW],
    written: usize,
}

impl Window {
    /// Writes an octet, for which [`read`](BlockReader::read) keeps room.
    #[inline(always)]
    fn push(&mut self, octet: u8) {
        self.octets[self.written] = octet;
        self.written += 1;
    }

    /// Copies so many octets of a block, at most 64, from `from` on; pieces are copied whole, and what is too much is
    /// written over.
    #[inline(always)]
    fn copy(&mut self, block: &[u8; REACH], from: usize, length: usize) {
        let at = self.written;
        self.octets[at..at + PIECE].copy_from_slice(&block[from..from + PIECE]);
        if length > PIECE {
            self.octets[at + PIECE..at + BLOCK].copy_from_slice(&block[from + PIECE..from + BLOCK]);
        }
        self.written += length;
    }

    /// Hands all but the last octet on, of which there must be one; `false` where nothing more is wanted.
    #[inline(never)]
    fn hand_on(&mut self, sink: &mut impl ReadSink) -> bool {
        let last = self.written - 1;
        let goes_on = sink.take(&self.octets[..last]);
        self.octets[0] = self.octets[last];
        self.written = 1;
        goes_on
    }
}

/// Returns the length of a text without the blanks at its end.
pub(super) fn solid_len(text: &[u8]) -> usize {
    text.iter().rposition(|octet| !is_blank(*octet)).map_or(0, |last| last + 1)
}

/// Returns `true` for a space and a tab.
pub(super) fn is_blank(octet: u8) -> bool {
    octet == b' ' || octet == b'\t'
}

/// Returns the length of the soft line break at the start of `text`, which begins with `=`; `None` where that is none.
/// The end of the body makes one, too.
pub(super) fn soft_break(text: &[u8]) -> Option<usize> {
    let blanks = text.iter().skip(1).take_while(|octet| is_blank(**octet)).count();
    match &text[1 + blanks..] {
        [] => Some(1 + blanks),
        [b'\n', ..] => Some(blanks + 2),
        [b'\r', b'\n', ..] => Some(blanks + 3),
        _ => None,
    }
}
