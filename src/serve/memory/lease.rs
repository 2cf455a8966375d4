//! What one connection holds.

use std::future::pending;
use std::pin::pin;
use std::sync::Arc;

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::shares::{Share, Shares, UNIT};
use super::{ALWAYS, ASK_AGAIN, GIVING_UP, INPUT_PATIENCE, Memory, SMALL};

/// What one connection holds; given back when it is dropped.
#[derive(Debug)]
pub struct MemoryLease {
    memory: Arc<Memory>,
    /// Whether it is that of an MTA, which has a share of its own.
    is_mta: bool,
    held: usize,
    /// What it has paid with; a message that grows pays in steps.
    paid: Vec<OwnedSemaphorePermit>,
    /// Its turn to give a message up, until it holds less.
    giving_up: Option<OwnedSemaphorePermit>,
    /// Its number among the messages that are still coming, if it is one.
    receiver: Option<u64>,
    /// How it is asked to give back what it holds.
    ask: Arc<Notify>,
}

impl MemoryLease {
    /// Makes a lease of nothing.
    pub(super) fn new(memory: Arc<Memory>, is_mta: bool) -> MemoryLease {
        let ask = Arc::new(Notify::new());
        MemoryLease { memory, is_mta, held: 0, paid: Vec::new(), giving_up: None, receiver: None, ask }
    }

    /// Counts octets of a message that is coming, once they are held: from then on this connection can be
    /// [asked](Self::asked) to give back what it holds if it trickles.
    pub fn count_received(&mut self, came: usize) {
        let number = *self.receiver.get_or_insert_with(|| self.memory.receivers.add(&self.ask));
        self.memory.receivers.count(number, came, self.paid_from_messages());
    }

    /// Ends the message that was coming: it is whole, or given up.
    pub fn end_receiving(&mut self) {
        if let Some(number) = self.receiver.take() {
            self.memory.receivers.remove(number);
        }
        // Nor does a question of before mean the next message.
        self.ask = Arc::new(Notify::new());
    }

    /// Waits until this connection is asked to give back what it holds, since others wait and its message trickles; for
    /// ever if that never happens.
    pub async fn asked(&self) {
        self.ask.notified().await;
    }

    /// Sets what this connection holds, and waits for room where there is none: `INPUT_PATIENCE`, and then `GIVING_UP`
    /// at most. Meanwhile messages that trickle are asked to give back what they hold; this one is not among them until
    /// more of it [comes](Self::count_received). It is `false` when no room came in time or there never can be so much:
    /// the caller then has to hold less, and to say so by [`MemoryLease::set`].
    ///
    /// Messages that each hold a part of the share wait for each other, and their time may be up at one moment. Then
    /// they are given up one after the other, and those whose turn has not come may get the room of those before them.
    /// They do not wait long for it: a message that is given up may have to go to a slow next hop first, and is paid
    /// for until it is there.
    pub async fn hold(&mut self, octets: usize) -> bool {
        if self.set(octets) {
            return true;
        }
        self.end_receiving();
        self.wait_for_room(octets).await
    }

    /// Waits for room, as [`hold`](Self::hold) does.
    async fn wait_for_room(&mut self, octets: usize) -> bool {
        let (shares, paid) = (self.memory.shares(), self.paid());
        if !self.large_shares(&shares).any(|share| units_to_pay(share, octets, paid).is_some()) {
            return false;
        }
        let own = self.is_mta.then_some(&shares.mta);
        let mut room = pin!(room_in_either(&shares.messages, own, octets, paid));
        let asking = async {
            loop {
                self.memory.receivers.ask_slowest(octets.saturating_sub(paid));
                if let Ok(permit) = timeout(ASK_AGAIN, &mut room).await {
                    return permit;
                }
            }
        };
        let in_time = timeout(INPUT_PATIENCE, asking).await;
        let permit = match in_time {
            Ok(permit) => permit,
            Err(_) => tokio::select! {
                biased;
                permit = room => permit,
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
    /// of small ones where that has room, else from those of messages.
    fn pay(&mut self, octets: usize) -> bool {
        let (shares, paid) = (self.memory.shares(), self.paid());
        let small = (octets <= SMALL).then_some(&shares.small);
        let paid = small.into_iter().chain(self.large_shares(&shares)).find_map(|share| take(share, octets, paid));
        paid.map(|permit| self.paid.push(permit)).is_some()
    }

    /// Returns the shares that this connection may pay from for a message that is not small.
    fn large_shares<'s>(&self, shares: &'s Shares) -> impl Iterator<Item = &'s Share> + use<'s> {
        self.is_mta.then_some(&shares.mta).into_iter().chain([&shares.messages])
    }

    /// Returns the octets that are paid for.
    fn paid(&self) -> usize {
        self.paid.iter().map(|permit| permit.num_permits() * UNIT).sum()
    }

    /// Returns the octets that are paid for from the share of messages, where others may wait for them.
    fn paid_from_messages(&self) -> usize {
        let shares = self.memory.shares();
        let theirs = self.paid.iter().filter(|permit| Arc::ptr_eq(permit.semaphore(), &shares.messages.left));
        theirs.map(|permit| permit.num_permits() * UNIT).sum()
    }
}

impl Drop for MemoryLease {
    fn drop(&mut self) {
        self.end_receiving();
        self.memory.count(self.held, 0);
    }
}

/// Takes from a share what is still to be paid for so many octets, if that can be had at once.
fn take(share: &Share, octets: usize, paid: usize) -> Option<OwnedSemaphorePermit> {
    let units = units_to_pay(share, octets, paid)?;
    Semaphore::try_acquire_many_owned(Arc::clone(&share.left), units).ok()
}

/// Waits for what is still to be paid for so many octets, in the share of all or in the own one, if there is one.
async fn room_in_either(all: &Share, own: Option<&Share>, octets: usize, paid: usize) -> Option<OwnedSemaphorePermit> {
    tokio::select! {
        permit = room_in(Some(all), octets, paid) => permit,
        permit = room_in(own, octets, paid) => permit,
    }
}

/// Waits for what is still to be paid for so many octets; for ever where there is no share, or it never has so much.
async fn room_in(share: Option<&Share>, octets: usize, paid: usize) -> Option<OwnedSemaphorePermit> {
    let found = share.and_then(|share| Some((&share.left, units_to_pay(share, octets, paid)?)));
    let Some((left, units)) = found else { return pending().await };
    Arc::clone(left).acquire_many_owned(units).await.ok()
}

/// Returns the units to pay for so many octets beside what is paid, and for a quarter more where the share ever has so
/// many, for a message that still grows; none when the share never has room even for the octets alone.
fn units_to_pay(share: &Share, octets: usize, paid: usize) -> Option<u32> {
    let ahead = octets + (octets / 4).max(ALWAYS / 2);
    let wanted = share.units(ahead).map_or(octets, |_| ahead);
    share.units(wanted.saturating_sub(paid)).filter(|_| share.units(wanted).is_some())
}
