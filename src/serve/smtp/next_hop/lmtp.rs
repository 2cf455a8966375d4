//! An LMTP next hop, by our own client: lettre knows neither LHLO, nor a reply for each recipient, nor unix sockets.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use tokio::io::{AsyncRead as _, AsyncReadExt as _, AsyncWriteExt as _, ReadBuf};
use tokio::net::UnixStream;
use tokio::time::{Instant, timeout, timeout_at};

use super::below::{Below, Duplex, SharedStream};
use super::hello::{accepted, spoken_name};
use super::{Keywords, LAST_WORDS, NextHopError, Reply, Result};
use crate::config::NextHop;
use crate::protocol::smtp::{Client, REPLY_LIMIT, ReplyReader, SmtpDialect};

/// The octets that are read at once.
const READ: usize = 4 << 10;

/// The octets of content that are written at once.
const PIECE: usize = 64 << 10;

/// The octets of a reply that are kept where all replies to a message are long: a thousand of them must not fill the
/// memory.
const SHORT: usize = 100;

/// A connection to an LMTP server.
#[derive(Debug)]
pub struct LmtpConnection {
    stream: Box<dyn Duplex>,
    client: Client,
    /// What came and was not read yet.
    input: Vec<u8>,
    /// What is to be written.
    out: Vec<u8>,
}

impl LmtpConnection {
    /// Connects, says LHLO, and returns the connection with what the server offers. A server that does not greet or
    /// take LHLO is an error. How long that may take is the caller's to limit.
    pub async fn open(at: &NextHop, hostname: &str) -> Result<(LmtpConnection, Keywords)> {
        let client = Client::new(SmtpDialect::Lmtp);
        let mut opened = LmtpConnection { stream: connect(at).await?, client, input: Vec::new(), out: Vec::new() };
        accepted(opened.reply().await?)?;
        let name = spoken_name(hostname, None);
        let hello = accepted(opened.command(|client, out| client.hello(&name, out)).await?)?;
        Ok((opened, Keywords::of(&hello)))
    }

    /// Sends the command that `write` writes, and waits for the reply. How long that may take is the caller's to limit.
    pub async fn command(&mut self, write: impl FnOnce(&mut Client, &mut Vec<u8>)) -> Result<Reply> {
        self.ensure_in_step().await?;
        write(&mut self.client, &mut self.out);
        self.flush().await?;
        self.reply().await
    }

    /// Writes a piece of a message, after DATA was answered. Where that fails, the error is the refusal of a server
    /// that said one in the middle of it.
    pub async fn content(&mut self, content: &[u8]) -> Result<()> {
        for piece in content.chunks(PIECE) {
            self.client.content(piece, &mut self.out);
            if let Err(lost) = self.flush().await {
                return Err(self.refusal().await.unwrap_or(lost));
            }
        }
        Ok(())
    }

    /// Returns the refusal that the server said before the end of a message, which is then the answer to it; none where
    /// it said nothing within [`LAST_WORDS`], or anything else.
    async fn refusal(&mut self) -> Option<NextHopError> {
        let said = timeout(LAST_WORDS, self.unasked_reply()).await.ok().flatten()?;
        said.is_negative().then_some(NextHopError::Refused(said))
    }

    /// Reads a reply that nothing was said for, and leaves it in the input; none where none comes.
    async fn unasked_reply(&mut self) -> Option<Reply> {
        loop {
            if let (_, Some(reply)) = ReplyReader::default().read(&self.input).ok()? {
                return Some(reply);
            }
            self.input.reserve(READ);
            self.stream.read_buf(&mut self.input).await.ok().filter(|octets| *octets > 0)?;
        }
    }

    /// Ends a message, and waits for the replies, as long as `limit` at most: one for each recipient. Where the
    /// connection breaks among them, or some don't come in time, those that came count, and one more, which counts for
    /// all the others, says to come again later.
    pub async fn end(&mut self, limit: Duration) -> Result<Vec<Reply>> {
        let until = Instant::now() + limit;
        if let Err(lost) = self.ensure_in_step().await {
            return Err(self.refusal().await.unwrap_or(lost));
        }
        self.client.end(&mut self.out);
        timeout_at(until, self.flush()).await.map_err(|_| NextHopError::Timeout(limit))??;
        let (mut replies, mut octets) = (Vec::new(), 0);
        while self.client.expected() > 0 && !self.client.is_closed() {
            let reply = timeout_at(until, self.reply()).await;
            match reply.unwrap_or(Err(NextHopError::Timeout(limit))) {
                Ok(reply) => {
                    octets += reply.octets();
                    replies.push(if octets > REPLY_LIMIT { reply.shortened(SHORT) } else { reply });
                }
                Err(error) if replies.is_empty() => return Err(error),
                Err(error) => {
                    replies.push(error.reply());
                    break;
                }
            }
        }
        Ok(replies)
    }

    /// Returns `true` if the server waits for the next message, as far as can be seen.
    pub fn is_idle(&self) -> bool {
        self.client.is_idle() && self.input.is_empty()
    }

    /// Fails unless the server waits for us, as far as can be seen: what it said unasked, or still owes us, would be
    /// read as the answer to what is asked next.
    async fn ensure_in_step(&mut self) -> Result<()> {
        let idle = self.is_idle();
        let mut octet = [0];
        let mut read = ReadBuf::new(&mut octet);
        let stream = &mut self.stream;
        let waits = poll_fn(|context| Poll::Ready(Pin::new(&mut *stream).poll_read(context, &mut read).is_pending()));
        let waits = waits.await;
        self.input.extend_from_slice(read.filled());
        if idle && waits { Ok(()) } else { Err(NextHopError::out_of_step()) }
    }

    /// Writes what is to be written. After an error the connection is lost.
    async fn flush(&mut self) -> Result<()> {
        let written = self.stream.write_all(&self.out).await;
        self.out.clear();
        written.map_err(NextHopError::lost)
    }

    /// Reads the reply that is expected next.
    async fn reply(&mut self) -> Result<Reply> {
        loop {
            let received = self.client.receive(&self.input);
            let (used, reply) = received.map_err(|garbage| NextHopError::Garbage(garbage.to_string()))?;
            self.input.drain(..used);
            if let Some((_, reply)) = reply {
                return Ok(reply);
            }
            self.input.reserve(READ);
            if self.stream.read_buf(&mut self.input).await.map_err(NextHopError::lost)? == 0 {
                return Err(NextHopError::closed());
            }
        }
    }
}

/// Connects to a next hop, over TCP or a unix socket. Nothing is said of the protocol: next hops that speak SMTP don't
/// come here.
async fn connect(at: &NextHop) -> Result<Box<dyn Duplex>> {
    Ok(match at {
        NextHop::LmtpUnix(path) => Box::new(UnixStream::connect(path).await.map_err(NextHopError::Connect)?),
        NextHop::Lmtp(at) | NextHop::Smtp(at) | NextHop::Smtps(at) => Box::new(SharedStream(Below::connect(at).await?)),
    })
}
