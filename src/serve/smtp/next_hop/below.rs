//! The TCP stream at the bottom of a connection, shared by those who need it: lettre, TLS, and whoever writes a long
//! message to it piece by piece or looks whether the server is there still.

use std::fmt::Debug;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::{NextHopError, Result};
use crate::config::HostPort;

/// A stream in both directions, whatever is below it.
pub trait Duplex: AsyncRead + AsyncWrite + Debug + Send + Sync + Unpin {}
impl<S: AsyncRead + AsyncWrite + Debug + Send + Sync + Unpin> Duplex for S {}

/// The TCP stream of a connection.
#[derive(Debug)]
pub struct Below {
    /// The stream.
    pub stream: TcpStream,
    /// Whether octets came that were not given out yet.
    ahead: AtomicBool,
    /// The lines that were given out since something was written: the last reply.
    said: Mutex<Vec<u8>>,
}

/// A share of the TCP stream, to read and to write.
#[derive(Debug)]
pub struct SharedStream(pub Arc<Below>);

impl Below {
    /// Connects to a host, and has small packets sent at once. How long that may take is the caller's to limit.
    pub async fn connect(at: &HostPort) -> Result<Arc<Below>> {
        let stream = TcpStream::connect((at.host.as_str(), at.port)).await.map_err(NextHopError::Connect)?;
        stream.set_nodelay(true).map_err(NextHopError::Connect)?;
        Ok(Arc::new(Below::new(stream)))
    }

    /// Starts with nothing read.
    pub fn new(stream: TcpStream) -> Below {
        Below { stream, ahead: AtomicBool::new(false), said: Mutex::default() }
    }

    /// Forgets the last reply: something is written, which another one answers.
    pub fn forget_said(&self) {
        self.said.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Keeps a line of a reply, with its line end.
    pub fn keep_said(&self, line: &[u8]) {
        self.said.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(line);
    }

    /// Takes the texts of the last reply's lines, without their codes; they are gone then. lettre joins the lines of a
    /// negative reply, so that nobody could tell from that where the status code of the next line begins.
    pub fn take_said(&self) -> Vec<Vec<u8>> {
        let said = std::mem::take(&mut *self.said.lock().unwrap_or_else(PoisonError::into_inner));
        let lines = said.split_inclusive(|&octet| octet == b'\n');
        // A line may be a code alone.
        lines.map(|line| line.get(4..).unwrap_or_default().trim_ascii_end().to_vec()).collect()
    }

    /// Returns the address of this host on the connection.
    pub fn own_address(&self) -> Option<IpAddr> {
        self.stream.local_addr().ok().map(|address| address.ip())
    }

    /// Notes whether octets came that nobody has read yet.
    pub fn set_ahead(&self, ahead: bool) {
        self.ahead.store(ahead, Ordering::Relaxed);
    }

    /// Returns `true` if something came behind what was read.
    pub fn has_ahead(&self) -> bool {
        self.ahead.load(Ordering::Relaxed)
    }

    /// Returns `true` if the peer is there still, and has said nothing that was not read. What it said stays to be
    /// read, and a peer that closed the connection counts as not silent.
    pub fn is_silent(&self) -> bool {
        let mut octet = [0];
        let mut context = Context::from_waker(Waker::noop());
        !self.has_ahead() && self.stream.poll_peek(&mut context, &mut ReadBuf::new(&mut octet)).is_pending()
    }
}

impl AsyncRead for SharedStream {
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

impl AsyncWrite for SharedStream {
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
