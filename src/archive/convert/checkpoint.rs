//! Writes down how far a run is while it goes on, without holding it up.
//!
//! A thread of its own flushes the files that a state counts on and then writes the state; the first time soon after the
//! start, then less and less often, for what is not written down costs no more than a short while of work.

use std::fs::File;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use super::journal::{Journal, Mark};

/// The shortest and the longest time between two states.
const SHORTEST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(5);

/// Returns how long it is until the next state, so long after the start.
pub fn pause_after(since_start: Duration) -> Duration {
    (since_start / 20).clamp(SHORTEST, LONGEST)
}

/// Says when a state is due.
#[derive(Debug, Clone)]
pub struct Pace {
    started: Instant,
    next: Instant,
    busy: Arc<AtomicBool>,
}

impl Pace {
    /// Makes one that begins now.
    pub fn new() -> Pace {
        let now = Instant::now();
        Pace { started: now, next: now + SHORTEST, busy: Arc::default() }
    }

    /// Returns `true` if a state is due and none is being written; the caller must hand one to [`write_all`] then.
    pub fn is_due(&mut self) -> bool {
        let now = Instant::now();
        if now < self.next || self.busy.swap(true, Ordering::Relaxed) {
            return false;
        }
        self.next = now + pause_after(now - self.started);
        true
    }

    /// Says that a state is written.
    fn written(&self) {
        self.busy.store(false, Ordering::Relaxed);
    }
}

/// Writes states as they come, each after the files that it counts on; the first failure ends it, and is returned.
/// The pace stays busy then, so that no other state is made.
pub fn write_all(mut journal: Journal, files: &[File], from: Receiver<Mark>, pace: &Pace) -> (Journal, io::Result<()>) {
    for mark in from {
        let written = files.iter().try_for_each(File::sync_data).and_then(|()| journal.write(&mark, true));
        if written.is_err() {
            return (journal, written);
        }
        pace.written();
    }
    (journal, Ok(()))
}
