//! What the process holds of mail, and that it is never more than `limits.memory` in all.
//!
//! Everything that grows with mail is paid for before it is used: what a connection holds ([`MemoryLease`]: its
//! buffers, the envelope, the message), and what planning will take ([`PlanningTurn`]). The limit is cut into
//! [shares](shares) of which none can be used up by the others' users:
//!
//! | share | who pays from it | and if nothing is left |
//! |---|---|---|
//! | own | the program, and [`UNCOUNTED`] and [`ALWAYS`] octets of each connection | - |
//! | small | connections that hold [`SMALL`] octets at most | the share of messages is asked |
//! | messages | connections that hold more | they wait, [`INPUT_PATIENCE`] and [`GIVING_UP`] at most |
//! | mta | MTAs that hold more, beside the share of messages | the same |
//! | work, medium | planning messages of [`MEDIUM`] octets at most | they wait, [`WORK_PATIENCE`] at most |
//! | work, large | planning larger ones | the same |
//!
//! Clients can't be trusted to send what they have begun. Of those the slowest are [asked](receivers) to give back what
//! they hold as soon as anyone waits; and MTAs, which have a message whole before they hand it over, need not wait for
//! them.
//!
//! Who waits stands in a queue, first come, first served. Planning waits for planning alone, and a message that comes
//! in for other messages: so whatever waits, something else gets on and will give back what it has. A message that
//! waited in vain, or needs more than its share ever has, goes the way of `on_error`.
//!
//! So a few peers with endless messages take nothing from small mail: neither memory nor, as
//! [planners](shares::Planners) are fewer than processors, time.

mod fits;
mod lease;
mod receivers;
mod shares;
mod work;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

pub use fits::texts_that_fit;
pub use lease::MemoryLease;
use receivers::Receivers;
use shares::Shares;
pub use work::PlanningTurn;

use crate::config::LimitSettings;

/// The octets that every connection may hold, whatever the others hold: its buffers while nothing is in them, and an
/// answer. `limits.connections` bounds how many do.
const ALWAYS: usize = 10 << 10;

/// The octets that a connection takes beside what it counts: its task, its session, its socket. Measured.
const UNCOUNTED: usize = 4 << 10;

/// The octets up to which a connection has a share that larger ones can't take: an ordinary message with its buffers.
pub const SMALL: usize = 64 << 10;

/// The octets up to which a message is planned beside large ones.
const MEDIUM: usize = 1 << 20;

/// How long a message waits for room while it comes in: less than the 10 s that Sendmail usually has for a write.
const INPUT_PATIENCE: Duration = Duration::from_secs(5);

/// How long whoever waits leaves it until messages that trickle are looked for again.
const ASK_AGAIN: Duration = Duration::from_secs(1);

/// How long a message that waited in vain waits for those before it to be given up.
const GIVING_UP: Duration = Duration::from_secs(1);

/// How long a message waits to be planned. MTAs are told meanwhile that we are at it.
pub const WORK_PATIENCE: Duration = Duration::from_secs(60);

/// The octets that all connections share.
#[derive(Debug)]
pub struct Memory {
    held: AtomicUsize,
    shares: Mutex<Arc<Shares>>,
    receivers: Receivers,
}

impl Memory {
    /// Makes what the settings allow.
    pub fn new(limits: &LimitSettings) -> Memory {
        Memory {
            held: AtomicUsize::new(0),
            shares: Mutex::new(Arc::new(Shares::of(limits))),
            receivers: Receivers::default(),
        }
    }

    /// Takes new settings. What is held was paid from the shares that were there before, and goes back to them: until
    /// then both may be in use, the old ones and the new.
    pub fn resize(&self, limits: &LimitSettings) {
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        if !shares.are_of(limits) {
            *shares = Arc::new(Shares::of(limits));
        }
    }

    /// Makes a lease of nothing, for a client.
    pub fn lease(self: &Arc<Memory>) -> MemoryLease {
        MemoryLease::new(Arc::clone(self), false)
    }

    /// Makes a lease of nothing, for an MTA that hands over messages it has.
    pub fn lease_of_mta(self: &Arc<Memory>) -> MemoryLease {
        MemoryLease::new(Arc::clone(self), true)
    }

    /// Returns the octets that are held.
    pub fn held(&self) -> usize {
        self.held.load(Ordering::Relaxed)
    }

    /// Returns the shares of the settings that hold now; what is paid already may be from those before.
    fn shares(&self) -> Arc<Shares> {
        Arc::clone(&self.shares.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Counts for the gauge. Relaxed is enough: the number guards nothing.
    fn count(&self, before: usize, now: usize) {
        match now.checked_sub(before) {
            Some(more) => self.held.fetch_add(more, Ordering::Relaxed),
            None => self.held.fetch_sub(before - now, Ordering::Relaxed),
        };
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    fn memory(limit: usize) -> Arc<Memory> {
        Arc::new(Memory::new(&LimitSettings { memory: limit, connections: 100, ..LimitSettings::default() }))
    }

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
        runtime.expect("a runtime").block_on(future)
    }

    fn soon() -> Instant {
        Instant::now() + WORK_PATIENCE
    }

    #[test]
    fn large_messages_leave_room_for_small_ones() {
        let memory = memory(256 << 20);
        block_on(async {
            let mut large: Vec<MemoryLease> = (0..100).map(|_| memory.lease()).collect();
            let mut held = 0;
            for lease in &mut large {
                held += usize::from(lease.hold(8 << 20).await);
            }
            assert!((2..20).contains(&held), "{held}");
            for _ in 0..10 {
                assert!(memory.lease().hold(SMALL).await, "a small message has memory");
            }
            assert!(!memory.lease().hold(16 << 20).await);
            drop(large);
            assert_eq!(memory.held(), 0);
            assert!(memory.lease().hold(16 << 20).await);
        });
    }

    #[test]
    fn a_message_waits_for_room_and_not_for_ever() {
        let memory = memory(256 << 20);
        block_on(async {
            let mut first = memory.lease();
            assert!(first.hold(30 << 20).await);
            let (start, mut second) = (tokio::time::Instant::now(), memory.lease());
            assert!(!second.hold(30 << 20).await);
            assert_eq!(start.elapsed(), INPUT_PATIENCE);
            let given_back = async {
                tokio::time::sleep(Duration::from_secs(1)).await;
                drop(first);
            };
            let (held, ()) = tokio::join!(second.hold(30 << 20), given_back);
            assert!(held);
        });
    }

    /// They had all of it between them, waited for each other, and were all given up when their time was up at once.
    #[test]
    fn of_messages_that_wait_for_each_other_one_gets_on() {
        let memory = memory(256 << 20);
        block_on(async {
            let [mut first, mut second, mut third] = [memory.lease(), memory.lease(), memory.lease()];
            for lease in [&mut first, &mut second, &mut third] {
                assert!(lease.hold(8 << 20).await);
            }
            let got_on = tokio::join!(grows(&mut first), grows(&mut second), grows(&mut third));
            assert_eq!([got_on.0, got_on.1, got_on.2].iter().filter(|got_on| **got_on).count(), 1, "{got_on:?}");
        });
    }

    /// Holds more, or gives the message up, which takes a moment.
    async fn grows(lease: &mut MemoryLease) -> bool {
        let got_on = lease.hold(32 << 20).await;
        if !got_on {
            tokio::time::sleep(Duration::from_millis(10)).await;
            lease.set(0);
        }
        got_on
    }

    /// They had it for as long as a message may take, and every other one passed unread.
    #[test]
    fn who_waits_is_served_before_who_trickles() {
        let memory = memory(256 << 20);
        block_on(async {
            let [mut burst, mut steady, mut waiting] = [memory.lease(), memory.lease(), memory.lease()];
            for lease in [&mut burst, &mut steady] {
                assert!(lease.hold(14 << 20).await);
                lease.count_received(14 << 20);
            }
            for _ in 0..12 {
                tokio::time::sleep(Duration::from_secs(1)).await;
                burst.count_received(1);
                steady.count_received(1 << 20);
            }
            let gives_up = async {
                tokio::select! {
                    () = burst.asked() => {}
                    () = steady.asked() => panic!("one that gets on is asked"),
                }
                burst.set(0);
            };
            let start = tokio::time::Instant::now();
            assert!(tokio::join!(waiting.hold(10 << 20), gives_up).0);
            assert_eq!(start.elapsed(), Duration::ZERO, "at once");
        });
    }

    /// Nothing is read of a message that waits: that is not its client's fault.
    #[test]
    fn who_waits_is_not_asked() {
        let memory = memory(256 << 20);
        block_on(async {
            let [mut first, mut second] = [memory.lease(), memory.lease()];
            for lease in [&mut first, &mut second] {
                assert!(lease.hold(14 << 20).await);
                lease.count_received(14 << 20);
            }
            assert_eq!(tokio::join!(first.hold(32 << 20), second.hold(32 << 20)), (false, false));
            for lease in [&first, &second] {
                assert!(tokio::time::timeout(Duration::ZERO, lease.asked()).await.is_err());
            }
        });
    }

    #[test]
    fn clients_leave_room_for_an_mta() {
        let memory = memory(256 << 20);
        block_on(async {
            let mut clients: Vec<MemoryLease> = (0..100).map(|_| memory.lease()).collect();
            for client in &mut clients {
                client.hold(2 << 20).await;
            }
            assert!(!memory.lease().set(1 << 20));
            let mut mta = memory.lease_of_mta();
            assert!(mta.set(8 << 20), "it has its own");
            assert!(!mta.hold(30 << 20).await, "not all of it");
            drop(clients);
            assert!(mta.hold(30 << 20).await, "and the share of all beside it");
        });
    }

    /// It goes on to a next hop, which may be slow.
    #[test]
    fn what_is_given_up_is_paid_for_until_it_is_gone() {
        let memory = memory(256 << 20);
        block_on(async {
            let [mut first, mut second] = [memory.lease(), memory.lease()];
            for lease in [&mut first, &mut second] {
                assert!(lease.hold(14 << 20).await);
            }
            let start = tokio::time::Instant::now();
            assert_eq!(tokio::join!(first.hold(32 << 20), second.hold(32 << 20)), (false, false));
            assert_eq!(start.elapsed(), INPUT_PATIENCE + GIVING_UP, "it waits in vain for the other to be gone");
            assert!(!memory.lease().set(8 << 20), "all of it is paid for");
            first.set(0);
            assert!(memory.lease().set(8 << 20) && second.hold(32 << 20).await);
        });
    }

    #[test]
    fn planning_waits_its_turn() {
        let memory = memory(256 << 20);
        block_on(async {
            assert!(memory.work(60 << 20, 1 << 30, soon()).await.is_none(), "it never fits");
            let cost = 80 << 20;
            let first = memory.work(20 << 20, cost, soon()).await.expect("room");
            assert!(memory.work(20 << 20, cost, Instant::now()).await.is_none());
            assert!(
                memory.work(200 << 10, 1 << 20, Instant::now()).await.is_some(),
                "beside it a medium one is planned"
            );
            assert_eq!(memory.held(), cost);
            let start = tokio::time::Instant::now();
            assert!(memory.work(20 << 20, cost, soon()).await.is_none());
            assert_eq!(start.elapsed(), WORK_PATIENCE);
            let given_back = async {
                tokio::time::sleep(Duration::from_secs(1)).await;
                drop(first);
            };
            let (second, ()) = tokio::join!(memory.work(20 << 20, cost, soon()), given_back);
            second.expect("its turn").keep(1 << 20);
            assert_eq!(memory.held(), 0);
        });
    }

    #[test]
    fn what_is_planned_gives_back_all_but_its_result() {
        let memory = memory(256 << 20);
        let mut work = block_on(memory.work(20 << 20, 80 << 20, soon())).expect("room");
        work.keep(20 << 20);
        assert_eq!(memory.held(), 20 << 20);
        assert!(block_on(memory.work(20 << 20, 40 << 20, soon())).is_some());
    }

    #[test]
    fn what_a_lease_no_longer_holds_is_there_for_others() {
        let memory = memory(256 << 20);
        let mut lease = memory.lease();
        for octets in [1 << 10, 100 << 10, 30 << 20, 1 << 20, 36 << 20, 100 << 10, 0] {
            assert!(lease.set(octets), "{octets}");
            assert_eq!(memory.held(), octets);
        }
        assert!(memory.lease().set(36 << 20), "all of it is back");
    }

    #[test]
    fn new_settings_hold_for_what_comes() {
        let memory = memory(64 << 20);
        let mut lease = memory.lease();
        assert!(!block_on(lease.hold(100 << 20)));
        memory.resize(&LimitSettings { memory: 1 << 30, ..LimitSettings::default() });
        assert!(block_on(lease.hold(100 << 20)));
    }
}
