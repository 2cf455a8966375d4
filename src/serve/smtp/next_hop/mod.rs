//! Connections to next hops: SMTP by lettre ([`mod@smtp`]), LMTP by our own client ([`lmtp`]), kept for the next
//! message ([`pool`]).
//!
//! **Limits**: [`CONNECT_TIME`] until a connection is ready, `next_hop_time` for each answer, `next_hop_end_time` for
//! all that is said once the client has said its last octet, to the answer that takes the message. The last is as long
//! as a patient client waits (RFC 5321 §4.5.3.2.6 asks 10 minutes of it): a message whose answer comes late was taken,
//! and would come a second time. So when it is over, the connection is closed, and no message is ended on it.

mod below;
mod error;
mod hello;
mod line_stream;
mod lmtp;
mod login;
mod pool;
mod smtp;
mod tls;

use std::time::{Duration, Instant};

use tokio::time::timeout;

pub use error::{NextHopError, Result};
use lmtp::LmtpConnection;
use login::log_in;
pub use pool::{Pool, PooledConnection};
use smtp::SmtpConnection;
use tls::TlsCache;

use crate::config::{Forward, HostPort, NextHop};
use crate::protocol::smtp::{Attributes, Client, Keywords, MailCommand, RcptCommand, Reply, SmtpDialect};
use crate::rewrite::NextHopExtensions;

/// How long a connection may take until mail can go over it, if an answer may take that long.
const CONNECT_TIME: Duration = Duration::from_secs(20);

/// How long a server that broke a connection off is listened to: what it said came before.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// What a connection to a next hop needs beside its address.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    /// The keys of the listener.
    pub forward: &'a Forward,
    /// The name in EHLO.
    pub hostname: &'a str,
    /// The parameters of TLS that were made already.
    pub tls: &'a TlsCache,
}

/// A connection to a next hop, ready for MAIL.
pub struct NextHopConnection {
    /// The next hop that it is to.
    pub at: NextHop,
    /// What the next hop said that it takes.
    pub keywords: Keywords,
    spoken: Spoken,
    /// How long an answer may take: `next_hop_time`.
    time: Duration,
    /// How long the answer to a message may take: `next_hop_end_time`.
    end_time: Duration,
    /// When the patience of the client ends that has said its last octet; none while it still speaks.
    until: Option<Instant>,
    /// Whether content was announced that is not over: what is written now is content, whatever it says.
    in_content: bool,
}

enum Spoken {
    Smtp(Box<SmtpConnection>),
    Lmtp(Box<LmtpConnection>),
}

impl NextHopConnection {
    /// Connects to a next hop, says hello and logs in, within [`CONNECT_TIME`] or `next_hop_time` if that is shorter.
    async fn open(at: &NextHop, terms: Terms<'_>) -> Result<NextHopConnection> {
        // What this takes must not be a part of every connection of a client that waits.
        let opening = Box::pin(async {
            Ok(match at {
                NextHop::Smtp(host) => smtp(host, false, terms).await?,
                NextHop::Smtps(host) => smtp(host, true, terms).await?,
                NextHop::Lmtp(_) | NextHop::LmtpUnix(_) => {
                    let (connection, keywords) = LmtpConnection::open(at, terms.hostname).await?;
                    (Spoken::Lmtp(Box::new(connection)), keywords)
                }
            })
        });
        let (time, end_time) = (terms.forward.next_hop_time, terms.forward.next_hop_end_time);
        let (spoken, keywords) = within(CONNECT_TIME.min(time), opening).await?;
        Ok(NextHopConnection { at: at.clone(), keywords, spoken, time, end_time, until: None, in_content: false })
    }

    /// Limits all that follows to `next_hop_end_time` in all, from when the client, which now waits, was heard last.
    /// [`PooledConnection::give_back`] ends that.
    pub fn client_waits_since(&mut self, heard: Instant) {
        self.until = Some(heard + self.end_time);
    }

    /// Returns the part of a limit that the client's patience leaves; an error when that is over.
    fn time_left(&self, limit: Duration) -> Result<Duration> {
        let Some(until) = self.until else { return Ok(limit) };
        match until.saturating_duration_since(Instant::now()) {
            Duration::ZERO => Err(NextHopError::Timeout(self.end_time)),
            rest => Ok(rest.min(limit)),
        }
    }

    /// Returns what the next hop can carry.
    pub fn takes(&self) -> NextHopExtensions {
        NextHopExtensions { eight_bit: self.keywords.has("8BITMIME"), utf8_header: self.keywords.has("SMTPUTF8") }
    }

    /// Says by XFORWARD whom the message comes from; the next hop must have offered that.
    pub async fn xforward(&mut self, attributes: &Attributes) -> Result<Reply> {
        self.command(|client, out| client.xforward(attributes, out)).await
    }

    /// Begins a message by MAIL.
    pub async fn mail(&mut self, mail: &MailCommand) -> Result<Reply> {
        self.command(|client, out| client.mail(mail, out)).await
    }

    /// Names a recipient by RCPT.
    pub async fn rcpt(&mut self, rcpt: &RcptCommand) -> Result<Reply> {
        self.command(|client, out| client.rcpt(rcpt, out)).await
    }

    /// Announces the content, which may be sent after an intermediate reply (354) only. A refusal is returned as it is,
    /// a positive reply is an error.
    pub async fn data(&mut self) -> Result<Reply> {
        let reply = self.answer(|client, out| client.data(out)).await?;
        self.in_content = reply.is_intermediate();
        if reply.is_positive() { Err(out_of_turn(&reply)) } else { Ok(reply) }
    }

    /// Gives a message up by RSET.
    pub async fn reset(&mut self) -> Result<Reply> {
        self.command(|client, out| client.reset(out)).await
    }

    /// Sends a command that is no DATA; an intermediate reply is an error.
    async fn command(&mut self, write: impl FnOnce(&mut Client, &mut Vec<u8>)) -> Result<Reply> {
        let reply = self.answer(write).await?;
        if reply.is_intermediate() { Err(out_of_turn(&reply)) } else { Ok(reply) }
    }

    /// Sends a command, and waits for the reply; in the middle of content it is not sent, since it would be part of
    /// that, and the connection is to be closed.
    async fn answer(&mut self, write: impl FnOnce(&mut Client, &mut Vec<u8>)) -> Result<Reply> {
        if self.in_content {
            return Err(NextHopError::Lost("it is given up in the middle of a message".to_owned()));
        }
        let limit = self.time_left(self.time)?;
        match &mut self.spoken {
            Spoken::Smtp(connection) => within(limit, connection.command(&line(write))).await,
            Spoken::Lmtp(connection) => within(limit, connection.command(write)).await,
        }
    }

    /// Sends the whole content of a message, after [`NextHopConnection::data`] was answered by 354, and waits for the
    /// replies: one for each recipient in LMTP. After an error the connection has to be closed.
    pub async fn message(&mut self, content: &[u8]) -> Result<Vec<Reply>> {
        let limit = self.time_left(self.end_time)?;
        let replies = match &mut self.spoken {
            Spoken::Smtp(connection) => vec![within(limit, send(connection, content)).await?],
            Spoken::Lmtp(connection) => {
                within(limit, connection.content(content)).await?;
                return self.end().await;
            }
        };
        self.in_content = false;
        Ok(replies)
    }

    /// Returns `true` if the next hop waits for the next message, as far as can be seen: it has said nothing unasked,
    /// and no content was announced to it. An open envelope is not seen.
    fn is_idle(&self) -> bool {
        let silent = match &self.spoken {
            Spoken::Smtp(connection) => connection.is_silent(),
            Spoken::Lmtp(connection) => connection.is_idle(),
        };
        silent && !self.in_content
    }

    /// Returns `true` if a message can be written piece by piece ([`NextHopConnection::write`]): not where lettre wants
    /// it whole, over an encrypted connection.
    pub fn can_stream(&self) -> bool {
        match &self.spoken {
            Spoken::Smtp(connection) => !connection.is_encrypted,
            Spoken::Lmtp(_) => true,
        }
    }

    /// Writes a piece of a message, after DATA was answered. Until [`NextHopConnection::end`] the next hop takes
    /// nothing: dropped before, the connection is closed.
    pub async fn write(&mut self, content: &[u8]) -> Result<()> {
        let limit = self.time_left(self.time)?;
        match &mut self.spoken {
            Spoken::Smtp(connection) => within(limit, connection.write(content)).await,
            Spoken::Lmtp(connection) => within(limit, connection.content(content)).await,
        }
    }

    /// Ends a message that was written piece by piece, and waits for the replies: one for each recipient in LMTP. After
    /// an error the connection has to be closed.
    pub async fn end(&mut self) -> Result<Vec<Reply>> {
        let limit = self.time_left(self.end_time)?;
        let replies = match &mut self.spoken {
            Spoken::Smtp(connection) => vec![within(limit, connection.end()).await?],
            Spoken::Lmtp(connection) => connection.end(limit).await?,
        };
        self.in_content = false;
        Ok(replies)
    }
}

/// Makes the error of a reply that waits for more where nothing follows, or that takes what was not sent.
fn out_of_turn(reply: &Reply) -> NextHopError {
    NextHopError::Garbage(format!("out of turn: {reply}"))
}

/// Sends content by SMTP: below lettre where that can be.
async fn send(connection: &mut SmtpConnection, content: &[u8]) -> Result<Reply> {
    if connection.is_encrypted {
        return connection.message(content).await;
    }
    connection.write(content).await?;
    connection.end().await
}

/// Writes a command as our own client does: lettre wants it as a text, which it is.
fn line(write: impl FnOnce(&mut Client, &mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut Client::new(SmtpDialect::Smtp), &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// Connects to an SMTP next hop, and logs in.
async fn smtp(at: &HostPort, smtps: bool, terms: Terms<'_>) -> Result<(Spoken, Keywords)> {
    let (mut connection, keywords) = SmtpConnection::open(at, smtps, terms).await?;
    log_in(&mut connection, &keywords, terms.forward).await?;
    Ok((Spoken::Smtp(Box::new(connection)), keywords))
}

/// Waits for `work`, but not longer than `limit`, after which it is an error.
async fn within<T>(limit: Duration, work: impl Future<Output = Result<T>>) -> Result<T> {
    timeout(limit, work).await.map_err(|_| NextHopError::Timeout(limit))?
}
