//! What all connections together hold of messages.
//!
//! **Limits**: beyond `limits.memory` in all, no message of more than [`SMALL`] octets gets more memory. Small ones always
//! have it, or a few peers with endless messages would keep septet from everybody's mail.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The octets that every message may hold; `limits.connections` bounds how many do.
const SMALL: usize = 16 << 10;

/// A number of octets that all connections share.
#[derive(Debug, Default)]
pub struct Memory {
    held: AtomicUsize,
}

/// What one connection holds of it; given back when it is dropped.
#[derive(Debug)]
pub struct Lease {
    memory: Arc<Memory>,
    held: usize,
}

impl Memory {
    /// Makes a lease of nothing.
    pub fn lease(self: &Arc<Memory>) -> Lease {
        Lease { memory: Arc::clone(self), held: 0 }
    }

    /// Returns the octets that all leases hold.
    pub fn held(&self) -> usize {
        self.held.load(Ordering::Relaxed)
    }
}

impl Lease {
    /// Sets what this connection holds; false when all of them together then hold more than `limit`, and this one not
    /// a little only.
    pub fn set(&mut self, octets: usize, limit: usize) -> bool {
        if octets == self.held {
            return true;
        }
        // Relaxed is enough: the number guards no other memory, and a moment's error lets one message more in.
        let before = match octets.checked_sub(self.held) {
            Some(more) => self.memory.held.fetch_add(more, Ordering::Relaxed) + more,
            None => self.memory.held.fetch_sub(self.held - octets, Ordering::Relaxed),
        };
        let grows = octets > self.held;
        self.held = octets;
        !grows || octets <= SMALL || before <= limit
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.memory.held.fetch_sub(self.held, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_over_all_leases_and_gives_back() {
        let limit = 100 * SMALL;
        let memory = Arc::new(Memory::default());
        let (mut one, mut two) = (memory.lease(), memory.lease());
        assert!(one.set(60 * SMALL, limit) && two.set(40 * SMALL, limit));
        assert!(!one.set(61 * SMALL, limit), "101 of 100");
        assert!(one.set(61 * SMALL, limit), "nothing new is asked for");
        assert!(one.set(10 * SMALL, limit) && two.set(90 * SMALL, limit));
        assert!(memory.lease().set(SMALL, limit), "a small message always has memory");
        assert!(!memory.lease().set(SMALL + 1, limit));
        drop(one);
        assert!(two.set(100 * SMALL, limit));
        drop(two);
        assert_eq!(memory.held(), 0);
    }
}
