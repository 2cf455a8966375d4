//! The daemon: opens the listeners, obeys signals, and comes to an orderly end.

use std::sync::Arc;
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinHandle;
use tokio::time::{Interval, interval, sleep, timeout};
use tracing::{error, info, warn};

use super::connection::{self, Shared};
use super::listener::{Accepted, BindError, Bound, bind};
use super::memory::Memory;
use super::pidfile::PidFile;
use super::prompt::Prompt;
use super::settings::Settings;
use super::systemd::{self, Given};
use crate::config::socket::SocketAddress;
use crate::run::exit::{Exit, Failure};

/// How long nothing is accepted after the system refused to, mostly for want of file descriptors.
const REFUSED_PAUSE: Duration = Duration::from_millis(100);

/// Runs until SIGTERM or SIGINT; `load` reads the settings again for SIGHUP.
pub async fn run<L>(settings: Settings, load: L) -> Result<(), Failure>
where
    L: Fn() -> Result<Settings, Failure>,
{
    let mut signals = Signals::new().map_err(|error| Failure::new(Exit::Software, error))?;
    let mut daemon = Daemon::new(settings);
    let wanted = daemon.settings();
    let opened = daemon.open_new(&wanted).await.map_err(|error| Failure::new(error.exit(), error))?;
    daemon.doors.extend(opened);
    let _pidfile = wanted.config.pidfile.clone().map(PidFile::write).transpose()?;
    systemd::ready();
    loop {
        match signals.next().await {
            Order::Reload => daemon.reload(load()).await,
            Order::Alive => systemd::alive(),
            Order::Stop => break,
        }
    }
    daemon.drain(&mut signals).await;
    Ok(())
}

/// What the outside asks of the daemon.
enum Order {
    Reload,
    Alive,
    Stop,
}

struct Signals {
    hangup: Signal,
    terminate: Signal,
    interrupt: Signal,
    watchdog: Option<Interval>,
}

impl Signals {
    fn new() -> std::io::Result<Signals> {
        Ok(Signals {
            hangup: signal(SignalKind::hangup())?,
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            watchdog: systemd::watchdog().map(interval),
        })
    }

    async fn next(&mut self) -> Order {
        let watchdog = async {
            match &mut self.watchdog {
                Some(interval) => drop(interval.tick().await),
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.terminate.recv() => Order::Stop,
            _ = self.interrupt.recv() => Order::Stop,
            _ = self.hangup.recv() => Order::Reload,
            () = watchdog => Order::Alive,
        }
    }
}

struct Daemon {
    given: Given,
    publish: watch::Sender<Arc<Settings>>,
    stop: watch::Sender<bool>,
    memory: Arc<Memory>,
    slots: Arc<Semaphore>,
    slot_count: usize,
    doors: Vec<Door>,
}

/// An open listener.
struct Door {
    socket: SocketAddress,
    task: JoinHandle<()>,
}

impl Daemon {
    fn new(settings: Settings) -> Daemon {
        let slot_count = settings.config.limits.connections;
        Daemon {
            given: Given::from_env(),
            publish: watch::channel(Arc::new(settings)).0,
            stop: watch::channel(false).0,
            memory: Arc::new(Memory::default()),
            slots: Arc::new(Semaphore::new(slot_count)),
            slot_count,
            doors: Vec::new(),
        }
    }

    fn settings(&self) -> Arc<Settings> {
        Arc::clone(&self.publish.borrow())
    }

    /// Opens the listeners that are not open; all of them or none.
    async fn open_new(&mut self, wanted: &Settings) -> Result<Vec<Door>, BindError> {
        let mut bound = Vec::new();
        for listener in &wanted.config.listeners {
            if !self.doors.iter().any(|door| door.socket == listener.socket) {
                bound.push((listener.socket.clone(), bind(listener, &mut self.given).await?));
            }
        }
        Ok(bound.into_iter().map(|(socket, bound)| self.open(socket, bound)).collect())
    }

    fn open(&self, socket: SocketAddress, bound: Bound) -> Door {
        info!("listening on {}", bound.address());
        let shared = Shared {
            settings: self.publish.subscribe(),
            stop: self.stop.subscribe(),
            memory: Arc::clone(&self.memory),
        };
        let task = tokio::spawn(accept(bound, socket.clone(), shared, Arc::clone(&self.slots)));
        Door { socket, task }
    }

    /// Takes new settings: everything or, when something is wrong with them, nothing.
    ///
    /// A listener whose socket stays is not opened anew: its owner and mode stay as they are until a restart.
    async fn reload(&mut self, loaded: Result<Settings, Failure>) {
        systemd::reloading();
        match self.take(loaded).await {
            Ok(()) => info!("the settings were read again"),
            Err(refused) => error!("the new settings were refused and the old ones stay: {refused}"),
        }
        systemd::ready();
    }

    async fn take(&mut self, loaded: Result<Settings, Failure>) -> Result<(), Failure> {
        let settings = loaded?;
        let opened = self.open_new(&settings).await.map_err(|error| Failure::new(error.exit(), error))?;
        self.resize(settings.config.limits.connections);
        let (kept, closed) = std::mem::take(&mut self.doors)
            .into_iter()
            .partition::<Vec<_>, _>(|door| settings.listener(&door.socket).is_some());
        self.doors = kept;
        self.doors.extend(opened);
        self.publish.send_replace(Arc::new(settings));
        close(closed).await;
        Ok(())
    }

    fn resize(&mut self, connections: usize) {
        match connections.checked_sub(self.slot_count) {
            Some(more) => {
                self.slots.add_permits(more);
                self.slot_count = connections;
            }
            // Slots that are in use can't be taken away; what is free is.
            None => self.slot_count -= self.slots.forget_permits(self.slot_count - connections),
        }
    }

    /// Stops listening, and waits for the messages that have begun; a second signal ends the wait.
    async fn drain(&mut self, signals: &mut Signals) {
        let limit = self.settings().config.limits.drain_time;
        systemd::stopping(limit);
        close(std::mem::take(&mut self.doors)).await;
        self.stop.send_replace(true);
        let all = u32::try_from(self.slot_count).unwrap_or(u32::MAX);
        let drained = timeout(limit, self.slots.acquire_many(all));
        tokio::select! {
            drained = drained => match drained {
                Ok(_) => info!("stopped"),
                Err(_) => warn!("stopped with {} connections open", self.slot_count - self.slots.available_permits()),
            },
            () = stopped_again(signals) => warn!("stopped at once"),
        }
    }
}

async fn stopped_again(signals: &mut Signals) {
    loop {
        if let Order::Stop = signals.next().await {
            return;
        }
    }
}

async fn close(doors: Vec<Door>) {
    for Door { socket, task } in doors {
        task.abort();
        // It ends as cancelled, which is what is wanted.
        let _ = task.await;
        info!("no longer listening on {socket}");
    }
}

/// Accepts connections while there are slots for them; further ones wait in the system's queue.
async fn accept(bound: Bound, socket: SocketAddress, shared: Shared, slots: Arc<Semaphore>) {
    let mut full = false;
    loop {
        let free = Arc::clone(&slots).try_acquire_owned().ok();
        if free.is_none() && !full {
            warn!("every connection of limits.connections is in use: further ones wait");
        }
        full = free.is_none();
        let slot = match free {
            Some(slot) => slot,
            None => match Arc::clone(&slots).acquire_owned().await {
                Ok(slot) => slot,
                Err(_) => return,
            },
        };
        match bound.accept().await {
            Ok(accepted) => start(accepted, &socket, &shared, slot),
            Err(error) => {
                warn!(%error, "can't accept a connection on {socket}");
                sleep(REFUSED_PAUSE).await;
            }
        }
    }
}

fn start(accepted: Accepted, socket: &SocketAddress, shared: &Shared, slot: OwnedSemaphorePermit) {
    let Some(listener) = shared.settings.borrow().listener(socket).cloned() else { return };
    let (peer, shared) = (accepted.to_string(), shared.clone());
    tokio::spawn(async move {
        match accepted {
            Accepted::Tcp(stream) => connection::serve(Prompt(stream), peer, listener, shared).await,
            Accepted::Unix(stream) => connection::serve(stream, peer, listener, shared).await,
        }
        drop(slot);
    });
}
