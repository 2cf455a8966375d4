//! An SMTP next hop, by lettre: EHLO, the login, commands, and messages.
//!
//! lettre joins the lines of a negative reply; all else of a reply comes as it was. Where the connection is not
//! encrypted, content is written below lettre, by our own [`DataWriter`]: lettre wants a message whole, adds a line to
//! an empty one, and lets a line through that is an end to servers which drop NULs.

use std::error::Error as _;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, AsyncTokioStream};
use lettre::transport::smtp::extension::ClientId;
use lettre::transport::smtp::response::Response;
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

use super::below::{Below, Shared};
use super::line_stream::LineStream;
use super::tls::TlsCache;
use super::{Keywords, NextHopError, Reply};
use crate::config::{Forward, HostPort, NextHopTls};
use crate::protocol::smtp::DataWriter;
use crate::serve::owner::is_open_to_all;

/// The octets of a message that lettre gets at once: it makes a copy of them.
const PIECE: usize = 64 << 10;

/// A connection to an SMTP server.
pub struct SmtpConnection {
    connection: AsyncSmtpConnection,
    /// The stream at the bottom.
    below: Arc<Below>,
    encrypted: bool,
    /// Doubles the dots of a message that is written piece by piece.
    writer: DataWriter,
}

impl std::fmt::Debug for SmtpConnection {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("SmtpConnection").field("encrypted", &self.encrypted).finish_non_exhaustive()
    }
}

/// What a connection needs beside its address.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    /// The keys of the listener.
    pub forward: &'a Forward,
    /// The name in EHLO.
    pub hostname: &'a str,
    /// The parameters of TLS that were made already.
    pub tls: &'a TlsCache,
}

impl Terms<'_> {
    async fn encrypt(&self, stream: Shared, at: &HostPort, checked: bool) -> Result<TlsStream<Shared>, NextHopError> {
        self.tls.encrypt(stream, &at.host, checked, self.forward.next_hop_ca_file.as_deref()).await
    }
}

async fn connect(at: &HostPort) -> Result<Arc<Below>, NextHopError> {
    let stream = TcpStream::connect((at.host.as_str(), at.port)).await.map_err(NextHopError::Connect)?;
    stream.set_nodelay(true).map_err(NextHopError::Connect)?;
    Ok(Arc::new(Below::new(stream)))
}

impl SmtpConnection {
    /// Connects, encrypts, logs in and asks what the server takes; `smtps` encrypts from the first octet on.
    pub async fn open(
        at: &HostPort,
        smtps: bool,
        terms: Terms<'_>,
    ) -> Result<(SmtpConnection, Keywords), NextHopError> {
        let mut opened = match smtps {
            true => SmtpConnection::encrypted(at, terms).await?,
            false => SmtpConnection::plain(at, terms).await?,
        };
        opened.log_in(terms.forward).await?;
        let hello = opened.command(&format!("EHLO {}\r\n", terms.hostname)).await?;
        if !hello.is_positive() {
            return Err(NextHopError::Greeting(hello.to_string()));
        }
        let keywords = Keywords::of(&hello);
        Ok((opened, keywords))
    }

    /// Connects, and encrypts before anything is said.
    async fn encrypted(at: &HostPort, terms: Terms<'_>) -> Result<SmtpConnection, NextHopError> {
        let below = connect(at).await?;
        let stream = terms.encrypt(Shared(Arc::clone(&below)), at, true).await?;
        let lines = LineStream::new(stream, Arc::clone(&below));
        SmtpConnection::over(lines, below, terms.hostname, true).await.map_err(|error| opening(&error))
    }

    async fn plain(at: &HostPort, terms: Terms<'_>) -> Result<SmtpConnection, NextHopError> {
        let opened = SmtpConnection::greeted(at, terms.hostname).await?;
        match terms.forward.tls() {
            NextHopTls::No => Ok(opened),
            NextHopTls::May if !opened.connection.can_starttls() => Ok(opened),
            NextHopTls::May => match opened.start_tls(at, terms, false).await {
                // Whoever offers STARTTLS and then can't do it gets the mail as if it had not been offered.
                Err(NextHopError::Tls(_)) => SmtpConnection::greeted(at, terms.hostname).await,
                started => started,
            },
            NextHopTls::Must if !opened.connection.can_starttls() => {
                Err(NextHopError::Tls("it does not offer STARTTLS".to_owned()))
            }
            NextHopTls::Must => opened.start_tls(at, terms, true).await,
        }
    }

    async fn greeted(at: &HostPort, hostname: &str) -> Result<SmtpConnection, NextHopError> {
        let below = connect(at).await?;
        let lines = LineStream::plain(Arc::clone(&below));
        SmtpConnection::over(lines, below, hostname, false).await.map_err(|error| opening(&error))
    }

    /// Reads the greeting, and says hello.
    async fn over<S: AsyncTokioStream + 'static>(
        lines: S,
        below: Arc<Below>,
        hostname: &str,
        encrypted: bool,
    ) -> Result<SmtpConnection, Error> {
        let connection = AsyncSmtpConnection::connect_with_transport(Box::new(lines), &client_id(hostname)).await?;
        Ok(SmtpConnection { connection, below, encrypted, writer: DataWriter::default() })
    }

    /// Encrypts a connection that was plain. What the server said in plain text, beside that it is ready, is forgotten; if
    /// it said more, somebody on the way may have said it.
    async fn start_tls(
        mut self,
        at: &HostPort,
        terms: Terms<'_>,
        checked: bool,
    ) -> Result<SmtpConnection, NextHopError> {
        let tls = |what: String| NextHopError::Tls(what);
        let told = self.command("STARTTLS\r\n").await.map_err(|error| tls(error.to_string()))?;
        if !told.is_positive() || self.below.has_ahead() {
            return Err(tls(format!("to STARTTLS it said {told}")));
        }
        let SmtpConnection { connection, below, .. } = self;
        drop(connection);
        let stream = terms.encrypt(Shared(Arc::clone(&below)), at, checked).await?;
        let lines = LineStream::greeted(stream, Arc::clone(&below));
        SmtpConnection::over(lines, below, terms.hostname, true).await.map_err(|error| tls(chain(&error)))
    }

    async fn log_in(&mut self, forward: &Forward) -> Result<(), NextHopError> {
        let (Some(user), Some(file)) = (&forward.next_hop_user, &forward.next_hop_password_file) else { return Ok(()) };
        if !self.encrypted && forward.tls() != NextHopTls::No {
            return Err(NextHopError::Unencrypted);
        }
        let credentials = Credentials::new(user.clone(), password(file)?);
        let answered = self.connection.auth(&[Mechanism::Plain, Mechanism::Login], &credentials).await;
        answered.map(drop).map_err(|error| NextHopError::Login(chain(&error)))
    }

    /// Sends a command, with its line end, and waits for the reply.
    pub async fn command(&mut self, line: &str) -> Result<Reply, NextHopError> {
        self.is_in_step()?;
        reply(self.connection.command(line).await)
    }

    /// Sends the content of a message, after DATA was answered, and waits for the reply.
    ///
    /// lettre ends each message with a line end of its own; one of no octets at all goes by as a command. A message with a
    /// line that starts with a NUL is refused: lettre would not double its dot.
    pub async fn message(&mut self, content: &[u8]) -> Result<Reply, NextHopError> {
        if content.starts_with(b"\0") || memchr::memmem::find(content, b"\n\0").is_some() {
            return Err(NextHopError::Unsafe);
        }
        if content.is_empty() {
            return self.command(".\r\n").await;
        }
        self.is_in_step()?;
        let content = content.strip_suffix(b"\r\n").unwrap_or(content);
        reply(self.connection.message_iter(content.chunks(PIECE)).await)
    }

    /// Tells whether the server waits for us, as far as can be seen: what it said unasked would be read as the answer to
    /// what is asked next.
    pub fn is_silent(&self) -> bool {
        self.below.is_silent()
    }

    fn is_in_step(&self) -> Result<(), NextHopError> {
        let what = "it closed the connection, or said something unasked";
        if self.is_silent() { Ok(()) } else { Err(NextHopError::Lost(what.to_owned())) }
    }

    /// Tells whether a message can be written piece by piece.
    pub fn can_stream(&self) -> bool {
        !self.encrypted
    }

    /// Writes a piece of a message below lettre: a long one bit by bit, so that it is nowhere held twice, and copying it
    /// keeps no other connection waiting.
    pub async fn write(&mut self, content: &[u8]) -> Result<(), NextHopError> {
        let mut out = Vec::with_capacity(content.len().min(PIECE) + 64);
        for piece in content.chunks(PIECE) {
            out.clear();
            self.writer.write(piece, &mut out);
            self.put(&out).await?;
        }
        Ok(())
    }

    /// Ends a message that was written piece by piece, and waits for the reply.
    pub async fn end(&mut self) -> Result<Reply, NextHopError> {
        let mut out = Vec::new();
        std::mem::take(&mut self.writer).finish(&mut out);
        self.is_in_step()?;
        self.put(&out).await?;
        reply(self.connection.read_response().await)
    }

    async fn put(&self, mut octets: &[u8]) -> Result<(), NextHopError> {
        let lost = |error: io::Error| NextHopError::Lost(error.to_string());
        if self.encrypted {
            return Err(NextHopError::Lost("it is encrypted".to_owned()));
        }
        let stream = &self.below.stream;
        while !octets.is_empty() {
            stream.writable().await.map_err(lost)?;
            match stream.try_write(octets) {
                Ok(written) => octets = octets.get(written..).unwrap_or_default(),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(lost(error)),
            }
        }
        Ok(())
    }
}

/// Names septet to the server: an address literal goes by as it is written.
fn client_id(hostname: &str) -> ClientId {
    ClientId::Domain(hostname.to_owned())
}

/// Reads the password of a login; a file that everybody may read is refused, as it tells it to all.
fn password(file: &Path) -> Result<String, NextHopError> {
    if is_open_to_all(file) {
        return Err(NextHopError::Login(format!("everybody may read {}: chmod o-rwx, and try again", file.display())));
    }
    let text = fs::read_to_string(file).map_err(|error| NextHopError::Login(format!("{}: {error}", file.display())))?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

/// Makes a reply of what lettre read, be it positive or negative.
fn reply(answered: Result<Response, Error>) -> Result<Reply, NextHopError> {
    match answered {
        Ok(response) => {
            let lines = response.message().map(|line| line.as_bytes().to_vec()).collect();
            Ok(Reply { code: u16::from(response.code()), lines })
        }
        Err(error) => match error.status() {
            Some(code) => {
                let text = error.source().map(ToString::to_string).unwrap_or_default();
                Ok(Reply { code: u16::from(code), lines: vec![text.into_bytes()] })
            }
            None => Err(broken(&error)),
        },
    }
}

/// Tells why a connection did not come about.
fn opening(error: &Error) -> NextHopError {
    match error.status() {
        Some(_) => NextHopError::Greeting(chain(error)),
        None => broken(error),
    }
}

/// Tells how a connection broke. lettre calls it a response that is not whole when the server closes the connection.
fn broken(error: &Error) -> NextHopError {
    let closed = error.source().is_some_and(|source| source.to_string().contains("incomplete response"));
    match error.is_response() || error.is_client() {
        true if !closed => NextHopError::Garbage(chain(error)),
        _ => NextHopError::Lost(chain(error)),
    }
}

/// Joins an error with what it comes from: lettre's own text has its source in it already.
fn chain(error: &Error) -> String {
    error.to_string()
}
