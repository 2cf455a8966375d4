//! A sum of what is written, by which it is known again when it is read back.

use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufReader, Read};

use foldhash::quality::{FixedState, FoldHasher};

use crate::archive::convert::OTHER;
use crate::archive::read_through::read_through;

/// The octets that are summed up at a time.
const BLOCK: usize = 4096;

/// Octets in a row and a sum of them, the same in whatever pieces they come. It finds accidents, and is no proof
/// against somebody who wants two files to have one sum.
#[derive(Clone)]
pub struct WrittenSum {
    octets: u64,
    blocks: FoldHasher<'static>,
    /// The octets of a block that is not full yet.
    open: Vec<u8>,
}

impl Default for WrittenSum {
    fn default() -> WrittenSum {
        WrittenSum { octets: 0, blocks: FixedState::default().build_hasher(), open: Vec::with_capacity(BLOCK) }
    }
}

impl WrittenSum {
    /// Sums up all that can be read.
    pub fn of(from: impl Read) -> io::Result<WrittenSum> {
        let mut sum = WrittenSum::default();
        read_through(BufReader::with_capacity(256 << 10, from), std::convert::identity, |octets| {
            sum.add(octets);
            Ok(())
        })?;
        Ok(sum)
    }

    /// Adds octets.
    pub fn add(&mut self, mut octets: &[u8]) {
        self.octets += octets.len() as u64;
        if !self.open.is_empty() {
            let (now, later) = octets.split_at(octets.len().min(BLOCK - self.open.len()));
            self.open.extend_from_slice(now);
            octets = later;
            if self.open.len() < BLOCK {
                return;
            }
            self.blocks.write(&self.open);
            self.open.clear();
        }
        let blocks = octets.chunks_exact(BLOCK);
        self.open.extend_from_slice(blocks.remainder());
        blocks.for_each(|block| self.blocks.write(block));
    }

    /// Says how what was read back differs from what was to be written; none where it is the same.
    pub fn difference(&self, back: &WrittenSum) -> Option<String> {
        let (made, found) = (self.octets, back.octets);
        match made == found {
            true => (self.value() != back.value()).then(|| OTHER.to_owned()),
            false => Some(format!("{found} octets were written, not {made}")),
        }
    }

    /// Returns the sum of all octets so far.
    pub fn value(&self) -> u64 {
        let mut all = self.blocks.clone();
        all.write(&self.open);
        all.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_make_no_difference_and_octets_do() {
        let octets: Vec<u8> = (0..3 * BLOCK + 5).map(|at| (at % 251) as u8).collect();
        let whole = WrittenSum::of(&octets[..]).expect("memory can be read");
        for piece in [1, 7, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK] {
            let mut sum = WrittenSum::default();
            octets.chunks(piece).for_each(|octets| sum.add(octets));
            assert_eq!(sum.difference(&whole), None, "{piece} at a time");
        }
        for at in [0, BLOCK - 1, BLOCK, octets.len() - 1] {
            let mut other = octets.clone();
            other[at] ^= 4;
            let other = WrittenSum::of(&other[..]).expect("memory can be read");
            assert_eq!(whole.difference(&other).as_deref(), Some("other octets were written"), "octet {at}");
        }
        let cut = WrittenSum::of(&octets[1..]).expect("memory can be read");
        assert_eq!(whole.difference(&cut).as_deref(), Some("12292 octets were written, not 12293"));
    }
}
