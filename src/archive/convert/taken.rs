//! What is read and what is written: no output may be an input, or the place of another output, and no report either.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::maildir::subfolders;
use super::{ConvertError, FileKey, Format, Input, refuse};
use crate::archive::decisions::DecisionsArgs;
use crate::process::settings::ProfileArgs;
use crate::process::stdio;

/// What most of what is read is.
const INPUT: &str = "an input";

/// What is read, and what is written so far.
#[derive(Debug, Default)]
pub struct TakenPlaces {
    /// What is read, and what it is.
    read: HashMap<FileKey, &'static str>,
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
                None => places.read.extend(input.place.clone().map(|place| (place, INPUT))),
            }
        }
        places
    }

    /// Adds the files of the settings and that of the answers.
    pub fn beside(mut self, settings: &ProfileArgs, decided: &DecisionsArgs) -> TakenPlaces {
        self.read_besides(settings.config.files(), "a file of settings");
        self.read_besides(&decided.decisions, "the file of --decisions");
        self
    }

    /// Adds files that are read beside the inputs, and `what` one of them is.
    pub fn read_besides(&mut self, files: impl IntoIterator<Item = impl AsRef<Path>>, what: &'static str) {
        let places = files.into_iter().filter_map(|file| FileKey::of(file.as_ref()));
        places.for_each(|place| _ = self.read.entry(place).or_insert(what));
    }

    /// Adds an input, and of a Maildir its folders of messages with it.
    pub fn read(&mut self, path: &Path, format: Format) {
        let folders = messages_of(path, format);
        let places = [path].into_iter().chain(folders.iter().map(PathBuf::as_path)).filter_map(FileKey::of);
        self.read.extend(places.map(|place| (place, INPUT)));
        self.messages.extend(folders.into_iter().filter_map(|folder| Some((FileKey::of(&folder)?, Some(folder)))));
    }

    /// Returns `true` if what is at this place is read.
    pub fn is_read(&self, place: &FileKey) -> bool {
        self.read.contains_key(place)
    }

    /// Takes a place; `false` where it is read, or taken.
    pub fn take(&mut self, place: FileKey) -> bool {
        !self.is_read(&place) && self.written.insert(place)
    }

    /// Takes standard output, unless that is no file; an error where it is read or taken.
    pub fn take_stdout(&mut self) -> Result<(), ConvertError> {
        let Some(place) = stdio::stdout().ok().as_ref().and_then(FileKey::of_file) else { return Ok(()) };
        match self.read.get(&place) {
            Some(&INPUT) => refuse("standard output is an input: use --in-place to replace it"),
            Some(what) => refuse(format!("standard output is {what}: name another output")),
            None if self.written.insert(place) => Ok(()),
            None => refuse("standard output is another output"),
        }
    }

    /// Takes the place of an output; an error where it is an input, for which it is said what to do `instead`, where
    /// something else is read, another input goes, and among messages.
    pub fn take_output(&mut self, to: &Path, format: Format, instead: &str) -> Result<(), ConvertError> {
        let folders: Vec<FileKey> = messages_of(to, format).iter().filter_map(|folder| FileKey::of(folder)).collect();
        let places: Vec<FileKey> = FileKey::of(to).into_iter().chain(folders.iter().cloned()).collect();
        let what = match places.iter().find_map(|place| self.read.get(place)) {
            Some(&INPUT) => format!("is an input: {instead}"),
            Some(what) => format!("is {what}: name another output"),
            None if self.is_among_messages(to) => "is in a Maildir that is converted".to_owned(),
            None if places.iter().any(|place| self.written.contains(place)) => {
                return refuse(format!("two inputs would go to {}: convert them apart", to.display()));
            }
            None => {
                self.messages.extend(folders.into_iter().map(|folder| (folder, None)));
                self.written.extend(places);
                return Ok(());
            }
        };
        refuse(format!("{} {what}", to.display()))
    }

    /// Takes a folder with all that will be in it, for which nothing else is to be there. Only what is no output is
    /// held against it ([`wrong_with`](Self::wrong_with)).
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
        match self.read.get(&place) {
            Some(what) => Some(what),
            None if is_message() => Some(INPUT),
            None if self.written.contains(&place) => Some("the output"),
            None if self.folders.iter().any(|folder| from_root(file).starts_with(folder)) => Some("in the output"),
            None => self.is_among_messages(file).then_some("in a Maildir that is converted"),
        }
    }

    /// Returns `true` if a file stands, or would stand, in a folder of messages that is read or written.
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
