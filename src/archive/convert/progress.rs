//! How far a run is, on a terminal: octets, messages, rate, time left. Nothing is written where stderr is none.
//!
//! The line fits 60 columns, whatever the numbers; what is wider than that is filled with a bar.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::style::ProgressTracker;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};

/// How far a run is.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    messages: Arc<AtomicU64>,
}

impl Progress {
    /// Makes one that shows nothing yet.
    pub fn hidden() -> Progress {
        Progress { bar: ProgressBar::hidden(), messages: Arc::default() }
    }

    /// Shows it from now on, out of so many octets; none where that is not known.
    pub fn show(&mut self, octets: Option<u64>) {
        let bar = octets.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
        let template = if octets.is_none() { "{line}" } else { "{line} {wide_bar}" };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.with_key("line", ProgressLine(self.messages.clone())).progress_chars("━╸ "));
        }
        self.bar = bar;
    }

    /// Adds octets.
    pub fn inc(&self, octets: u64) {
        self.bar.inc(octets);
    }

    /// Adds octets that an interrupted run had done: no rate is told of them.
    pub fn skip(&self, octets: u64) {
        self.bar.inc(octets);
        self.bar.tick();
        self.bar.reset_eta();
    }

    /// Adds messages.
    pub fn count(&self, messages: u64) {
        self.messages.fetch_add(messages, Ordering::Relaxed);
    }

    /// Writes something else meanwhile.
    pub fn suspend(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }

    /// Ends it, and leaves nothing behind.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The line of numbers.
#[derive(Clone)]
struct ProgressLine(Arc<AtomicU64>);

impl ProgressTracker for ProgressLine {
    fn clone_box(&self) -> Box<dyn ProgressTracker> {
        Box::new(self.clone())
    }

    fn tick(&mut self, _: &ProgressState, _: std::time::Instant) {}

    fn reset(&mut self, _: &ProgressState, _: std::time::Instant) {}

    fn write(&self, state: &ProgressState, out: &mut dyn std::fmt::Write) {
        let left = state.len().map(|_| state.eta());
        let messages = self.0.load(Ordering::Relaxed);
        let _ = out.write_str(&line(state.pos(), state.len(), messages, state.per_sec(), left));
    }
}

/// Writes the numbers: octets, messages, and what is `left` of the time; `all` octets and the time where they are
/// known.
fn line(at: u64, all: Option<u64>, messages: u64, rate: f64, left: Option<Duration>) -> String {
    let mut text = size(at as f64);
    if let Some(all) = all {
        let _ = write!(text, " of {}", size(all as f64));
    }
    let _ = write!(text, "  {}  {}/s", messages_of(messages), size(rate.max(0.0)));
    if let Some(left) = left {
        let _ = write!(text, "  {} left", time(left));
    }
    text
}

/// Writes a number of messages, in millions where it would be too wide.
fn messages_of(count: u64) -> String {
    match count {
        1 => "1 message".to_owned(),
        ..100_000_000 => format!("{count} messages"),
        more => format!("{}M messages", more / 1_000_000),
    }
}

/// Writes a size in at most seven characters.
fn size(octets: f64) -> String {
    let units = [("B", 1.0), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9), ("TB", 1e12), ("PB", 1e15)];
    // 999.96 kB would be written as four digits.
    let (unit, by) = units.into_iter().find(|(_, by)| octets / by < 999.5).unwrap_or(("EB", 1e18));
    let value = octets / by;
    if value >= 99.95 || by == 1.0 { format!("{value:.0} {unit}") } else { format!("{value:.1} {unit}") }
}

/// Writes a time in two units at most, from seconds to days.
fn time(of: Duration) -> String {
    match of.as_secs() {
        seconds @ ..60 => format!("{seconds}s"),
        seconds @ ..3600 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        seconds @ ..360_000 => format!("{}h{:02}m", seconds / 3600, seconds / 60 % 60),
        seconds => format!("{}d", (seconds / 86_400).min(9999)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_fits_sixty_columns() {
        let numbers = [0, 1, 999, 1_000, 999_499, 999_999, 123_456_789, 99_999_999_999, u64::MAX];
        for at in numbers {
            for messages in numbers.map(|many| many.min(999_999_999_999)) {
                for seconds in numbers {
                    let text = line(at, Some(at), messages, at as f64, Some(Duration::from_secs(seconds)));
                    assert!(text.chars().count() <= 60, "{text}");
                }
            }
        }
        let text = line(1_234_567, Some(32_499_781), 6046, 27_100_000.0, Some(Duration::from_secs(83)));
        assert_eq!(text, "1.2 MB of 32.5 MB  6046 messages  27.1 MB/s  1m23s left");
        assert_eq!(line(999_960, None, 1, 0.0, None), "1.0 MB  1 message  0 B/s");
    }
}
