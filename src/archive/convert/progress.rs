//! How far a run is, on a terminal: octets, messages, rate, time left. Nothing is written where stderr is none.
//!
//! The line fits 80 columns: it has 73 for a million million messages and ten thousand years, and a bar fills the rest.

use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// The line of a run whose octets are known.
const OUT_OF: &str =
    "{decimal_bytes} of {decimal_total_bytes}  {messages}  {decimal_bytes_per_sec}  {eta} left {wide_bar}";

/// The line of a run whose octets are not known.
const SO_FAR: &str = "{decimal_bytes}  {messages}  {decimal_bytes_per_sec}";

/// How long a run takes before it is shown: what is over at once would flash.
const PATIENCE: Duration = Duration::from_millis(500);

/// How far a run is.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    /// Whether it was drawn already, or is never to be.
    shown: AtomicBool,
    messages: Arc<AtomicU64>,
}

impl Progress {
    /// Makes one that shows nothing yet.
    pub fn hidden() -> Progress {
        Progress { bar: ProgressBar::hidden(), shown: AtomicBool::new(true), messages: Arc::default() }
    }

    /// Shows it, if the run lasts, out of so many octets; none where that is not known.
    pub fn show(&mut self, octets: Option<u64>) {
        let bar = octets.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
        let messages = Arc::clone(&self.messages);
        let count = move |_: &ProgressState, out: &mut dyn Write| {
            let count = messages.load(Ordering::Relaxed);
            let _ = write!(out, "{count} message{}", if count == 1 { "" } else { "s" });
        };
        if let Ok(style) = ProgressStyle::with_template(if octets.is_some() { OUT_OF } else { SO_FAR }) {
            bar.set_style(style.with_key("messages", count).progress_chars("━╸ "));
        }
        bar.set_draw_target(ProgressDrawTarget::hidden());
        (self.bar, self.shown) = (bar, AtomicBool::new(false));
    }

    /// Adds octets, and shows it once the run has lasted [`PATIENCE`].
    pub fn inc(&self, octets: u64) {
        if self.bar.elapsed() >= PATIENCE && !self.shown.swap(true, Ordering::Relaxed) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
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

    /// Calls `write`, which writes to stderr, while the line is taken away.
    pub fn suspend(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }

    /// Ends it, and leaves nothing behind.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
