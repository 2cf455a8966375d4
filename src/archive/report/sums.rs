//! Checksums of what is read and written, by whoever reads and writes it.

use std::io::{self, IoSlice};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::archive::sha256::{Sha256, sha256};

/// Octets, summed up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Total {
    /// How many.
    pub octets: u64,
    /// Their SHA-256, in hexadecimal digits; none where they were not all read.
    pub sha256: Option<String>,
}

/// Octets that are being summed up, by whoever reads or writes them; or not, where nobody wants it.
#[derive(Debug, Clone, Default)]
pub struct RunningSum(Option<Arc<Mutex<(u64, Sha256)>>>);

impl RunningSum {
    /// Makes it; unless it is `wanted` it costs nothing.
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
        let mut sum = sum.lock().unwrap_or_else(PoisonError::into_inner);
        sum.0 += octets.len() as u64;
        sum.1.update(octets);
    }

    /// Returns what was added up.
    pub fn total(&self) -> Option<Total> {
        let sum = self.0.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        Some(Total { octets: sum.0, sha256: Some(sum.1.clone().hex()) })
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

/// Returns the SHA-256 of octets in base64, as a page's policy names a script.
pub fn sha256_base64(octets: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(sha256(octets))
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
        assert_eq!(total.octets, 3);
        let wanted = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(total.sha256.as_deref(), Some(wanted));
        assert_eq!(RunningSum::new(false).total(), None);
    }
}
