//! What a connection has in common with the others.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

use tokio::sync::watch;

use super::memory::Memory;
use super::metrics::ListenerMetrics;
use super::settings::DaemonSettings;
use crate::config::Listener;

/// What the connections of a listener share, or those of the socket for metrics.
#[derive(Debug, Clone)]
pub struct Shared<M = Arc<ListenerMetrics>> {
    /// The settings as they are now.
    pub settings: watch::Receiver<Arc<DaemonSettings>>,
    /// Turns true when the daemon comes to its end.
    pub stop: watch::Receiver<bool>,
    /// What all messages hold.
    pub memory: Arc<Memory>,
    /// What is counted.
    pub metrics: M,
}

impl Shared {
    /// Brings `settings` and `listener` up to date, for a message that begins, and returns `true` if the settings have
    /// changed. A listener that they no longer have stays as it was until its connections end.
    pub fn refresh(&self, settings: &mut Arc<DaemonSettings>, listener: &mut Listener) -> bool {
        let now = self.settings.borrow();
        if Arc::ptr_eq(&now, settings) {
            return false;
        }
        *settings = Arc::clone(&now);
        if let Some(now) = settings.listener(&listener.socket) {
            listener.clone_from(now);
        }
        true
    }
}

/// Who connected.
#[derive(Debug, Clone, Copy)]
pub struct Peer {
    /// The address; none of a unix socket.
    pub address: Option<SocketAddr>,
}

impl fmt::Display for Peer {
    /// Writes the address and port, or `unix`, as logs show them.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.address {
            Some(address) => address.fmt(out),
            None => out.write_str("unix"),
        }
    }
}
