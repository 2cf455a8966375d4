//! The socket of a connection: what came and is not taken yet, what is to be written, and how long either may take.
//!
//! A connection that waits keeps little memory: buffers that grew are given back.
//!
//! **Limits**: a command that has begun must come whole within `read_time`; between commands a peer may be silent for
//! `idle_time`; each write must get on within `write_time`.

use std::future::ready;
use std::io;
use std::time::{Duration, Instant};

use thiserror::Error;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::watch;
use tokio::task::yield_now;
use tokio::time::timeout;

use crate::config::LimitSettings;

/// The octets of a buffer that a connection keeps while it waits.
pub const WAITING: usize = 16 << 10;

/// The octets that a read asks for at first, and at most.
const READ: std::ops::RangeInclusive<usize> = (8 << 10)..=(128 << 10);

/// The octets that are written before others have their turn.
const PIECE: usize = 256 << 10;

/// A socket with its buffers.
#[derive(Debug)]
pub struct BufferedStream<S> {
    stream: S,
    /// What came and is not taken yet.
    pub input: Vec<u8>,
    /// What is to be written.
    pub out: Vec<u8>,
    read_size: usize,
    /// When the command that is not whole yet began to come.
    begun: Option<Instant>,
}

/// Why nothing more can be read or written.
#[derive(Debug, Error)]
pub enum StreamError {
    /// The system reported an error, mostly that the peer is gone.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Nothing came within `idle_time`.
    #[error("no command for {0:?}")]
    Idle(Duration),
    /// A command came too slowly.
    #[error("a command that did not come whole in {0:?}")]
    SlowRead(Duration),
    /// An answer was taken too slowly.
    #[error("an answer that was not taken in {0:?}")]
    SlowWrite(Duration),
}

impl StreamError {
    /// Returns the stable name that counters use, which `ends` of the metrics lists.
    pub fn code(&self) -> &'static str {
        match self {
            StreamError::Io(_) => "lost",
            StreamError::Idle(_) => "idle",
            StreamError::SlowRead(_) => "slow-read",
            StreamError::SlowWrite(_) => "slow-write",
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> BufferedStream<S> {
    /// Starts with nothing read and nothing to be written.
    pub fn new(stream: S) -> BufferedStream<S> {
        BufferedStream { stream, input: Vec::new(), out: Vec::new(), read_size: *READ.start(), begun: None }
    }

    /// Takes octets off the input. For what is left of it `read_time` begins now if any were taken or it was not
    /// running, and otherwise goes on; where nothing is left, it ends.
    pub fn consume(&mut self, used: usize) {
        self.input.drain(..used.min(self.input.len()));
        if self.input.is_empty() {
            self.begun = None;
        } else if used > 0 || self.begun.is_none() {
            self.begun = Some(Instant::now());
        }
    }

    /// Returns the octets of memory that the buffers hold.
    pub fn memory(&self) -> usize {
        self.input.capacity() + self.out.capacity()
    }

    /// Gives back each buffer that is empty and has more than so many octets of room; what is still to be written
    /// stays.
    pub fn shrink(&mut self, keep: usize) {
        if self.input.is_empty() && self.input.capacity() > keep {
            self.input = Vec::new();
            self.read_size = *READ.start();
        }
        if self.out.is_empty() && self.out.capacity() > keep {
            self.out = Vec::new();
        }
    }

    /// Reads no more at once than at first, and gives back the room of the input beyond that and what is in it.
    pub fn keep_small(&mut self) {
        self.read_size = *READ.start();
        self.input.shrink_to(*READ.start());
    }

    /// Writes all that is to be written. Each piece must get on within `write_time`, and others have their turn between
    /// two. After an error the connection has to be closed: how much was written is not known any more.
    pub async fn flush(&mut self, limits: &LimitSettings) -> Result<(), StreamError> {
        let limit = limits.write_time;
        let mut written = 0;
        while written < self.out.len() {
            let rest = &self.out[written..];
            let rest = rest.get(..PIECE).unwrap_or(rest);
            match timeout(limit, self.stream.write(rest)).await.map_err(|_| StreamError::SlowWrite(limit))?? {
                0 => return Err(io::Error::from(io::ErrorKind::WriteZero).into()),
                more => written += more,
            }
            if written < self.out.len() {
                yield_now().await;
            }
        }
        self.out.clear();
        Ok(())
    }

    /// Reads what has come by now into `input`, and waits for nothing. That the peer is gone is left to the next
    /// [`read`](Self::read).
    pub async fn read_what_is_there(&mut self) {
        self.input.reserve(self.read_size);
        tokio::select! {
            biased;
            _ = self.stream.read_buf(&mut self.input) => {}
            () = ready(()) => {}
        }
    }

    /// Reads more into `input`; false when the peer is gone. A command that has begun must be whole within `read_time`,
    /// and without one the peer may be silent for `idle_time`. `stop`, given between two messages, ends the wait with
    /// false when it turns true. If the wait is cancelled, nothing is lost.
    pub async fn read(
        &mut self,
        limits: &LimitSettings,
        stop: Option<&mut watch::Receiver<bool>>,
    ) -> Result<bool, StreamError> {
        let (limit, slow) = match self.begun {
            Some(begun) => (limits.read_time.saturating_sub(begun.elapsed()), true),
            None => (limits.idle_time, false),
        };
        self.input.reserve(self.read_size);
        let spare = self.input.capacity() - self.input.len();
        let read = timeout(limit, self.stream.read_buf(&mut self.input));
        let read = match stop {
            None => read.await,
            Some(stop) => tokio::select! {
                biased;
                read = read => read,
                _ = stop.wait_for(|stop| *stop) => return Ok(false),
            },
        };
        match read {
            Ok(octets) => {
                let octets = octets?;
                if octets == spare {
                    self.read_size = (self.read_size * 2).min(*READ.end());
                    // Who sends much lets others have their turn: a small message waits for one piece, and not for all.
                    yield_now().await;
                }
                Ok(octets > 0)
            }
            Err(_) if slow => Err(StreamError::SlowRead(limits.read_time)),
            Err(_) => Err(StreamError::Idle(limit)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A client of LMTP with some hundred recipients, or behind a next hop with a long reply, waited for ever.
    #[test]
    fn what_is_to_be_written_is_not_given_back() {
        let mut stream = BufferedStream::new(tokio::io::empty());
        stream.out = vec![b'x'; 2 * WAITING];
        stream.shrink(WAITING);
        assert_eq!(stream.out.len(), 2 * WAITING);
        stream.out.clear();
        stream.shrink(WAITING);
        assert_eq!(stream.memory(), 0);
    }
}
