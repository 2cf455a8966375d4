//! How each archive fared: a mailbox file, or the files of a folder that are one message each.

use std::collections::BTreeMap;

use super::outcome::{Counts, OutcomeClass};
use crate::archive::report::line::ReportLine;
use crate::archive::report::provenance::FileRecord;

/// The archives that are counted by name; as many are recorded with their checksums.
const ARCHIVES: usize = 500;

/// What an archive is known by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// The number of the piece of work that its files are.
    Piece(usize),
    /// The name of the mailbox file.
    Name(String),
}

/// Counts by archive.
#[derive(Debug, Default)]
pub struct ArchiveCounts {
    counts: BTreeMap<Key, Counts>,
    /// The archive of the last message: messages of one stand in a row.
    last: Option<(Key, Counts)>,
}

impl ArchiveCounts {
    /// Counts a message.
    pub fn add(&mut self, row: &ReportLine, outcome: OutcomeClass) {
        let piece = row.preview.as_deref().and_then(|preview| preview.file.as_ref()).map(|file| file.piece);
        let same = match (&self.last, piece) {
            (Some((Key::Piece(last), _)), Some(piece)) => *last == piece,
            (Some((Key::Name(last), _)), None) => *last == row.input,
            _ => false,
        };
        if !same {
            self.close();
            let key = piece.map_or_else(|| Key::Name(row.input.clone().into_owned()), Key::Piece);
            self.last = Some((key, Counts::default()));
        }
        self.last.iter_mut().for_each(|(_, counts)| counts.add(outcome));
    }

    /// Adds the counts of the last archive to those by name, unless these are too many already.
    fn close(&mut self) {
        let Some((key, counts)) = self.last.take() else { return };
        if self.counts.len() < ARCHIVES || self.counts.contains_key(&key) {
            self.counts.entry(key).or_default().add_all(&counts);
        }
    }

    /// Returns the counts of archives that are recorded, those with most left first; of one beyond `ARCHIVES` all
    /// counts are 0.
    pub fn of(mut self, records: &[(usize, FileRecord)]) -> Vec<(&FileRecord, Counts)> {
        self.close();
        let counts = |(piece, record): &(usize, FileRecord)| {
            let by_name = || self.counts.get(&Key::Name(record.input.clone()));
            self.counts.get(&Key::Piece(*piece)).or_else(by_name).copied().unwrap_or_default()
        };
        let mut all: Vec<_> = records.iter().map(|it| (&it.1, counts(it))).collect();
        all.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.open()));
        all
    }
}
