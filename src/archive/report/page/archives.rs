//! How each archive fared: a mailbox file, or the files of a folder that are one message each.

use std::collections::BTreeMap;

use super::outcome::{Counts, OutcomeClass};
use crate::archive::report::line::ReportLine;
use crate::archive::report::provenance::FileRecord;

/// The archives that are counted by name; as many are recorded with their checksums.
const ARCHIVES: usize = 500;

/// What an archive is known by.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ArchiveKey {
    /// The number of the piece of work that its files are.
    Piece(usize),
    /// The name of a mailbox file.
    Name(String),
}

/// Counts by archive.
#[derive(Debug, Default)]
pub struct ArchiveCounts(BTreeMap<ArchiveKey, Counts>);

impl ArchiveCounts {
    /// Counts a message.
    pub fn add(&mut self, row: &ReportLine, outcome: OutcomeClass) {
        let file = row.preview.as_deref().and_then(|preview| preview.file.as_ref());
        let key = file.map_or_else(|| ArchiveKey::Name(row.input.to_string()), |file| ArchiveKey::Piece(file.piece));
        if self.0.len() < ARCHIVES || self.0.contains_key(&key) {
            self.0.entry(key).or_default().add(outcome);
        }
    }

    /// Returns the counts of archives that are recorded, those with most left first; of one beyond `ARCHIVES` all
    /// counts are 0.
    pub fn of(self, records: &[(usize, FileRecord)]) -> Vec<(&FileRecord, Counts)> {
        let counts = |(piece, record): &(usize, FileRecord)| {
            let of_files = self.0.get(&ArchiveKey::Piece(*piece));
            of_files.or_else(|| self.0.get(&ArchiveKey::Name(record.input.clone()))).copied().unwrap_or_default()
        };
        let mut all: Vec<_> = records.iter().map(|it| (&it.1, counts(it))).collect();
        all.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.open()));
        all
    }
}
