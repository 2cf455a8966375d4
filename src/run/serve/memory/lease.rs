//! What one connection holds.

use std::sync::{Arc, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::shares::{Share, UNIT};
use super::{ALWAYS, INPUT_PATIENCE, Memory, SMALL};

/// What one connection holds; given back when it is dropped.
#[derive(Debug)]
pub struct Lease {
    memory: Arc<Memory>,
    held: usize,
    /// What it has paid with; a message that grows pays in steps.
    paid: Vec<OwnedSemaphorePermit>,
}

impl Lease {
    /// Makes a lease of nothing.
    pub(super) fn new(memory: Arc<Memory>) -> Lease {
        Lease { memory, held: 0, paid: Vec::new() }
    }

    /// Sets what this connection holds, and waits for room where there is none; false when none came in time: then it has
    /// to hold [`SMALL`] octets at most, for the rest is given to others.
    ///
    /// Messages that each hold a part of the share wait for each other, and their time may be up at one moment. One after
    /// the other then gives its part back, and looks once more before: the last of them has what the others had.
    pub async fn hold(&mut self, octets: usize) -> bool {
        if self.set(octets) {
            return true;
        }
        let shares = self.memory.shares();
        let Some(units) = more(&shares.messages, octets, self.paid()) else { return false };
        let permit = timeout(INPUT_PATIENCE, Arc::clone(&shares.messages.left).acquire_many_owned(units)).await;
        if let Ok(Ok(permit)) = permit {
            self.paid.push(permit);
            return true;
        }
        let _others_wait = shares.giving_up.lock().unwrap_or_else(PoisonError::into_inner);
        let has_room = self.set(octets);
        if !has_room {
            self.give_back(SMALL);
        }
        has_room
    }

    /// Sets what this connection holds; false when there is no room for it at once.
    pub fn set(&mut self, octets: usize) -> bool {
        if octets != self.held {
            self.memory.count(self.held, octets);
            self.held = octets;
        }
        let paid = self.paid();
        if octets <= paid && paid / 4 <= octets.max(ALWAYS) {
            return true;
        }
        if octets < paid {
            self.give_back(if octets <= ALWAYS { 0 } else { octets });
            return true;
        }
        octets <= ALWAYS || self.pay(octets)
    }

    /// Gives back what it has paid for more than so many octets.
    fn give_back(&mut self, octets: usize) {
        let mut extra = self.paid().saturating_sub(octets) / UNIT;
        while let Some(last) = self.paid.last_mut().filter(|_| extra > 0) {
            let units = extra.min(last.num_permits());
            drop(last.split(units));
            extra -= units;
            if last.num_permits() == 0 {
                self.paid.pop();
            }
        }
    }

    /// Pays for what it holds, if that can be done at once.
    fn pay(&mut self, octets: usize) -> bool {
        let (shares, paid) = (self.memory.shares(), self.paid());
        let small = (octets <= SMALL).then_some(&shares.small);
        let paid = small.into_iter().chain([&shares.messages]).find_map(|share| take(share, octets, paid));
        paid.map(|permit| self.paid.push(permit)).is_some()
    }

    fn paid(&self) -> usize {
        self.paid.iter().map(|permit| permit.num_permits() * UNIT).sum()
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.memory.count(self.held, 0);
    }
}

fn take(share: &Share, octets: usize, paid: usize) -> Option<OwnedSemaphorePermit> {
    let units = more(share, octets, paid)?;
    Semaphore::try_acquire_many_owned(Arc::clone(&share.left), units).ok()
}

/// Returns the units to pay beside what is paid: a quarter more than is needed now, for a message that still grows; none
/// when there never are so many.
fn more(share: &Share, octets: usize, paid: usize) -> Option<u32> {
    let ahead = octets + (octets / 4).max(ALWAYS / 2);
    let wanted = share.units(ahead).map_or(octets, |_| ahead);
    share.units(wanted.saturating_sub(paid)).filter(|_| share.units(wanted).is_some())
}
