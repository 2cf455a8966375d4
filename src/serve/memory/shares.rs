//! How the limit is cut into shares.

use std::sync::Arc;
use std::thread::available_parallelism;

use tokio::sync::Semaphore;

use super::{ALWAYS, MEDIUM, SMALL, UNCOUNTED};
use crate::config::LimitSettings;

/// The octets of a permit: a semaphore counts no more than fits, and permits are cheap.
pub const UNIT: usize = 4 << 10;

/// What the program takes by itself, with its code and its threads: measured, and some more.
const PROGRAM: usize = 14 << 20;

/// The most that medium work has: some of the worst messages of its size at once.
const MOST_MEDIUM: usize = 32 << 20;

/// The shares of one limit.
#[derive(Debug)]
pub struct Shares {
    /// The memory and the connections that the settings allow, of which the shares are made.
    limits: (usize, usize),
    /// Connections that hold little.
    pub small: Share,
    /// Connections that hold more.
    pub messages: Share,
    /// MTAs that hold more.
    pub mta: Share,
    /// The turn of those who give up a message that waited in vain.
    pub giving_up: Arc<Semaphore>,
    /// Planning messages of medium size.
    pub medium: Planners,
    /// Planning larger ones.
    pub large: Planners,
}

/// One share.
#[derive(Debug)]
pub struct Share {
    /// What is left of it, in units.
    pub left: Arc<Semaphore>,
    /// All of it, in octets.
    pub octets: usize,
}

/// Those who plan: their memory, and how many there are at once.
#[derive(Debug)]
pub struct Planners {
    /// Their memory.
    pub memory: Share,
    /// Their turns.
    pub turns: Arc<Semaphore>,
}

impl Shares {
    /// Cuts the limit of the settings, as [`memory`](super) lists the shares: first what the program and its
    /// connections take, half of the limit at most, then a quarter of the rest at most for small messages. Of what is
    /// then left, medium work gets an eighth at most, messages a quarter of the rest, a quarter of that for MTAs alone,
    /// and large work all that remains.
    pub fn of(limits: &LimitSettings) -> Shares {
        let (limit, connections) = (limits.memory, limits.connections);
        let own = PROGRAM.saturating_add(connections.saturating_mul(ALWAYS + UNCOUNTED)).min(limit / 2);
        let small = connections.saturating_mul(SMALL).min((limit - own) / 4);
        let rest = limit - own - small;
        let medium = MOST_MEDIUM.min(rest / 8);
        let messages = (rest - medium) / 4;
        let processors = available_parallelism().map_or(1, |count| count.get());
        Shares {
            limits: (limit, connections),
            small: Share::of(small),
            messages: Share::of(messages - messages / 4),
            mta: Share::of(messages / 4),
            giving_up: Arc::new(Semaphore::new(1)),
            medium: Planners::of(medium, processors),
            large: Planners::of(rest - medium - messages, processors.saturating_sub(1).max(1)),
        }
    }

    /// Returns `true` if these settings give the same shares.
    pub fn are_of(&self, limits: &LimitSettings) -> bool {
        self.limits == (limits.memory, limits.connections)
    }

    /// Returns the planners of a message of this size, at this cost: a small message of many parts may cost more than
    /// the medium ones have, and then goes to the large ones.
    pub fn planners(&self, size: usize, cost: usize) -> &Planners {
        if size <= MEDIUM && cost <= self.medium.memory.octets { &self.medium } else { &self.large }
    }
}

impl Share {
    /// Makes a share of so many octets, all of it left; what is less than a unit can't be had.
    fn of(octets: usize) -> Share {
        Share { left: Arc::new(Semaphore::new((octets / UNIT).min(Semaphore::MAX_PERMITS))), octets }
    }

    /// Returns how many units so many octets are; none when the share never has so many, used or not.
    pub fn units(&self, octets: usize) -> Option<u32> {
        let units = u32::try_from(octets.div_ceil(UNIT)).ok()?;
        (units as usize <= self.octets / UNIT).then_some(units)
    }
}

impl Planners {
    /// Makes so many turns, and a share of so many octets for all of them.
    fn of(octets: usize, turns: usize) -> Planners {
        Planners { memory: Share::of(octets), turns: Arc::new(Semaphore::new(turns)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_are_the_limit() {
        for memory in [0, 1, 64 << 10, 64 << 20, 256 << 20, 512 << 20, 1 << 40] {
            for connections in [1, 1000, 1 << 20] {
                let shares = Shares::of(&LimitSettings { memory, connections, ..LimitSettings::default() });
                let all = [&shares.small, &shares.messages, &shares.mta, &shares.medium.memory, &shares.large.memory];
                let sum: usize = all.iter().map(|share| share.octets).sum();
                assert!(sum <= memory && sum >= memory / 2, "{memory} {connections}: {shares:?}");
            }
        }
    }

    /// The default is made for a message of the default `message_bytes` in Latin-1.
    #[test]
    fn a_large_text_fits_by_default() {
        let shares = Shares::of(&LimitSettings::default());
        let message = 60_000_000;
        assert!(shares.messages.units(message).is_some());
        assert!(shares.large.memory.units(message * 5).is_some());
    }
}
