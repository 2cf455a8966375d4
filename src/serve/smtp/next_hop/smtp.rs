//! An SMTP next hop, by lettre: commands, the login, and messages, once [`hello`](super::hello) was said.
//!
//! Where the connection is not encrypted, content is written below lettre, by our own [`DataWriter`]: lettre wants a
//! message whole, adds a line to an empty one, and lets a line through that is an end to servers which drop NULs.

use std::error::Error as _;
use std::sync::Arc;

use lettre::transport::smtp::Error;
use lettre::transport::smtp::client::AsyncSmtpConnection;
use lettre::transport::smtp::extension::ClientId;
use lettre::transport::smtp::response::Response;
use tokio::io::AsyncWriteExt as _;
use tokio::time::timeout;

use super::below::{Below, SharedStream};
use super::hello;
use super::{Keywords, LAST_WORDS, NextHopError, Reply, Result, Terms};
use crate::config::HostPort;
use crate::protocol::smtp::DataWriter;

/// The octets of a message that lettre gets at once: it makes a copy of them.
const PIECE: usize = 64 << 10;

/// A connection to an SMTP server.
pub struct SmtpConnection {
    connection: AsyncSmtpConnection,
    /// The stream at the bottom.
    below: Arc<Below>,
    /// Whether nobody on the way can read what is said.
    pub is_encrypted: bool,
    /// Doubles the dots of a message that is written piece by piece.
    writer: DataWriter,
}

impl SmtpConnection {
    /// Connects, encrypts as the listener wants it, says hello, and returns the connection with what the server offers;
    /// `smtps` encrypts from the first octet on.
    pub async fn open(at: &HostPort, smtps: bool, terms: Terms<'_>) -> Result<(SmtpConnection, Keywords)> {
        let (lines, keywords) = match smtps {
            true => hello::encrypted(at, terms).await?,
            false => hello::plain(at, terms).await?,
        };
        let (below, is_encrypted) = (Arc::clone(&lines.below), lines.is_encrypted);
        // What lettre says here is answered by the stream; the server hears nothing of it.
        let stream = Box::new(lines.introduced());
        let connection = AsyncSmtpConnection::connect_with_transport(stream, &ClientId::default()).await;
        let connection = connection.map_err(|error| broken(&error))?;
        Ok((SmtpConnection { connection, below, is_encrypted, writer: DataWriter::default() }, keywords))
    }

    /// Sends a command, whose line end `line` has, and waits for the reply. How long that may take is the caller's to
    /// limit.
    pub async fn command(&mut self, line: &str) -> Result<Reply> {
        self.ensure_in_step()?;
        let answered = self.connection.command(line).await;
        self.reply(answered)
    }

    /// Sends the content of a message, after DATA was answered, and waits for the reply.
    ///
    /// lettre ends each message with a line end of its own; one of no octets at all goes by as a command. A message
    /// with a line that starts with a NUL is refused: lettre would not double its dot.
    pub async fn message(&mut self, content: &[u8]) -> Result<Reply> {
        if content.starts_with(b"\0") || memchr::memmem::find(content, b"\n\0").is_some() {
            return Err(NextHopError::Unsafe);
        }
        if content.is_empty() {
            return self.command(".\r\n").await;
        }
        self.ensure_in_step()?;
        let content = content.strip_suffix(b"\r\n").unwrap_or(content);
        let answered = self.connection.message_iter(content.chunks(PIECE)).await;
        match self.reply(answered) {
            Err(lost @ NextHopError::Lost(_)) => Err(self.refusal().await.unwrap_or(lost)),
            replied => replied,
        }
    }

    /// Returns `true` if the server waits for us, as far as can be seen: what it said unasked would be read as the
    /// answer to what is asked next.
    pub fn is_silent(&self) -> bool {
        self.below.is_silent()
    }

    /// Fails unless the server waits for us, as far as can be seen ([`SmtpConnection::is_silent`]).
    fn ensure_in_step(&self) -> Result<()> {
        if self.is_silent() { Ok(()) } else { Err(NextHopError::out_of_step()) }
    }

    /// Writes a piece of a message below lettre, where the connection is not encrypted: a long one bit by bit, so that
    /// it is nowhere held twice, and copying it keeps no other connection waiting.
    pub async fn write(&mut self, content: &[u8]) -> Result<()> {
        // Some octets more, for dots that are doubled.
        let mut out = Vec::with_capacity(content.len().min(PIECE) + 64);
        for piece in content.chunks(PIECE) {
            out.clear();
            self.writer.write(piece, &mut out);
            self.write_or_hear_refusal(&out).await?;
        }
        Ok(())
    }

    /// Ends a message that was written piece by piece, and waits for the reply.
    pub async fn end(&mut self) -> Result<Reply> {
        let mut out = Vec::new();
        std::mem::take(&mut self.writer).finish(&mut out);
        if let Err(lost) = self.ensure_in_step() {
            return Err(self.refusal().await.unwrap_or(lost));
        }
        self.write_or_hear_refusal(&out).await?;
        let answered = self.connection.read_response().await;
        self.reply(answered)
    }

    /// Writes content to the TCP stream itself, where the next reply that comes is another one. Where that fails, the
    /// error is the refusal of a server that refused the message in the middle of it. On an encrypted connection it is
    /// an error, as the content would go in plain text.
    async fn write_or_hear_refusal(&mut self, octets: &[u8]) -> Result<()> {
        if self.is_encrypted {
            return Err(NextHopError::Lost("it is encrypted".to_owned()));
        }
        self.below.forget_said();
        match SharedStream(Arc::clone(&self.below)).write_all(octets).await {
            Err(lost) => Err(self.refusal().await.unwrap_or(NextHopError::lost(lost))),
            Ok(()) => Ok(()),
        }
    }

    /// Returns the refusal that the server said before the end of a message, which is then the answer to it; none where
    /// it said nothing within [`LAST_WORDS`], or anything else.
    async fn refusal(&mut self) -> Option<NextHopError> {
        let said = timeout(LAST_WORDS, self.connection.read_response()).await.ok()?;
        let said = self.reply(said).ok()?;
        said.is_negative().then_some(NextHopError::Refused(said))
    }

    /// Makes a reply of what lettre read, which has a negative one for an error; an error means that there was no
    /// reply. Its lines are those that came, since lettre joins the lines of a negative one: they are taken from below,
    /// and so this is asked once for each answer, before anything else is written.
    fn reply(&self, answered: Result<Response, Error>) -> Result<Reply> {
        let code = match answered {
            Ok(response) => response.code(),
            Err(error) => error.status().ok_or_else(|| broken(&error))?,
        };
        Ok(Reply { code: u16::from(code), lines: self.below.take_said() })
    }
}

/// Makes the error of a connection that broke, or of a reply that is none. A response that is not whole, as lettre
/// calls it, is a connection that the server closed.
fn broken(error: &Error) -> NextHopError {
    let closed = error.source().is_some_and(|source| source.to_string().contains("incomplete response"));
    match error.is_response() || error.is_client() {
        true if !closed => NextHopError::Garbage(error.to_string()),
        _ => NextHopError::Lost(error.to_string()),
    }
}
