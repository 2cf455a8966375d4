//! A sum of what is written, by which it is known again when it is read back.

use std::io::{self, BufReader, Read};

use flate2::Crc;

use crate::archive::convert::OTHER;
use crate::archive::read_through::read_through;

/// Octets in a row and their CRC-32. It finds accidents, and is no proof against somebody who wants two files to have
/// one sum.
#[derive(Default)]
pub struct WrittenSum {
    octets: u64,
    crc: Crc,
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
    pub fn add(&mut self, octets: &[u8]) {
        self.octets += octets.len() as u64;
        self.crc.update(octets);
    }

    /// Says how what was read back differs from what was to be written; none where it is the same.
    pub fn difference(&self, back: &WrittenSum) -> Option<String> {
        let (made, found) = (self.octets, back.octets);
        match made == found {
            true => (self.crc.sum() != back.crc.sum()).then(|| OTHER.to_owned()),
            false => Some(format!("{found} octets were written, not {made}")),
        }
    }

    /// Returns the sum of all octets so far, squared: sums of several that change places don't add up to the same then.
    pub fn squared(&self) -> u64 {
        u64::from(self.crc.sum()).pow(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_make_no_difference_and_octets_do() {
        let octets: Vec<u8> = (0..12_293).map(|at| (at % 251) as u8).collect();
        let whole = WrittenSum::of(&octets[..]).expect("memory can be read");
        for piece in [1, 7, 4095, 4096, 4097] {
            let mut sum = WrittenSum::default();
            octets.chunks(piece).for_each(|octets| sum.add(octets));
            assert_eq!(sum.difference(&whole), None, "{piece} at a time");
        }
        for at in [0, 4095, 4096, octets.len() - 1] {
            let mut other = octets.clone();
            other[at] ^= 4;
            let other = WrittenSum::of(&other[..]).expect("memory can be read");
            assert_eq!(whole.difference(&other).as_deref(), Some("other octets were written"), "octet {at}");
        }
        let cut = WrittenSum::of(&octets[1..]).expect("memory can be read");
        assert_eq!(whole.difference(&cut).as_deref(), Some("12292 octets were written, not 12293"));
    }
}
