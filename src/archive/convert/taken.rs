//! What is read and what is written: no output may be an input, or the place of another output.

use std::collections::HashSet;
use std::path::Path;

use super::error::{ConvertError, refuse};
use super::place::FileKey;

/// What is read, and what is written so far.
#[derive(Debug, Default)]
pub struct TakenPlaces {
    read: HashSet<FileKey>,
    written: HashSet<FileKey>,
}

impl TakenPlaces {
    /// Begins with all that is read.
    pub fn of(read: impl Iterator<Item = FileKey>) -> TakenPlaces {
        TakenPlaces { read: read.collect(), written: HashSet::new() }
    }

    /// Returns `true` if this is read.
    pub fn is_read(&self, place: &FileKey) -> bool {
        self.read.contains(place)
    }

    /// Returns `true` if this is written.
    pub fn is_written(&self, place: &FileKey) -> bool {
        self.written.contains(place)
    }

    /// Takes a place; `false` where it is read, or taken.
    pub fn take(&mut self, place: FileKey) -> bool {
        !self.is_read(&place) && self.written.insert(place)
    }

    /// Takes the places of an output; an error where it is an input, for which it is said what to do `instead`, or
    /// where another input goes.
    pub fn take_all(&mut self, to: &Path, places: Vec<FileKey>, instead: &str) -> Result<(), ConvertError> {
        if places.iter().any(|place| self.is_read(place)) {
            return refuse(format!("{} is an input: {instead}", to.display()));
        }
        if places.iter().any(|place| self.is_written(place)) {
            return refuse(format!("two inputs would go to {}: convert them apart", to.display()));
        }
        self.written.extend(places);
        Ok(())
    }

    /// Takes the place of a report, which is neither read nor an output; an error where another report goes there.
    pub fn take_report(&mut self, report: &Path) -> Result<(), ConvertError> {
        match FileKey::of(report).is_none_or(|place| self.written.insert(place)) {
            true => Ok(()),
            false => refuse(format!("two reports would go to {}", report.display())),
        }
    }
}
