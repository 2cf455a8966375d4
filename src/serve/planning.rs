//! When a message is planned, and where.
//!
//! A small one is planned where it came in, at once. One over [`SMALL`] octets needs a [`PlanningTurn`] first, and over
//! [`INLINE`] a thread of its own, where it keeps no other connection waiting. This holds for every protocol.

use std::sync::Arc;

use tokio::task::spawn_blocking;
use tokio::time::Instant;

use super::memory::{Memory, PlanningTurn, SMALL, WORK_PATIENCE};
use super::policy::MessagePolicy;

/// The octets up to which a message is planned in place: a fraction of a millisecond.
const INLINE: usize = 256 << 10;

/// The octets up to which a message is small whatever is in it.
const SHORT: usize = 4 << 10;

/// The lines up to which a longer message is small: each may be a field or a part, which takes more than its octets.
const LINES: usize = 2000;

/// The octets of what is dropped in place: giving back more to the system takes milliseconds.
const DROPPED: usize = 4 << 20;

/// Returns `true` if a message needs no turn: it is short, and has no room for thousands of parts or fields.
pub fn is_small(raw: &[u8]) -> bool {
    raw.len() <= SHORT || (raw.len() <= SMALL && memchr::memchr_iter(b'\n', raw).count() <= LINES)
}

/// When and where a message is planned.
#[derive(Debug)]
enum PlanningSlot {
    /// Now and here.
    Here(Option<PlanningTurn>),
    /// Now, on a thread of its own.
    Elsewhere(Option<PlanningTurn>),
    /// Not at all: there is no memory for it.
    Never,
}

/// Decides about a message by `decide` when its turn comes: here, or where it keeps no other connection waiting. One
/// for which there is no memory has a policy that says so; `raw` returns a message's octets. The turn comes back with
/// the result, for the memory that this takes. None when a thread was lost, and the message with it.
pub async fn in_turn<M: Send + 'static, D: Send + 'static>(
    memory: &Arc<Memory>,
    policy: &MessagePolicy,
    message: M,
    raw: fn(&M) -> &[u8],
    decide: impl FnOnce(&MessagePolicy, M) -> D + Send + 'static,
) -> Option<(D, Option<PlanningTurn>)> {
    let (message, slot) = wait_for_turn(memory, policy, message, raw).await?;
    let (policy, turn) = match slot {
        PlanningSlot::Here(turn) => return Some((decide(policy, message), turn)),
        PlanningSlot::Elsewhere(turn) => (policy.clone(), turn),
        PlanningSlot::Never => (policy.clone().without_room(), None),
    };
    let decided = spawn_blocking(move || decide(&policy, message)).await.ok()?;
    Some((decided, turn))
}

/// Waits until a message may be planned, and returns it with where. None when a thread was lost, and the message with
/// it.
async fn wait_for_turn<M: Send + 'static>(
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
        && let Some(work) = memory.work(size, policy.most_planning_memory(raw(&message)), Instant::now()).await
    {
        return Some((message, PlanningSlot::Here(Some(work))));
    }
    let until = Instant::now() + WORK_PATIENCE;
    let Some(turn) = memory.work(size, policy.weighing_memory(raw(&message)), until).await else {
        return Some((message, PlanningSlot::Never));
    };
    let (message, cost) = weigh(policy, message, raw, turn).await?;
    let work = memory.work(size, cost, until).await;
    Some((message, work.map_or(PlanningSlot::Never, |work| PlanningSlot::Elsewhere(Some(work)))))
}

/// Estimates what planning a message takes by a look at all of it, which takes time and memory of its own, and so a
/// `turn`. None when a thread was lost, and the message with it.
async fn weigh<M: Send + 'static>(
    policy: &MessagePolicy,
    message: M,
    raw: fn(&M) -> &[u8],
    turn: PlanningTurn,
) -> Option<(M, usize)> {
    let chosen = policy.clone();
    let weighed = spawn_blocking(move || {
        let cost = chosen.planning_memory(raw(&message));
        drop(turn);
        (message, cost)
    });
    weighed.await.ok()
}

/// Drops what is left of a message, which has so many octets: many of them on another thread, where giving them back
/// keeps no connection waiting.
pub fn discard<T: Send + 'static>(what: T, octets: usize) {
    match octets {
        small if small <= DROPPED => drop(what),
        _ => drop(spawn_blocking(move || drop(what))),
    }
}
