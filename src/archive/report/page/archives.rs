//! The archives that were read: how each fared, a mailbox file or the files of a folder that are one message each, and
//! what such a folder's files add up to.
//!
//! Each of these files has its checksums in its line of the spool, so that a run that is resumed knows of all of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::outcome::{Counts, OutcomeClass};
use crate::archive::folder::common;
use crate::archive::report::OwnFile;
use crate::archive::report::line::ReportLine;
use crate::archive::report::provenance::FileRecord;
use crate::archive::sha256::Sha256;
use crate::archive::sums::Checksum;

/// Archives, by the numbers of their pieces of work.
#[derive(Debug, Default)]
pub struct Archives(BTreeMap<usize, Archive>);

/// What the lines of the report say of one archive.
#[derive(Debug, Default)]
struct Archive {
    counts: Counts,
    /// None of a mailbox file, which is recorded by who reads it.
    folder: Option<FolderSums>,
}

/// The files of a folder: the SHA-256 of their checksums, a line each.
#[derive(Debug, Default)]
struct FolderSums {
    files: u64,
    /// Input and output.
    sides: [FolderSide; 2],
}

/// The files of a folder as they were, or as they are.
#[derive(Debug, Default)]
struct FolderSide {
    /// What the names of all have in common.
    name: PathBuf,
    octets: u64,
    /// The checksum of the last file, which is that of the side where the file is the only one.
    last: String,
    /// The checksums of all files, a line each.
    lines: Sha256,
}

impl Archives {
    /// Counts a message, and adds its file, if it is alone in it; a line without a preview is passed over.
    pub fn add(&mut self, row: &ReportLine, outcome: OutcomeClass) {
        let Some(preview) = row.preview.as_deref() else { return };
        let archive = self.0.entry(preview.piece).or_default();
        archive.counts.add(outcome);
        if let Some(file) = &preview.file {
            archive.folder.get_or_insert_default().add(&row.input, file);
        }
    }

    /// Returns the records of input and output of folders, each with the number of its piece of work.
    pub fn folders(&self) -> impl Iterator<Item = (usize, FileRecord)> {
        self.0.iter().filter_map(|(piece, archive)| Some((*piece, archive.folder.as_ref()?.record())))
    }

    /// Returns the counts of archives that are recorded, those with most left first.
    pub fn counts<'r>(&self, records: &'r [(usize, FileRecord)]) -> Vec<(&'r FileRecord, Counts)> {
        let counts = |piece| self.0.get(piece).map(|archive| archive.counts).unwrap_or_default();
        let mut all: Vec<_> = records.iter().map(|(piece, record)| (record, counts(piece))).collect();
        all.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.open()));
        all
    }
}

impl FolderSums {
    /// Adds a file to both sides.
    fn add(&mut self, input: &str, OwnFile { output, before, after }: &OwnFile) {
        let [one, other] = &mut self.sides;
        one.add(input, before, self.files == 0);
        other.add(output, after, self.files == 0);
        self.files += 1;
    }

    /// Makes the record of input and output.
    fn record(&self) -> FileRecord {
        let files = (self.files > 1).then_some(self.files);
        let [(input, before), (output, after)] = self.sides.each_ref().map(|side| side.total(files.is_some()));
        FileRecord { input, files, before, output, after }
    }
}

impl FolderSide {
    /// Adds a file, the `first` of its folder or not.
    fn add(&mut self, name: &str, total: &Checksum, first: bool) {
        self.name = if first { name.into() } else { common(&self.name, Path::new(name)) };
        self.octets += total.bytes;
        self.last.clone_from(&total.sha256);
        self.lines.update(format!("{}\n", total.sha256));
    }

    /// Returns name and sum; of one file those are its own, of `many` what their names have in common and the sum of
    /// their sums.
    fn total(&self, many: bool) -> (String, Checksum) {
        let sha256 = if many { self.lines.clone().hex() } else { self.last.clone() };
        (self.name.display().to_string(), Checksum { bytes: self.octets, sha256 })
    }
}
