//! Whose message is still coming into memory, its envelope or its content, and how fast: who waits for room is served
//! before who trickles.
//!
//! A rate is that of the last seconds, whatever came before: a message that came fast at first and then drop by drop is
//! slow. A message that waits for room itself is not among them, as nothing is read of it meanwhile.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

/// The octets a second below which a message trickles.
const TRICKLE: u64 = 16 << 10;

/// A rate is measured over this time at least, and twice this at most. So twice this after a message began to trickle,
/// that is known: before whoever waits gives up ([`INPUT_PATIENCE`](super::INPUT_PATIENCE)).
const WINDOW: Duration = Duration::from_secs(2);

/// The messages that are coming.
#[derive(Debug, Default)]
pub struct Receivers(Mutex<BTreeMap<u64, Receiver>>);

/// One of them.
#[derive(Debug)]
struct Receiver {
    /// What others get when it gives back what it holds.
    octets: usize,
    pace: Pace,
    /// How it is asked to give that back; none once it was.
    ask: Option<Arc<Notify>>,
}

impl Receivers {
    /// Adds a message, and returns its number; `ask` is notified when it has to give back what it holds.
    pub fn add(&self, ask: &Arc<Notify>) -> u64 {
        let mut receivers = self.lock();
        let number = receivers.last_key_value().map_or(0, |(last, _)| last + 1);
        receivers.insert(number, Receiver { octets: 0, pace: Pace::new(Instant::now()), ask: Some(Arc::clone(ask)) });
        number
    }

    /// Counts octets that came of a message, which holds so many that others may wait for.
    pub fn count(&self, number: u64, came: usize, octets: usize) {
        if let Some(receiver) = self.lock().get_mut(&number) {
            receiver.octets = octets;
            receiver.pace.count(came, Instant::now());
        }
    }

    /// Removes a message: nothing more of it comes, or is kept.
    pub fn remove(&self, number: u64) {
        self.lock().remove(&number);
    }

    /// Asks messages that trickle to give back what they hold, the slowest first, until so many octets will be free or
    /// no other trickles. None is asked twice.
    pub fn ask_slowest(&self, octets: usize) {
        let mut receivers = self.lock();
        let mut slow: Vec<(u64, &mut Receiver)> = receivers.values_mut().filter_map(Receiver::trickles).collect();
        slow.sort_by_key(|(rate, _)| *rate);
        let mut free = 0;
        for receiver in slow.into_iter().map(|(_, receiver)| receiver) {
            if free >= octets {
                return;
            }
            free += receiver.octets;
            receiver.ask.take().inspect(|ask| ask.notify_one());
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Receiver>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Receiver {
    /// Returns the message with its rate, if it trickles, holds what others may wait for, and was not asked yet.
    fn trickles(&mut self) -> Option<(u64, &mut Receiver)> {
        let rate = self.pace.octets_per_second(Instant::now())?;
        (rate < TRICKLE && self.octets > 0 && self.ask.is_some()).then_some((rate, self))
    }
}

/// What came in the last seconds.
#[derive(Debug)]
struct Pace {
    /// When the window began that goes on.
    window: Instant,
    /// The octets that came in it.
    came: u64,
    /// Those of the window before; none in the first.
    before: Option<u64>,
}

impl Pace {
    /// Makes that of a message of which nothing came yet.
    fn new(now: Instant) -> Pace {
        Pace { window: now, came: 0, before: None }
    }

    /// Counts octets that came now, in the window of now.
    fn count(&mut self, octets: usize, now: Instant) {
        self.turn(now);
        self.came += octets as u64;
    }

    /// Begins another window where this one is over.
    fn turn(&mut self, now: Instant) {
        let windows = now.saturating_duration_since(self.window).as_millis() / WINDOW.as_millis();
        match windows {
            0 => {}
            1 => *self = Pace { window: self.window + WINDOW, came: 0, before: Some(self.came) },
            _ => *self = Pace { window: now, came: 0, before: Some(0) },
        }
    }

    /// Returns the rate of this window and the one before; none before the first is over.
    fn octets_per_second(&mut self, now: Instant) -> Option<u64> {
        self.turn(now);
        let time = (WINDOW + now.saturating_duration_since(self.window)).as_millis() as u64;
        Some((self.before? + self.came).saturating_mul(1000) / time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_that_of_the_last_seconds() {
        let now = Instant::now();
        let at = |seconds| now + Duration::from_secs(seconds);
        let mut pace = Pace::new(now);
        pace.count(10_000_000, at(1));
        assert_eq!(pace.octets_per_second(at(1)), None, "nobody knows yet");
        assert_eq!(pace.octets_per_second(at(3)), Some(10_000_000 / 3));
        pace.count(600, at(3));
        assert_eq!(pace.octets_per_second(at(4)), Some(300), "what came at first is forgotten");
        assert_eq!(pace.octets_per_second(at(3_000)), Some(0));
    }
}
