//! Where messages start, in mailbox files of either framing: From_ lines, or MMDF's.

use std::ops::Range;

use super::chain::Chain;
use super::dialect::Dialect;
use super::mmdf::MmdfSplitter;
use super::split::Splitter;

/// Finds where the messages of a mailbox file start, from octets that come in pieces of any size.
#[derive(Debug, Clone)]
pub enum Starts {
    /// At From_ lines.
    FromLines(Splitter),
    /// Between lines of their own.
    Mmdf(MmdfSplitter),
}

impl Starts {
    /// Makes one at the start of a file in this dialect.
    pub fn of(dialect: Dialect) -> Starts {
        match dialect {
            Dialect::Mmdf => Starts::Mmdf(MmdfSplitter::default()),
            _ => Starts::FromLines(Splitter::new()),
        }
    }

    /// Notes as well what [`take_texts`](Starts::take_texts) takes. In MMDF's file no `From ` is looked for, and
    /// nothing is noted.
    pub fn noting_texts(self) -> Starts {
        match self {
            Starts::FromLines(splitter) => Starts::FromLines(splitter.noting_texts()),
            Starts::Mmdf(splitter) => Starts::Mmdf(splitter),
        }
    }

    /// Takes the offsets before another at which the first `From ` of a message stands that starts none; none where
    /// that is not noted.
    pub fn take_texts(&mut self, before: u64) -> Option<Vec<u64>> {
        match self {
            Starts::FromLines(splitter) => splitter.take_texts(before),
            Starts::Mmdf(_) => None,
        }
    }

    /// Takes the next octets of the file, and adds to `starts` the offsets in the file at which messages start.
    ///
    /// Offsets come in order. One may lie before the piece, never before [`settled`](Starts::settled).
    pub fn feed(&mut self, piece: &[u8], starts: &mut Vec<u64>) {
        match self {
            Starts::FromLines(splitter) => splitter.feed(piece, starts),
            Starts::Mmdf(splitter) => splitter.feed(piece, starts),
        }
    }

    /// Decides what the end of the file was needed for.
    pub fn finish(&mut self, starts: &mut Vec<u64>) {
        match self {
            Starts::FromLines(splitter) => splitter.finish(starts),
            Starts::Mmdf(splitter) => splitter.finish(starts),
        }
    }

    /// Returns the offset before which every start of a message is known.
    pub fn settled(&self) -> u64 {
        match self {
            Starts::FromLines(splitter) => splitter.settled(),
            Starts::Mmdf(splitter) => splitter.settled(),
        }
    }
}

/// Returns what the lengths of messages cover beyond a From_ line, in a whole file in which they decide nothing and
/// whose messages start at `starts`.
pub fn covered_by_lengths(file: &[u8], dialect: Dialect, starts: &[u64]) -> Vec<Range<u64>> {
    let mut chain = Chain::noting();
    if dialect.goes_by_from_lines() {
        chain.add(starts.iter().copied());
        chain.decide(file, 0, file.len() as u64, true, &mut Vec::new());
    }
    chain.covered().to_vec()
}

/// Returns where the messages of a whole file start; octets before the first of them start one as well.
pub fn starts_of(file: &[u8], dialect: Dialect) -> Vec<u64> {
    let (mut splitter, mut found) = (Starts::of(dialect), Vec::new());
    splitter.feed(file, &mut found);
    splitter.finish(&mut found);
    if dialect.counts() {
        let mut chain = Chain::new();
        chain.add(std::mem::take(&mut found));
        chain.decide(file, 0, file.len() as u64, true, &mut found);
    }
    if !file.is_empty() && found.first() != Some(&0) {
        found.insert(0, 0);
    }
    found
}
