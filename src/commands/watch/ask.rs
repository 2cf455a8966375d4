//! What a running septet answers: its status, and whether it takes mail.

use std::io::{self, Read, Write};
use std::time::Duration;

use thiserror::Error;

use crate::commands::probe::{ProbeError, connect};
use crate::config::SocketAddress;
use crate::process::exit::{Exit, HasExit};
use crate::process::shown::masked;

/// How many octets of an answer are read at most.
const LONGEST: u64 = 1 << 20;

/// How long is waited for each piece of an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// The socket that the settings of the package have.
const PACKAGED: &str = "unix:/run/septet/metrics.sock";

/// Why there is nothing to show.
#[derive(Debug, Error)]
pub enum WatchError {
    #[error(
        "the settings have no metrics.listen, where a daemon can be asked; write the line metrics.listen = \"{PACKAGED}\" \
         into a file of its own, /etc/septet/conf.d/metrics.toml, and reload septet; or name a socket: \
         septet watch inet:127.0.0.1:9891"
    )]
    NoSocket,
    #[error(transparent)]
    Connect(#[from] ProbeError),
    #[error("{0} does not answer")]
    Silent(SocketAddress, #[source] io::Error),
    #[error("{0} is no septet's socket for metrics, or that of an older one")]
    NotSeptet(SocketAddress),
    #[error("{0} takes no mail any more: it comes to its end")]
    Draining(SocketAddress),
}

impl HasExit for WatchError {
    fn exit(&self) -> Exit {
        match self {
            WatchError::NoSocket => Exit::BadConfig,
            _ => Exit::Unavailable,
        }
    }
}

/// Asks whether mail is taken; that it is not, is the error [`WatchError::Draining`].
pub fn health(socket: &SocketAddress) -> Result<(), WatchError> {
    let answer = ask(socket, "/health")?;
    match answer.split_once("\r\n\r\n") {
        Some((head, "ok\n")) if is_ok(head) => Ok(()),
        Some((_, "draining\n")) => Err(WatchError::Draining(socket.clone())),
        _ => Err(WatchError::NotSeptet(socket.clone())),
    }
}

/// Asks for the status: text in which no control is left but the line end.
pub fn status(socket: &SocketAddress) -> Result<String, WatchError> {
    let answer = ask(socket, "/status")?;
    match answer.split_once("\r\n\r\n") {
        Some((head, body)) if is_ok(head) && body.starts_with("septet ") => Ok(plain(body)),
        _ => Err(WatchError::NotSeptet(socket.clone())),
    }
}

/// Returns `true` if an answer with this head has the status 200.
fn is_ok(head: &str) -> bool {
    head.starts_with("HTTP/1.1 200 ")
}

/// Returns the answer to a request for `path`, head and body, up to [`LONGEST`] octets; the daemon closes the
/// connection behind it.
fn ask(socket: &SocketAddress, path: &str) -> Result<String, WatchError> {
    let mut stream = connect(socket, PATIENCE)?;
    let mut answer = Vec::new();
    let asked = write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let answered = asked.and_then(|()| stream.take(LONGEST).read_to_end(&mut answer));
    answered.map_err(|error| WatchError::Silent(socket.clone(), error))?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// Masks what a terminal would obey, or not show.
fn plain(text: &str) -> String {
    text.chars().map(|character| if character == '\n' { character } else { masked(character) }).collect()
}
