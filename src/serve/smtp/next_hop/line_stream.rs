//! The stream below lettre's connection: it gives out one line a read, and not too many of a reply.
//!
//! The greeting, the hello and STARTTLS are said on it before lettre has it ([`hello`](super::hello)): lettre gives a
//! connection up whose server knows no EHLO. What lettre says of its own accord, an EHLO, is then answered here.
//!
//! lettre reads ahead: what came behind the answer to STARTTLS would wait in its buffer and be read as the answer to
//! the next command, in plain text that anybody on the way can have put there. So this stream gives out one line a
//! read, and knows whether something came behind it.
//!
//! lettre also reads all of a reply again with each line that comes: 16,000 lines kept a thread busy for 10 seconds. So
//! of a reply no more than [`REPLY_LINES`] lines are given out: the first ones and the last one, which says what became
//! of it.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};

use super::below::{Below, Duplex, SharedStream};
use super::{NextHopError, Reply, Result};
use crate::protocol::smtp::{REPLY_LIMIT, REPLY_LINES, ReplyReader};

/// The octets that are read at once, and so wait here at the most beside a line that is not whole.
const READ: usize = 8 << 10;

/// The octets that are read after something was written. A server that says so much has taken the message all the same,
/// and it would come a second time if nobody read on.
const ANSWER_LIMIT: usize = 8 * REPLY_LIMIT;

/// The octets of a reply's line that are given out; lettre takes 1000 with the line end.
const TEXT: usize = 900;

/// The digits of a reply's code.
const CODE: usize = 3;

/// What lettre reads as the greeting, which was read before.
const GREETING: &[u8] = b"220 \r\n";

/// What lettre reads as the answer to its hello, which was said before.
const HELLO: &[u8] = b"250 next-hop\r\n";

/// A stream that gives out one line a read: the TCP stream below, or what is encrypted over it.
#[derive(Debug)]
pub struct LineStream {
    stream: Box<dyn Duplex>,
    /// The TCP stream that it goes over.
    pub below: Arc<Below>,
    /// Whether nobody on the way can read what is said.
    pub is_encrypted: bool,
    /// The rest of the line that is being given out.
    line: Vec<u8>,
    /// What came behind it.
    ahead: Vec<u8>,
    /// The octets that came since something was written.
    answer: usize,
    /// The lines of them that were given out, and their octets.
    given: (usize, usize),
    /// Whether lettre says its own hello next, which is answered here.
    is_introduced: bool,
}

impl LineStream {
    /// Starts in plain text, with nothing read.
    pub fn plain(below: Arc<Below>) -> LineStream {
        LineStream { is_encrypted: false, ..LineStream::encrypted(SharedStream(Arc::clone(&below)), below) }
    }

    /// Starts with nothing read; `below` is what the encrypted stream goes over.
    pub fn encrypted(stream: impl Duplex + 'static, below: Arc<Below>) -> LineStream {
        LineStream {
            stream: Box::new(stream),
            below,
            is_encrypted: true,
            line: Vec::new(),
            ahead: Vec::new(),
            answer: 0,
            given: (0, 0),
            is_introduced: false,
        }
    }

    /// Makes it give lettre a greeting, and answer the hello that lettre says first: the server was greeted and said
    /// hello to before.
    pub fn introduced(mut self) -> LineStream {
        self.line = GREETING.to_vec();
        self.is_introduced = true;
        self
    }

    /// Returns how many octets may come as an answer: fewer once a line that has no end is longer than any reply may
    /// be.
    fn limit(&self) -> usize {
        if self.ahead.len() > REPLY_LIMIT { REPLY_LIMIT } else { ANSWER_LIMIT }
    }

    /// Returns `true` if a whole line came that was not given out.
    fn has_line(&self) -> bool {
        memchr::memchr(b'\n', &self.ahead).is_some()
    }

    /// Takes the next line off that is to be given out; none where more must come first. Once a reply has had as many
    /// lines or octets as may be given out, only its last line still is, which has no `-` behind its code. At the end
    /// of the stream it is what is left, mostly an empty line.
    fn next_shown(&mut self) -> Option<Vec<u8>> {
        loop {
            let line = self.next_line();
            let (lines, octets) = self.given;
            let enough = lines + 1 >= REPLY_LINES || octets + line.len() + TEXT + 2 > REPLY_LIMIT;
            if !enough || line.get(CODE) != Some(&b'-') {
                self.given = (lines + 1, octets + line.len());
                return Some(line);
            }
            if !self.has_line() {
                return None;
            }
        }
    }

    /// Takes the next line off, made readable for lettre; the last one, at the end of the stream, may have no line end
    /// and is taken as it is.
    fn next_line(&mut self) -> Vec<u8> {
        let end = memchr::memchr(b'\n', &self.ahead).map_or(self.ahead.len(), |at| at + 1);
        let line: Vec<u8> = self.ahead.drain(..end).collect();
        if line.ends_with(b"\n") { readable(&line) } else { line }
    }

    /// Says a line, with its line end, and waits for the reply; nothing is said where something came unasked.
    pub async fn command(&mut self, line: &str) -> Result<Reply> {
        if !self.below.is_silent() {
            return Err(NextHopError::out_of_step());
        }
        self.write_all(line.as_bytes()).await.map_err(NextHopError::lost)?;
        self.flush().await.map_err(NextHopError::lost)?;
        self.reply().await
    }

    /// Reads a reply, or the greeting, before lettre has the stream.
    pub async fn reply(&mut self) -> Result<Reply> {
        let mut reader = ReplyReader::default();
        let mut line = [0; TEXT + 2];
        loop {
            let octets = self.read(&mut line).await.map_err(NextHopError::lost)?;
            if octets == 0 {
                return Err(NextHopError::closed());
            }
            let read = reader.read(&line[..octets]);
            if let (_, Some(reply)) = read.map_err(|garbage| NextHopError::Garbage(garbage.to_string()))? {
                return Ok(reply);
            }
        }
    }

    /// Reads until a whole line is there, or the peer has ended; an error where too much came as one answer.
    fn poll_fill(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.has_line() {
            let limit = self.limit();
            if self.answer > limit {
                return Poll::Ready(Err(io::Error::other(format!("an answer over {limit} octets"))));
            }
            let mut octets = [0; READ];
            let mut piece = ReadBuf::new(&mut octets);
            ready!(Pin::new(&mut self.stream).poll_read(context, &mut piece))?;
            if piece.filled().is_empty() {
                break;
            }
            self.answer += piece.filled().len();
            self.ahead.extend_from_slice(piece.filled());
        }
        Poll::Ready(Ok(()))
    }
}

/// Makes a line of a reply readable for lettre, which wants UTF-8, CRLF, a space behind the code, no long line, and a
/// code that RFC 5321 §4.2.1 has digits for: a server may say otherwise that it took a message, or never will, and what
/// it says is then lost, but not that. Of `571` the first digit tells (§4.3.2), so that lettre is shown `550`.
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
    if let [b'2'..=b'5', second @ b'6'..=b'9', third @ b'0'..=b'9', ..] = &mut readable[..] {
        (*second, *third) = (b'5', b'0');
    }
    readable.extend_from_slice(b"\r\n");
    readable
}

impl AsyncRead for LineStream {
    /// Gives out the rest of a line, or the next one, and notes below whether something came behind it.
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, out: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        while self.line.is_empty() {
            ready!(self.poll_fill(context))?;
            if let Some(line) = self.next_shown() {
                self.below.keep_said(&line);
                self.line = line;
                // An empty line is the end of the stream, which lettre is shown by a read of no octets.
                break;
            }
        }
        let given = self.line.len().min(out.remaining());
        out.put_slice(&self.line[..given]);
        self.line.drain(..given);
        self.below.set_ahead(!self.line.is_empty() || !self.ahead.is_empty());
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for LineStream {
    /// Writes a piece of a command or of content, after which another reply is counted and kept; lettre's own hello is
    /// answered here and not written.
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, octets: &[u8]) -> Poll<io::Result<usize>> {
        (self.answer, self.given) = (0, (0, 0));
        self.below.forget_said();
        if std::mem::take(&mut self.is_introduced) {
            self.line = HELLO.to_vec();
            return Poll::Ready(Ok(octets.len()));
        }
        Pin::new(&mut self.stream).poll_write(context, octets)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
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
    use tokio::net::{TcpListener, TcpStream};

    use super::*;

    async fn pair() -> (LineStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let near = TcpStream::connect(listener.local_addr().expect("an address")).await.expect("a connection");
        let (far, _) = listener.accept().await.expect("a connection");
        (LineStream::plain(Arc::new(Below::new(near))), far)
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
        far.write_all(
            &[b"250 ".to_vec(), b"x".repeat(1200), b"\r\n250\r\n250 ok\n571-no\r\n571 5.7.1 no\r\n".to_vec()].concat(),
        )
        .await
        .expect("written");
        let mut read = [0; 1000];
        let long = format!("250 {}\r\n", "x".repeat(TEXT - 4));
        for line in [
            "250 angenommen f?r caf??\r\n", "250 caf\u{e9}\r\n", &long, "250 \r\n", "250 ok\r\n", "550-no\r\n",
            "550 5.7.1 no\r\n",
        ] {
            let octets = stream.read(&mut read).await.expect("read");
            assert_eq!(&read[..octets], line.as_bytes());
        }
    }

    #[tokio::test]
    async fn an_answer_has_an_end() {
        for (endless, limit) in [(&b"2"[..], REPLY_LIMIT), (b"250-x\r\n", ANSWER_LIMIT)] {
            let (mut stream, mut far) = pair().await;
            tokio::spawn(async move { far.write_all(&endless.repeat(2 * ANSWER_LIMIT / endless.len())).await });
            let mut all = Vec::new();
            let error = stream.read_to_end(&mut all).await.expect_err("too much");
            assert!(error.to_string().contains(&format!("an answer over {limit} octets")), "{error}");
        }
    }

    #[tokio::test]
    async fn of_many_lines_the_first_ones_and_the_last_one_are_given_out() {
        for line in [&b"250-x\r\n"[..], &[b"250-".to_vec(), b"x".repeat(800), b"\r\n".to_vec()].concat()] {
            let (mut stream, mut far) = pair().await;
            for _ in 0..2 {
                far.write_all(&[line.repeat(300_000 / line.len()), b"250 ok\r\n".to_vec()].concat())
                    .await
                    .expect("written");
                let mut all = Vec::new();
                while !all.ends_with(b"250 ok\r\n") {
                    stream.read_buf(&mut all).await.expect("read");
                }
                let lines = all.split(|&octet| octet == b'\n').count();
                assert!(all.len() <= REPLY_LIMIT + 8 && (70..=REPLY_LINES + 2).contains(&lines), "{lines}");
                stream.write_all(b"NOOP\r\n").await.expect("written");
            }
        }
    }
}
