//! What is read and what is written: no output may be an input, or the place of another output, and no report either.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::maildir::subfolders;
use super::{ConvertError, FileKey, Format, Input, refuse};

/// What is read, and what is written so far.
#[derive(Debug, Default)]
pub struct TakenPlaces {
    read: HashSet<FileKey>,
    written: HashSet<FileKey>,
    reports: HashSet<FileKey>,
    /// The folders of messages, and the paths of those that are read.
    messages: HashMap<FileKey, Option<PathBuf>>,
    /// Folders that are written whole.
    folders: Vec<PathBuf>,
}

impl TakenPlaces {
    /// Begins with all that is read.
    pub fn of<'i>(inputs: impl Iterator<Item = &'i Input>) -> TakenPlaces {
        let mut places = TakenPlaces::default();
        for input in inputs {
            match &input.path {
                Some(path) => places.read(path, input.format),
                None => places.read.extend(input.place()),
            }
        }
        places
    }

    /// Adds what is read.
    pub fn read(&mut self, path: &Path, format: Format) {
        let folders = messages_of(path, format);
        self.read.extend([path].into_iter().chain(folders.iter().map(PathBuf::as_path)).filter_map(FileKey::of));
        self.messages.extend(folders.into_iter().filter_map(|folder| Some((FileKey::of(&folder)?, Some(folder)))));
    }

    /// Returns `true` if this is read.
    pub fn is_read(&self, place: &FileKey) -> bool {
        self.read.contains(place)
    }

    /// Takes a place; `false` where it is read, or taken.
    pub fn take(&mut self, place: FileKey) -> bool {
        !self.read.contains(&place) && self.written.insert(place)
    }

    /// Takes the place of an output; an error where it is an input, for which it is said what to do `instead`, where
    /// another input goes, and among messages.
    pub fn take_output(&mut self, to: &Path, format: Format, instead: &str) -> Result<(), ConvertError> {
        let folders: Vec<FileKey> = messages_of(to, format).iter().filter_map(|folder| FileKey::of(folder)).collect();
        let places: Vec<FileKey> = FileKey::of(to).into_iter().chain(folders.iter().cloned()).collect();
        let what = match () {
            () if places.iter().any(|place| self.read.contains(place)) => format!("is an input: {instead}"),
            () if self.is_among_messages(to) => "is in a Maildir that is converted".to_owned(),
            () if places.iter().any(|place| self.written.contains(place)) => {
                return refuse(format!("two inputs would go to {}: convert them apart", to.display()));
            }
            () => {
                self.messages.extend(folders.into_iter().map(|folder| (folder, None)));
                self.written.extend(places);
                return Ok(());
            }
        };
        refuse(format!("{} {what}", to.display()))
    }

    /// Takes a folder with all that will be in it, for which nothing else is to be there.
    pub fn take_folder(&mut self, folder: &Path) {
        self.folders.push(from_root(folder));
    }

    /// Takes the place of a report; an error where that is read, written, or among messages. All outputs must be taken
    /// before, for they don't look at the places of reports.
    pub fn take_report(&mut self, report: &Path) -> Result<(), ConvertError> {
        if let Some(what) = self.wrong_with(report) {
            return refuse(format!("--report {} is {what}: name another file", report.display()));
        }
        match FileKey::of(report).is_none_or(|place| self.reports.insert(place)) {
            true => Ok(()),
            false => refuse(format!("two reports would go to {}", report.display())),
        }
    }

    /// Says what a file is that is no output, and must not be written; none of one that may be.
    pub fn wrong_with(&self, file: &Path) -> Option<&'static str> {
        let place = FileKey::of(file)?;
        let is_message = || self.messages.values().flatten().any(|folder| place.is_in(folder));
        match () {
            () if self.read.contains(&place) || is_message() => Some("an input"),
            () if self.written.contains(&place) => Some("the output"),
            () if self.folders.iter().any(|folder| from_root(file).starts_with(folder)) => Some("in the output"),
            () => self.is_among_messages(file).then_some("in a Maildir that is converted"),
        }
    }

    fn is_among_messages(&self, file: &Path) -> bool {
        FileKey::of_folder(file).is_some_and(|folder| self.messages.contains_key(&folder))
    }
}

/// Returns a path from the root on, so that two of one file that is not there yet are alike.
fn from_root(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Returns the folders of a Maildir that hold messages; none of what is another format.
fn messages_of(path: &Path, format: Format) -> Vec<PathBuf> {
    let folders = Some(path).filter(|_| format == Format::Maildir).into_iter();
    let folders = folders.flat_map(|folder| subfolders(folder).into_iter().chain([folder.to_owned()]));
    folders.flat_map(|folder| [folder.join("cur"), folder.join("new")]).collect()
}
