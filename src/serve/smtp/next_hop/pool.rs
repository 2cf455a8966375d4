//! Connections that wait for the next message, and how many there may be.
//!
//! A client has a connection from MAIL until its message is answered, so that clients who only sit there hold none.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};
use tracing::warn;

use super::tls::TlsCache;
use super::{Keywords, NextHopConnection, NextHopError, Result, Terms};
use crate::config::{Forward, NextHop};

/// How long a connection waits for the next message: shorter than any server's patience.
const KEPT: Duration = Duration::from_secs(20);

/// How often those that wait are looked at where no message asks for one.
const SWEEP: Duration = Duration::from_secs(5);

/// How long it counts what a next hop said that it takes. A message goes by what its own connection says.
const KNOWN: Duration = Duration::from_secs(60);

/// How long a message waits for a connection when all of them are in use.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long a next hop that could not be reached is tried last.
const DOWN: Duration = Duration::from_secs(30);

/// The connections of one listener to its next hops.
pub struct Pool {
    /// The connections that wait for a message, and since when; the one that was used last is the last.
    waiting: Mutex<Vec<(Instant, NextHopConnection)>>,
    /// The next hops that could not be reached, and when they were tried.
    down: Mutex<Vec<(Instant, NextHop)>>,
    /// As many as `next_hop_connections`; other ones come with each change of the keys.
    slots: Mutex<Arc<Semaphore>>,
    /// What the next hop that was reached last takes, and since when that is known.
    keywords: Mutex<Option<(Instant, Keywords)>>,
    tls: TlsCache,
    /// The keys of the listener by which the connections are made, and when they were read.
    made_by: Mutex<(Forward, Instant)>,
}

/// A connection that a message has. Dropped it is closed; [`PooledConnection::give_back`] keeps it for the next one.
pub struct PooledConnection {
    pool: Arc<Pool>,
    /// The connection.
    pub connection: NextHopConnection,
    /// Whether another message had it before: the next hop may have closed it meanwhile.
    pub used_before: bool,
    slot: OwnedSemaphorePermit,
}

impl Pool {
    /// Makes an empty pool for a listener, with a task that closes what waited too long as long as somebody holds the
    /// pool.
    pub fn start(forward: &Forward) -> Arc<Pool> {
        let pool = Arc::new(Pool::new(forward));
        let held = Arc::downgrade(&pool);
        tokio::spawn(async move {
            while let Some(pool) = held.upgrade() {
                pool.sweep();
                drop(pool);
                sleep(SWEEP).await;
            }
        });
        pool
    }

    /// Makes an empty pool, with as many slots as the keys of the listener allow, and no task.
    fn new(forward: &Forward) -> Pool {
        Pool {
            waiting: Mutex::default(),
            down: Mutex::default(),
            slots: Mutex::new(Arc::new(Semaphore::new(forward.next_hop_connections))),
            keywords: Mutex::default(),
            tls: TlsCache::default(),
            made_by: Mutex::new((forward.clone(), Instant::now())),
        }
    }

    /// Returns a connection to the first next hop that can be reached; `fresh` asks for one that nobody used. It waits
    /// for a slot, [`PATIENCE`] at most, and then the error is `Busy`; otherwise it is that of the last next hop that
    /// was tried.
    pub async fn connect(self: &Arc<Pool>, forward: &Forward, hostname: &str, fresh: bool) -> Result<PooledConnection> {
        let slots = Arc::clone(&lock(&self.slots));
        let slot = timeout(PATIENCE, slots.acquire_owned()).await;
        let slot = slot.ok().and_then(Result::ok).ok_or(NextHopError::Busy)?;
        let order = self.in_order(forward.next_hops());
        let kept = if fresh { None } else { order.first().and_then(|first| self.take(first)) };
        let (connection, used_before) = match kept {
            Some(connection) => {
                self.note_keywords(&connection);
                (connection, true)
            }
            None => (self.open(&order, forward, hostname).await?, false),
        };
        Ok(PooledConnection { pool: Arc::clone(self), connection, used_before, slot })
    }

    /// Returns what the next hop takes: as it said on the connection that a message got in the last [`KNOWN`], else by
    /// a connection that is got for this and given back, for which a client that says hello may have to wait like a
    /// message.
    pub async fn keywords(self: &Arc<Pool>, forward: &Forward, hostname: &str) -> Result<Keywords> {
        let known = lock(&self.keywords).clone().filter(|(since, _)| since.elapsed() < KNOWN);
        if let Some((_, keywords)) = known {
            return Ok(keywords);
        }
        let lease = self.connect(forward, hostname, false).await?;
        let keywords = lease.connection.keywords.clone();
        lease.give_back();
        Ok(keywords)
    }

    /// Takes the keys of the listener, which were read at the moment `read`: forgets everything that was made by other
    /// keys, and after each reading the certificates, whose files may have changed. The same reading may be given any
    /// number of times.
    pub fn obey(&self, forward: &Forward, read: Instant) {
        let mut made_by = lock(&self.made_by);
        if read > made_by.1 {
            made_by.1 = read;
            self.tls.clear();
        }
        if made_by.0 == *forward {
            return;
        }
        // Connections in use keep the slots that they have, beside the new ones.
        *lock(&self.slots) = Arc::new(Semaphore::new(forward.next_hop_connections));
        made_by.0 = forward.clone();
        lock(&self.waiting).clear();
        lock(&self.down).clear();
        *lock(&self.keywords) = None;
    }

    /// Takes the connection to a next hop that was used last, of those that wait; none where none does. Those to other
    /// next hops wait in vain once the first one can be reached again.
    fn take(&self, at: &NextHop) -> Option<NextHopConnection> {
        self.sweep();
        let mut waiting = lock(&self.waiting);
        let last = waiting.iter().rposition(|(_, connection)| connection.at == *at)?;
        Some(waiting.remove(last).1)
    }

    /// Closes the connections that waited too long, or that the next hop closed.
    fn sweep(&self) {
        lock(&self.waiting).retain(|(since, connection)| since.elapsed() < KEPT && connection.is_idle());
    }

    /// Connects to the first of these that can be reached, and remembers which could not, and what that one takes. The
    /// error is that of the last.
    async fn open(&self, order: &[NextHop], forward: &Forward, hostname: &str) -> Result<NextHopConnection> {
        let terms = Terms { forward, hostname, tls: &self.tls };
        let mut failed = None;
        for at in order {
            self.note_probe(at);
            match NextHopConnection::open(at, terms).await {
                Ok(connection) => {
                    lock(&self.down).retain(|(_, down)| down != at);
                    self.note_keywords(&connection);
                    return Ok(connection);
                }
                Err(error) => {
                    warn!(next_hop = %at, "{error}");
                    self.note_down(at);
                    failed = Some(error);
                }
            }
        }
        Err(failed.unwrap_or(NextHopError::Greeting("the listener has none".to_owned())))
    }

    /// Returns the next hops in the order in which they are tried: those that could not be reached lately stand behind
    /// the others, and both keep the order that the settings have.
    fn in_order(&self, all: &[NextHop]) -> Vec<NextHop> {
        let down = lock(&self.down);
        let mut order = all.to_vec();
        order.sort_by_key(|at| down.iter().any(|(since, one)| one == at && since.elapsed() < DOWN));
        order
    }

    /// Remembers now that a next hop which could not be reached [long ago](DOWN) is tried: as long as that may last,
    /// other messages go on to the next hops behind it.
    fn note_probe(&self, at: &NextHop) {
        let mut down = lock(&self.down);
        let noted = down.iter_mut().find(|(_, one)| one == at);
        if let Some((since, _)) = noted {
            *since = Instant::now();
        }
    }

    /// Remembers what a next hop takes, of which a message has a connection now.
    fn note_keywords(&self, connection: &NextHopConnection) {
        let mut known = lock(&self.keywords);
        match &mut *known {
            // Most messages find what the one before found.
            Some((since, keywords)) if *keywords == connection.keywords => *since = Instant::now(),
            other => *other = Some((Instant::now(), connection.keywords.clone())),
        }
    }

    /// Remembers that a next hop could not be reached now.
    fn note_down(&self, at: &NextHop) {
        let mut down = lock(&self.down);
        down.retain(|(_, one)| one != at);
        down.push((Instant::now(), at.clone()));
    }
}

impl PooledConnection {
    /// Keeps the connection for the next message, or closes it where the next hop said something unasked or waits for
    /// content, or the listener has other keys now than it was made by. The caller must have ended or reset the
    /// message: an open envelope can't be seen here.
    pub fn give_back(mut self) {
        self.connection.until = None;
        // New keys come with new slots.
        let is_made_by_these_keys = Arc::ptr_eq(self.slot.semaphore(), &lock(&self.pool.slots));
        if is_made_by_these_keys && self.connection.is_idle() {
            lock(&self.pool.waiting).push((Instant::now(), self.connection));
        }
    }
}

/// Locks; what a thread left behind that panicked is used all the same.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All messages waited for a next hop that was down, whenever its time was over.
    #[test]
    fn one_message_tries_what_was_down() {
        let pool = Pool::new(&Forward::default());
        let all: Vec<NextHop> =
            ["smtp:a.example:25", "smtp:b.example:25"].map(|at| at.parse().expect("a next hop")).to_vec();
        let turned = [all[1].clone(), all[0].clone()];
        pool.note_down(&all[0]);
        assert_eq!(pool.in_order(&all), turned);
        let long_ago = Instant::now().checked_sub(DOWN).expect("the system runs for longer");
        lock(&pool.down)[0].0 = long_ago;
        assert_eq!(pool.in_order(&all), all);
        pool.note_probe(&all[0]);
        pool.note_probe(&all[1]);
        assert_eq!(pool.in_order(&all), turned);
    }
}
