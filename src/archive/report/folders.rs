//! The files that are one message each, summed up as a folder: a Maildir, or .eml files in a row.
//!
//! Each has its checksums in its line of the spool, so that a run that is resumed knows of all of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::archive::folder::common;
use crate::archive::sha256::Sha256;

use super::line::ReportLine;
use super::preview::OwnFile;
use super::provenance::FileRecord;
use crate::archive::sums::Checksum;

/// Folders, by the numbers of their pieces of work.
#[derive(Debug, Default)]
pub struct Folders(BTreeMap<usize, FolderSums>);

/// The files of a folder: the SHA-256 of their checksums, a line each.
#[derive(Debug, Default)]
struct FolderSums {
    piece: usize,
    files: u64,
    sides: [FolderSide; 2],
}

#[derive(Debug, Default)]
struct FolderSide {
    /// What the names of all have in common.
    name: PathBuf,
    octets: u64,
    last: String,
    lines: Sha256,
}

impl Folders {
    /// Adds the file of a message, if it is alone in it.
    pub fn add(&mut self, row: &ReportLine) {
        let Some(file) = row.preview.as_deref().and_then(|preview| preview.file.as_ref()) else { return };
        self.0.entry(file.piece).or_default().add(&row.input, file);
    }

    /// Returns the records of input and output, each with the number of its piece of work.
    pub fn records(self) -> impl Iterator<Item = (usize, FileRecord)> {
        self.0.into_values().filter_map(FolderSums::record)
    }
}

impl FolderSums {
    /// Adds a file to both sides.
    fn add(&mut self, input: &str, OwnFile { piece, output, before, after }: &OwnFile) {
        self.piece = *piece;
        let [one, other] = &mut self.sides;
        one.add(input, before, self.files == 0);
        other.add(output, after, self.files == 0);
        self.files += 1;
    }

    /// Makes the record of input and output, if there was a file.
    fn record(self) -> Option<(usize, FileRecord)> {
        let FolderSums { piece, files, sides } = self;
        let many = (files != 1).then_some(files);
        let [(input, before), (output, after)] = sides.map(|side| side.total(many.is_some()));
        (files > 0).then_some((piece, FileRecord { input, files: many, before, output, after }))
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
    fn total(self, many: bool) -> (String, Checksum) {
        let sha256 = if many { self.lines.hex() } else { self.last };
        (self.name.display().to_string(), Checksum { bytes: self.octets, sha256 })
    }
}
