//! What planning a message takes.

use std::sync::Arc;

use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, timeout_at};

use super::Memory;
use super::shares::UNIT;

/// A turn to plan a message, and the memory for it; given back when it is dropped.
#[derive(Debug)]
pub struct PlanningTurn {
    memory: Arc<Memory>,
    octets: usize,
    paid: OwnedSemaphorePermit,
    turn: Option<OwnedSemaphorePermit>,
}

impl Memory {
    /// Waits for a turn to plan a message of `size` octets, or to read it, and for the `cost` octets that this needs;
    /// none when it waited in vain `until` then, be that now, or needs more than there ever is. What was taken is given
    /// back where the other is not there in time.
    pub async fn work(self: &Arc<Memory>, size: usize, cost: usize, until: Instant) -> Option<PlanningTurn> {
        let shares = self.shares();
        let planners = shares.planners(size, cost);
        let units = planners.memory.units(cost)?;
        let taken = async {
            let turn = Arc::clone(&planners.turns).acquire_owned().await.ok()?;
            let paid = Arc::clone(&planners.memory.left).acquire_many_owned(units).await.ok()?;
            Some((paid, turn))
        };
        let (paid, turn) = timeout_at(until, taken).await.ok()??;
        self.count(0, cost);
        Some(PlanningTurn { memory: Arc::clone(self), octets: cost, paid, turn: Some(turn) })
    }
}

impl PlanningTurn {
    /// Gives back the turn, and all memory but the `octets` of the result, when the message is planned: whoever takes
    /// the result may be slow. No more is kept than was paid for.
    pub fn keep(&mut self, octets: usize) {
        self.turn = None;
        let kept = octets.min(self.octets);
        let given_back = self.paid.num_permits().saturating_sub(kept.div_ceil(UNIT));
        drop(self.paid.split(given_back));
        self.memory.count(self.octets, kept);
        self.octets = kept;
    }
}

impl Drop for PlanningTurn {
    fn drop(&mut self) {
        self.memory.count(self.octets, 0);
    }
}
