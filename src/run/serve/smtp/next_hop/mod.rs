//! Connections to next hops: SMTP by lettre ([`smtp`]), LMTP by our own client ([`lmtp`]), kept for the next message
//! ([`pool`]).
//!
//! **Limits**: [`CONNECT_TIME`] until a connection is ready, [`COMMAND_TIME`] for each answer, [`END_TIME`] for the one
//! that takes a message. The last is as long as a patient client waits (RFC 5321 §4.5.3.2.6 asks 10 minutes of it):
//! a message whose answer comes late was taken, and would come a second time.

mod error;
mod line_stream;
mod lmtp;
mod pool;
mod smtp;
mod tls;

use std::time::Duration;

use tokio::time::timeout;

pub use error::NextHopError;
use lmtp::LmtpConnection;
pub use pool::{Lease, Pool};
use smtp::{SmtpConnection, Terms};

use crate::config::NextHop;
use crate::protocol::smtp::{Keywords, Reply};

/// How long a connection may take until mail can go over it.
pub const CONNECT_TIME: Duration = Duration::from_secs(20);

/// How long the answer to a command may take.
pub const COMMAND_TIME: Duration = Duration::from_secs(100);

/// How long the answer to a message may take.
pub const END_TIME: Duration = Duration::from_secs(580);

/// A connection to a next hop, ready for MAIL.
#[derive(Debug)]
pub struct Connection {
    at: NextHop,
    keywords: Keywords,
    spoken: Spoken,
    /// Whether a message was begun on it and is not ended, so that nobody else can have it.
    unfinished: bool,
}

#[derive(Debug)]
enum Spoken {
    Smtp(Box<SmtpConnection>),
    Lmtp(Box<LmtpConnection>),
}

impl Connection {
    /// Connects to a next hop.
    async fn open(at: &NextHop, terms: Terms<'_>) -> Result<Connection, NextHopError> {
        let opening = async {
            Ok(match at {
                NextHop::Smtp(host) => smtp(SmtpConnection::open(host, false, terms).await?),
                NextHop::Smtps(host) => smtp(SmtpConnection::open(host, true, terms).await?),
                NextHop::Lmtp(_) | NextHop::LmtpUnix(_) => {
                    let (connection, keywords) = LmtpConnection::open(at, terms.hostname).await?;
                    (Spoken::Lmtp(Box::new(connection)), keywords)
                }
            })
        };
        let (spoken, keywords) = within(CONNECT_TIME, opening).await?;
        Ok(Connection { at: at.clone(), keywords, spoken, unfinished: false })
    }

    /// Returns the next hop that this connection is to.
    pub fn at(&self) -> &NextHop {
        &self.at
    }

    /// Returns what the next hop said that it takes.
    pub fn keywords(&self) -> &Keywords {
        &self.keywords
    }

    /// Sends a command without its line end, and waits for the reply.
    pub async fn command(&mut self, command: &str) -> Result<Reply, NextHopError> {
        let line = format!("{command}\r\n");
        self.unfinished = true;
        let reply = match &mut self.spoken {
            Spoken::Smtp(connection) => within(COMMAND_TIME, connection.command(&line)).await?,
            Spoken::Lmtp(connection) => within(COMMAND_TIME, connection.command(&line)).await?,
        };
        self.unfinished = reply.code == 421;
        Ok(reply)
    }

    /// Sends the content of a message after DATA, and waits for the replies: one for each recipient in LMTP.
    pub async fn message(&mut self, content: &[u8], recipients: usize) -> Result<Vec<Reply>, NextHopError> {
        self.unfinished = true;
        let replies = match &mut self.spoken {
            Spoken::Smtp(connection) => vec![within(END_TIME, connection.message(content)).await?],
            Spoken::Lmtp(connection) => within(END_TIME, connection.message(content, recipients)).await?,
        };
        self.unfinished = replies.iter().any(|reply| reply.code == 421);
        Ok(replies)
    }

    /// Tells whether a message can be written piece by piece.
    pub fn can_stream(&self) -> bool {
        match &self.spoken {
            Spoken::Smtp(connection) => connection.can_stream(),
            Spoken::Lmtp(_) => true,
        }
    }

    /// Writes octets of a message, as they go over the wire. Until [`Connection::end`] nobody else can have the
    /// connection: dropped before, it is closed, and the next hop takes nothing.
    pub async fn write(&mut self, octets: &[u8]) -> Result<(), NextHopError> {
        self.unfinished = true;
        match &mut self.spoken {
            Spoken::Smtp(connection) => within(COMMAND_TIME, connection.write(octets)).await,
            Spoken::Lmtp(connection) => within(COMMAND_TIME, connection.write(octets)).await,
        }
    }

    /// Waits for the replies to a message that was written piece by piece.
    pub async fn end(&mut self, recipients: usize) -> Result<Vec<Reply>, NextHopError> {
        let replies = match &mut self.spoken {
            Spoken::Smtp(connection) => vec![within(END_TIME, connection.reply()).await?],
            Spoken::Lmtp(connection) => within(END_TIME, connection.replies(recipients)).await?,
        };
        self.unfinished = replies.iter().any(|reply| reply.code == 421);
        Ok(replies)
    }

    /// Tells whether the next client can have it.
    fn is_good(&self) -> bool {
        !self.unfinished
    }
}

fn smtp((connection, keywords): (SmtpConnection, Keywords)) -> (Spoken, Keywords) {
    (Spoken::Smtp(Box::new(connection)), keywords)
}

async fn within<T>(
    limit: Duration,
    work: impl Future<Output = Result<T, NextHopError>>,
) -> Result<T, NextHopError> {
    timeout(limit, work).await.map_err(|_| NextHopError::Timeout(limit))?
}
