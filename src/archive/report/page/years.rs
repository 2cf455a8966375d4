//! How many messages each year has, and what became of them.

use std::collections::BTreeMap;

use super::number;
use super::outcome::{Counts, OutcomeClass, OutcomeStyle};

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
    /// What a pointer is told.
    pub label: String,
    /// Its counts, to be read.
    pub counts: Vec<String>,
    /// Its left side, in hundredths of the width.
    pub x: String,
    /// Its width.
    pub width: String,
    /// Its middle.
    pub middle: String,
    /// Whether it is named below.
    pub named: bool,
    /// Whether its name goes where there is little room.
    pub odd: bool,
    /// What it is made of, from the ground up.
    pub pieces: Vec<ColumnPiece>,
}

/// A piece of a column.
#[derive(Debug, Clone)]
pub struct ColumnPiece {
    /// Its class.
    pub class: &'static str,
    /// Where it starts, from the top.
    pub y: String,
    /// How high it is.
    pub height: String,
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
    pub fn columns(&self, kinds: &[&OutcomeStyle]) -> Vec<Column> {
        let (Some((&first, _)), Some((&last, _))) = (self.counts.first_key_value(), self.counts.last_key_value())
        else {
            return Vec::new();
        };
        let years = usize::from(last - first) + 1;
        let step = 100.0 / years as f64;
        (first..=last).map(|year| self.column(year, (usize::from(year - first), years, step), kinds)).collect()
    }

    /// Makes the column of a year, the one `at` this place of so many `years`, each of which has a `step` of the width.
    fn column(&self, year: u16, (at, years, step): (usize, usize, f64), kinds: &[&OutcomeStyle]) -> Column {
        let counts = self.counts.get(&year).copied().unwrap_or_default();
        let middle = (at as f64 + 0.5) * step;
        let width = (step * 0.76).min(WIDEST);
        let said = |(kind, count): (&OutcomeStyle, u64)| format!("{} {}", number(count), kind.name);
        Column {
            year,
            label: format!("{year}: {}", counts.shown(kinds).map(said).collect::<Vec<_>>().join(", ")),
            x: format!("{:.3}", middle - width / 2.0),
            width: format!("{width:.3}"),
            middle: format!("{middle:.3}"),
            named: years <= LABELLED || year.is_multiple_of(5),
            odd: years > 8 && !year.is_multiple_of(if years > 25 { 10 } else { 5 }),
            pieces: pieces(counts, self.most()),
            counts: counts.shown(kinds).map(|(_, count)| number(count)).collect(),
        }
    }
}

/// Stacks a column from the ground up, in the order in which the bar at the top has it; what is there at all can be seen.
fn pieces(counts: Counts, most: u64) -> Vec<ColumnPiece> {
    let mut y = GROUND;
    let mut pieces = Vec::new();
    for (kind, count) in counts.present() {
        let height = (count as f64 / most.max(1) as f64 * HEIGHT).max(1.5);
        y -= height;
        pieces.push(ColumnPiece { class: kind.class, y: format!("{y:.1}"), height: format!("{height:.1}") });
    }
    pieces
}
