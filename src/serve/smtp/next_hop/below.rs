//! The TCP stream at the bottom of a connection, shared by those who need it: lettre, TLS, and whoever writes a long
//! message to it piece by piece or looks whether the server is there still.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// The TCP stream of a connection.
#[derive(Debug)]
pub struct Below {
    /// The stream.
    pub stream: TcpStream,
    /// Whether octets came that were not given out yet.
    ahead: AtomicBool,
}

/// A share of it, to read and to write.
#[derive(Debug)]
pub struct Shared(pub Arc<Below>);

impl Below {
    /// Starts with nothing read.
    pub fn new(stream: TcpStream) -> Below {
        Below { stream, ahead: AtomicBool::new(false) }
    }

    /// Says whether octets came that nobody has read yet.
    pub fn set_ahead(&self, ahead: bool) {
        self.ahead.store(ahead, Ordering::Relaxed);
    }

    /// Tells whether something came behind what was read.
    pub fn has_ahead(&self) -> bool {
        self.ahead.load(Ordering::Relaxed)
    }

    /// Tells whether the peer is there still, and has said nothing that was not read. Asking may take an octet off, so
    /// that a connection that is not silent is no good any more.
    pub fn is_silent(&self) -> bool {
        let nothing = |error: io::Error| error.kind() == io::ErrorKind::WouldBlock;
        !self.has_ahead() && self.stream.try_read(&mut [0]).is_err_and(nothing)
    }
}

impl AsyncRead for Shared {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, out: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let stream = &self.0.stream;
        loop {
            ready!(stream.poll_read_ready(context))?;
            match stream.try_read(out.initialize_unfilled()) {
                Ok(octets) => {
                    out.advance(octets);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

impl AsyncWrite for Shared {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, octets: &[u8]) -> Poll<io::Result<usize>> {
        let stream = &self.0.stream;
        loop {
            ready!(stream.poll_write_ready(context))?;
            match stream.try_write(octets) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written => return Poll::Ready(written),
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        // The socket is closed when the last who shares it lets go.
        Poll::Ready(Ok(()))
    }
}
