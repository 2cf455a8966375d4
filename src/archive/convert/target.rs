//! The outputs: where a converted input goes, and how it gets there without loss.
//!
//! A file is written beside its place under another name (its passing name), flushed to the disk, and then renamed (see
//! [`replace`](crate::archive::replace)), so that at any time the old or the new one is there, whole. When anything
//! fails the temporary file is removed and what was there stays. A file that comes of a file gets its mode and its
//! times; in place it gets its owner, group and access control list as well, or is not replaced. A message by itself
//! has the time of the change there, as programs that keep what they read of it go by that (NeoMutt's header cache, of
//! MH); but not one in a Maildir, whose time says when it was received, and which gets another name.
//!
//! In place, a file in which nothing changed is not touched, and neither is one that somebody else changed, moved or
//! removed while it was read. That is a guard besides the [locks](crate::archive::mailbox_lock) of a mailbox file. Hard
//! links to the old file stay with the old file.
//!
//! A mailbox file is written as `OUT.partial`, so that an interrupted run can go on with it; a message by itself is
//! not.

use std::ffi::OsStr;
use std::fs::{self, File, FileTimes, Metadata, OpenOptions};
use std::io::{self, IoSlice, Sink, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::ConvertError;
use crate::archive::file_error::FileError;
use crate::archive::interrupt::UnfinishedKind;
use crate::archive::replace::{
    Identity, Pending, ReplacedFile, Temporary, TemporaryNames, attributes, folder_of, is_device, with_suffix,
};
use crate::process::shown::printable_lines;
use crate::process::stdio;

/// What is put behind the name of an output that can be gone on with. `is_own` and `is_partial_folder` of `walk.rs`
/// know it.
pub const PARTIAL: &str = ".partial";

/// Where a converted input goes.
#[derive(Debug, Clone)]
pub enum OutputTarget {
    /// Nowhere: a dry run.
    Nowhere,
    /// Standard output.
    Stdout {
        /// Whether what can't be seen is written out, for a terminal.
        shown: bool,
    },
    /// A file.
    File {
        /// Its path.
        to: PathBuf,
        /// The folder for its temporary name, on the same file system.
        folder: PathBuf,
        /// The file whose mode and times it gets; without symbolic links where it takes the place of that.
        like: Option<PathBuf>,
        /// Whether it takes the place of that, and the time that it has then.
        replaces: Option<Time>,
    },
}

/// The time that a file has which takes the place of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Time {
    /// That of the other.
    Kept,
    /// That of the change.
    Changed,
}

impl OutputTarget {
    /// Makes the target `to`, with its temporary name beside it, and the mode and times of the file `like`, if one is
    /// given, which must be there when it is opened.
    pub fn file(to: PathBuf, like: Option<PathBuf>) -> OutputTarget {
        let folder = folder_of(&to).to_owned();
        OutputTarget::File { to, folder, like, replaces: None }
    }

    /// Makes the target that replaces its input, and has this time then; a symbolic link stays, and what it points to
    /// is replaced. An error where the input can't be found.
    pub fn in_place(input: &Path, time: Time) -> Result<OutputTarget, FileError> {
        let path = fs::canonicalize(input).map_err(FileError::opening(input.display()))?;
        let (folder, like) = (folder_of(&path).to_owned(), Some(path.clone()));
        Ok(OutputTarget::File { to: path, folder, like, replaces: Some(time) })
    }

    /// Returns the path of the input that it replaces; none where it is another place, or none.
    pub fn replaced(&self) -> Option<&Path> {
        if let OutputTarget::File { like, replaces: Some(_), .. } = self { like.as_deref() } else { None }
    }

    /// Returns its name: a path, `-` for standard output, nothing for nowhere.
    pub fn name(&self) -> String {
        match self {
            OutputTarget::Nowhere => String::new(),
            OutputTarget::Stdout { .. } => "-".to_owned(),
            OutputTarget::File { to, .. } => to.display().to_string(),
        }
    }

    /// Gives the file another name in its folder; its passing name stays in the folder that it had, and what is no file
    /// stays as it is.
    pub fn rename(&mut self, name: &OsStr) {
        if let OutputTarget::File { to, .. } = self {
            to.set_file_name(name);
        }
    }

    /// Returns the path of the file that is written; none for a device, a pipe, standard output or nowhere.
    pub fn path(&self) -> Option<&Path> {
        match self {
            OutputTarget::File { to, .. } if !is_device(to) => Some(to),
            _ => None,
        }
    }

    /// Returns the folder in which its passing name is; none of what is no file. It is not asked whether that is a
    /// device.
    pub fn folder(&self) -> Option<&Path> {
        if let OutputTarget::File { folder, .. } = self { Some(folder) } else { None }
    }

    /// Returns the path under which it can be gone on with; none where [`path`](Self::path) is none.
    pub fn partial(&self) -> Option<PathBuf> {
        Some(with_suffix(self.path()?, PARTIAL))
    }

    /// Opens it for writing under a passing name.
    pub fn open(&self, names: &TemporaryNames) -> Result<OpenTarget, FileError> {
        self.open_as(|folder, mode| names.create(folder, mode))
    }

    /// Opens it for writing under a name with which an interrupted run can be gone on; an error where that name is
    /// taken. What has no such name, as a device, is opened as by [`open`](Self::open).
    pub fn open_partial(&self) -> Result<OpenTarget, FileError> {
        let partial = self.partial().unwrap_or_default();
        let opened = self.open_as(|_, mode| Temporary::create(partial.clone(), mode, UnfinishedKind::Resumable));
        opened.map_err(|error| match error {
            FileError::Create { source, .. } if source.kind() == io::ErrorKind::AlreadyExists => {
                FileError::creating(partial.display())(source)
            }
            other => other,
        })
    }

    /// Goes on with what an interrupted run left: `written` octets of the file with this number, and an error where
    /// another is there. A device, where nothing can be left, is opened anew.
    pub fn adopt(&self, ino: u64, written: u64) -> Result<OpenTarget, ConvertError> {
        let Some(partial) = self.partial() else { return Ok(self.open_partial()?) };
        let changed = || ConvertError::PartialChanged { path: partial.clone() };
        let file = Temporary::adopt(&partial, ino, written);
        let file = file.map_err(FileError::creating(partial.display()))?.ok_or_else(changed)?;
        Ok(self.open_as(|_, _| Ok(file))?)
    }

    /// Opens it for writing; what takes a place at the end is a file that `make` creates, given its folder and mode.
    fn open_as(&self, make: impl FnOnce(&Path, u32) -> io::Result<Temporary>) -> Result<OpenTarget, FileError> {
        match self {
            OutputTarget::Nowhere => Ok(OpenTarget::Nowhere(io::sink())),
            OutputTarget::Stdout { shown: true } => Ok(OpenTarget::Terminal(Vec::new())),
            OutputTarget::Stdout { shown: false } => {
                stdio::open_stdout().map(OpenTarget::Plain).map_err(FileError::writing("-"))
            }
            OutputTarget::File { to, .. } if is_device(to) => {
                // There is nothing to replace.
                let file = OpenOptions::new().write(true).open(to);
                file.map(OpenTarget::Plain).map_err(FileError::creating(to.display()))
            }
            OutputTarget::File { to, folder, like, replaces } => {
                let there = |path: &PathBuf| fs::metadata(path).map_err(FileError::opening(path.display()));
                let (now, replaces) = (like.as_ref().map(there).transpose()?, like.clone().zip(*replaces));
                // What is to be as private as its model is private from the start.
                let mode = if now.is_some() { 0o600 } else { 0o666 };
                let file = make(folder, mode).map_err(FileError::creating(to.display()))?;
                Ok(OpenTarget::Temporary(Box::new(Unnamed { file, to: to.clone(), like: now, replaces })))
            }
        }
    }
}

/// A target that is open for writing. Dropping it without [`OpenTarget::prepare`] leaves what was there as it was.
#[derive(Debug)]
pub enum OpenTarget {
    /// Takes everything and keeps nothing.
    Nowhere(Sink),
    /// A file that is written where it is.
    Plain(File),
    /// A terminal, which is shown one message when all of it is there.
    Terminal(Vec<u8>),
    /// A file that gets its name at the end.
    Temporary(Box<Unnamed>),
}

/// A file that gets its name at the end.
#[derive(Debug)]
pub struct Unnamed {
    /// It, under a passing name.
    pub file: Temporary,
    /// Its place.
    pub to: PathBuf,
    /// The file whose mode and times it gets, as it is now.
    pub like: Option<Metadata>,
    /// The file that it takes the place of, and the time that it has then.
    pub replaces: Option<(PathBuf, Time)>,
}

impl OpenTarget {
    /// Returns the file that is written, if there is one.
    pub fn file(&self) -> Option<&File> {
        match self {
            OpenTarget::Nowhere(_) | OpenTarget::Terminal(_) => None,
            OpenTarget::Plain(file) => Some(file),
            OpenTarget::Temporary(unnamed) => Some(unnamed.file.file()),
        }
    }

    /// Returns what takes the octets.
    fn out(&mut self) -> &mut dyn Write {
        match self {
            OpenTarget::Nowhere(nothing) => nothing,
            OpenTarget::Plain(file) => file,
            OpenTarget::Terminal(message) => message,
            OpenTarget::Temporary(unnamed) => &mut unnamed.file,
        }
    }

    /// Returns the path under which it is written, where it has one: its passing name; none of what gets no name at the
    /// end.
    pub fn path(&self) -> Option<&Path> {
        if let OpenTarget::Temporary(unnamed) = self { Some(unnamed.file.path()) } else { None }
    }

    /// Makes the file ready to take its place: flushed, with its owner, mode and times. `changed` tells whether it
    /// differs from the input; in place nothing else takes a place. What is written to a terminal is shown now. None
    /// where nothing is to take a place.
    pub fn prepare(self, changed: bool) -> Result<Option<Pending>, ConvertError> {
        match self {
            OpenTarget::Temporary(unnamed) if changed || unnamed.replaces.is_none() => unnamed.prepare().map(Some),
            OpenTarget::Temporary(unnamed) => {
                unnamed.file.discard();
                Ok(None)
            }
            OpenTarget::Terminal(message) => Ok(show(&message).map(|()| None).map_err(FileError::writing("-"))?),
            OpenTarget::Nowhere(_) | OpenTarget::Plain(_) => Ok(None),
        }
    }
}

impl Unnamed {
    /// Gives the file what it gets of others, and flushes it to the disk. The mode comes behind the attributes, of
    /// whose access control list it is a part.
    pub fn prepare(self) -> Result<Pending, ConvertError> {
        let Unnamed { file: temporary, to, like, replaces } = self;
        let file = temporary.file();
        let writing = FileError::writing(to.display());
        if let Some(like) = &like {
            if let Some((old, _)) = &replaces {
                let ungiven = |what, source| ConvertError::Attributes { path: to.clone(), what, source };
                attributes::keep_owner(file, like).map_err(|source| ungiven("owner", source))?;
                attributes::copy(old, file).map_err(|source| ungiven("access control list and attributes", source))?;
            }
            file.set_permissions(like.permissions()).map_err(&writing)?;
            let time = replaces.as_ref().map_or(Time::Kept, |(_, time)| *time);
            set_times(file, like, time).map_err(&writing)?;
        }
        let replaces =
            replaces.zip(like.as_ref()).map(|((path, _), like)| ReplacedFile { path, was: Identity::of(like) });
        Ok(temporary.wait_for(&to, replaces).map_err(writing)?)
    }
}

/// Shows a message on standard output.
fn show(message: &[u8]) -> io::Result<()> {
    stdio::open_stdout()?.write_all(printable_lines(message).as_bytes())
}

/// Gives a file the times of another; the time of its change is that of now unless it is [`Time::Kept`].
fn set_times(file: &File, like: &Metadata, time: Time) -> io::Result<()> {
    let modified = if time == Time::Kept { like.modified()? } else { SystemTime::now() };
    file.set_times(FileTimes::new().set_accessed(like.accessed()?).set_modified(modified))
}

impl Write for OpenTarget {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.out().write(octets)
    }

    fn write_vectored(&mut self, slices: &[IoSlice]) -> io::Result<usize> {
        self.out().write_vectored(slices)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out().flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::replace::Existing;
    use crate::archive::replace::ReplaceError;

    /// Converts a file in place, with something else happening to it before the end.
    fn replace(meanwhile: impl FnOnce(&Path)) -> (Result<(), ConvertError>, io::Result<Vec<u8>>, usize) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.mbox");
        fs::write(&path, "old").expect("a file");
        let mut sink = OutputTarget::in_place(&path, Time::Changed)
            .and_then(|target| target.open(&TemporaryNames::new("")))
            .expect("a sink");
        sink.write_all(b"new").expect("octets written");
        meanwhile(&path);
        let placed = sink.prepare(true).map(|pending| pending.map(|pending| pending.carry_out(&Existing::Replace)));
        let committed = placed.and_then(|placed| Ok(placed.transpose()?.unwrap_or_default()));
        let files = fs::read_dir(folder.path()).expect("a folder").count();
        (committed, fs::read(&path), files)
    }

    #[test]
    fn replaces_a_file_that_nobody_else_touched() {
        let (committed, now, files) = replace(|_| ());
        assert!(committed.is_ok());
        assert_eq!((now.expect("a file"), files), (b"new".to_vec(), 1));
    }

    #[test]
    fn leaves_a_file_to_which_a_message_was_delivered_meanwhile() {
        let deliver = |path: &Path| {
            let mut file = OpenOptions::new().append(true).open(path).expect("a file");
            file.write_all(b" and more").expect("octets written");
        };
        let (committed, now, files) = replace(deliver);
        assert!(matches!(committed, Err(ConvertError::Replace(ReplaceError::Moved { .. }))));
        assert_eq!((now.expect("a file"), files), (b"old and more".to_vec(), 1));
    }

    #[test]
    fn does_not_bring_back_a_file_that_was_removed_meanwhile() {
        let (committed, now, files) = replace(|path| fs::remove_file(path).expect("removed"));
        assert!(matches!(committed, Err(ConvertError::Replace(ReplaceError::Moved { .. }))));
        assert!(now.is_err());
        assert_eq!(files, 0);
    }

    #[test]
    fn leaves_what_is_there_when_it_is_dropped() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.mbox");
        fs::write(&path, "old").expect("a file");
        drop(OutputTarget::file(path.clone(), None).open(&TemporaryNames::new("")).expect("a sink"));
        assert_eq!(fs::read(&path).expect("a file"), b"old");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
