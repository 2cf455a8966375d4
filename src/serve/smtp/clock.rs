//! How far the message of a connection has come, and since when.

use std::time::{Duration, Instant};

use crate::config::Forward;

/// How long a client holds a connection to a next hop that does nothing for it.
const HELD: Duration = Duration::from_secs(5);

/// The clock of a message that is coming.
#[derive(Debug, Default)]
pub struct MessageClock {
    /// When MAIL was accepted.
    pub mail: Option<Instant>,
    /// When its content began, and the octets that came of it.
    pub content: Option<(Instant, usize)>,
    /// Since when it has its connection to the next hop.
    pub leased: Option<Instant>,
    /// Whether its envelope was accepted by a next hop and its connection given back.
    pub parked: bool,
}

impl MessageClock {
    /// Counts octets of content that came.
    pub fn count(&mut self, came: usize) {
        if let Some((_, octets)) = &mut self.content {
            *octets += came;
        }
    }

    /// Returns when the message must be whole: `message_time` after MAIL, or earlier where what came of its content was
    /// slower than `min_data_rate`; `idle_time` is what all pauses in it may take beside that. None before MAIL was
    /// accepted.
    pub fn deadline(&self, forward: &Forward, idle_time: Duration) -> Option<Instant> {
        let whole = self.mail? + forward.message_time();
        let content = self.content.map(|(since, octets)| {
            let seconds = (octets / forward.min_data_rate().0) as u64;
            since + idle_time + Duration::from_secs(seconds)
        });
        content.into_iter().chain([whole]).min()
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
        let forward =
            Forward { message_time: Some(seconds(100)), min_data_rate: Some(Size(500)), ..Forward::default() };
        let mut clock = MessageClock::default();
        assert_eq!(clock.deadline(&forward, seconds(30)), None);
        clock.mail = Some(now);
        assert_eq!(clock.deadline(&forward, seconds(30)), Some(now + seconds(100)));
        clock.content = Some((now + seconds(1), 0));
        assert_eq!(clock.deadline(&forward, seconds(30)), Some(now + seconds(31)));
        clock.count(10_000);
        assert_eq!(clock.deadline(&forward, seconds(30)), Some(now + seconds(51)));
        clock.count(1 << 20);
        assert_eq!(clock.deadline(&forward, seconds(30)), Some(now + seconds(100)));
    }
}
