//! The messages by mailing list and sender, as rules can tell them apart, and what each candidate makes of them.

use std::collections::BTreeMap;

use super::verdict::Comparison;

/// How many groups are told apart; the messages of all others count in the one without a list and a sender.
const GROUPS: usize = 10_000;

/// By what a rule can tell messages from others: their list, and their sender.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct MessageGroup {
    /// The list's identifier, in lower case.
    pub list: Option<String>,
    /// The sender's address, in lower case.
    pub sender: Option<String>,
}

/// How many messages a candidate makes better, and how many worse.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ComparisonCount {
    /// Better ones.
    pub better: u64,
    /// Worse ones.
    pub worse: u64,
}

/// What each candidate makes of each group.
#[derive(Debug, Default)]
pub struct Groups(pub BTreeMap<MessageGroup, Vec<ComparisonCount>>);

impl ComparisonCount {
    /// Counts a message.
    pub fn add(&mut self, verdict: Comparison) {
        self.better += u64::from(verdict == Comparison::Better);
        self.worse += u64::from(verdict == Comparison::Worse);
    }

    /// Sums counts up.
    pub fn sum(counts: impl IntoIterator<Item = ComparisonCount>) -> ComparisonCount {
        counts.into_iter().fold(ComparisonCount::default(), |all, one| ComparisonCount {
            better: all.better + one.better,
            worse: all.worse + one.worse,
        })
    }
}

impl Groups {
    /// Counts a message, by what each candidate makes of it; `verdicts` has all of them, in the same order each time.
    pub fn add(&mut self, group: MessageGroup, verdicts: &[Comparison]) {
        let is_told = self.0.len() < GROUPS || self.0.contains_key(&group);
        let counts = self.0.entry(if is_told { group } else { MessageGroup::default() }).or_default();
        counts.resize(verdicts.len().max(counts.len()), ComparisonCount::default());
        counts.iter_mut().zip(verdicts).for_each(|(count, verdict)| count.add(*verdict));
    }

    /// Returns what a candidate, by its index in what [`add`](Groups::add) was given, makes of all messages.
    pub fn total(&self, candidate: usize) -> ComparisonCount {
        ComparisonCount::sum(self.0.values().map(|counts| counts[candidate]))
    }
}
