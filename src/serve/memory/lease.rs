//! What one connection holds.

use std::pin::pin;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::shares::{Share, UNIT};
use super::{ALWAYS, GIVING_UP, INPUT_PATIENCE, Memory, SMALL};

/// What one connection holds; given back when it is dropped.
#[derive(Debug)]
pub struct MemoryLease {
    memory: Arc<Memory>,
    held: usize,
    /// What it has paid with; a message that grows pays in steps.
    paid: Vec<OwnedSemaphorePermit>,
    /// Its turn to give a message up, until it holds less.
    giving_up: Option<OwnedSemaphorePermit>,
}

impl MemoryLease {
    /// Makes a lease of nothing.
    pub(super) fn new(memory: Arc<Memory>) -> MemoryLease {
        MemoryLease { memory, held: 0, paid: Vec::new(), giving_up: None }
    }

    /// Sets what this connection holds, and waits for room where there is none: `INPUT_PATIENCE`, and then `GIVING_UP`
    /// at most. It is `false` when none came in time or there never can be so much: the caller then has to hold less,
    /// and to say so by [`MemoryLease::set`].
    ///
    /// Messages that each hold a part of the share wait for each other, and their time may be up at one moment. Then
    /// they are given up one after the other, and those whose turn has not come may get the room of those before them.
    /// They do not wait long for it: a message that is given up may have to go to a slow next hop first, and is paid
    /// for until it is there.
    pub async fn hold(&mut self, octets: usize) -> bool {
        if self.set(octets) {
            return true;
        }
        let shares = self.memory.shares();
        let Some(units) = units_to_pay(&shares.messages, octets, self.paid()) else { return false };
        let mut room = pin!(Arc::clone(&shares.messages.left).acquire_many_owned(units));
        let permit = match timeout(INPUT_PATIENCE, &mut room).await {
            Ok(permit) => permit.ok(),
            Err(_) => tokio::select! {
                biased;
                permit = room => permit.ok(),
                turn = timeout(GIVING_UP, Arc::clone(&shares.giving_up).acquire_owned()) => {
                    self.giving_up = turn.ok().and_then(Result::ok);
                    None
                }
            },
        };
        let has_room = permit.is_some();
        self.paid.extend(permit);
        has_room
    }

    /// Sets what this connection holds; false when there is no room for it at once, though it is counted all the same.
    /// It also ends this connection's turn to give a message up.
    pub fn set(&mut self, octets: usize) -> bool {
        if octets != self.held {
            self.memory.count(self.held, octets);
            self.held = octets;
        }
        let has_room = self.settle(octets);
        self.giving_up = None;
        has_room
    }

    /// Pays for so many octets; false when they can't be paid for at once. What is paid for beyond them is given
    /// back once it is over four times as much. [`ALWAYS`] octets are free.
    fn settle(&mut self, octets: usize) -> bool {
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

    /// Gives back what is paid for beyond so many octets, in whole units.
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

    /// Pays for so many octets beside what is paid, if that can be done at once: up to [`SMALL`] of them from the share
    /// of small ones where that has room, else from that of messages.
    fn pay(&mut self, octets: usize) -> bool {
        let (shares, paid) = (self.memory.shares(), self.paid());
        let small = (octets <= SMALL).then_some(&shares.small);
        let paid = small.into_iter().chain([&shares.messages]).find_map(|share| take(share, octets, paid));
        paid.map(|permit| self.paid.push(permit)).is_some()
    }

    /// Returns the octets that are paid for.
    fn paid(&self) -> usize {
        self.paid.iter().map(|permit| permit.num_permits() * UNIT).sum()
    }
}

impl Drop for MemoryLease {
    fn drop(&mut self) {
        self.memory.count(self.held, 0);
    }
}

/// Takes from a share what is still to be paid for so many octets, if that can be had at once.
fn take(share: &Share, octets: usize, paid: usize) -> Option<OwnedSemaphorePermit> {
    let units = units_to_pay(share, octets, paid)?;
    Semaphore::try_acquire_many_owned(Arc::clone(&share.left), units).ok()
}

/// Returns the units to pay for so many octets beside what is paid, and for a quarter more where the share ever has so
/// many, for a message that still grows; none when the share never has room even for the octets alone.
fn units_to_pay(share: &Share, octets: usize, paid: usize) -> Option<u32> {
    let ahead = octets + (octets / 4).max(ALWAYS / 2);
    let wanted = share.units(ahead).map_or(octets, |_| ahead);
    share.units(wanted.saturating_sub(paid)).filter(|_| share.units(wanted).is_some())
}
