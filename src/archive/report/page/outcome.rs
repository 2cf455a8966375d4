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

impl OutcomeClass {
    /// Tells it by the line of a report, as the summary counts it (`Tally::add`).
    pub fn of(row: &ReportLine) -> OutcomeClass {
        match (&*row.result, row.entries.iter().any(|entry| entry.left.is_some())) {
            ("changed", true) => OutcomeClass::Partly,
            ("changed", false) => OutcomeClass::Changed,
            ("left", _) => OutcomeClass::Left,
            _ => OutcomeClass::Same,
        }
    }
}

/// How a kind is named and coloured.
#[derive(Debug)]
pub struct OutcomeStyle {
    /// Its name.
    pub name: &'static str,
    /// Its class in the style.
    pub class: &'static str,
}

/// All of them, in the order of [`OutcomeClass`].
const KINDS: [OutcomeStyle; 4] = [
    OutcomeStyle { name: "changed", class: "changed" },
    OutcomeStyle { name: "changed, something left", class: "partly" },
    OutcomeStyle { name: "left", class: "left" },
    OutcomeStyle { name: "unchanged", class: "same" },
];

/// How many messages there are of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts(pub [u64; 4]);

impl Counts {
    /// Counts a message.
    pub fn add(&mut self, outcome: OutcomeClass) {
        self.0[outcome as usize] += 1;
    }

    /// Adds others.
    pub fn add_all(&mut self, other: &Counts) {
        self.0.iter_mut().zip(other.0).for_each(|(mine, theirs)| *mine += theirs);
    }

    /// Returns all messages.
    pub fn all(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns those in which something is left.
    pub fn open(&self) -> u64 {
        self.0[OutcomeClass::Partly as usize] + self.0[OutcomeClass::Left as usize]
    }

    /// Returns the kinds that a page shows of these counts: all, but for the messages of which a part was left where there are none.
    pub fn kinds(&self) -> Vec<&'static OutcomeStyle> {
        let none = |at: &usize| *at == OutcomeClass::Partly as usize && self.0[*at] == 0;
        (0..KINDS.len()).filter(|at| !none(at)).map(|at| &KINDS[at]).collect()
    }

    /// Returns the counts of some kinds.
    pub fn shown<'k>(self, kinds: &'k [&'k OutcomeStyle]) -> impl Iterator<Item = (&'k OutcomeStyle, u64)> {
        let count = move |kind: &OutcomeStyle| KINDS.iter().zip(self.0).find(|(it, _)| it.class == kind.class);
        kinds.iter().map(move |kind| (*kind, count(kind).map_or(0, |(_, count)| count)))
    }

    /// Returns the kinds of which there are any.
    pub fn present(self) -> impl Iterator<Item = (&'static OutcomeStyle, u64)> {
        KINDS.iter().zip(self.0).filter(|(_, count)| *count > 0)
    }
}
