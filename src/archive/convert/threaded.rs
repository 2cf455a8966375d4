//! A codec on a thread of its own: it unpacks ahead of who reads, or packs behind who writes.
//!
//! A pipe of the system goes from one thread to the other, so that memory is bounded and the faster waits for the
//! slower.

use std::io::{self, BufReader, ErrorKind, IoSlice, PipeReader, PipeWriter, Read, Write};
use std::thread::{self, JoinHandle};

use thiserror::Error;

use super::{Compression, Packer};

/// The octets that are read ahead at once: as many as a pipe holds.
const BUFFER: usize = 64 << 10;

/// The octets that are packed at once.
const PACKED: usize = 256 << 10;

/// Reads on a thread of its own, ahead of its reader.
pub struct ThreadedReader {
    from: PipeReader,
    /// Until it has ended.
    thread: Option<JoinHandle<io::Result<u64>>>,
}

impl ThreadedReader {
    /// Starts the thread. It ends early where nobody wants more.
    pub fn start(from: impl Read + Send + 'static) -> io::Result<ThreadedReader> {
        let (receiver, mut to) = io::pipe()?;
        let thread = thread::spawn(move || io::copy(&mut BufReader::with_capacity(BUFFER, from), &mut to));
        Ok(ThreadedReader { from: receiver, thread: Some(thread) })
    }

    /// Ends the input. A decoder that panicked has not read to the end: an end here would cut the input short in
    /// silence.
    fn end(&mut self) -> io::Result<usize> {
        match self.thread.take().map(JoinHandle::join) {
            None => Ok(0),
            Some(Ok(copied)) => copied.map(|_| 0),
            Some(Err(_)) => Err(io::Error::other(CodecError("decoder"))),
        }
    }
}

/// A codec panicked on its thread, and has printed where: a fault of the program and not of what was read.
#[derive(Debug, Error)]
#[error("the {0} failed; please report it, with the lines above")]
pub struct CodecError(&'static str);

impl CodecError {
    /// Returns `true` if an error is one.
    pub fn is(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|inner| inner.is::<CodecError>())
    }
}

impl Read for ThreadedReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.from.read(into)? {
            0 if !into.is_empty() => self.end(),
            octets => Ok(octets),
        }
    }
}

/// Packs on a thread of its own, behind its writer; what is not to be packed is written at once.
pub enum ThreadedWriter<W: Write + Send + 'static> {
    /// Nothing is packed.
    Plain(W),
    /// The thread packs.
    Packed(Packing<W>),
}

/// What goes to the thread that packs.
pub struct Packing<W: Write + Send + 'static> {
    to: Option<PipeWriter>,
    thread: Option<JoinHandle<io::Result<W>>>,
}

impl<W: Write + Send + 'static> ThreadedWriter<W> {
    /// Starts the thread, if something is to be packed.
    pub fn start(how: Option<Compression>, to: W) -> io::Result<ThreadedWriter<W>> {
        if how.is_none() {
            return Ok(ThreadedWriter::Plain(to));
        }
        let (mut packer, (from, to)) = (Packer::new(how, to)?, io::pipe()?);
        let thread = thread::spawn(move || {
            pack_all(from, &mut packer)?;
            packer.finish()
        });
        Ok(ThreadedWriter::Packed(Packing { to: Some(to), thread: Some(thread) }))
    }

    /// Writes the end, and returns what it wrote to.
    pub fn finish(self) -> io::Result<W> {
        match self {
            ThreadedWriter::Plain(to) => Ok(to),
            ThreadedWriter::Packed(mut packing) => packing.join(),
        }
    }
}

/// Packs all that is read, always as much at once: what some packers make of it depends on that.
fn pack_all(mut from: impl Read, packer: &mut impl Write) -> io::Result<()> {
    let mut buffer = Vec::with_capacity(PACKED);
    while from.by_ref().take(PACKED as u64).read_to_end(&mut buffer)? > 0 {
        packer.write_all(&buffer)?;
        buffer.clear();
    }
    Ok(())
}

impl<W: Write + Send + 'static> Packing<W> {
    /// Hands octets to the thread; where that ended early, returns its error.
    fn send(&mut self, octets: &[u8]) -> io::Result<usize> {
        match self.to.as_mut().map(|to| to.write(octets)) {
            Some(Err(error)) if error.kind() == ErrorKind::BrokenPipe => self.join().map(|_| 0),
            Some(sent) => sent,
            None => Err(ErrorKind::BrokenPipe.into()),
        }
    }

    /// Waits for the thread, and returns what it wrote to; an error from the second time on.
    fn join(&mut self) -> io::Result<W> {
        self.to = None;
        let Some(thread) = self.thread.take() else { return Err(ErrorKind::BrokenPipe.into()) };
        thread.join().unwrap_or_else(|_| Err(io::Error::other(CodecError("encoder"))))
    }
}

impl<W: Write + Send + 'static> Drop for Packing<W> {
    /// Waits for the thread, so that a temporary file that it writes is gone before the program ends.
    fn drop(&mut self) {
        let _ = self.join();
    }
}

impl<W: Write + Send + 'static> Write for ThreadedWriter<W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        match self {
            ThreadedWriter::Plain(to) => to.write(octets),
            ThreadedWriter::Packed(packing) => packing.send(octets),
        }
    }

    fn write_vectored(&mut self, slices: &[IoSlice]) -> io::Result<usize> {
        match self {
            ThreadedWriter::Plain(to) => to.write_vectored(slices),
            ThreadedWriter::Packed(packing) => slices.first().map_or(Ok(0), |slice| packing.send(slice)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            ThreadedWriter::Plain(to) => to.flush(),
            ThreadedWriter::Packed(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives some octets, then panics as a decoder with a fault would.
    struct Faulty(bool);

    impl Read for Faulty {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            assert!(!std::mem::replace(&mut self.0, true), "the decoder has a fault");
            into[0] = b'a';
            Ok(1)
        }
    }

    #[test]
    fn a_panic_of_the_decoder_is_no_end_of_the_input() {
        let error = ThreadedReader::start(Faulty(false))
            .expect("a pipe")
            .read_to_end(&mut Vec::new())
            .expect_err("it has not ended");
        assert_eq!(error.to_string(), "the decoder failed; please report it, with the lines above");
    }

    #[test]
    fn what_is_read_ahead_ends_once_and_for_all() {
        let mut reader = ThreadedReader::start(&b"From: a@x\n"[..]).expect("a pipe");
        let mut text = String::new();
        assert_eq!(reader.read_to_string(&mut text).ok(), Some(10));
        assert_eq!(reader.read(&mut [0]).ok(), Some(0));
    }
}
