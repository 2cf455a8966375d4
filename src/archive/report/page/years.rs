//! How many messages each year has, and what became of them.

use std::collections::BTreeMap;

use super::outcome::{Counts, OutcomeClass};

/// The height of the highest column, and where the columns stand.
const HEIGHT: f64 = 140.0;
const GROUND: f64 = 160.0;

/// The most that a column is wide, in hundredths of the width.
const WIDEST: f64 = 12.0;

/// The years in a row that each get a label.
const LABELLED: usize = 16;

/// The counts of each year.
#[derive(Debug, Default)]
pub struct Years {
    counts: BTreeMap<u16, Counts>,
    /// Those of messages without a year.
    pub undated: Counts,
}

/// The column of one year.
#[derive(Debug, Clone)]
pub struct Column {
    /// The year.
    pub year: u16,
    /// Its counts.
    pub counts: Counts,
    /// Its middle, and its width, in hundredths of the width of all.
    pub middle: f64,
    /// Its width.
    pub width: f64,
    /// Whether it is named below.
    pub named: bool,
    /// Whether its name goes where there is little room.
    pub odd: bool,
    /// What it is made of, from the ground up: where each piece starts, from the top, and how high it is.
    pub pieces: Vec<(OutcomeClass, f64, f64)>,
}

impl Years {
    /// Counts a message.
    pub fn add(&mut self, year: Option<u16>, outcome: OutcomeClass) {
        year.map_or(&mut self.undated, |year| self.counts.entry(year).or_default()).add(outcome);
    }

    /// Returns the most messages of one year.
    pub fn most(&self) -> u64 {
        self.counts.values().map(Counts::all).max().unwrap_or_default()
    }

    /// Returns a column for each year from the first to the last.
    pub fn columns(&self) -> Vec<Column> {
        let (Some((&first, _)), Some((&last, _))) = (self.counts.first_key_value(), self.counts.last_key_value())
        else {
            return Vec::new();
        };
        (first..=last).map(|year| self.column(year, usize::from(year - first), usize::from(last - first) + 1)).collect()
    }

    /// Makes the column of a year, the one `at` this place of so many `years`.
    fn column(&self, year: u16, at: usize, years: usize) -> Column {
        let counts = self.counts.get(&year).copied().unwrap_or_default();
        let step = 100.0 / years as f64;
        Column {
            year,
            counts,
            middle: (at as f64 + 0.5) * step,
            width: (step * 0.76).min(WIDEST),
            named: years <= LABELLED || year.is_multiple_of(5),
            odd: years > 8 && !year.is_multiple_of(if years > 25 { 10 } else { 5 }),
            pieces: pieces(counts, self.most()),
        }
    }
}

/// Stacks a column from the ground up, in the order in which the bar at the top has it; what is there at all can be
/// seen.
fn pieces(counts: Counts, most: u64) -> Vec<(OutcomeClass, f64, f64)> {
    let mut y = GROUND;
    let there = counts.kinds().into_iter().filter(|kind| counts.of(kind) > 0);
    let stacked = there.map(|kind| {
        let height = (counts.of(&kind) as f64 / most.max(1) as f64 * HEIGHT).max(1.5);
        y -= height;
        (kind, y, height)
    });
    stacked.collect()
}
