//! A codec on a thread of its own: it unpacks ahead of who reads, or packs behind who writes.
//!
//! A few buffers go from one thread to the other, so that memory is bounded and the faster waits for the slower.

use std::io::{self, IoSlice, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use thiserror::Error;

use super::compression::{Compression, Packer};

/// The octets of a buffer.
const BUFFER: usize = 256 << 10;

/// The buffers between two threads.
const BUFFERS: usize = 4;

/// Reads on a thread of its own, ahead of its reader.
pub struct ThreadedReader {
    from: Receiver<io::Result<Vec<u8>>>,
    buffer: Vec<u8>,
    given: usize,
    /// Until it has ended.
    thread: Option<JoinHandle<()>>,
}

impl ThreadedReader {
    /// Starts the thread.
    pub fn start(from: impl Read + Send + 'static) -> ThreadedReader {
        let (to, receiver) = sync_channel(BUFFERS);
        let thread = Some(thread::spawn(move || read_all(from, &to)));
        ThreadedReader { from: receiver, buffer: Vec::new(), given: 0, thread }
    }

    /// Ends the input. A decoder that panicked has not read to the end: an end here would cut the input short in
    /// silence.
    fn end(&mut self) -> io::Result<usize> {
        match self.thread.take().map(JoinHandle::join) {
            Some(Err(_)) => Err(io::Error::other(CodecPanic("decoder"))),
            _ => Ok(0),
        }
    }
}

/// A codec panicked on its thread, and has printed where: a fault of the program and not of what was read.
#[derive(Debug, Error)]
#[error("the {0} failed; please report it, with the lines above")]
pub struct CodecPanic(&'static str);

impl CodecPanic {
    /// Returns `true` if an error is one.
    pub fn is(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|inner| inner.is::<CodecPanic>())
    }
}

/// Reads until the end, an error, or nobody wants more.
fn read_all(mut from: impl Read, to: &SyncSender<io::Result<Vec<u8>>>) {
    loop {
        let mut buffer = Vec::with_capacity(BUFFER);
        let read = (&mut from).take(BUFFER as u64).read_to_end(&mut buffer);
        let ended = buffer.len() < BUFFER;
        if !buffer.is_empty() && to.send(Ok(buffer)).is_err() {
            return;
        }
        if let Err(error) = read {
            let _ = to.send(Err(error));
            return;
        }
        if ended {
            return;
        }
    }
}

impl Read for ThreadedReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.given == self.buffer.len() {
            let Ok(next) = self.from.recv() else { return self.end() };
            (self.buffer, self.given) = (next?, 0);
        }
        let rest = &self.buffer[self.given..];
        let octets = rest.len().min(into.len());
        into[..octets].copy_from_slice(&rest[..octets]);
        self.given += octets;
        Ok(octets)
    }
}

/// Packs on a thread of its own, behind its writer; what is not to be packed is written at once.
pub enum ThreadedWriter<W: Write + Send + 'static> {
    /// Nothing is packed.
    Plain(W),
    /// The thread packs.
    Packed(Box<Packing<W>>),
}

/// What goes to the thread that packs.
pub struct Packing<W: Write + Send + 'static> {
    buffer: Vec<u8>,
    to: Option<SyncSender<Vec<u8>>>,
    thread: Option<JoinHandle<io::Result<W>>>,
}

impl<W: Write + Send + 'static> ThreadedWriter<W> {
    /// Starts the thread, if something is to be packed.
    pub fn start(how: Option<Compression>, to: W) -> io::Result<ThreadedWriter<W>> {
        if how.is_none() {
            return Ok(ThreadedWriter::Plain(to));
        }
        let packer = Packer::new(how, to)?;
        let (sender, from) = sync_channel(BUFFERS);
        let thread = Some(thread::spawn(move || pack_all(packer, &from)));
        Ok(ThreadedWriter::Packed(Box::new(Packing { buffer: Vec::with_capacity(BUFFER), to: Some(sender), thread })))
    }

    /// Writes the end, and returns what it wrote to.
    pub fn finish(self) -> io::Result<W> {
        match self {
            ThreadedWriter::Plain(to) => Ok(to),
            ThreadedWriter::Packed(mut packing) => {
                // What could not be sent is told by the thread.
                let _ = packing.send();
                packing.join()
            }
        }
    }
}

/// Packs all buffers that come, and writes the end.
fn pack_all<W: Write>(mut packer: Packer<W>, from: &Receiver<Vec<u8>>) -> io::Result<W> {
    for buffer in from {
        packer.write_all(&buffer)?;
    }
    packer.finish()
}

impl<W: Write + Send + 'static> Packing<W> {
    /// Hands the buffer to the thread; where that ended early, returns its error.
    fn send(&mut self) -> io::Result<()> {
        let buffer = std::mem::replace(&mut self.buffer, Vec::with_capacity(BUFFER));
        let sent = self.to.as_ref().is_some_and(|to| to.send(buffer).is_ok());
        if sent { Ok(()) } else { self.join().map(drop) }
    }

    /// Waits for the thread, and returns what it wrote to; an error from the second time on.
    fn join(&mut self) -> io::Result<W> {
        self.to = None;
        let Some(thread) = self.thread.take() else { return Err(io::ErrorKind::BrokenPipe.into()) };
        thread.join().unwrap_or_else(|_| Err(io::Error::other(CodecPanic("encoder"))))
    }
}

impl<W: Write + Send + 'static> Drop for Packing<W> {
    /// Waits for the thread, so that a temporary file that it writes is gone before the program ends.
    fn drop(&mut self) {
        self.to = None;
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

impl<W: Write + Send + 'static> Write for ThreadedWriter<W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        // A full buffer goes to the thread first; what has no room then is left for the next call.
        let packing = match self {
            ThreadedWriter::Plain(to) => return to.write(octets),
            ThreadedWriter::Packed(packing) => packing,
        };
        if packing.buffer.len() >= BUFFER {
            packing.send()?;
        }
        let taken = octets.len().min(BUFFER - packing.buffer.len());
        packing.buffer.extend_from_slice(&octets[..taken]);
        Ok(taken)
    }

    fn write_vectored(&mut self, slices: &[IoSlice]) -> io::Result<usize> {
        match self {
            ThreadedWriter::Plain(to) => to.write_vectored(slices),
            ThreadedWriter::Packed(_) => slices.first().map_or(Ok(0), |slice| self.write(slice)),
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
        let error = ThreadedReader::start(Faulty(false)).read_to_end(&mut Vec::new()).expect_err("it has not ended");
        assert_eq!(error.to_string(), "the decoder failed; please report it, with the lines above");
    }

    #[test]
    fn what_is_read_ahead_ends_once_and_for_all() {
        let mut reader = ThreadedReader::start(&b"From: a@x\n"[..]);
        let mut text = String::new();
        assert_eq!(reader.read_to_string(&mut text).ok(), Some(10));
        assert_eq!(reader.read(&mut [0]).ok(), Some(0));
    }
}
