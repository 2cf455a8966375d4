//! What was done last: how many messages in the last minute, and the last decisions by their codes.
//!
//! Nothing of a message is kept but the MTA's queue ID, by which its line in the log is found: a code is a word of a
//! list of ours.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::Times;
use crate::rewrite::Outcome;
use crate::serve::log::Printable;
use crate::serve::outcome::{Details, MessageOutcome};

/// How many decisions are kept.
const KEPT: usize = 20;

/// How many codes of a decision are kept.
const CODES: usize = 6;

/// How many decisions of a report are looked at for its codes, as every message pays for it.
const LOOKED_AT: usize = 1000;

/// How many seconds are counted.
const SECONDS: u64 = 60;

/// Of how many messages it is known how long their clients waited.
const WAITS: usize = 1000;

/// The octets of a queue ID that are kept.
const QUEUE_ID: usize = 20;

/// A message that was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecentDecision {
    /// When.
    pub at: Instant,
    /// The MTA's queue ID; empty where none was told.
    pub queue_id: String,
    /// What became of it, in one word.
    pub action: &'static str,
    /// What was changed or left in it, each code once.
    pub codes: Vec<&'static str>,
    /// Its octets.
    pub bytes: usize,
    /// How long its client waited.
    pub time: Duration,
}

/// What was done last.
#[derive(Debug)]
pub struct Recent {
    start: Instant,
    kept: Mutex<RecentDecisions>,
}

#[derive(Debug)]
struct RecentDecisions {
    /// For each second of a minute its number since the start, and its messages.
    seconds: [(u64, u64); SECONDS as usize],
    /// How long the clients of the last messages waited.
    waits: VecDeque<Duration>,
    decisions: VecDeque<RecentDecision>,
}

impl Recent {
    /// Makes it as it is when nothing was done yet.
    pub fn new() -> Recent {
        Recent {
            start: Instant::now(),
            kept: Mutex::new(RecentDecisions {
                seconds: [(0, 0); SECONDS as usize],
                waits: VecDeque::new(),
                decisions: VecDeque::new(),
            }),
        }
    }

    /// Counts a message that was answered, and keeps what was decided about it, if anything was; of older decisions the
    /// last are dropped.
    pub fn add(&self, outcome: &MessageOutcome, queue_id: &[u8], bytes: usize, times: Times) {
        let decision = RecentDecision {
            at: Instant::now(),
            queue_id: Printable(queue_id.get(..QUEUE_ID).unwrap_or(queue_id)).to_string(),
            action: outcome.counted_as(),
            codes: codes(&outcome.details),
            bytes,
            time: times.whole,
        };
        let second = decision.at.duration_since(self.start).as_secs();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, count)) = kept.seconds.get_mut((second % SECONDS) as usize) {
            *count = if *of == second { *count + 1 } else { 1 };
            *of = second;
        }
        kept.waits.truncate(WAITS - 1);
        kept.waits.push_front(decision.time);
        if !decision.codes.is_empty() {
            kept.decisions.truncate(KEPT - 1);
            kept.decisions.push_front(decision);
        }
    }

    /// Returns how many messages there were in the last minute: this second and the 59 before it.
    pub fn last_minute(&self) -> u64 {
        let second = self.start.elapsed().as_secs();
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.seconds.iter().filter(|(of, _)| of + SECONDS > second).map(|(_, count)| count).sum()
    }

    /// Returns how long the clients of a half and of 99 in 100 of the last [`WAITS`] messages waited at the most; none
    /// where there was no message yet.
    pub fn waits(&self) -> Option<(Duration, Duration)> {
        let mut waits: Vec<Duration> =
            self.kept.lock().unwrap_or_else(PoisonError::into_inner).waits.iter().copied().collect();
        waits.sort_unstable();
        let [half, most] =
            [50, 99].map(|share| waits.get((waits.len() * share).div_ceil(100).saturating_sub(1)).copied());
        half.zip(most)
    }

    /// Returns the last decisions, the newest first; messages of which there was nothing to decide are not among them.
    pub fn decisions(&self) -> Vec<RecentDecision> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).decisions.iter().cloned().collect()
    }

    /// Returns how long ago this was made.
    pub fn age(&self) -> Duration {
        self.start.elapsed()
    }
}

/// Returns the first [`CODES`] codes of what was decided, each once, as reports have them (metrics count some reasons
/// under another name). Of a long report only the beginning is looked at.
fn codes(details: &Details) -> Vec<&'static str> {
    let mut codes = Vec::new();
    match details {
        Details::Report(report) => report.entries.iter().take(LOOKED_AT).for_each(|entry| match &entry.outcome {
            Outcome::Done(changes) => changes.iter().take(CODES).for_each(|change| add(&mut codes, change.code())),
            Outcome::Left(reason) => add(&mut codes, reason.code()),
            Outcome::Noted(note) => add(&mut codes, note.code()),
        }),
        Details::Left { reason, .. } => add(&mut codes, reason),
        Details::Failed(_) => add(&mut codes, "internal"),
    }
    codes
}

/// Adds a code that is not there yet, where there is room.
fn add(codes: &mut Vec<&'static str>, code: &'static str) {
    if codes.len() < CODES && !codes.contains(&code) {
        codes.push(code);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::PartNumber;
    use crate::rewrite::{Note, Place, Reason, Report};
    use crate::serve::outcome::Verdict;

    #[test]
    fn keeps_codes_and_a_bounded_number_of_them() {
        let recent = Recent::new();
        let times = Times { plan: Duration::ZERO, whole: Duration::from_millis(3) };
        recent.add(&MessageOutcome::untouched("unchanged"), b"", 10, times);
        assert_eq!(recent.waits(), Some((times.whole, times.whole)));
        assert_eq!((recent.last_minute(), recent.decisions().len()), (1, 0));
        let mut report = Report::default();
        (0..50).for_each(|_| report.push(PartNumber::root(), Place::Body, Outcome::Left(Reason::Dkim)));
        report.push(PartNumber::root(), Place::Field("secret".to_owned()), Outcome::Noted(Note::Utf7));
        assert_eq!(codes(&Details::Report(report)), ["dkim", "utf-7"]);
        let left = MessageOutcome::left(Verdict::Accept, "memory", "text".to_owned());
        (0..30).for_each(|_| recent.add(&left, b"4dJx\x1b[\xe9 and more than anybody needs", 10, times));
        assert_eq!((recent.last_minute(), recent.decisions().len()), (31, KEPT));
        assert_eq!((recent.decisions()[0].codes.clone(), recent.decisions()[0].action), (vec!["memory"], "left"));
        assert_eq!(recent.decisions()[0].queue_id, "4dJx?[??and?more?tha");
    }

    #[test]
    fn waits_are_those_of_the_last_messages() {
        let recent = Recent::new();
        assert_eq!(recent.waits(), None);
        for wait in (1..=3 * WAITS as u64).map(Duration::from_millis) {
            recent.add(&MessageOutcome::untouched("unchanged"), b"", 10, Times { plan: Duration::ZERO, whole: wait });
        }
        assert_eq!(recent.waits(), Some((Duration::from_millis(2500), Duration::from_millis(2990))));
    }
}
