//! The journal of a run: how far it is, written down so that `--resume` can go on there.
//!
//! It is a small file beside the output (`OUT.resume`), which is there as long as the run is. Every new state replaces
//! the old one in one step. What it says is always true of files that are on the disk already: octets are flushed
//! before the state that counts on them, and a state that names files to be renamed is written before they are.
//!
//! Whoever holds its lock is at work; so two runs never write one output at the same time. A run that was killed leaves
//! it, and the next run of the same command finds it: with `--resume` it goes on, without it starts anew and removes
//! what is left: the journal last, for it says whose the rest is.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use nix::unistd::geteuid;
use serde::{Deserialize, Serialize};

use super::{ConvertError, Cursor};
use crate::archive::file_error::FileError;
use crate::archive::interrupt::{self, UnfinishedKind};
use crate::archive::mailbox_lock::remove_left;
use crate::archive::replace::path_json::JsonPath;
use crate::archive::replace::{
    Pending, TemporaryNames, backup_passing, create_whole, folder_of, is_at, remove_own, remove_unlinked,
};
use crate::archive::report::{Tally, provenance};

/// How far a run is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// The pieces of work that are done.
    pub pieces: usize,
    /// The counts.
    pub tally: Tally,
    /// The messages that somebody should look at.
    pub to_look_at: u64,
    /// Which file the report's lines are in, and its octets.
    pub spool: Option<(u64, u64)>,
    /// The exit code of what could not be done last.
    pub worst: Option<u8>,
    /// Whether anything has its place, so that a report of it must not be lost.
    #[serde(default)]
    pub placed: bool,
    /// The file names that state sizes that are not true.
    pub stale: u64,
    /// The mailbox files that are done, where a page shows them.
    pub files: provenance::FileRecords,
    /// How far it is in the piece at work.
    pub within: Within,
}

/// How far a run is in a piece of work.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub enum Within {
    /// At its start.
    #[default]
    Start,
    /// In a mailbox.
    Mailbox(Box<Cursor>),
    /// Behind this file of many.
    Files {
        /// The last file that is done.
        last: JsonPath,
        /// The octets of the folder's undo file.
        undo: Option<u64>,
    },
    /// Where files take their places; each is carried out, or is done already.
    Commit {
        /// The files, and what is reported of them then.
        steps: Vec<JournalStep>,
        /// The octets of the folder's undo file.
        undo: Option<u64>,
    },
}

/// A file that takes its place, and what is reported of it then.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct JournalStep {
    /// The input, as it is named on the command line or found in a folder.
    pub input: JsonPath,
    /// What takes its place; nothing where a message stays.
    pub pending: Vec<Pending>,
    /// What is reported.
    pub told: Told,
    /// Whether its name states a size that is not true.
    pub stale: bool,
}

/// What is reported of a message: counts, and a line.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Told {
    /// What it adds to the counts.
    pub tally: Tally,
    /// Its line in the spool, with its line end; empty without a report.
    pub line: String,
}

/// What is in the file.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct JournalState {
    /// The version of septet, which also says that the file is septet's.
    septet: String,
    /// What the command is known by.
    command: String,
    /// The names of the run's passing files.
    run: String,
    mark: Mark,
}

/// The journal of a run.
#[derive(Debug)]
pub struct Journal {
    of: JournalOf,
    /// Held open for its lock.
    file: File,
    state: JournalState,
    /// The names of the run's passing files.
    pub names: TemporaryNames,
    /// Whether it goes on with a run that was interrupted.
    gone_on: bool,
}

/// What a journal is of.
#[derive(Debug, Clone)]
pub struct JournalOf {
    /// Where it stands.
    pub path: PathBuf,
    /// What the command is known by.
    pub command: String,
    /// The folders in which there may be passing files.
    pub folders: BTreeSet<PathBuf>,
    /// The files that can be gone on with.
    pub partials: Vec<PathBuf>,
    /// The files that a run of the same command makes anew.
    pub anew: Vec<PathBuf>,
    /// The mailbox files that are locked.
    pub locked: Vec<PathBuf>,
}

/// How every journal begins.
const HEAD: &[u8] = br#"{"septet":""#;

impl Journal {
    /// Opens the journal of a command: a new one, or with `resume` the one that an interrupted run left.
    ///
    /// A new run may be refused by `check`, which is told whether a run of the same command was interrupted: what that
    /// left stays then, to be gone on with.
    pub fn open(
        of: JournalOf,
        resume: bool,
        check: impl FnOnce(bool) -> Result<(), ConvertError>,
    ) -> Result<(Journal, Option<Mark>), ConvertError> {
        of.folders.iter().for_each(|folder| remove_unlinked(folder));
        let left = match Journal::find_interrupted(&of)? {
            Some((file, state)) if resume => {
                return Journal::go_on(of, file, state).map(|(journal, mark)| (journal, Some(mark)));
            }
            left => left,
        };
        check(left.as_ref().is_some_and(|(_, state)| state.command == of.command))?;
        if let Some((_, state)) = left {
            state.discard(&of);
        }
        let names = TemporaryNames::new("");
        let state = JournalState {
            septet: env!("CARGO_PKG_VERSION").to_owned(),
            command: of.command.clone(),
            run: names.run().to_owned(),
            mark: Mark::default(),
        };
        let file = state.create(&of.path).map_err(|source| match source.kind() {
            // One that began at the same moment.
            ErrorKind::AlreadyExists => ConvertError::Busy { path: of.path.clone() },
            _ => FileError::creating(of.path.display())(source).into(),
        })?;
        Ok((Journal { of, file, state, names, gone_on: false }, None))
    }

    /// Finds the journal that an interrupted run left, and locks it; none where there is none, or one that was cut
    /// before anything was done in its name, which is removed. An error when a run is at work, or when it is no
    /// journal.
    fn find_interrupted(of: &JournalOf) -> Result<Option<(File, JournalState)>, ConvertError> {
        let opening = FileError::opening(of.path.display());
        loop {
            match fs::symlink_metadata(&of.path) {
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
                // Nobody else's journal is believed, for it names files to be renamed.
                Ok(there) if there.is_file() && there.uid() == geteuid().as_raw() => {}
                Ok(_) => return Err(ConvertError::NoJournal { path: of.path.clone() }),
                Err(source) => return Err(opening(source).into()),
            }
            let file = match File::open(&of.path) {
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
                file => file.map_err(&opening)?,
            };
            // Any other error is that of a file system without locks.
            if let Err(fs::TryLockError::WouldBlock) = file.try_lock() {
                return Err(ConvertError::Busy { path: of.path.clone() });
            }
            // A run that ended meanwhile has removed or replaced it.
            if is_at(&file, &of.path) {
                return match JournalState::read(&file) {
                    Ok(Some(state)) => Ok(Some((file, state))),
                    Ok(None) => Ok(fs::remove_file(&of.path).map(|()| None).map_err(opening)?),
                    Err(_) => Err(ConvertError::NoJournal { path: of.path.clone() }),
                };
            }
        }
    }

    /// Goes on with what an interrupted run left; an error where that was another command, or another version of
    /// septet.
    fn go_on(of: JournalOf, file: File, state: JournalState) -> Result<(Journal, Mark), ConvertError> {
        if state.command != of.command || state.septet != env!("CARGO_PKG_VERSION") {
            return Err(ConvertError::OtherCommand { path: of.path });
        }
        // What the interrupted run did stays, whatever ends this one before it has done anything.
        interrupt::keep();
        interrupt::stands("what the interrupted run did stays".to_owned());
        interrupt::begun(&of.path, UnfinishedKind::Resumable);
        let (names, mark) = (TemporaryNames::of(state.run.clone()), state.mark.clone());
        let journal = Journal { of, file, state, names, gone_on: true };
        // In a commit the passing files wait for their places.
        if !matches!(mark.within, Within::Commit { .. }) {
            journal.remove_passing();
        }
        Ok((journal, mark))
    }

    /// Writes down how far the run is, in a new file that replaces the old one. `flush` has it on the disk before
    /// this returns; the caller wants that where files are renamed in its name.
    pub fn write(&mut self, mark: &Mark, flush: bool) -> io::Result<()> {
        self.state.mark = mark.clone();
        let next = self.names.create(folder_of(&self.of.path), 0o600)?;
        // It is locked before it has the name, so that the journal is at no moment without a lock.
        let _ = next.file().try_lock();
        next.file().write_all(&serde_json::to_vec(&self.state)?)?;
        if flush {
            next.file().sync_all()?;
        }
        let file = next.file().try_clone()?;
        interrupt::uninterrupted(|| {
            let path = next.release();
            fs::rename(&path, &self.of.path)?;
            interrupt::ended(&path);
            Ok::<(), io::Error>(())
        })?;
        self.file = file;
        interrupt::progressed();
        Ok(())
    }

    /// Removes the passing files of this run that have no place.
    pub fn remove_passing(&self) {
        self.of.folders.iter().for_each(|folder| self.names.remove_leftovers(folder));
    }

    /// Ends the run: nothing is to be gone on with.
    pub fn remove(self) {
        if self.gone_on {
            // A state that was never renamed; all else has its place.
            self.remove_passing();
        }
        interrupt::uninterrupted(|| {
            // Were it left, the next run would find all done.
            remove_own(&self.of.path);
            interrupt::ended(&self.of.path);
        });
        drop(self.file);
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.of.path
    }
}

impl JournalState {
    /// Makes the file, whole and locked; `AlreadyExists` where one is there.
    fn create(&self, path: &Path) -> io::Result<File> {
        create_whole(path, 0o600, &serde_json::to_vec(self)?, UnfinishedKind::Resumable)
    }

    /// Reads a state. None of a file that is empty, or begins as a journal does and is cut: whoever wrote it under its
    /// own name was killed before anything was done in its name. An error where it is somebody else's.
    fn read(file: &File) -> serde_json::Result<Option<JournalState>> {
        let mut from = BufReader::new(file);
        let begun = from.fill_buf().is_ok_and(|start| start.is_empty() || start.starts_with(HEAD));
        match serde_json::from_reader(from) {
            Err(error) if begun && error.is_eof() => Ok(None),
            read => read.map(Some),
        }
    }

    /// Removes what an interrupted run left; what it had put in place stays.
    ///
    /// Which files these are follows from the command, and not from what the journal says.
    fn discard(&self, of: &JournalOf) {
        of.locked.iter().for_each(|mailbox| remove_left(mailbox, &self.run));
        let names = TemporaryNames::of(self.run.clone());
        of.folders.iter().for_each(|folder| names.remove_leftovers(folder));
        // Each may be there or not.
        let anew = of.anew.iter().filter(|_| self.command == of.command);
        let backups: Vec<_> = of.partials.iter().map(|partial| backup_passing(partial)).collect();
        of.partials.iter().chain(&backups).chain(anew).for_each(|left| _ = fs::remove_file(left));
        let _ = fs::remove_file(&of.path);
    }
}

#[cfg(test)]
mod tests;
