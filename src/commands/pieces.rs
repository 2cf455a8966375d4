//! An input in pieces that end with a line, so that memory is that of the longest line, what is worked on stays in a
//! processor's cache, and several processors work.

use std::io::{self, Read};

/// How many octets a piece has, about: what fits into a processor's cache.
const PIECE: usize = 256 << 10;

/// The pieces of an input.
#[derive(Debug)]
pub struct Pieces<R> {
    source: R,
    /// About how many are given at once; the input is one piece when that is 0.
    at_once: usize,
    buffer: Vec<u8>,
    /// The octets of the buffer that were given.
    given: usize,
    ended: bool,
}

impl<R: Read> Pieces<R> {
    /// Makes the pieces: [`next`](Pieces::next) gives about `at_once` of them; for 0 the whole input is one piece.
    pub fn new(source: R, at_once: usize) -> Pieces<R> {
        Pieces { source, at_once, buffer: Vec::new(), given: 0, ended: false }
    }

    /// Reads the next pieces; none at the end. All but the last one of the input end with an LF.
    pub fn next(&mut self) -> io::Result<Vec<&[u8]>> {
        self.buffer.drain(..self.given);
        let mut seen = 0;
        self.given = loop {
            self.read()?;
            let line = memchr::memrchr(b'\n', &self.buffer[seen..]);
            match line.filter(|_| self.at_once > 0) {
                _ if self.ended => break self.buffer.len(),
                Some(end) => break seen + end + 1,
                None => seen = self.buffer.len(),
            }
        };
        let given = &self.buffer[..self.given];
        Ok(if self.at_once == 0 && !given.is_empty() { vec![given] } else { cut(given) })
    }

    /// Reads as much as makes `at_once` pieces, or finds that the input has ended.
    fn read(&mut self) -> io::Result<()> {
        if !self.ended {
            let wanted = self.at_once.max(1) * PIECE;
            let read = self.source.by_ref().take(wanted as u64).read_to_end(&mut self.buffer)?;
            self.ended = read < wanted;
        }
        Ok(())
    }
}

/// Cuts lines into pieces that end with the first line end behind [`PIECE`] octets; the last is what remains. Nothing
/// gives no piece.
fn cut(lines: &[u8]) -> Vec<&[u8]> {
    let mut pieces = Vec::new();
    let mut rest = lines;
    while !rest.is_empty() {
        let end = rest.get(PIECE..).and_then(|beyond| memchr::memchr(b'\n', beyond));
        let (piece, after) = rest.split_at(end.map_or(rest.len(), |end| PIECE + end + 1));
        pieces.push(piece);
        rest = after;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(input: &[u8], at_once: usize) -> Vec<Vec<u8>> {
        let mut pieces = Pieces::new(input, at_once);
        let mut all = Vec::new();
        loop {
            match pieces.next().expect("memory can be read") {
                next if next.is_empty() => return all,
                next => all.extend(next.into_iter().map(<[u8]>::to_vec)),
            }
        }
    }

    #[test]
    fn pieces_end_with_lines_and_give_every_octet_once() {
        let once = 3 * PIECE;
        for length in [0, 1, 70, PIECE - 1, PIECE, PIECE + 1, once - 1, once, once + 1, 3 * once] {
            for every in [1, 70, PIECE, 2 * PIECE + 5, once, once + 5] {
                let mut input = vec![b'x'; length];
                input.iter_mut().skip(every - 1).step_by(every).for_each(|octet| *octet = b'\n');
                let pieces = all(&input, 3);
                assert!(pieces.concat() == input, "{length} {every}");
                let (before, _) = pieces.split_at(pieces.len().saturating_sub(1));
                assert!(before.iter().all(|piece| piece.ends_with(b"\n") && piece.len() <= PIECE + every));
                assert_eq!(all(&input, 0).len(), usize::from(length > 0));
            }
        }
    }
}
