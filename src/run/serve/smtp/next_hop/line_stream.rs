//! The TCP stream below lettre's connection, shared with whoever writes a long message to it piece by piece.
//!
//! lettre reads ahead: what came behind the answer to STARTTLS would wait in its buffer and be read as the answer to
//! the next command, in plain text that anybody on the way can have put there. So this stream gives out one line a
//! read. What came behind that line is then what the TLS handshake reads, which ends it.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// The octets that are read at once, and so wait here at the most.
const READ: usize = 8 << 10;

/// A TCP stream that gives out one line a read.
#[derive(Debug)]
pub struct LineStream {
    stream: Arc<TcpStream>,
    /// What came and was not given out yet.
    ahead: Vec<u8>,
}

impl LineStream {
    /// Starts with nothing read.
    pub fn new(stream: Arc<TcpStream>) -> LineStream {
        LineStream { stream, ahead: Vec::new() }
    }

    fn poll_fill(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.ahead.is_empty() {
            ready!(self.stream.poll_read_ready(context))?;
            let mut piece = [0; READ];
            match self.stream.try_read(&mut piece) {
                Ok(0) => break,
                Ok(octets) => self.ahead.extend_from_slice(piece.get(..octets).unwrap_or_default()),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncRead for LineStream {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, out: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_fill(context))?;
        let line = memchr::memchr(b'\n', &self.ahead).map_or(self.ahead.len(), |at| at + 1);
        let given = line.min(out.remaining());
        out.put_slice(self.ahead.get(..given).unwrap_or_default());
        self.ahead.drain(..given);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for LineStream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, octets: &[u8]) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.stream.poll_write_ready(context))?;
            match self.stream.try_write(octets) {
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

impl AsyncTokioStream for LineStream {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        self.stream.peer_addr()
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn what_comes_behind_a_line_waits() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let near = TcpStream::connect(listener.local_addr().expect("an address")).await.expect("a connection");
        let (mut far, _) = listener.accept().await.expect("a connection");
        far.write_all(b"220 go\r\n250 forged\r\n").await.expect("written");
        let mut stream = LineStream::new(Arc::new(near));
        let mut read = [0; 100];
        for line in ["220 go\r\n", "250 forged\r\n"] {
            let octets = stream.read(&mut read).await.expect("read");
            assert_eq!(&read[..octets], line.as_bytes());
        }
        stream.write_all(b"QUIT\r\n").await.expect("written");
        let octets = far.read(&mut read).await.expect("read");
        assert_eq!(&read[..octets], b"QUIT\r\n");
    }
}
