//! A gzip file: members one after the other, and NUL octets behind each, with which tapes and block devices fill their
//! last block.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

/// Reads all members of a gzip file, one after the other, and skips NUL octets behind each. Anything else there is an
/// error.
pub struct GzipMembers<R> {
    /// The one that is read, or the last of all; none only after an error.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> GzipMembers<R> {
    /// Starts with the first member.
    pub fn new(from: R) -> GzipMembers<R> {
        GzipMembers { member: Some(GzDecoder::new(from)) }
    }

    /// Goes on to the next member, behind any NUL octets, once the one before is read to its end; `false` if there is
    /// none.
    fn go_on(&mut self) -> io::Result<bool> {
        let Some(member) = &mut self.member else { return Ok(false) };
        let from = member.get_mut();
        loop {
            let next = from.fill_buf()?;
            let nuls = next.iter().take_while(|octet| **octet == 0).count();
            if nuls < next.len() {
                from.consume(nuls);
                break;
            }
            if nuls == 0 {
                return Ok(false);
            }
            from.consume(nuls);
        }
        self.member = self.member.take().map(|member| GzDecoder::new(member.into_inner()));
        Ok(true)
    }
}

impl<R: BufRead> Read for GzipMembers<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let octets = member.read(into)?;
            if octets > 0 || into.is_empty() || !self.go_on()? {
                return Ok(octets);
            }
        }
        Ok(0)
    }
}
