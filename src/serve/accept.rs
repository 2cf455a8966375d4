//! Accepting connections, of MTAs and of SMTP clients: as many as the settings allow, over all listeners.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::sleep;
use tracing::{debug, warn};

use super::bind::{Accepted, Bound};
use super::milter;
use super::quick_ack::QuickAck;
use super::shared::{Peer, Shared};
use super::smtp;
use crate::config::{Listener, Protocol, SocketAddress};

/// How long nothing is accepted after the system refused to, mostly for want of file descriptors.
pub const REFUSED_PAUSE: Duration = Duration::from_millis(100);

/// The connections that may be open at once.
#[derive(Debug)]
pub struct Slots {
    free: Arc<Semaphore>,
    count: usize,
}

impl Slots {
    /// Makes `count` slots, all of them free.
    pub fn new(count: usize) -> Slots {
        Slots { free: Arc::new(Semaphore::new(count)), count }
    }

    /// Returns the semaphore from which a listener takes a slot for each connection.
    pub fn share(&self) -> Arc<Semaphore> {
        Arc::clone(&self.free)
    }

    /// Makes it `count` slots, as far as that can be: only free ones are taken away. Where too many are in use it stays
    /// at more than `count`, until the next call.
    pub fn resize(&mut self, count: usize) {
        match count.checked_sub(self.count) {
            Some(more) => {
                self.free.add_permits(more);
                self.count = count;
            }
            None => self.count -= self.free.forget_permits(self.count - count),
        }
    }

    /// Returns how many are in use.
    pub fn used(&self) -> usize {
        self.count.saturating_sub(self.free.available_permits())
    }

    /// Waits until none is in use any more; the caller has closed the listeners, so that none is taken anew.
    pub async fn all_free(&self) {
        let all = u32::try_from(self.count).unwrap_or(u32::MAX);
        // Nobody closes the semaphore, so this ends when the last slot is free.
        let _ = self.free.acquire_many(all).await;
    }
}

/// Accepts connections and serves as many as there are slots; one more waits here, further ones in the system's queue.
/// It never ends by itself: the listener's task is aborted.
///
/// A slot is taken for a connection that is there and not for one that may come: a listener without visitors takes
/// none from the others. That all slots are in use is logged and counted once, until one is free for a connection at
/// once.
pub async fn accept(bound: Bound, socket: SocketAddress, shared: Shared, slots: Arc<Semaphore>) {
    let forward = shared.settings.borrow().listener(&socket).map(|listener| listener.forward.clone());
    // A listener that does not forward has a pool that stays empty. Of new settings a pool hears by its `obey`.
    let pool = smtp::Pool::start(&forward.unwrap_or_default());
    let mut full = false;
    loop {
        let accepted = match bound.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                shared.metrics.all.refused.inc();
                warn!(%error, "can't accept a connection on {socket}");
                sleep(REFUSED_PAUSE).await;
                continue;
            }
        };
        let free = Arc::clone(&slots).try_acquire_owned().ok();
        if free.is_none() && !full {
            shared.metrics.all.full.inc();
            warn!("every connection of limits.connections is in use: further ones wait");
        }
        full = free.is_none();
        let slot = match free {
            Some(slot) => Ok(slot),
            None => Arc::clone(&slots).acquire_owned().await,
        };
        // It is there: nobody closes the semaphore.
        let Ok(slot) = slot else { return };
        start(accepted, &socket, &shared, &pool, slot);
    }
}

/// Starts a task that serves a connection, and gives the slot back at its end. A connection is closed at once where the
/// listener's `allow` does not name the peer, or where the settings no longer have the listener.
fn start(
    accepted: Accepted,
    socket: &SocketAddress,
    shared: &Shared,
    pool: &Arc<smtp::Pool>,
    slot: OwnedSemaphorePermit,
) {
    // A reload may have taken the listener out of the settings; its socket is closed in a moment.
    let Some(listener) = shared.settings.borrow().listener(socket).cloned() else { return };
    let (peer, shared, pool) = (accepted.peer(), shared.clone(), Arc::clone(pool));
    if !listener.allows(peer.address.map(|address| address.ip())) {
        shared.metrics.all.ends.count("denied");
        return debug!(%peer, "a connection that the listener's allow does not name");
    }
    let connected = shared.metrics.connected();
    tokio::spawn(async move {
        match accepted {
            Accepted::Tcp(stream, _) => serve(QuickAck(stream), peer, listener, shared, pool).await,
            Accepted::Unix(stream) => serve(stream, peer, listener, shared, pool).await,
        }
        drop(connected);
        drop(slot);
    });
}

/// Serves a connection in the protocol of its listener: the one place where the daemon's protocols are listed.
async fn serve<S>(stream: S, peer: Peer, listener: Listener, shared: Shared, pool: Arc<smtp::Pool>)
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    match listener.protocol {
        Protocol::Milter => milter::serve(stream, peer, listener, shared).await,
        Protocol::Smtp | Protocol::Lmtp => smtp::serve(stream, peer, listener, shared, pool).await,
    }
}
