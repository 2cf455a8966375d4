//! An input in pieces that end with a line, so that memory is that of the longest line, and what is worked on stays in the
//! processor's cache.

use std::io::{self, Read};

/// The octets that are asked for at once.
const PIECE: usize = 128 << 10;

/// The pieces of an input.
#[derive(Debug)]
pub struct Pieces<R> {
    source: R,
    /// Whether pieces end with lines; else the input is one piece.
    by_lines: bool,
    buffer: Vec<u8>,
    /// The octets of the buffer that were given.
    given: usize,
    ended: bool,
}

impl<R: Read> Pieces<R> {
    /// Makes the pieces: they end with lines, or the input is one.
    pub fn new(source: R, by_lines: bool) -> Pieces<R> {
        Pieces { source, by_lines, buffer: Vec::new(), given: 0, ended: false }
    }

    /// Reads the next piece; none at the end. All but the last one end with an LF.
    pub fn next(&mut self) -> io::Result<Option<&[u8]>> {
        self.buffer.drain(..self.given);
        let mut seen = 0;
        self.given = loop {
            self.read()?;
            let line = memchr::memrchr(b'\n', self.buffer.get(seen..).unwrap_or_default());
            match line.filter(|_| self.by_lines) {
                _ if self.ended => break self.buffer.len(),
                Some(end) => break seen + end + 1,
                None => seen = self.buffer.len(),
            }
        };
        Ok(self.buffer.get(..self.given).filter(|piece| !piece.is_empty()))
    }

    fn read(&mut self) -> io::Result<()> {
        if !self.ended {
            let read = self.source.by_ref().take(PIECE as u64).read_to_end(&mut self.buffer)?;
            self.ended = read < PIECE;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(input: &[u8], by_lines: bool) -> Vec<Vec<u8>> {
        let mut pieces = Pieces::new(input, by_lines);
        std::iter::from_fn(|| pieces.next().expect("memory can be read").map(<[u8]>::to_vec)).collect()
    }

    #[test]
    fn pieces_end_with_lines_and_give_every_octet_once() {
        for length in [0, 1, 70, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE] {
            for every in [1, 70, PIECE, 2 * PIECE + 5] {
                let line = |at: usize| if at % every == every - 1 { b'\n' } else { b'x' };
                let input: Vec<u8> = (0..length).map(line).collect();
                let pieces = all(&input, true);
                assert!(pieces.concat() == input, "{length} {every}");
                let (before, _) = pieces.split_at(pieces.len().saturating_sub(1));
                assert!(before.iter().all(|piece| piece.ends_with(b"\n") && piece.len() <= PIECE + every));
                assert_eq!(all(&input, false).len(), usize::from(length > 0));
            }
        }
    }
}
