//! Writes down how far a run is while it goes on, without holding it up.
//!
//! A thread of its own flushes the files that a state counts on and then writes the state; the first time soon after
//! the start, then less and less often, for what is not written down costs no more than a short while of work. Where no
//! run could go on there is no journal, and the files are only flushed: so little is left to wait for at their end.

use std::fs::File;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use super::{Journal, Mark};

/// The shortest and the longest time between two states.
const SHORTEST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(5);

/// How much longer work goes on than it stands still for a state.
const MUCH: u32 = 30;

/// Returns how long it is until the next state, so long after the start.
fn pause_after(since_start: Duration) -> Duration {
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

    /// Says that a state is written, for which the work stood still so long: the next is not due before it went on for
    /// [`MUCH`] times that.
    pub fn written_in(&mut self, took: Duration) {
        self.written();
        self.next = self.next.max(Instant::now() + MUCH * took);
    }
}

/// Flushes the files of each state that comes, and the `spool` of the report, and then writes it where there is a
/// journal; the first failure ends it, and is returned. The pace stays busy then, so that no other state is made.
pub fn write_all(
    mut journal: Option<&mut Journal>,
    spool: Option<&File>,
    from: Receiver<(Mark, Vec<File>)>,
    pace: &Pace,
) -> io::Result<()> {
    for (mark, files) in from {
        files.iter().chain(spool).try_for_each(File::sync_data)?;
        journal.as_deref_mut().map_or(Ok(()), |journal| journal.write(&mark, true))?;
        pace.written();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::sync::mpsc::channel;

    use super::*;

    /// The system says it once, so that it must not be lost.
    #[test]
    fn what_could_not_be_flushed_is_told_and_ends_the_marks() {
        let flush = |file: File| {
            let (to, marks) = channel();
            let mut pace = Pace { next: Instant::now(), ..Pace::new() };
            assert!(pace.is_due());
            to.send((Mark::default(), Vec::new())).expect("a state");
            drop(to);
            let flushed = write_all(None, Some(&file), marks, &pace);
            (flushed.is_ok(), !pace.busy.load(Ordering::Relaxed))
        };
        let mut file = tempfile::tempfile().expect("a temporary file");
        file.write_all(b"x").expect("octets written");
        assert_eq!(flush(file), (true, true));
        let (_pipe, into) = io::pipe().expect("a pipe");
        assert_eq!(flush(File::from(std::os::fd::OwnedFd::from(into))), (false, false), "a pipe can't be flushed");
    }
}
