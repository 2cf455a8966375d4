//! Faults: the daemon killed, reloaded, crowded and lied to, in front of a real Postfix where that matters.
//!
//! The ordinary tests run a small version. `tests/faults` runs the large one in a release build, with
//! `SEPTET_FAULTS=full`, and shows the summaries.

mod crowd;
mod hostile;
pub mod restarted;
pub mod tally;
pub mod template;
mod through;

use std::hash::{BuildHasher, RandomState};

/// How much is done.
#[derive(Clone, Copy)]
pub struct Scale {
    pub messages: usize,
    pub kills: usize,
    reloads: usize,
    connections: usize,
    hostile: usize,
}

impl Scale {
    pub fn of_env() -> Scale {
        match std::env::var("SEPTET_FAULTS").as_deref() {
            Ok("full") => Scale { messages: 10_000, kills: 100, reloads: 100, connections: 1000, hostile: 400 },
            _ => Scale { messages: 300, kills: 5, reloads: 10, connections: 200, hostile: 60 },
        }
    }
}

/// Numbers that differ from run to run: xorshift64*.
pub struct Random(u64);

impl Random {
    pub fn new() -> Random {
        Random(RandomState::new().hash_one(0) | 1)
    }

    /// Gives a number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(high).unwrap_or(0) % end.max(1)
    }

    /// Gives this many moments of a run of `messages`, in order.
    pub fn moments(&mut self, count: usize, messages: usize) -> Vec<usize> {
        let mut moments: Vec<usize> = (0..count).map(|_| self.below(messages)).collect();
        moments.sort_unstable();
        moments
    }
}
