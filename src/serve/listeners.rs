//! The open sockets, and how new settings change them: all that they ask for, or nothing.
//!
//! A change comes in three steps. [`Listeners::prepare`] does everything that can fail: it opens the sockets that
//! are not open and gives those that stay to whom the settings say. Then the caller makes the settings known.
//! [`Listeners::change`] starts what was opened and closes what is no longer wanted, which can't fail. So nobody is
//! let in before the settings that say what becomes of him hold.

use thiserror::Error;
use tokio::task::JoinHandle;
use tracing::info;

use super::bind::{BindError, Bound, bind};
use super::socket_file::{AccessError, SocketFile};
use super::systemd::ActivatedSockets;
use crate::config::{Access, Settings, SocketAddress};
use crate::process::exit::Exit;

/// Who is served at a socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    /// Who sends mail, as a `[[listener]]` has it.
    Mail,
    /// Whoever wants metrics, as `[metrics]` has it.
    Metrics,
}

/// A socket that the settings ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
struct WantedSocket {
    /// The table of the settings that asks for it, as `listener[0]`.
    table: String,
    service: Service,
    socket: SocketAddress,
    access: Access,
}

/// An open socket that nobody serves yet.
pub struct Opened {
    wanted: WantedSocket,
    bound: Bound,
    file: Option<SocketFile>,
}

/// An open socket and the task that serves it.
struct OpenSocket {
    wanted: WantedSocket,
    task: JoinHandle<()>,
    /// Dropped before the task ends: the file can be told from others only as long as its socket is open
    /// (`socket_file.rs`).
    file: Option<SocketFile>,
}

/// Why the sockets can't be as the settings want them.
#[derive(Debug, Error)]
pub enum ListenerError {
    /// One can't be opened.
    #[error("{key}")]
    Bind {
        /// The key of the settings that asks for it.
        key: String,
        /// Why not.
        source: BindError,
    },
    /// One can't be opened as long as others are open that are to go.
    #[error("a listener that is to be closed may be in the way, and a restart changes both at once")]
    InTheWay(#[source] BindError),
    /// One that stays can't be given to others.
    #[error("{key}: the owner, group or mode of {socket} can't be changed")]
    Access {
        /// The key of the settings that asks for it, without its last word.
        key: String,
        /// Which one.
        socket: SocketAddress,
        /// Why not.
        source: AccessError,
    },
}

impl ListenerError {
    /// Returns the exit code of a daemon that could not start for it.
    pub fn exit(&self) -> Exit {
        match self {
            ListenerError::Bind { source, .. } | ListenerError::InTheWay(source) => source.exit(),
            ListenerError::Access { .. } => Exit::NoPermission,
        }
    }
}

/// Every open socket.
pub struct Listeners {
    /// The sockets that systemd opened, but for those that are in use or were.
    given: ActivatedSockets,
    open: Vec<OpenSocket>,
}

/// Lists the sockets that settings ask for: those of the listeners, then that of metrics.
fn wanted(settings: &Settings) -> Vec<WantedSocket> {
    let mail = settings.listeners.iter().enumerate().map(|(index, listener)| WantedSocket {
        table: format!("listener[{index}]"),
        service: Service::Mail,
        socket: listener.socket.clone(),
        access: listener.access.clone(),
    });
    let metrics = settings.metrics.listen.iter().map(|socket| WantedSocket {
        table: "metrics".to_owned(),
        service: Service::Metrics,
        socket: socket.clone(),
        access: settings.metrics.access.clone(),
    });
    mail.chain(metrics).collect()
}

impl WantedSocket {
    /// Returns `true` if it is the same socket for the same service, whoever may reach it.
    fn is_same_socket(&self, other: &WantedSocket) -> bool {
        self.service == other.service && self.socket == other.socket
    }

    /// Returns `true` if it is the same socket with the same owner, group and mode; its place in the settings may
    /// differ.
    fn is_same_with_access(&self, other: &WantedSocket) -> bool {
        self.is_same_socket(other) && self.access == other.access
    }

    /// Names the key of the settings, or the keys, by which the socket could not be opened.
    fn key(&self, error: &BindError) -> String {
        let socket = if self.service == Service::Mail { "socket" } else { "listen" };
        format!("{}.{}", self.table, if error.is_of_access() { "user, group or mode" } else { socket })
    }
}

impl Listeners {
    /// Starts with none open, and with the sockets that systemd opened at hand.
    pub fn new() -> Listeners {
        Listeners { given: ActivatedSockets::from_env(), open: Vec::new() }
    }

    /// Opens the sockets that are wanted and not open, and gives the others their owners and modes; all of it or
    /// nothing. But a socket of systemd that was taken before another one failed is closed, and comes back at a restart
    /// only.
    pub async fn prepare(&mut self, settings: &Settings) -> Result<Vec<Opened>, ListenerError> {
        let wanted = wanted(settings);
        let opened = self.open_new(&wanted).await?;
        self.give(&wanted)?;
        Ok(opened)
    }

    /// Opens the sockets that are wanted and not open; what was opened before one fails is closed again. Where a socket
    /// is taken and an open one is to go, that may be the reason, and the error says so.
    async fn open_new(&mut self, all: &[WantedSocket]) -> Result<Vec<Opened>, ListenerError> {
        let mut opened = Vec::new();
        for wanted in all.iter().filter(|wanted| !self.open.iter().any(|open| open.wanted.is_same_socket(wanted))) {
            match bind(&wanted.socket, &wanted.access, &mut self.given).await {
                Ok((bound, file)) => opened.push(Opened { wanted: wanted.clone(), bound, file }),
                Err(error) if error.is_taken() && self.closes_any(all) => return Err(ListenerError::InTheWay(error)),
                Err(source) => return Err(ListenerError::Bind { key: wanted.key(&source), source }),
            }
        }
        Ok(opened)
    }

    /// Returns `true` if a socket is open that is no longer wanted.
    fn closes_any(&self, all: &[WantedSocket]) -> bool {
        self.open.iter().any(|open| !all.iter().any(|wanted| wanted.is_same_socket(&open.wanted)))
    }

    /// Gives the sockets that stay to whom the settings say; when one can't be given, all are given back.
    fn give(&self, all: &[WantedSocket]) -> Result<(), ListenerError> {
        let mut given: Vec<(&SocketFile, &Access)> = Vec::new();
        for open in &self.open {
            let new = all.iter().find(|wanted| wanted.is_same_socket(&open.wanted));
            // A TCP socket has no file, and neither has one that systemd opened.
            let (Some(new), Some(file)) = (new.filter(|new| !new.is_same_with_access(&open.wanted)), &open.file) else {
                continue;
            };
            given.push((file, &open.wanted.access));
            if let Err(source) = file.give(&new.access) {
                // They had it before, so this can only fail when somebody else changes them at the same time.
                given.iter().for_each(|(file, old)| drop(file.give(old)));
                let (key, socket) = (new.table.clone(), open.wanted.socket.clone());
                return Err(ListenerError::Access { key, socket, source });
            }
        }
        Ok(())
    }

    /// Serves what [`Listeners::prepare`] has opened for the same `settings`, and closes what they no longer want. The
    /// caller has made the settings known, by which those who come are served.
    pub async fn change<S>(&mut self, settings: &Settings, opened: Vec<Opened>, serve: S)
    where
        S: Fn(Service, &SocketAddress, Bound) -> JoinHandle<()>,
    {
        let wanted = wanted(settings);
        for open in &mut self.open {
            let Some(new) = wanted.iter().find(|wanted| wanted.is_same_socket(&open.wanted)) else { continue };
            if !new.is_same_with_access(&open.wanted) {
                info!("{} has another owner, group or mode now", new.socket);
            }
            open.wanted.clone_from(new);
        }
        self.open.extend(opened.into_iter().map(|opened| opened.serve(&serve)));
        self.close(|open| !wanted.contains(&open.wanted)).await;
    }

    /// Closes the sockets of one service.
    pub async fn close_all(&mut self, service: Service) {
        self.close(|open| open.wanted.service == service).await;
    }

    /// Closes the sockets that `which` chooses, with their files, and ends their tasks. Connections that were accepted
    /// go on.
    async fn close(&mut self, which: impl Fn(&OpenSocket) -> bool) {
        for OpenSocket { wanted, task, file } in self.open.extract_if(.., |open| which(open)) {
            // First the file, while its number can't be another file's.
            drop(file);
            task.abort();
            // It ends as cancelled, which is what is wanted.
            let _ = task.await;
            info!("no longer listening on {}", wanted.socket);
        }
    }
}

impl Opened {
    /// Returns the socket, as the settings have it.
    pub fn socket(&self) -> &SocketAddress {
        &self.wanted.socket
    }

    /// Gives its file, if it has one, to the user that the daemon becomes, unless the settings give it to somebody.
    pub fn hand_over(&mut self, user: u32) -> Result<(), AccessError> {
        match &mut self.file {
            Some(file) if self.wanted.access.user.is_none() => file.hand_over(user),
            _ => Ok(()),
        }
    }

    /// Starts the task that serves the socket, by `serve`, and logs where it listens.
    fn serve(self, serve: impl Fn(Service, &SocketAddress, Bound) -> JoinHandle<()>) -> OpenSocket {
        let Opened { wanted, bound, file } = self;
        match wanted.service {
            Service::Mail => info!("listening on {}", bound.address()),
            Service::Metrics => info!("metrics are served on {}", bound.address()),
        }
        let task = serve(wanted.service, &wanted.socket, bound);
        OpenSocket { wanted, task, file }
    }
}
