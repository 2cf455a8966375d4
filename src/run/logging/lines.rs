//! Lines from many threads to one place, without one thread waiting for another's write.
//!
//! Who finds nobody writing writes, and takes along what comes meanwhile; who finds somebody writing leaves the line and
//! goes on. So a line is never late for the lack of another one, under load many lines are one write, and nothing
//! is lost that a crash of the process would not lose between two writes. One thread writes for others [`ROUNDS`]
//! times in a row at most, and lines of [`WAITING`] octets at most wait; beyond either, threads wait for each other.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tracing_subscriber::fmt::MakeWriter;

/// How often a thread writes before it has the others wait for its last write.
const ROUNDS: usize = 16;

/// How many octets of lines may wait.
const WAITING: usize = 1 << 20;

/// Lines on their way to one place; clones go to the same.
#[derive(Debug)]
pub struct Lines<W>(Arc<Shared<W>>);

#[derive(Debug)]
struct Shared<W> {
    to: W,
    waiting: Mutex<Waiting>,
    space: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    lines: Vec<u8>,
    /// Whether a thread is writing, which will write these too.
    writing: bool,
}

impl<W> Lines<W> {
    /// Makes lines that go to `to`.
    pub fn new(to: W) -> Lines<W> {
        Lines(Arc::new(Shared { to, waiting: Mutex::default(), space: Condvar::new() }))
    }

    /// Waits until every line that was left is written, or so long.
    pub fn settle(&self, patience: Duration) {
        let waiting = self.0.lock();
        // Nobody can do more about a place that takes no lines.
        drop(self.0.space.wait_timeout_while(waiting, patience, |waiting| waiting.writing));
    }
}

impl<W> Clone for Lines<W> {
    fn clone(&self) -> Lines<W> {
        Lines(Arc::clone(&self.0))
    }
}

impl<W> Shared<W> {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // Whole lines are there at any time, also when a thread that had the lock has ended.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leaves a line; tells whether it is for the caller to write.
    fn leave(&self, line: &[u8]) -> bool {
        let mut waiting = self.lock();
        while waiting.writing && waiting.lines.len() > WAITING {
            waiting = self.space.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        waiting.lines.extend_from_slice(line);
        !std::mem::replace(&mut waiting.writing, true)
    }
}

impl<W> Shared<W>
where
    for<'w> &'w W: Write,
{
    /// Writes what waits until nothing does.
    fn write_all(&self) {
        for round in 1.. {
            let mut waiting = self.lock();
            if waiting.lines.is_empty() || round > ROUNDS {
                self.write(&std::mem::take(&mut waiting.lines));
                waiting.writing = false;
                return self.space.notify_all();
            }
            let lines = std::mem::take(&mut waiting.lines);
            drop(waiting);
            self.space.notify_all();
            self.write(&lines);
        }
    }

    /// Writes lines. That they can't be written is nothing that could be said anywhere.
    fn write(&self, lines: &[u8]) {
        let _ = (&self.to).write_all(lines);
    }
}

impl<W> Write for Lines<W>
where
    for<'w> &'w W: Write,
{
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.0.leave(line) {
            self.0.write_all();
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<W: 'static> MakeWriter<'_> for Lines<W>
where
    for<'w> &'w W: Write,
{
    type Writer = Lines<W>;

    fn make_writer(&self) -> Lines<W> {
        self.clone()
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// A place that takes its time, and what it was given in each write.
    #[derive(Debug, Default)]
    struct Slow(Mutex<Vec<Vec<u8>>>);

    impl Write for &Slow {
        fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
            thread::sleep(Duration::from_micros(50));
            self.0.lock().expect("no panic").push(octets.to_vec());
            Ok(octets.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn written(lines: &Lines<Slow>) -> Vec<Vec<u8>> {
        lines.settle(Duration::from_secs(30));
        lines.0.to.0.lock().expect("no panic").clone()
    }

    #[test]
    fn every_line_arrives_whole_and_each_threads_in_order() {
        let lines = Lines::new(Slow::default());
        thread::scope(|scope| {
            for name in 0..8 {
                let mut lines = lines.clone();
                scope.spawn(move || {
                    for number in 0..500 {
                        let long = "x".repeat(number * 7 % 50);
                        lines.write_all(format!("{name} {number} {long}\n").as_bytes()).expect("it is left");
                    }
                });
            }
        });
        let writes = written(&lines);
        let text = String::from_utf8(writes.concat()).expect("UTF-8");
        for name in 0..8 {
            let start = format!("{name} ");
            let own = text.lines().filter_map(|line| line.strip_prefix(&start));
            let numbers = own.map(|line| line.split(' ').next().and_then(|number| number.parse::<u32>().ok()));
            assert!(numbers.eq((0..500).map(Some)), "{name}");
        }
        assert_eq!(text.lines().count(), 8 * 500);
        assert!(writes.len() < 8 * 500, "lines that wait are written together");
        assert!(writes.iter().all(|write| write.ends_with(b"\n")));
    }

    #[test]
    fn a_line_alone_is_written_when_the_call_returns() {
        let lines = Lines::new(Slow::default());
        for count in 1..=3 {
            lines.clone().write_all(b"line\n").expect("it is left");
            assert_eq!(lines.0.to.0.lock().expect("no panic").len(), count);
        }
    }

    #[test]
    fn what_waits_is_bounded() {
        let lines = Lines::new(Slow::default());
        let line = [vec![b'x'; WAITING / 4], b"\n".to_vec()].concat();
        thread::scope(|scope| {
            for _ in 0..8 {
                let (mut lines, line) = (lines.clone(), &line);
                scope.spawn(move || (0..8).for_each(|_| lines.write_all(line).expect("it is left")));
            }
        });
        let writes = written(&lines);
        assert_eq!(writes.iter().map(Vec::len).sum::<usize>(), 64 * line.len());
        assert!(writes.iter().all(|write| write.len() <= WAITING + line.len()));
    }
}
