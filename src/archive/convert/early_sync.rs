//! Flushes an output to the disk while it is written, so that little is left to wait for at its end.
//!
//! It is for outputs of which nothing is written down on the way: what a journal counts on is flushed by who writes it
//! ([`checkpoint`](super::checkpoint)). What the system says of a flush it says once; so whoever ends the output must ask
//! ([`EarlySync::end`]) before it counts.

use std::fs::File;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use super::checkpoint::pause_after;

/// A thread that flushes files now and then.
#[derive(Debug)]
pub struct EarlySync {
    stop: Sender<()>,
    thread: JoinHandle<io::Result<()>>,
}

impl EarlySync {
    /// Starts it; none where there is nothing to flush, or no thread is to be had.
    pub fn start(files: Vec<File>) -> Option<EarlySync> {
        if files.is_empty() {
            return None;
        }
        let (stop, stopped) = channel();
        let thread = thread::Builder::new().name("flush".to_owned()).spawn(move || flush(&files, &stopped));
        thread.ok().map(|thread| EarlySync { stop, thread })
    }

    /// Ends it, and tells whether all that it flushed is on the disk.
    pub fn end(self) -> io::Result<()> {
        drop(self.stop);
        self.thread.join().unwrap_or_else(|_| Err(io::Error::other("the thread that flushes it failed")))
    }
}

/// Flushes files until nobody wants it any more, or it fails.
fn flush(files: &[File], stopped: &Receiver<()>) -> io::Result<()> {
    let started = Instant::now();
    while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(pause_after(started.elapsed())) {
        files.iter().try_for_each(File::sync_data)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn what_could_not_be_flushed_is_told_at_the_end() {
        let early = |file: File| {
            let early = EarlySync::start(vec![file]).expect("a thread");
            // Longer than until its first turn.
            thread::sleep(pause_after(Default::default()) * 3);
            early.end()
        };
        let mut file = tempfile::tempfile().expect("a temporary file");
        file.write_all(b"x").expect("octets written");
        assert!(early(file).is_ok());
        let (_pipe, into) = io::pipe().expect("a pipe");
        assert!(early(File::from(std::os::fd::OwnedFd::from(into))).is_err(), "a pipe can't be flushed");
        assert!(EarlySync::start(Vec::new()).is_none());
    }
}
