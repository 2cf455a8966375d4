//! Output in blocks.
//!
//! Both coders write a few octets at a time, of a number that no compiler can know. Into a vector each such
//! write costs more than its octets. Here a fixed number is written to a block in the nearest cache, more than
//! counts if need be, and what does not count is overwritten by the next; whole blocks go to the result.

/// What blocks are collected in.
pub(super) trait Collect {
    /// Appends octets; for text, they are whole characters of UTF-8.
    fn append(&mut self, octets: &[u8]);

    /// Returns how many octets it holds.
    fn len(&self) -> usize;
}

impl Collect for Vec<u8> {
    fn append(&mut self, octets: &[u8]) {
        self.extend_from_slice(octets);
    }

    fn len(&self) -> usize {
        self.len()
    }
}

/// What the decoder writes is valid by construction, but only a check makes a string of it. The check of a
/// block in the nearest cache costs next to nothing; of each character, or of the whole at the end, it shows.
impl Collect for String {
    fn append(&mut self, octets: &[u8]) {
        match simdutf8::basic::from_utf8(octets) {
            Ok(text) => self.push_str(text),
            Err(_) => self.push_str(&String::from_utf8_lossy(octets)),
        }
    }

    fn len(&self) -> usize {
        self.len()
    }
}

const BLOCK: usize = 1024;

/// A result and the block that comes next in it.
pub(super) struct BlockWriter<R> {
    result: R,
    block: [u8; BLOCK],
    len: usize,
}

impl<R: Collect> BlockWriter<R> {
    /// Makes a writer that goes on behind what `result` holds.
    pub(super) fn new(result: R) -> BlockWriter<R> {
        BlockWriter { result, block: [0; BLOCK], len: 0 }
    }

    /// Lets `write` write up to `N` octets in place and tell how many count; `N` is at most [`BLOCK`].
    #[inline]
    pub(super) fn put_with<const N: usize>(&mut self, write: impl FnOnce(&mut [u8; N]) -> usize) {
        if self.len + N > BLOCK {
            self.flush();
        }
        if let Some(room) = self.block[self.len..].first_chunk_mut() {
            self.len += write(room).min(N);
        }
    }

    /// Writes the first `count` of the octets.
    #[inline]
    pub(super) fn put_some<const N: usize>(&mut self, octets: [u8; N], count: usize) {
        self.put_with(|room| {
            *room = octets;
            count
        });
    }

    /// Writes any number of octets, of ASCII where the result is text.
    pub(super) fn put(&mut self, octets: &[u8]) {
        if self.len + octets.len() > BLOCK {
            self.flush();
        }
        match self.block[self.len..].get_mut(..octets.len()) {
            Some(room) => {
                room.copy_from_slice(octets);
                self.len += octets.len();
            }
            None => self.result.append(octets),
        }
    }

    /// Copies the run at the start of `octets` and gives its length. Most runs between shifts are a word or a space,
    /// for which `short` looks at the first sixteen; `long` looks at all if that says sixteen. What `short` counts,
    /// `long` must count too; `short` may stop early.
    #[inline]
    pub(super) fn put_run(
        &mut self,
        octets: &[u8],
        short: impl Fn(&[u8; 16]) -> usize,
        long: impl Fn(&[u8]) -> usize,
    ) -> usize {
        if let Some(start) = octets.first_chunk() {
            let length = short(start);
            if length < start.len() {
                self.put_some(*start, length);
                return length;
            }
        }
        let length = long(octets);
        self.put(&octets[..length]);
        length
    }

    /// Hands the block on to the result.
    #[cold]
    #[inline(never)]
    fn flush(&mut self) {
        self.result.append(&self.block[..self.len]);
        self.len = 0;
    }

    /// Returns how many octets were written.
    pub(super) fn written(&self) -> usize {
        self.result.len() + self.len
    }

    /// Hands the last block on, and returns the result.
    pub(super) fn finish(mut self) -> R {
        self.flush();
        self.result
    }
}
