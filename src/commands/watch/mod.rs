//! Shows in a terminal what a running septet is doing: its status, asked for again and again; or asks for its health
//! once, where there is no curl, as in a container of septet alone.

mod ask;
mod live;
mod picture;
mod screen;

use std::io::{IsTerminal as _, Write as _, stdout};
use std::thread::sleep;
use std::time::Duration;

use ask::{WatchError, health, status};

use crate::config::SocketAddress;
use crate::process::exit::Failure;
use crate::process::settings::ConfigArgs;

/// Show what a running septet is doing
///
/// It asks the socket for metrics, metrics.listen in the settings, and shows rates, waits, listeners, what became of
/// messages, and the last decisions by queue ID and codes; nothing out of a message. In a terminal the picture has the
/// terminal's size and is drawn anew until q or Ctrl-C; what does not fit is left out, the last decisions and the rarer
/// counts first.
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
    /// Ask /health once: exit 0 while mail is accepted, otherwise 69
    #[arg(long, conflicts_with_all = ["once", "every"])]
    health: bool,
    /// Refresh every SECONDS
    #[arg(long, value_name = "SECONDS", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=3600))]
    every: u64,
    #[command(flatten)]
    config: ConfigArgs,
}

/// Runs the command.
pub fn run(args: Args) -> Result<(), Failure> {
    let socket = match args.socket {
        Some(socket) => socket,
        None => args.config.settings()?.metrics.listen.ok_or(WatchError::NoSocket)?,
    };
    let every = Duration::from_secs(args.every);
    if args.health {
        return Ok(health(&socket)?);
    }
    if args.once {
        return print(&socket);
    }
    if stdout().is_terminal() {
        return live::show(socket, every);
    }
    loop {
        print(&socket)?;
        sleep(every);
    }
}

/// Prints the status as it is.
fn print(socket: &SocketAddress) -> Result<(), Failure> {
    stdout().write_all(status(socket)?.as_bytes()).and_then(|()| stdout().flush()).map_err(Failure::of_output)
}
