//! Shows in a terminal what a running septet is doing: its status, asked for again and again; or asks for its health
//! once, where there is no curl, as in a container of septet alone.

use std::io::{self, IsTerminal as _, Read, Write, stdout};
use std::thread::sleep;
use std::time::Duration;

use thiserror::Error;

use crate::commands::probe::{ProbeError, connect};
use crate::config::SocketAddress;
use crate::process::exit::{Exit, Failure};
use crate::process::settings::ConfigArgs;

/// The octets of an answer that are read at the most.
const LONGEST: u64 = 1 << 20;

/// How long is waited for an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Puts the cursor into the corner of a terminal, and takes away what stands behind it.
const HOME: &str = "\x1b[H";
const CLEAR_REST: &str = "\x1b[J";
const CLEAR_LINE: &str = "\x1b[K\n";

/// Show what a running septet is doing
///
/// It asks the socket for metrics, metrics.listen in the settings, and shows rates, what became of messages, and the
/// last decisions by their codes; nothing out of a message. In a terminal the picture is drawn anew until Ctrl-C.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  septet watch
      shows the septet of the settings
  septet watch inet:127.0.0.1:9891 --once
      prints the state of another one, once
  septet watch --health
      tells by its exit code whether mail is taken, for a container's health check")]
pub struct Args {
    /// Ask this socket instead of the settings' metrics.listen
    #[arg(value_name = "SOCKET")]
    socket: Option<SocketAddress>,
    /// Show it once
    #[arg(long)]
    once: bool,
    /// Ask /health once: exit 0 while mail is taken, 69 while it is not
    #[arg(long, conflicts_with_all = ["once", "every"])]
    health: bool,
    /// Ask every so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=3600))]
    every: u64,
    #[command(flatten)]
    config: ConfigArgs,
}

#[derive(Debug, Error)]
enum WatchError {
    #[error("the settings have no [metrics] listen; write one, or name the socket: septet watch inet:127.0.0.1:9891")]
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

impl WatchError {
    fn exit(&self) -> Exit {
        match self {
            WatchError::NoSocket => Exit::BadConfig,
            _ => Exit::Unavailable,
        }
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<(), Failure> {
    let failed = |error: WatchError| Failure::new(error.exit(), error);
    let listen = match args.socket {
        Some(socket) => Some(socket),
        None => args.config.settings()?.metrics.listen,
    };
    let socket = listen.ok_or(WatchError::NoSocket).map_err(failed)?;
    if args.health {
        return health(&socket).map_err(failed);
    }
    let redraw = stdout().is_terminal() && !args.once;
    loop {
        let status = status(&socket).map_err(failed)?;
        let shown = if redraw { drawn(&status) } else { status };
        stdout().write_all(shown.as_bytes()).and_then(|()| stdout().flush()).map_err(Failure::of_output)?;
        if args.once {
            return Ok(());
        }
        sleep(Duration::from_secs(args.every));
    }
}

/// Writes a picture over the one before.
fn drawn(status: &str) -> String {
    let lines: String = status.lines().map(|line| format!("{line}{CLEAR_LINE}")).collect();
    format!("{HOME}{lines}{CLEAR_REST}")
}

/// Asks whether mail is taken.
fn health(socket: &SocketAddress) -> Result<(), WatchError> {
    let answer = ask(socket, "/health")?;
    match answer.split_once("\r\n\r\n") {
        Some((head, "ok\n")) if is_ok(head) => Ok(()),
        Some((_, "draining\n")) => Err(WatchError::Draining(socket.clone())),
        _ => Err(WatchError::NotSeptet(socket.clone())),
    }
}

/// Asks for the status; it is text without controls.
fn status(socket: &SocketAddress) -> Result<String, WatchError> {
    let answer = ask(socket, "/status")?;
    match answer.split_once("\r\n\r\n") {
        Some((head, body)) if is_ok(head) && body.starts_with("septet ") => Ok(plain(body)),
        _ => Err(WatchError::NotSeptet(socket.clone())),
    }
}

fn is_ok(head: &str) -> bool {
    head.starts_with("HTTP/1.1 200 ")
}

/// Returns the whole answer to a request for `path`.
fn ask(socket: &SocketAddress, path: &str) -> Result<String, WatchError> {
    let mut stream = connect(socket, PATIENCE)?;
    let silent = |error| WatchError::Silent(socket.clone(), error);
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    stream.write_all(request.as_bytes()).map_err(silent)?;
    let mut answer = Vec::new();
    stream.take(LONGEST).read_to_end(&mut answer).map_err(silent)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// Takes out what a terminal would obey.
fn plain(text: &str) -> String {
    text.chars().map(|character| if character.is_control() && character != '\n' { '?' } else { character }).collect()
}
