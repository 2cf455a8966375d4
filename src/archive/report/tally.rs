//! The summary: how many messages, and what became of them, by reason.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::said::{messages, rate, size};
use crate::process::color::{CHANGED, LEFT, paint};
use crate::process::exit::{Exit, Failure};
use crate::rewrite::{Entry, Outcome, Report};

/// Counts by a name; what an interrupted run counted comes back as text.
type Counts = BTreeMap<Cow<'static, str>, u64>;

/// A title of the summary, and the names and counts under it.
pub type Section<'t> = (&'static str, Vec<(&'t str, u64)>);

/// Counts of messages, and of places in them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Messages in all.
    pub messages: u64,
    /// Messages in which something was changed.
    pub changed: u64,
    /// Messages in which nothing was changed, and something should have been.
    pub left: u64,
    /// Messages in which something was changed and something was left.
    #[serde(default)]
    pub partly: u64,
    /// Messages that were passed untouched because planning them failed by a fault of septet.
    pub faults: u64,
    /// Files that were passed over: no mail, or not to be read.
    #[serde(default)]
    pub skipped: u64,
    /// Messages that Thunderbird marked deleted.
    #[serde(default)]
    pub deleted: u64,
    /// Those of them that were left out of the output.
    #[serde(default)]
    pub left_out: u64,
    /// Octets read.
    pub bytes: u64,
    /// Places changed, by the kind of change.
    pub changes: Counts,
    /// Places left, by the reason's name.
    pub reasons: Counts,
}

impl Tally {
    /// Refuses to end well where septet itself failed on a message.
    ///
    /// # Errors
    ///
    /// Says how many messages were passed as they came.
    pub fn check_faults(&self) -> Result<(), Failure> {
        let messages = match self.faults {
            0 => return Ok(()),
            1 => "1 message was".to_owned(),
            count => format!("{count} messages were"),
        };
        let text = format!("{messages} passed untouched because of a fault in septet: please report it");
        Err(Failure::new(Exit::Software, text))
    }

    /// Counts a message by its report; its octets are counted by whoever read them.
    pub fn add(&mut self, report: &Report) {
        self.messages += 1;
        match report.result() {
            "changed" => self.changed += 1,
            "left" => self.left += 1,
            _ => {}
        }
        let is_left = |entry: &Entry| matches!(entry.outcome, Outcome::Left(_));
        self.partly += u64::from(report.result() == "changed" && report.entries.iter().any(is_left));
        for entry in &report.entries {
            match &entry.outcome {
                Outcome::Done(changes) => changes.iter().for_each(|change| count(&mut self.changes, change.code())),
                Outcome::Left(reason) => count(&mut self.reasons, reason.code()),
                Outcome::Noted(_) => {}
            }
        }
    }

    /// Adds what another run counted.
    pub fn add_all(&mut self, other: &Tally) {
        self.messages += other.messages;
        self.changed += other.changed;
        self.left += other.left;
        self.partly += other.partly;
        self.faults += other.faults;
        self.skipped += other.skipped;
        self.deleted += other.deleted;
        self.left_out += other.left_out;
        self.bytes += other.bytes;
        for (mine, theirs) in [(&mut self.changes, &other.changes), (&mut self.reasons, &other.reasons)] {
            theirs.iter().for_each(|(name, count)| *mine.entry(name.clone()).or_default() += count);
        }
    }

    /// Returns the rows of the summary: titles, and under each its names and counts; a title without any is left out.
    pub fn sections(&self) -> Vec<Section<'_>> {
        let unchanged = self.messages.saturating_sub(self.changed + self.left + self.left_out);
        let mut messages = vec![("changed", self.changed), ("left", self.left), ("unchanged", unchanged)];
        if self.faults > 0 {
            messages.push(("untouched by a fault", self.faults));
        }
        let some = |name, count: u64| Some((name, count)).filter(|(_, count)| *count > 0);
        messages.extend(some("deleted, left out", self.left_out));
        messages.extend(some("marked deleted", self.deleted.saturating_sub(self.left_out)));
        let all = [
            ("messages", messages),
            ("files", some("skipped", self.skipped).into_iter().collect()),
            ("places changed, by kind", by_count(&self.changes)),
            ("places left, by reason", by_count(&self.reasons)),
        ];
        all.into_iter().filter(|(_, rows)| !rows.is_empty()).collect()
    }

    /// Writes the summary for a terminal: the lines `changed` and `left` are painted, unless they count 0.
    pub fn painted(&self) -> String {
        let style = |line: &str| match line.split_ascii_whitespace().next() {
            _ if line.ends_with(" 0") => None,
            Some("changed") => Some(CHANGED),
            Some("left") => Some(LEFT),
            _ => None,
        };
        self.to_string().lines().fold(String::new(), |text, line| match style(line) {
            Some(style) => text + &paint(style, line) + "\n",
            None => text + line + "\n",
        })
    }

    /// Returns the messages in which something is left.
    pub fn open(&self) -> u64 {
        self.left + self.partly
    }

    /// Says in one line how much was read, and how fast the last `octets` of it were.
    pub fn headline(&self, profile: &str, octets: u64, took: Duration) -> String {
        let rate = rate(octets, took).map(|rate| format!(" ({rate})")).unwrap_or_default();
        let (messages, size) = (messages(self.messages), size(self.bytes));
        format!("{messages}, {size} in {:.1} s{rate}, profile {profile}", took.as_secs_f64())
    }
}

impl fmt::Display for Tally {
    /// Writes the sections, names and counts aligned.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (title, rows) in self.sections() {
            writeln!(out, "{title}")?;
            rows.iter().try_for_each(|(name, count)| writeln!(out, "  {name:<20} {count:>10}"))?;
        }
        Ok(())
    }
}

/// Returns names and counts, the most frequent first, those that are as frequent by name.
pub fn by_count(counts: &Counts) -> Vec<(&str, u64)> {
    let mut rows: Vec<_> = counts.iter().map(|(name, &count)| (&**name, count)).collect();
    rows.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
    rows
}

/// Adds 1 to the count of a name.
fn count(counts: &mut Counts, name: &'static str) {
    *counts.entry(Cow::Borrowed(name)).or_default() += 1;
}
