//! Lines from many threads to one target ([`LogTarget`]), which may take them or not: no thread that logs ever waits
//! for it.
//!
//! Lines are queued in a channel, [`WAITING`] octets of them at most, and one thread of their own writes them: under
//! load many at once, for it rests ([`REST`]) after each write and is woken for no line before; the first after a
//! silence is written at once. What finds no room is dropped, and counted, as is what the target does not take; when it
//! takes lines again, the log says how many were lost ([`LogLines::new`] is told how to say it). So a reader of the log
//! that stops reading stops nothing but the log.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use std::{io, iter, thread};

use super::target::LogTarget;

/// How many octets of lines may wait, those that are being written among them.
const WAITING: usize = 1 << 20;

/// The capacity that the writing thread keeps for lines, in octets, and for their ends; more is given back after each
/// write.
const KEPT: usize = WAITING / 16;

/// How long lines gather after others were written.
const REST: Duration = Duration::from_millis(2);

/// How many lines were dropped in this process, whatever their target.
static DROPPED: AtomicU64 = AtomicU64::new(0);

/// Returns how many lines were dropped since the start, whatever their target.
pub fn dropped() -> u64 {
    DROPPED.load(Ordering::Relaxed)
}

/// The queue of lines to one target; clones go to the same.
#[derive(Debug, Clone)]
pub struct LogLines {
    lines: Sender<Vec<u8>>,
    counts: Arc<LineCounts>,
}

/// What the threads that log and the one that writes count together.
#[derive(Debug, Default)]
struct LineCounts {
    /// The octets of lines that are not written yet.
    waiting: AtomicUsize,
    /// How many lines were dropped since somebody said so last.
    dropped: AtomicU64,
}

impl LogLines {
    /// Starts the thread that writes lines to `to`; the error is that of a thread that can't be started. `lost` is
    /// called with the number of lines that were dropped, when others are written again; it may log.
    pub fn new(to: impl LogTarget + 'static, lost: fn(u64)) -> io::Result<LogLines> {
        let ((lines, queued), counts) = (channel(), Arc::new(LineCounts::default()));
        let writer = Arc::clone(&counts);
        thread::Builder::new().name("septet-log".to_owned()).spawn(move || writer.write_to(to, &queued, lost))?;
        Ok(LogLines { lines, counts })
    }

    /// Queues a line, with its line end, to be written, and does not wait for that; one that finds no room is dropped
    /// and counted.
    pub fn queue(&self, line: &[u8]) {
        let before = self.counts.waiting.fetch_add(line.len(), Ordering::Relaxed);
        if before + line.len() > WAITING || self.lines.send(line.to_vec()).is_err() {
            self.counts.waiting.fetch_sub(line.len(), Ordering::Relaxed);
            self.counts.count_dropped(1);
        }
    }

    /// Waits until every queued line is written or dropped, but not longer than `patience`.
    pub fn settle(&self, patience: Duration) {
        let until = Instant::now() + patience;
        while self.counts.waiting.load(Ordering::Acquire) > 0 && Instant::now() < until {
            thread::sleep(REST);
        }
    }
}

impl LineCounts {
    /// Counts lines that were dropped: for what `lost` is told next, and for [`dropped`].
    fn count_dropped(&self, lines: u64) {
        self.dropped.fetch_add(lines, Ordering::Relaxed);
        DROPPED.fetch_add(lines, Ordering::Relaxed);
    }

    /// Writes what is queued until no [`LogLines`] of the target is there any more: the thread of [`LogLines::new`].
    /// `lost` may [queue](LogLines::queue) a line itself.
    fn write_to(&self, mut to: impl LogTarget, queued: &Receiver<Vec<u8>>, lost: fn(u64)) {
        let (mut lines, mut ends) = (Vec::new(), Vec::new());
        while let Ok(first) = queued.recv() {
            for line in iter::once(first).chain(queued.try_iter()) {
                lines.extend_from_slice(&line);
                ends.push(lines.len());
            }
            let untaken = to.write(&lines, &ends);
            self.count_dropped(untaken as u64);
            // Where no line is taken, this one would not be either.
            let unsaid = if untaken < ends.len() { self.dropped.swap(0, Ordering::Relaxed) } else { 0 };
            if unsaid > 0 {
                lost(unsaid);
            }
            self.waiting.fetch_sub(lines.len(), Ordering::Release);
            lines.clear();
            lines.shrink_to(KEPT);
            ends.clear();
            ends.shrink_to(KEPT);
            thread::sleep(REST);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// A place that takes its time, and hands on what it was given in each write.
    struct Slow(mpsc::Sender<Vec<u8>>, Duration);

    impl LogTarget for Slow {
        fn write(&mut self, lines: &[u8], _: &[usize]) -> usize {
            thread::sleep(self.1);
            self.0.send(lines.to_vec()).expect("the test listens");
            0
        }
    }

    fn lines(time: Duration, lost: fn(u64)) -> (LogLines, mpsc::Receiver<Vec<u8>>) {
        let (sender, receiver) = mpsc::channel();
        (LogLines::new(Slow(sender, time), lost).expect("a thread"), receiver)
    }

    fn none_lost(_: u64) {}

    #[test]
    fn every_line_arrives_whole_and_each_threads_in_order() {
        let (lines, written) = lines(Duration::from_micros(50), none_lost);
        thread::scope(|scope| {
            for name in 0..8 {
                let lines = lines.clone();
                scope.spawn(move || {
                    for number in 0..500 {
                        let long = "x".repeat(number * 7 % 50);
                        lines.queue(format!("{name} {number} {long}\n").as_bytes());
                    }
                });
            }
        });
        lines.settle(Duration::from_secs(30));
        let writes: Vec<Vec<u8>> = written.try_iter().collect();
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

    /// A place that takes no line with an `x`.
    struct Picky(mpsc::Sender<Vec<u8>>);

    impl LogTarget for Picky {
        fn write(&mut self, lines: &[u8], ends: &[usize]) -> usize {
            let untaken = lines.contains(&b'x');
            self.0.send(lines.to_vec()).expect("the test listens");
            if untaken { ends.len() } else { 0 }
        }
    }

    static UNTAKEN: AtomicU64 = AtomicU64::new(0);

    #[test]
    fn what_the_place_does_not_take_is_counted_and_said_when_it_takes_lines_again() {
        let count = |lost| {
            UNTAKEN.fetch_add(lost, Ordering::Relaxed);
        };
        let (sender, written) = mpsc::channel();
        let lines = LogLines::new(Picky(sender), count).expect("a thread");
        let before = dropped();
        for line in ["x one\n", "x two\n"] {
            lines.queue(line.as_bytes());
            lines.settle(Duration::from_secs(30));
        }
        assert!(dropped() >= before + 2);
        assert_eq!(UNTAKEN.load(Ordering::Relaxed), 0, "nobody would read it");
        lines.queue(b"three\n");
        lines.settle(Duration::from_secs(30));
        assert_eq!((UNTAKEN.load(Ordering::Relaxed), written.try_iter().count()), (2, 3));
    }

    static LOST: AtomicU64 = AtomicU64::new(0);

    #[test]
    fn a_place_that_takes_nothing_keeps_nobody_waiting() {
        let count = |lost| {
            LOST.fetch_add(lost, Ordering::Relaxed);
        };
        let (lines, written) = lines(Duration::from_millis(500), count);
        let line = [vec![b'x'; WAITING / 4], b"\n".to_vec()].concat();
        let start = std::time::Instant::now();
        (0..64).for_each(|_| lines.queue(&line));
        assert!(start.elapsed() < Duration::from_millis(400), "{:?}", start.elapsed());
        lines.settle(Duration::from_secs(30));
        let taken = written.try_iter().map(|write| write.len() / line.len()).sum::<usize>();
        assert!(taken < 10, "{taken}");
        lines.queue(b"again\n");
        lines.settle(Duration::from_secs(30));
        assert_eq!(LOST.load(Ordering::Relaxed) as usize, 64 - taken);
    }
}
