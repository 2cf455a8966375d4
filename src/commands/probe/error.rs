//! What can go wrong between us and a milter that is tried.

use std::io;
use std::time::Duration;

use thiserror::Error;

use crate::config::socket::SocketAddress;
use crate::protocol::milter::{RequestRefusedError, WireError};

/// How long a milter may take for one reply; Postfix's default for the end of a message.
pub const REPLY_TIME: Duration = Duration::from_secs(300);

/// Why a milter can't be tried.
#[derive(Debug, Error)]
pub enum ProbeError {
    #[error("can't connect to {0}")]
    Connect(SocketAddress, #[source] io::Error),
    #[error("systemd's sockets can't be connected to: write the socket's own address")]
    Systemd,
    #[error("the milter closed the connection")]
    Closed,
    #[error("the milter said nothing for {REPLY_TIME:?}")]
    Silent,
    #[error("the connection broke")]
    Io(#[source] io::Error),
    #[error("the milter sent what is no reply")]
    Wire(#[from] WireError),
    #[error("the milter sent `{}` where {wanted} was expected", char::from(*.sent))]
    Unexpected { sent: u8, wanted: &'static str },
    #[error("an MTA would refuse what the milter asked for")]
    Refused(#[from] RequestRefusedError),
}

impl From<io::Error> for ProbeError {
    fn from(error: io::Error) -> ProbeError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => ProbeError::Closed,
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => ProbeError::Silent,
            _ => ProbeError::Io(error),
        }
    }
}
