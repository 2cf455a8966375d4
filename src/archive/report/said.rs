//! Counts and sizes as people say them.

use std::fmt::Display;
use std::time::Duration;

/// The time below which a rate says nothing.
const MOMENT: Duration = Duration::from_millis(50);

/// Says how many messages.
pub fn messages(count: u64) -> String {
    counted(count, "message")
}

/// Counts things whose plural ends in `s`: `1 answer`, `2 answers`, `0 answers`.
pub fn counted(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// Names the first `most` of some, and says how many more there are; none of none.
pub fn named(all: &[impl Display], most: usize) -> Option<String> {
    let first = all.iter().take(most).map(ToString::to_string).collect::<Vec<_>>().join(", ");
    match all.len().saturating_sub(most) {
        0 => Some(first).filter(|_| !all.is_empty()),
        more => Some(format!("{first} and {more} more")),
    }
}

/// Writes a size, in octets, with its unit.
pub fn size(octets: u64) -> String {
    match octets {
        1 => "1 octet".to_owned(),
        ..1_000 => format!("{octets} octets"),
        1_000..1_000_000 => format!("{:.1} kB", octets as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", octets as f64 / 1e6),
        _ => format!("{:.2} GB", octets as f64 / 1e9),
    }
}

/// Says how fast octets were read; none where that was over in a moment, or is less than a number tells.
pub fn rate(octets: u64, took: Duration) -> Option<String> {
    let rate = octets as f64 / 1e6 / took.as_secs_f64().max(f64::MIN_POSITIVE);
    (took >= MOMENT && rate >= 0.5).then(|| format!("{rate:.0} MB/s"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_no_plural_and_nothing_is_no_rate() {
        assert_eq!([0, 1, 2].map(messages), ["0 messages", "1 message", "2 messages"]);
        let sizes = [0, 1, 999, 1_000, 2_345_678, 5_000_000_000].map(size);
        assert_eq!(sizes, ["0 octets", "1 octet", "999 octets", "1.0 kB", "2.3 MB", "5.00 GB"]);
        let second = Duration::from_secs(1);
        assert_eq!(rate(75_400_000, second).as_deref(), Some("75 MB/s"));
        assert_eq!(rate(75_400_000, Duration::from_millis(3)), None);
        assert_eq!(rate(400_000, second), None);
        assert_eq!(rate(0, Duration::ZERO), None);
    }
}
