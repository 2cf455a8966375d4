//! Writes down how far a run is while it goes on, without holding it up.
//!
//! A thread of its own flushes the files that a state counts on and then writes the state; the first time soon after
//! the start, then less and less often, for what is not written down costs no more than a short while of work. Where no
//! run could go on there is no journal, and the files are only flushed: so little is left to wait for at their end.

use std::fs::File;
use std::io;
use std::sync::mpsc::{Receiver, SyncSender};
use std::time::{Duration, Instant};

use super::{Journal, Mark};

/// The shortest and the longest time between two states.
const SHORTEST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(5);

/// What must be on the disk for a state to be true.
pub enum Unflushed {
    /// What was written into these files.
    Files(Vec<File>),
    /// All that was written in the file system that this file is in.
    System(File),
}

impl Unflushed {
    /// Flushes it to the disk.
    pub fn flush(&self) -> io::Result<()> {
        match self {
            Unflushed::Files(files) => files.iter().try_for_each(File::sync_data),
            Unflushed::System(file) => Ok(rustix::fs::syncfs(file)?),
        }
    }
}

/// A state, and what it counts on.
pub type Checkpoint = (Mark, Unflushed);

/// Says when a state is due, and hands it to who writes it.
pub struct Checkpoints {
    started: Instant,
    next: Instant,
    to: SyncSender<Checkpoint>,
}

impl Checkpoints {
    /// Begins now. The channel must have no room: what is sent while another state is written is none.
    pub fn to(to: SyncSender<Checkpoint>) -> Checkpoints {
        let now = Instant::now();
        Checkpoints { started: now, next: now + SHORTEST, to }
    }

    /// Returns `true` if a state is due; then the next is due later, whether this one is sent or not: after a twentieth
    /// of the time so far.
    pub fn are_due(&mut self) -> bool {
        let now = Instant::now();
        let is_due = now >= self.next;
        if is_due {
            self.next = now + ((now - self.started) / 20).clamp(SHORTEST, LONGEST);
        }
        is_due
    }

    /// Has a state written, unless another one is being written. That whoever writes them has failed is told at the
    /// end.
    pub fn send(&self, state: Checkpoint) {
        let _ = self.to.try_send(state);
    }
}

/// Flushes what each state that comes counts on, and the `spool` of the report, and then writes it where there is a
/// journal; the first failure ends it, and is returned.
pub fn write_all(
    mut journal: Option<&mut Journal>,
    spool: Option<&File>,
    from: Receiver<Checkpoint>,
) -> io::Result<()> {
    for (mark, unflushed) in from {
        unflushed.flush()?;
        spool.map_or(Ok(()), File::sync_data)?;
        journal.as_deref_mut().map_or(Ok(()), |journal| journal.write(&mark, true))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::sync::mpsc::sync_channel;

    use super::*;

    /// The system says it once, so that it must not be lost.
    #[test]
    fn what_could_not_be_flushed_is_told_and_ends_the_marks() {
        let flush = |file: File| {
            let (to, marks) = sync_channel(1);
            to.send((Mark::default(), Unflushed::Files(Vec::new()))).expect("a state");
            drop(to);
            write_all(None, Some(&file), marks).is_ok()
        };
        let mut file = tempfile::tempfile().expect("a temporary file");
        file.write_all(b"x").expect("octets written");
        assert!(flush(file));
        let (_pipe, into) = io::pipe().expect("a pipe");
        assert!(!flush(File::from(std::os::fd::OwnedFd::from(into))), "a pipe can't be flushed");
    }
}
