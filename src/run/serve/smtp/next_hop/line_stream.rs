//! The TCP stream below lettre's connection, shared with whoever writes a long message to it piece by piece.
//!
//! lettre reads ahead: what came behind the answer to STARTTLS would wait in its buffer and be read as the answer to
//! the next command, in plain text that anybody on the way can have put there. So this stream gives out one line a
//! read. What came behind that line is then what the TLS handshake reads, which ends it.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use crate::protocol::smtp::REPLY_LIMIT;

/// The octets that are read at once, and so wait here at the most.
const READ: usize = 8 << 10;

/// The octets that are read after something was written: a reply, or what a TLS server says at once.
const ANSWER_LIMIT: usize = 2 * REPLY_LIMIT;

/// The octets of a reply's line that are given out; lettre takes 1000 with the line end.
const TEXT: usize = 900;

/// The digits of a reply's code.
const CODE: usize = 3;

/// The TCP stream of a connection, for those who share it.
#[derive(Debug)]
pub struct Below {
    /// The stream.
    pub stream: TcpStream,
    /// Whether TLS is spoken, or about to be.
    encrypted: AtomicBool,
    /// Whether octets came that were not given out yet.
    ahead: AtomicBool,
}

/// A TCP stream that gives out one line a read.
#[derive(Debug)]
pub struct LineStream {
    below: Arc<Below>,
    /// The rest of the line that is being given out.
    line: Vec<u8>,
    /// What came behind it.
    ahead: Vec<u8>,
    /// The octets that came since something was written.
    answer: usize,
}

impl Below {
    /// Starts in plain text, with nothing read.
    pub fn new(stream: TcpStream) -> Below {
        Below { stream, encrypted: AtomicBool::new(false), ahead: AtomicBool::new(false) }
    }

    /// Says that what follows are no lines of text.
    pub fn begin_tls(&self) {
        self.encrypted.store(true, Ordering::Relaxed);
    }

    /// Tells whether the peer is there still, and has said nothing that was not read. Asking may take an octet off, so
    /// that a connection that is not silent is no good any more.
    pub fn is_silent(&self) -> bool {
        let nothing = |error: io::Error| error.kind() == io::ErrorKind::WouldBlock;
        !self.ahead.load(Ordering::Relaxed) && self.stream.try_read(&mut [0]).is_err_and(nothing)
    }
}

impl LineStream {
    /// Starts with nothing read.
    pub fn new(below: Arc<Below>) -> LineStream {
        LineStream { below, line: Vec::new(), ahead: Vec::new(), answer: 0 }
    }

    fn poll_fill(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.is_filled() {
            if self.answer > ANSWER_LIMIT {
                return Poll::Ready(Err(io::Error::other(format!("an answer over {ANSWER_LIMIT} octets"))));
            }
            ready!(self.below.stream.poll_read_ready(context))?;
            let mut piece = [0; READ];
            match self.below.stream.try_read(&mut piece) {
                Ok(0) => break,
                Ok(octets) => {
                    self.answer += octets;
                    self.ahead.extend_from_slice(piece.get(..octets).unwrap_or_default());
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
        Poll::Ready(Ok(()))
    }

    /// Tells whether there is something to give out: a whole line, but in TLS anything.
    fn is_filled(&self) -> bool {
        match self.below.encrypted.load(Ordering::Relaxed) {
            true => !self.ahead.is_empty(),
            false => memchr::memchr(b'\n', &self.ahead).is_some(),
        }
    }

    /// Takes the next line off; the last one may have no end.
    fn next_line(&mut self) -> Vec<u8> {
        let end = memchr::memchr(b'\n', &self.ahead).map_or(self.ahead.len(), |at| at + 1);
        let line: Vec<u8> = self.ahead.drain(..end).collect();
        let as_it_is = self.below.encrypted.load(Ordering::Relaxed) || !line.ends_with(b"\n");
        if as_it_is { line } else { readable(&line) }
    }
}

/// Makes a line of a reply readable for lettre, which wants UTF-8, CRLF, a space behind the code, and no long line: a
/// server may say otherwise that it took a message, and what it says is then lost, but not that it did.
fn readable(line: &[u8]) -> Vec<u8> {
    let text = line.strip_suffix(b"\n").unwrap_or(line);
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    let text = text.get(..TEXT).unwrap_or(text);
    let mut readable = match std::str::from_utf8(text) {
        Ok(_) => text.to_vec(),
        Err(_) => text.iter().map(|&it| if it.is_ascii() { it } else { b'?' }).collect(),
    };
    if readable.len() == CODE {
        readable.push(b' ');
    }
    readable.extend_from_slice(b"\r\n");
    readable
}

impl AsyncRead for LineStream {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, out: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.line.is_empty() {
            ready!(self.poll_fill(context))?;
            self.line = self.next_line();
        }
        let given = self.line.len().min(out.remaining());
        out.put_slice(self.line.get(..given).unwrap_or_default());
        self.line.drain(..given);
        self.below.ahead.store(!self.line.is_empty() || !self.ahead.is_empty(), Ordering::Relaxed);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for LineStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, octets: &[u8]) -> Poll<io::Result<usize>> {
        self.answer = 0;
        loop {
            ready!(self.below.stream.poll_write_ready(context))?;
            match self.below.stream.try_write(octets) {
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
        self.below.stream.peer_addr()
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    async fn pair() -> (LineStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let near = TcpStream::connect(listener.local_addr().expect("an address")).await.expect("a connection");
        let (far, _) = listener.accept().await.expect("a connection");
        (LineStream::new(Arc::new(Below::new(near))), far)
    }

    #[tokio::test]
    async fn what_comes_behind_a_line_waits() {
        let (mut stream, mut far) = pair().await;
        let below = Arc::clone(&stream.below);
        far.write_all(b"220 go\r\n250 forged\r\n").await.expect("written");
        let mut read = [0; 100];
        for line in ["220 go\r\n", "250 forged\r\n"] {
            let octets = stream.read(&mut read).await.expect("read");
            assert_eq!(&read[..octets], line.as_bytes());
            assert_eq!(below.is_silent(), line.ends_with("forged\r\n"), "what is not read yet was not asked for");
        }
        stream.write_all(b"QUIT\r\n").await.expect("written");
        let octets = far.read(&mut read).await.expect("read");
        assert_eq!(&read[..octets], b"QUIT\r\n");
    }

    #[tokio::test]
    async fn a_reply_that_is_written_otherwise_is_a_reply() {
        let (mut stream, mut far) = pair().await;
        far.write_all(b"250 angenommen f\xfcr caf\xc3\xa9\r\n250 caf\xc3\xa9\r\n").await.expect("written");
        far.write_all(&[b"250 ".to_vec(), b"x".repeat(1200), b"\r\n250\r\n250 ok\n".to_vec()].concat())
            .await
            .expect("written");
        let mut read = [0; 1000];
        let long = format!("250 {}\r\n", "x".repeat(TEXT - 4));
        for line in ["250 angenommen f?r caf??\r\n", "250 caf\u{e9}\r\n", &long, "250 \r\n", "250 ok\r\n"] {
            let octets = stream.read(&mut read).await.expect("read");
            assert_eq!(&read[..octets], line.as_bytes());
        }
    }

    #[tokio::test]
    async fn an_answer_has_an_end() {
        let (mut stream, mut far) = pair().await;
        tokio::spawn(async move { far.write_all(&vec![b'2'; ANSWER_LIMIT * 4]).await });
        let mut all = Vec::new();
        let error = stream.read_to_end(&mut all).await.expect_err("too much");
        assert!(error.to_string().contains("an answer over"), "{error}");
    }
}
