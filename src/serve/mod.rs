//! Runs every listener of the settings until SIGTERM.
//!
//! The parts: [`settings`] is what the daemon runs by, [`listeners`] has the sockets that are open, [`bind`] opens
//! them, [`accept`] lets peers in, [`metrics`] counts and serves what was counted, [`memory`] bounds what all messages
//! together hold, [`planning`] gives each its turn, [`daemon`] starts, reloads and stops it all.
//!
//! A protocol has a folder: [`milter`] is the only one that knows milters, [`smtp`] forwards. It moves octets by a
//! [`stream`], gives an [`envelope`] and a message to the [`policy`], and gets edits and an [`outcome`] to hand on.
//! [`transport`] keeps a profile within what the transport can carry, [`x_septet`] writes the field that says what was
//! done, [`log`] the line. None of these knows a protocol.
//!
//! What is logged: one line a message at `info`; at `warn` what a postmaster should look at (a malformed packet, a
//! message beyond a limit or read in two ways, one without room, one that the MTA does not let be changed, one that was
//! refused); at `error` what is septet's own fault; connections at `debug`.

mod accept;
mod bind;
mod daemon;
mod descriptors;
mod digest;
pub mod envelope;
mod forged;
pub mod http;
mod listeners;
mod log;
mod memory;
mod metrics;
mod milter;
mod outcome;
pub(super) mod own_name;
pub(super) mod owner;
mod pidfile;
mod planning;
mod policy;
mod privileges;
mod quick_ack;
mod settings;
mod shared;
mod smtp;
mod socket_file;
mod stale_socket;
mod status;
mod stream;
mod systemd;
mod transport;
mod x_septet;

pub use memory::texts_that_fit;

use crate::config::{ListenAddress, NextHop};
use crate::process::exit::{Exit, Failure};
use crate::process::logging;
use crate::process::settings::ConfigArgs;
use crate::process::{allocator, arrival, say};
use settings::DaemonSettings;

/// Run every listener of the settings until SIGTERM
///
/// SIGHUP reads the settings again; faulty ones are refused, and the old ones stay. SIGTERM stops listening
/// and lets messages that have begun come to their end.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Examples:
  septet serve
      runs the listeners of the settings; without any, a milter on inet:127.0.0.1:8891
  septet serve --listen unix:/run/septet/milter.sock --profile seven-bit
      runs one milter, whatever the settings say of listeners
  septet serve --listen smtp:127.0.0.1:10025 --next-hop smtp:127.0.0.1:10026
      stands between two mail servers")]
pub struct Args {
    /// Listen on SOCKET instead of the settings' listeners; with smtp: or lmtp: before it, forward what comes in; may
    /// be repeated
    #[arg(long, value_name = "SOCKET")]
    pub listen: Vec<ListenAddress>,

    /// Forward to NEXT_HOP, as smtp:HOST:PORT or lmtp:unix:/path, what comes in by --listen smtp: or lmtp:
    #[arg(long, value_name = "NEXT_HOP", requires = "listen")]
    pub next_hop: Vec<NextHop>,

    /// Use the profile NAME for every message, instead of the settings' profiles and rules
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub config: ConfigArgs,
}

/// Runs the daemon until a signal ends it; an error is a daemon that could not start. Why is said here, before
/// whoever waits for the start is told to look.
pub fn run(args: Args) -> Result<(), Failure> {
    run_to_end(args).map_err(|failure| {
        say::failure(&failure);
        systemd::failed(&failure);
        Failure::told(failure.exit)
    })
}

/// Tells whoever waits for the daemon's start that its command line was wrong, and that stderr says why.
pub fn tell_of_wrong_usage() {
    systemd::failed(&Failure::new(Exit::Usage, "wrong usage"));
}

/// Runs the daemon until a signal ends it; an error says why it could not start.
fn run_to_end(args: Args) -> Result<(), Failure> {
    allocator::share_arena();
    let settings = DaemonSettings::load(&args)?;
    let logging = logging::start(&settings.config.log)?;
    if settings.config.hostname.is_none() {
        // The resolver may take seconds: no message waits for it.
        arrival::full_name();
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_name("septet")
        .on_thread_start(allocator::share_arena)
        .max_blocking_threads(blocking_threads())
        .event_interval(EVENT_INTERVAL)
        .build()
        .map_err(|error| Failure::new(Exit::Unavailable, error))?;
    runtime.spawn(allocator::keep_giving_back());
    let ended = runtime.block_on(daemon::run(settings, || DaemonSettings::load(&args), &logging));
    // A message that is being planned on its own thread has had its time to drain: it is not waited for again.
    runtime.shutdown_background();
    logging.end();
    ended
}

/// How many turns of connections pass before sockets are looked at again: few, for a turn may be a piece of a large
/// message, and a small one must not wait for many.
const EVENT_INTERVAL: u32 = 7;

/// Returns how many threads there may be beside those that serve connections. Planning has [turns](planning) of its
/// own; each thread more has memory of its own that the system gets back late.
fn blocking_threads() -> usize {
    2 * std::thread::available_parallelism().map_or(1, |count| count.get()) + 4
}
