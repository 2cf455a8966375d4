//! How far the message of a connection has come, and since when.

use std::time::{Duration, Instant};

use crate::config::Forward;

/// How long a client holds a connection to a next hop that does nothing for it.
const HELD: Duration = Duration::from_secs(5);

/// How far ahead what came counts: however much came at once, nothing for a minute is slow.
const AHEAD: Duration = Duration::from_secs(60);

/// The clock of a message that is coming.
#[derive(Debug, Default)]
pub struct MessageClock {
    /// When MAIL was accepted.
    pub mail: Option<Instant>,
    /// Until when what came of its content is enough; at first the moment at which it was announced, and none before.
    pub content: Option<Instant>,
    /// Since when it has its connection to the next hop.
    pub leased: Option<Instant>,
    /// When it was whole.
    pub whole: Option<Instant>,
    /// Whether its envelope was accepted by a next hop and its connection given back.
    pub parked: bool,
}

impl MessageClock {
    /// Counts octets of content that came now: they are enough for as long as `min_data_rate`, which is never 0, takes
    /// for them, a minute from now on at the most. Before content is announced nothing is counted.
    pub fn count(&mut self, came: usize, forward: &Forward, now: Instant) {
        if let Some(enough) = &mut self.content {
            let micros = (came as u64).saturating_mul(1_000_000) / forward.min_data_rate.0 as u64;
            *enough = (*enough + Duration::from_micros(micros)).min(now + AHEAD);
        }
    }

    /// Returns when the message must be whole: `message_time` after MAIL, or earlier where what came of its content was
    /// slower than `min_data_rate`; `idle_time` is how far it may fall behind that, by pauses or otherwise. None before
    /// MAIL was accepted.
    pub fn deadline(&self, forward: &Forward, idle_time: Duration) -> Option<Instant> {
        let whole = self.mail? + forward.message_time;
        let content = self.content.map(|enough| enough + idle_time);
        content.into_iter().chain([whole]).min()
    }

    /// Returns how long ago the message was whole; no time while it is not.
    pub fn since_whole(&self) -> Duration {
        self.whole.map_or(Duration::ZERO, |whole| whole.elapsed())
    }

    /// Returns until when the message keeps a connection to a next hop to which nothing is written; none if it never
    /// had one. Whether it still has it is the caller's to know.
    pub fn holds_until(&self) -> Option<Instant> {
        self.leased.map(|since| since + HELD)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::quantity::Size;

    #[test]
    fn a_message_ends_by_its_whole_time_or_by_the_rate_of_its_content() {
        let now = Instant::now();
        let seconds = Duration::from_secs;
        let forward = Forward { message_time: seconds(100), min_data_rate: Size(500), ..Forward::default() };
        let mut clock = MessageClock::default();
        assert_eq!(clock.deadline(&forward, seconds(30)), None);
        clock.mail = Some(now);
        assert_eq!(clock.deadline(&forward, seconds(30)), Some(now + seconds(100)));
        clock.content = Some(now + seconds(1));
        assert_eq!(clock.deadline(&forward, seconds(30)), Some(now + seconds(31)));
        clock.count(10_000, &forward, now + seconds(2));
        assert_eq!(clock.deadline(&forward, seconds(30)), Some(now + seconds(51)));
        clock.count(1 << 20, &forward, now + seconds(15));
        assert_eq!(clock.deadline(&forward, seconds(30)), Some(now + seconds(100)));
    }

    /// Two megabytes at once were credit for an hour of drops.
    #[test]
    fn what_came_at_once_counts_for_a_minute() {
        let (now, seconds, forward) = (Instant::now(), Duration::from_secs, Forward::default());
        let mut clock = MessageClock { mail: Some(now), content: Some(now), ..MessageClock::default() };
        clock.count(2 << 20, &forward, now + seconds(1));
        assert_eq!(clock.deadline(&forward, seconds(600)), Some(now + seconds(661)));
        for second in 2..600 {
            clock.count(1, &forward, now + seconds(second));
        }
        let drops = Duration::from_millis(2) * 598;
        assert_eq!(clock.deadline(&forward, seconds(600)), Some(now + seconds(661) + drops));
        clock.count(2 << 20, &forward, now + seconds(655));
        assert_eq!(clock.deadline(&forward, seconds(600)), Some(now + seconds(655 + 660)), "it has caught up");
    }
}
