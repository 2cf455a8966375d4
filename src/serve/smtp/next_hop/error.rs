//! What goes wrong on the way to a next hop, and what its client is told then.

use std::io;
use std::time::Duration;

use thiserror::Error;

use crate::protocol::smtp::Reply;
use crate::serve::log::plain_text;

/// What a step of a conversation with a next hop returns, which may fail.
pub type Result<T, E = NextHopError> = std::result::Result<T, E>;

/// Why a next hop can't be reached, or did not answer as it must. What it said is shown as a log may have it.
#[derive(Debug, Error)]
pub enum NextHopError {
    /// No connection came about.
    #[error("can't connect to it: {0}")]
    Connect(#[source] io::Error),
    /// It did not greet, or did not know EHLO or LHLO.
    #[error("it does not want to talk: {}", plain_text(.0))]
    Greeting(String),
    /// No TLS where it must be, or a certificate that is not good.
    #[error("no TLS with it: {}", plain_text(.0))]
    Tls(String),
    /// It did not take the login.
    #[error("no login at it: {}", plain_text(.0))]
    Login(String),
    /// The password would go to it as everybody on the way can read it.
    #[error(
        "no login at it: the connection is not encrypted, and the password is not sent; write next_hop_tls = \"must\""
    )]
    Unencrypted,
    /// The connection broke.
    #[error("the connection broke: {}", plain_text(.0))]
    Lost(String),
    /// It answers in no time.
    #[error("no answer in {0:?}")]
    Timeout(Duration),
    /// It answers what no server answers.
    #[error("an answer that makes no sense: {}", plain_text(.0))]
    Garbage(String),
    /// The message can't go over an encrypted connection: a line of it starts with a NUL.
    #[error("a line of the message starts with a NUL, which some servers take for the end of it")]
    Unsafe,
    /// It refused the message before it had all of it.
    #[error("it refused the message in the middle: {}", plain_text(&.0.to_string()))]
    Refused(Reply),
    /// As many connections as are allowed are in use.
    #[error("every connection of next_hop_connections is in use")]
    Busy,
}

impl NextHopError {
    /// Says that the next hop can't be spoken to: it does not wait for us.
    pub fn out_of_step() -> NextHopError {
        NextHopError::Lost("it closed the connection, or said something unasked".to_owned())
    }

    /// Says that the next hop closed the connection.
    pub fn closed() -> NextHopError {
        NextHopError::Lost("it closed the connection".to_owned())
    }

    /// Says that the connection broke, and how.
    pub fn lost(error: io::Error) -> NextHopError {
        NextHopError::Lost(error.to_string())
    }

    /// Returns the stable name that counters use, which `NEXT_HOP_ERRORS` of the metrics lists.
    pub fn code(&self) -> &'static str {
        match self {
            NextHopError::Connect(_) => "connect",
            NextHopError::Greeting(_) => "greeting",
            NextHopError::Tls(_) => "tls",
            NextHopError::Login(_) | NextHopError::Unencrypted => "login",
            NextHopError::Lost(_) => "lost",
            NextHopError::Timeout(_) => "timeout",
            NextHopError::Garbage(_) => "garbage",
            NextHopError::Unsafe => "unsafe",
            NextHopError::Refused(_) => "refused",
            NextHopError::Busy => "busy",
        }
    }

    /// Returns what the client is told: to come again later, but for a message that can never go. A refusal of the next
    /// hop is handed on, a 421 as 451.
    pub fn reply(&self) -> Reply {
        match self {
            NextHopError::Connect(_) => Reply::with_status(451, "4.4.1", "the next hop can't be reached"),
            NextHopError::Greeting(_) | NextHopError::Login(_) | NextHopError::Unencrypted | NextHopError::Tls(_) => {
                Reply::with_status(451, "4.3.5", "the next hop does not take mail now")
            }
            NextHopError::Lost(_) => Reply::with_status(451, "4.4.2", "the connection to the next hop broke"),
            NextHopError::Timeout(_) => Reply::with_status(451, "4.4.2", "the next hop does not answer"),
            NextHopError::Garbage(_) => Reply::with_status(451, "4.5.0", "the next hop answers nonsense"),
            NextHopError::Unsafe => Reply::with_status(554, "5.6.0", "a line of the message starts with a NUL"),
            // Its 421 was for us; the client's connection stays.
            NextHopError::Refused(reply) if reply.closes() => Reply { code: 451, ..reply.clone() },
            NextHopError::Refused(reply) => reply.clone(),
            NextHopError::Busy => Reply::with_status(451, "4.3.2", "too many messages at once"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_next_hop_said_is_shown_on_one_line_of_some_length() {
        let hostile = "\x1b[31m\x07\r\n\u{9b}\u{202e}\u{2028}\"x\" caf\u{e9}";
        let long = hostile.repeat(64 * 1024 / hostile.len());
        let errors: [fn(String) -> NextHopError; 5] =
            [NextHopError::Greeting, NextHopError::Tls, NextHopError::Login, NextHopError::Lost, NextHopError::Garbage];
        for error in errors {
            let before = error(String::new()).to_string();
            assert_eq!(error(hostile.to_owned()).to_string(), format!("{before}?[31m???????x? caf\u{e9}"));
            let shown = error(long.clone()).to_string();
            assert_eq!(shown.chars().count(), before.len() + 200, "{shown}");
            assert!(!shown.contains(|c: char| c.is_control() || "\"\u{202e}\u{2028}".contains(c)), "{shown}");
        }
    }
}
