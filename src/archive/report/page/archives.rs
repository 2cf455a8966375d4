//! How each archive fared: a mailbox file, or the files of a folder that are one message each.

use std::collections::BTreeMap;

use super::outcome::{Counts, OutcomeClass};
use crate::archive::report::line::ReportLine;
use crate::archive::report::provenance::FileRecord;

/// The archives that are counted by name; as many are recorded with their checksums.
const ARCHIVES: usize = 500;

/// Counts by archive.
#[derive(Debug, Default)]
pub struct ArchiveCounts {
    /// By the number of the piece of work that the files of an archive are.
    pieces: BTreeMap<usize, Counts>,
    /// By the name of a mailbox file.
    names: BTreeMap<String, Counts>,
}

impl ArchiveCounts {
    /// Counts a message.
    pub fn add(&mut self, row: &ReportLine, outcome: OutcomeClass) {
        let file = row.preview.as_deref().and_then(|preview| preview.file.as_ref());
        let is_full = self.pieces.len() + self.names.len() >= ARCHIVES;
        let known = match file {
            Some(file) => self.pieces.get_mut(&file.piece),
            None => self.names.get_mut(&*row.input),
        };
        match (known, file) {
            (Some(counts), _) => counts.add(outcome),
            (None, _) if is_full => {}
            (None, Some(file)) => self.pieces.entry(file.piece).or_default().add(outcome),
            (None, None) => self.names.entry(row.input.clone().into_owned()).or_default().add(outcome),
        }
    }

    /// Returns the counts of archives that are recorded, those with most left first; of one beyond `ARCHIVES` all
    /// counts are 0.
    pub fn of(self, records: &[(usize, FileRecord)]) -> Vec<(&FileRecord, Counts)> {
        let counts = |(piece, record): &(usize, FileRecord)| {
            self.pieces.get(piece).or_else(|| self.names.get(&record.input)).copied().unwrap_or_default()
        };
        let mut all: Vec<_> = records.iter().map(|it| (&it.1, counts(it))).collect();
        all.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.open()));
        all
    }
}
