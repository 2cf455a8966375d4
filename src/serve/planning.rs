//! When a message is planned, and where.
//!
//! A small one is planned where it came in, at once. One over [`SMALL`] octets needs a [`PlanningTurn`] first, and over
//! [`INLINE`] a thread of its own, where it keeps no other connection waiting. This holds for every protocol.

use std::sync::Arc;

use tokio::task::spawn_blocking;

use super::memory::{Memory, PlanningTurn, SMALL};
use super::policy::MessagePolicy;

/// The octets up to which a message is planned in place: a fraction of a millisecond.
const INLINE: usize = 256 << 10;

/// What planning takes of memory at the most, in octets for each octet of a message, where that is not looked at closer.
const MOST: usize = 64;

/// The octets up to which a message is small whatever is in it, and the lines of a small one.
const SHORT: usize = 4 << 10;
const LINES: usize = 2000;

/// The octets of what is dropped in place: giving back more to the system takes milliseconds.
const DROPPED: usize = 4 << 20;

/// Returns `true` if a message needs no turn: it is short, and has no room for thousands of parts or fields, which take more
/// than their octets.
pub fn is_small(raw: &[u8]) -> bool {
    raw.len() <= SHORT || (raw.len() <= SMALL && memchr::memchr_iter(b'\n', raw).count() <= LINES)
}

/// When and where a message is planned.
#[derive(Debug)]
pub enum PlanningSlot {
    /// Now and here.
    Here(Option<PlanningTurn>),
    /// Now, on a thread of its own.
    Elsewhere(Option<PlanningTurn>),
    /// Not at all: there is no memory for it.
    Never,
}

/// Waits until a message may be planned, and returns it with where; `raw` returns its octets. The caller plans it there
/// and keeps the [`PlanningTurn`] meanwhile. None when a thread was lost, and the message with it.
pub async fn wait_for_turn<M: Send + 'static>(
    memory: &Arc<Memory>,
    policy: &MessagePolicy,
    message: M,
    raw: fn(&M) -> &[u8],
) -> Option<(M, PlanningSlot)> {
    let size = raw(&message).len();
    if is_small(raw(&message)) {
        return Some((message, PlanningSlot::Here(None)));
    }
    // Nothing is planned, so that it takes neither memory nor a turn; looking at it may take its time.
    if !policy.plans() {
        return Some((message, if size <= INLINE { PlanningSlot::Here(None) } else { PlanningSlot::Elsewhere(None) }));
    }
    if size <= INLINE
        && let Some(work) = memory.try_work(size, size * MOST)
    {
        return Some((message, PlanningSlot::Here(Some(work))));
    }
    // What planning takes is estimated by a look at all of the message, which may take its time too.
    let chosen = policy.clone();
    let weighed = spawn_blocking(move || {
        let cost = chosen.planning_memory(raw(&message));
        (message, cost)
    });
    let (message, cost) = weighed.await.ok()?;
    let turn = memory.work(size, cost).await.map_or(PlanningSlot::Never, |work| PlanningSlot::Elsewhere(Some(work)));
    Some((message, turn))
}

/// Drops what is left of a message, which has so many octets: many of them on another thread, where giving them back
/// keeps no connection waiting.
pub fn discard<T: Send + 'static>(what: T, octets: usize) {
    match octets {
        small if small <= DROPPED => drop(what),
        _ => drop(spawn_blocking(move || drop(what))),
    }
}
