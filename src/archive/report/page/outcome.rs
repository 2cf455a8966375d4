//! What became of a message, as the page counts it: everywhere the same kinds, in one order and each in its colour.

use crate::archive::report::line::ReportLine;

/// What became of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutcomeClass {
    /// All that should have been changed was.
    Changed,
    /// Something was changed, and something was left.
    Partly,
    /// Nothing was changed, and something should have been.
    Left,
    /// Nothing was to be changed.
    Same,
}

use OutcomeClass::{Changed, Left, Partly, Same};

/// All of them, with their names and their classes in the style, in the order of the enum, which is their index.
const KINDS: [(OutcomeClass, &str, &str); 4] = [
    (Changed, "changed", "changed"),
    (Partly, "changed, something left", "partly"),
    (Left, "left", "left"),
    (Same, "unchanged", "same"),
];

impl OutcomeClass {
    /// Tells it by the line of a report, as the summary counts it (`Tally::add`).
    pub fn of(row: &ReportLine) -> OutcomeClass {
        match (&*row.result, row.entries.iter().any(|entry| entry.left.is_some())) {
            ("changed", true) => Partly,
            ("changed", false) => Changed,
            ("left", _) => Left,
            _ => Same,
        }
    }

    /// Returns its name.
    pub fn name(self) -> &'static str {
        KINDS[self as usize].1
    }

    /// Returns its class in the style.
    pub fn class(self) -> &'static str {
        KINDS[self as usize].2
    }
}

/// How many messages there are of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts([u64; 4]);

impl Counts {
    /// Counts a message.
    pub fn add(&mut self, outcome: OutcomeClass) {
        self.0[outcome as usize] += 1;
    }

    /// Returns those of a kind.
    pub fn of(&self, outcome: &OutcomeClass) -> u64 {
        self.0[*outcome as usize]
    }

    /// Returns all messages.
    pub fn all(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns those of which a part was left.
    pub fn partly(&self) -> u64 {
        self.of(&Partly)
    }

    /// Returns those in which something is left.
    pub fn open(&self) -> u64 {
        self.of(&Partly) + self.of(&Left)
    }

    /// Returns the kinds that a page shows of these counts: all, but for the messages of which a part was left where
    /// there are none.
    pub fn kinds(&self) -> Vec<OutcomeClass> {
        KINDS.iter().map(|(kind, ..)| *kind).filter(|kind| *kind != Partly || self.partly() > 0).collect()
    }
}
