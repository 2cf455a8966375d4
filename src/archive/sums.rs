//! Octets and their SHA-256, summed up by whoever reads and writes them.

use std::convert::identity;
use std::io::{self, BufReader, IoSlice};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::read_through::read_through;
use super::sha256::Sha256;

/// Octets and their checksum, as undo files, shards and reports state them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checksum {
    /// How many.
    pub bytes: u64,
    /// Their SHA-256, in hexadecimal digits; empty where they were not all read.
    pub sha256: String,
}

impl Checksum {
    /// Sums up all that can be read.
    pub fn of(from: impl io::Read) -> io::Result<Checksum> {
        let mut sum = Summation::default();
        sum.add_all(from)?;
        Ok(sum.checksum())
    }
}

/// The octets so far, and their checksum.
#[derive(Debug, Clone, Default)]
pub struct Summation {
    bytes: u64,
    hash: Sha256,
}

impl Summation {
    /// Adds octets.
    pub fn add(&mut self, octets: &[u8]) {
        self.bytes += octets.len() as u64;
        self.hash.update(octets);
    }

    /// Adds all that can be read; after an error what came before it is added.
    pub fn add_all(&mut self, from: impl io::Read) -> io::Result<()> {
        let from = BufReader::with_capacity(256 << 10, from);
        read_through(from, identity, |octets| {
            self.add(octets);
            Ok(())
        })
    }

    /// Returns the octets so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns what was added up.
    pub fn checksum(&self) -> Checksum {
        Checksum { bytes: self.bytes, sha256: self.hash.clone().hex() }
    }
}

/// Octets that are being summed up, by whoever reads or writes them; or not, where nobody wants it.
#[derive(Debug, Clone, Default)]
pub struct RunningSum(Option<Arc<Mutex<Summation>>>);

impl RunningSum {
    /// Makes it, and clones of it add to the same sum; unless it is `wanted` it costs nothing.
    pub fn new(wanted: bool) -> RunningSum {
        RunningSum(wanted.then(Arc::default))
    }

    /// Returns `true` if anybody wants it.
    pub fn is_wanted(&self) -> bool {
        self.0.is_some()
    }

    /// Adds octets.
    pub fn add(&self, octets: &[u8]) {
        let Some(sum) = &self.0 else { return };
        sum.lock().unwrap_or_else(PoisonError::into_inner).add(octets);
    }

    /// Returns what was added up so far; none where nobody wants it.
    pub fn total(&self) -> Option<Checksum> {
        Some(self.0.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner).checksum())
    }
}

/// A reader or writer whose octets are summed up.
#[derive(Debug)]
pub struct Summed<F> {
    file: F,
    sum: RunningSum,
}

impl<F> Summed<F> {
    /// Makes it.
    pub fn new(file: F, sum: RunningSum) -> Summed<F> {
        Summed { file, sum }
    }

    /// Returns what is read or written.
    pub fn into_inner(self) -> F {
        self.file
    }
}

impl<R: io::Read> io::Read for Summed<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(into)?;
        self.sum.add(into.get(..read).unwrap_or_default());
        Ok(read)
    }
}

impl<W: io::Write> io::Write for Summed<W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let written = self.file.write(octets)?;
        self.sum.add(octets.get(..written).unwrap_or_default());
        Ok(written)
    }

    fn write_vectored(&mut self, slices: &[IoSlice]) -> io::Result<usize> {
        let written = self.file.write_vectored(slices)?;
        let mut left = written;
        for slice in slices {
            let octets = &slice[..left.min(slice.len())];
            self.sum.add(octets);
            left -= octets.len();
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn sums_are_those_of_sha256sum() {
        let sum = RunningSum::new(true);
        let mut text = String::new();
        Summed::new(&b"abc"[..], sum.clone()).read_to_string(&mut text).expect("memory can be read");
        let total = sum.total().expect("a sum");
        assert_eq!(total.bytes, 3);
        let wanted = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(total.sha256, wanted);
        assert_eq!(RunningSum::new(false).total(), None);
    }
}
