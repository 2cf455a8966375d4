//! The daemon: opens the listeners, obeys signals, and comes to an orderly end.

use std::sync::Arc;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Interval, interval, timeout};
use tracing::{error, info, warn};

use super::accept::{Slots, accept};
use super::bind::Bound;
use super::listeners::{Listeners, Opened, Service};
use super::memory::Memory;
use super::metrics::Metrics;
use super::metrics::endpoint::{self, EndpointState};
use super::own_name::warn_of_short_name;
use super::pidfile::PidFile;
use super::settings::DaemonSettings;
use super::shared::Shared;
use super::systemd;
use super::{descriptors, privileges};
use crate::config::{NonAsciiAddress, Settings, SocketAddress};
use crate::process::exit::{Exit, Failure};
use crate::process::logging::Logging;

/// Runs until SIGTERM or SIGINT; `load` reads the settings again for SIGHUP, and `logging` takes their level. An error
/// is a daemon that could not start.
pub async fn run<L>(settings: DaemonSettings, load: L, logging: &Logging) -> Result<(), Failure>
where
    L: Fn() -> Result<DaemonSettings, Failure>,
{
    let mut signals = Signals::new().map_err(|error| Failure::new(Exit::Software, error))?;
    let mut daemon = Daemon::new(settings)?;
    let settings = daemon.state.settings();
    info!("septet {} starts, by {}", env!("CARGO_PKG_VERSION"), settings.named());
    descriptors::raise();
    // Nobody is served, and nothing is read from anybody, before the daemon is whom it is told to be.
    let user = privileges::wanted(&settings.config)?;
    let mut opened = daemon.open(&settings.config).await?;
    let _pidfile = settings.config.pidfile.clone().map(PidFile::write).transpose()?;
    if let Some(user) = user {
        user.hand_sockets_over(&mut opened);
        user.become_it()?;
    }
    daemon.take(Arc::clone(&settings), opened).await;
    privileges::warn_of_risks(&settings.config, &settings.files);
    systemd::ready();
    loop {
        match signals.next().await {
            DaemonRequest::Reload => daemon.reload(load(), logging).await,
            DaemonRequest::Alive => systemd::alive(),
            DaemonRequest::Stop => break,
        }
    }
    daemon.drain(&mut signals).await;
    Ok(())
}

/// What the outside asks of the daemon.
enum DaemonRequest {
    Reload,
    Alive,
    Stop,
}

/// The signals that the daemon obeys, and the clock of systemd's watchdog, if there is one.
struct Signals {
    hangup: Signal,
    terminate: Signal,
    interrupt: Signal,
    watchdog: Option<Interval>,
}

impl Signals {
    /// Catches the signals from now on, so that they no longer end the process.
    fn new() -> std::io::Result<Signals> {
        Ok(Signals {
            hangup: signal(SignalKind::hangup())?,
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            watchdog: systemd::watchdog().map(interval),
        })
    }

    /// Waits for the next request: a signal, or the time to tell systemd's watchdog that the daemon is alive.
    async fn next(&mut self) -> DaemonRequest {
        let watchdog = async {
            match &mut self.watchdog {
                Some(interval) => drop(interval.tick().await),
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.terminate.recv() => DaemonRequest::Stop,
            _ = self.interrupt.recv() => DaemonRequest::Stop,
            _ = self.hangup.recv() => DaemonRequest::Reload,
            () = watchdog => DaemonRequest::Alive,
        }
    }
}

/// The open sockets, the slots for their connections, and what these are served from.
struct Daemon {
    listeners: Listeners,
    slots: Slots,
    state: ServerState,
}

/// What every listener serves from.
struct ServerState {
    publish: watch::Sender<Arc<DaemonSettings>>,
    stop: watch::Sender<bool>,
    memory: Arc<Memory>,
    metrics: Arc<Metrics>,
}

impl ServerState {
    /// Returns the settings that were published last.
    fn settings(&self) -> Arc<DaemonSettings> {
        Arc::clone(&self.publish.borrow())
    }

    /// Starts a task that serves whoever connects to an open socket; it runs until it is aborted.
    fn serve(&self, service: Service, socket: &SocketAddress, bound: Bound, slots: &Slots) -> JoinHandle<()> {
        let (settings, stop, memory) = (self.publish.subscribe(), self.stop.subscribe(), Arc::clone(&self.memory));
        match service {
            Service::Mail => {
                let shared = Shared { settings, stop, memory, metrics: Arc::new(self.metrics.for_listener(socket)) };
                tokio::spawn(accept(bound, socket.clone(), shared, slots.share()))
            }
            Service::Metrics => {
                let metrics = Arc::clone(&self.metrics);
                tokio::spawn(endpoint::serve(bound, EndpointState { metrics, settings, stop, memory }))
            }
        }
    }
}

impl Daemon {
    /// Makes a daemon with these settings and no socket open. An error would be a metric with a bad name.
    fn new(settings: DaemonSettings) -> Result<Daemon, Failure> {
        let metrics = Metrics::new().map_err(|error| Failure::new(Exit::Software, error))?;
        let slots = Slots::new(descriptors::connections(&settings.config));
        let memory = Memory::new(&settings.config.limits);
        let state = ServerState {
            publish: watch::channel(Arc::new(settings)).0,
            stop: watch::channel(false).0,
            memory: Arc::new(memory),
            metrics: Arc::new(metrics),
        };
        Ok(Daemon { listeners: Listeners::new(), slots, state })
    }

    /// Takes settings that were loaded again. Where they can't be loaded or taken the old ones stay, and the log says
    /// why.
    async fn reload(&mut self, loaded: Result<DaemonSettings, Failure>, logging: &Logging) {
        systemd::reloading();
        let taken = match loaded {
            Ok(settings) => self.open_and_take(settings).await,
            Err(refused) => Err(refused),
        };
        // What is refused changes nothing, the log's level included.
        let level = taken.as_ref().map_or(Ok(()), |()| logging.reload(&self.state.settings().config.log));
        self.state.metrics.reloads.count(taken.is_ok() && level.is_ok());
        match (taken, level) {
            (Err(refused), _) => error!("the new settings were refused and the old ones stay: {refused}"),
            (_, Err(error)) => error!("the settings were read again, but the log keeps its level: {error}"),
            _ => info!("the settings were read again: {}", self.state.settings().named()),
        }
        systemd::ready();
    }

    /// Takes settings: everything or, when something is wrong with them, nothing.
    async fn open_and_take(&mut self, settings: DaemonSettings) -> Result<(), Failure> {
        let opened = self.open(&settings.config).await?;
        self.take(Arc::new(settings), opened).await;
        Ok(())
    }

    /// Does of the settings what can fail: opens the sockets that are not open yet, and gives the others their owners.
    /// What is opened is served only after [`Daemon::take`].
    async fn open(&mut self, config: &Settings) -> Result<Vec<Opened>, Failure> {
        self.listeners.prepare(config).await.map_err(|error| Failure::new(error.exit(), error))
    }

    /// Takes settings whose sockets are open, and serves those who come there. The order counts: what stays as it was
    /// is told by the old settings, and nobody is let in before the new ones are published.
    async fn take(&mut self, settings: Arc<DaemonSettings>, opened: Vec<Opened>) {
        warn_of_what_stays(&self.state.settings().config, &settings.config);
        warn_of_short_name(&settings.config);
        warn_of_idle_aliases(&settings.config);
        self.slots.resize(descriptors::connections(&settings.config));
        self.state.memory.resize(&settings.config.limits);
        self.state.publish.send_replace(Arc::clone(&settings));
        let (state, slots) = (&self.state, &self.slots);
        self.listeners
            .change(&settings.config, opened, |service, socket, bound| state.serve(service, socket, bound, slots))
            .await;
    }

    /// Stops listening, and waits for the messages that have begun; a second signal ends the wait.
    ///
    /// Metrics are served until the end, so that a drain can be watched.
    async fn drain(&mut self, signals: &mut Signals) {
        let limit = self.state.settings().config.limits.drain_time;
        systemd::stopping(limit);
        self.listeners.close_all(Service::Mail).await;
        self.state.stop.send_replace(true);
        tokio::select! {
            drained = timeout(limit, self.slots.all_free()) => match drained {
                Ok(()) => info!("stopped"),
                Err(_) => warn!("stopped with {} connections open", self.slots.used()),
            },
            () = stopped_again(signals) => warn!("stopped at once"),
        }
        self.listeners.close_all(Service::Metrics).await;
    }
}

/// Says which of the new settings hold from the next start on only: those that nobody reads after [`run`] has begun.
fn warn_of_what_stays(old: &Settings, new: &Settings) {
    let keys = [
        ("pidfile", old.pidfile != new.pidfile),
        ("user", old.user != new.user),
        ("group", old.group != new.group),
        ("log.format", old.log.format != new.log.format),
        ("log.syslog_socket", old.log.syslog_socket != new.log.syslog_socket),
    ];
    for (key, _) in keys.into_iter().filter(|(_, changed)| *changed) {
        warn!("{key} is read at the start only: restart the daemon for the new one");
    }
}

/// Warns if `[alias]` has entries and no listener that forwards looks there.
fn warn_of_idle_aliases(config: &Settings) {
    let mut forwarding = config.listeners.iter().filter(|listener| listener.protocol.forwards());
    let is_asked = forwarding.any(|listener| listener.forward.non_ascii_address != NonAsciiAddress::Reject);
    if !config.alias.0.is_empty() && !is_asked {
        warn!("no listener looks into [alias]: write non_ascii_address = \"alias\" beside its next_hop");
    }
}

/// Waits for a second SIGTERM or SIGINT. A SIGHUP no longer counts, and systemd is no longer told that the daemon is
/// alive.
async fn stopped_again(signals: &mut Signals) {
    while !matches!(signals.next().await, DaemonRequest::Stop) {}
}
