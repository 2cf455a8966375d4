//! systemd: sockets that it opened for us, and what it wants to be told. Debian's start-stop-daemon, which starts the
//! daemon where systemd does not run, is told in the same way. Without either, all of this does nothing.

use std::time::Duration;

use listenfd::ListenFd;
use nix::errno::Errno;
use sd_notify::NotifyState;
use tracing::debug;

use crate::process::exit::{Exit, Failure};
use crate::process::shown::Shown;

/// The sockets that systemd opened, by name. It is read once, at the start.
pub struct ActivatedSockets {
    names: Vec<String>,
    sockets: ListenFd,
}

/// One of them.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum GivenSocket {
    Unix(std::os::unix::net::UnixListener),
    Tcp(std::net::TcpListener),
}

impl ActivatedSockets {
    /// Takes them from the environment.
    pub fn from_env() -> ActivatedSockets {
        // Without systemd there are no names.
        let names = std::env::var("LISTEN_FDNAMES").unwrap_or_default();
        ActivatedSockets { names: names.split(':').map(str::to_owned).collect(), sockets: ListenFd::from_env() }
    }

    /// Takes the socket with this name, of several the first; none if there is none, or if it was taken before. Any
    /// kind but unix and TCP is an error.
    pub fn take(&mut self, name: &str) -> std::io::Result<Option<GivenSocket>> {
        // Without systemd there is one name, which is empty, and no socket.
        let mut names = self.names.iter().take(self.sockets.len());
        let Some(index) = names.position(|given| given == name) else { return Ok(None) };
        match self.sockets.take_unix_listener(index) {
            Ok(socket) => Ok(socket.map(GivenSocket::Unix)),
            Err(_) => Ok(self.sockets.take_tcp_listener(index)?.map(GivenSocket::Tcp)),
        }
    }
}

/// Says that every listener listens, or does so again.
pub fn ready() {
    tell(&[NotifyState::Ready]);
}

/// Says that the daemon could not start, and why: start-stop-daemon would wait for its `--notify-timeout` otherwise.
pub fn failed(failure: &Failure) {
    let (why, errno) = (failure.to_string(), errno_of(failure.exit));
    // A line end would end what is said here.
    tell(&[NotifyState::Status(&Shown(&why).to_string()), NotifyState::Errno(errno as u32)]);
}

/// Returns the error number that is nearest to an exit code; start-stop-daemon prints its text.
fn errno_of(exit: Exit) -> Errno {
    match exit {
        Exit::NoPermission => Errno::EACCES,
        Exit::Usage | Exit::BadConfig => Errno::EINVAL,
        _ => Errno::ECANCELED,
    }
}

/// Says that the settings are being read again.
pub fn reloading() {
    match NotifyState::monotonic_usec_now() {
        Ok(now) => tell(&[NotifyState::Reloading, now]),
        Err(_) => tell(&[NotifyState::Reloading]),
    }
}

/// Says that the daemon is coming to its end, for which systemd is to wait as long as the drain may take, and 5 seconds
/// more.
pub fn stopping(drain: Duration) {
    let micros = u32::try_from(drain.as_micros() + 5_000_000).unwrap_or(u32::MAX);
    tell(&[NotifyState::Stopping, NotifyState::ExtendTimeoutUsec(micros)]);
}

/// Returns how often [`alive`] has to be said, if systemd wants it: half of the time after which it kills.
pub fn watchdog() -> Option<Duration> {
    sd_notify::watchdog_enabled().map(|time| time / 2)
}

/// Says that the daemon still turns.
pub fn alive() {
    tell(&[NotifyState::Watchdog]);
}

/// Tells systemd, if it started the daemon. That it can't be told is no fault: the daemon goes on.
fn tell(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        debug!(%error, "systemd was not told");
    }
}
