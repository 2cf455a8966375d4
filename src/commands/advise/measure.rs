//! What is left of the messages of archives, counted.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::archive::convert::visit::VisitedMessage;
use crate::process::ruled_profiles::RuledProfiles;
use crate::process::why::is_curable;
use crate::rewrite::{Entry, Outcome, Reason, Report};

/// Counts of places that are left.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Left {
    /// Those for which another charset may help.
    pub curable: u64,
    /// The messages that they stand in.
    pub messages: u64,
    /// All, by reason.
    pub reasons: BTreeMap<&'static str, u64>,
    /// The lines at which other messages may start: the first few.
    pub separators: Vec<String>,
}

/// How many lines at which other messages may start are named.
const NAMED: usize = 20;

impl Left {
    /// Counts what one report has left; the lines at which others may start are not among it.
    fn of(report: &Report) -> Left {
        let mut left = Left::default();
        for entry in &report.entries {
            let Outcome::Left(reason) = &entry.outcome else { continue };
            left.curable += u64::from(is_curable(reason.code()));
            *left.reasons.entry(reason.code()).or_default() += 1;
        }
        left.messages = u64::from(left.curable > 0);
        left
    }

    /// Adds the counts of others, and their lines up to [`NAMED`].
    pub fn add(&mut self, other: &Left) {
        self.curable += other.curable;
        self.messages += other.messages;
        other.reasons.iter().for_each(|(code, count)| *self.reasons.entry(code).or_default() += count);
        let room = NAMED.saturating_sub(self.separators.len());
        self.separators.extend(other.separators.iter().take(room).cloned());
    }
}

/// A message that was planned: what is left of it; where a charset may help, its octets too.
#[derive(Debug, Default)]
pub struct MeasuredMessage {
    /// The counts; none of a message that has its profile by a rule.
    pub left: Option<Left>,
    /// The message, with the From_ line before it; empty where no charset may help.
    pub content: Vec<u8>,
}

/// Plans messages, and counts what is left of each. One that has another profile by a rule comes without counts, and
/// one that is not held whole does not come at all.
pub fn plan_all(found: &[VisitedMessage], profiles: &RuledProfiles) -> Vec<MeasuredMessage> {
    found.par_iter().filter_map(|found| measured(found, profiles)).collect()
}

/// Plans one message, and counts what is left of it; none of one that is not held whole.
fn measured(found: &VisitedMessage, profiles: &RuledProfiles) -> Option<MeasuredMessage> {
    let content = found.whole.then(|| found.content())?;
    let profile = profiles.of(&content, found.from_line());
    if profile.name != profiles.usual().name {
        return Some(MeasuredMessage::default());
    }
    let report = found.plan(&content, profile).report;
    let mut left = Left::of(&report);
    // A message that is left for this is not planned, so that its report has no other entry.
    if let [Entry { outcome: Outcome::Left(reason @ Reason::Separator { .. }), .. }] = &report.entries[..] {
        left.separators.push(format!("{}, message {}: {reason}", found.input, found.message));
    }
    let content = if left.curable > 0 { [found.from_line(), &content].concat() } else { Vec::new() };
    Some(MeasuredMessage { left: Some(left), content })
}
