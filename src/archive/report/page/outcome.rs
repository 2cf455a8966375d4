//! What became of a message, as the page counts it: everywhere the same kinds, in one order and each in its colour.

use crate::archive::report::line::Line;

/// What became of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All that should have been changed was.
    Changed,
    /// Something was changed, and something was left.
    Partly,
    /// Nothing was changed, and something should have been.
    Left,
    /// Nothing was to be changed.
    Same,
}

impl Outcome {
    /// Tells it by the line of a report.
    pub fn of(row: &Line) -> Outcome {
        match (&*row.result, row.entries.iter().any(|entry| entry.left.is_some())) {
            ("changed", true) => Outcome::Partly,
            ("changed", false) => Outcome::Changed,
            ("left", _) => Outcome::Left,
            _ => Outcome::Same,
        }
    }
}

/// How a kind is named and coloured.
#[derive(Debug)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// Its class in the style.
    pub class: &'static str,
}

/// All of them, in the order of [`Outcome`].
const KINDS: [Kind; 4] = [
    Kind { name: "changed", class: "changed" },
    Kind { name: "changed, something left", class: "partly" },
    Kind { name: "left", class: "left" },
    Kind { name: "unchanged", class: "same" },
];

/// How many messages there are of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts(pub [u64; 4]);

impl Counts {
    /// Counts a message.
    pub fn add(&mut self, outcome: Outcome) {
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
        self.0[Outcome::Partly as usize] + self.0[Outcome::Left as usize]
    }

    /// Returns the kinds that a page shows of these counts: all, but for the messages of which a part was left where there are none.
    pub fn kinds(&self) -> Vec<&'static Kind> {
        let none = |at: &usize| *at == Outcome::Partly as usize && self.0[*at] == 0;
        (0..KINDS.len()).filter(|at| !none(at)).map(|at| &KINDS[at]).collect()
    }

    /// Returns the counts of some kinds.
    pub fn shown<'k>(self, kinds: &'k [&'k Kind]) -> impl Iterator<Item = (&'k Kind, u64)> {
        let count = move |kind: &Kind| KINDS.iter().zip(self.0).find(|(it, _)| it.class == kind.class);
        kinds.iter().map(move |kind| (*kind, count(kind).map_or(0, |(_, count)| count)))
    }

    /// Returns the kinds of which there are any.
    pub fn present(self) -> impl Iterator<Item = (&'static Kind, u64)> {
        KINDS.iter().zip(self.0).filter(|(_, count)| *count > 0)
    }
}
