//! The outputs: where a converted input goes, and how it gets there without loss.
//!
//! A file is written beside its place under a temporary name, flushed to the disk, and then renamed, so that at any
//! time the old or the new one is there, whole. When anything fails the temporary file is removed and what was there stays.
//! A file that comes of a file gets its mode and its times; in place it gets its owner and group as well, or is not replaced.
//!
//! In place, a file in which nothing changed is not touched, and neither is one that somebody else changed, moved or
//! removed while it was read. That is a guard, not a lock: stop deliveries to a mailbox before it is converted in place. Hard
//! links to the old file stay with the old file.

use std::ffi::OsStr;
use std::fs::{self, File, FileTimes, Metadata, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use super::error::Error;
use crate::run::stdio;

/// Where a converted input goes.
#[derive(Debug, Clone)]
pub enum Target {
    /// Nowhere: a dry run.
    Nowhere,
    /// Standard output.
    Stdout,
    /// A file.
    File {
        /// Its path.
        to: PathBuf,
        /// The folder for its temporary name, on the same file system.
        folder: PathBuf,
        /// The file whose mode and times it gets.
        like: Option<PathBuf>,
    },
    /// The input itself.
    InPlace {
        /// Its path, without symbolic links.
        path: PathBuf,
        /// The folder for its temporary name, on the same file system.
        folder: PathBuf,
        /// The path that it has afterwards, in the same folder.
        to: PathBuf,
    },
}

impl Target {
    /// Makes the target `to`, with its temporary name beside it.
    pub fn file(to: PathBuf, like: Option<PathBuf>) -> Target {
        let folder = folder_of(&to);
        Target::File { to, folder, like }
    }

    /// Makes the target that replaces its input; a symbolic link stays, and what it points to is replaced.
    pub fn in_place(input: &Path) -> Result<Target, Error> {
        let opening = |source| Error::Open { name: input.display().to_string(), source };
        let path = fs::canonicalize(input).map_err(opening)?;
        Ok(Target::InPlace { folder: folder_of(&path), to: path.clone(), path })
    }

    /// Returns the file another name in its folder.
    pub fn rename(&mut self, name: &OsStr) {
        if let Target::File { to, .. } | Target::InPlace { to, .. } = self {
            to.set_file_name(name);
        }
    }

    /// Opens it for writing.
    pub fn open(&self) -> Result<Sink, Error> {
        match self {
            Target::Nowhere => Ok(Sink::Nowhere),
            Target::Stdout => stdio::stdout().map(Sink::Plain).map_err(|source| write_error("-", source)),
            Target::File { to, folder, like } => open_file(to, folder, like.as_deref()),
            Target::InPlace { path, folder, to } => {
                let old = fs::metadata(path);
                let old = old.map_err(|source| Error::Open { name: path.display().to_string(), source })?;
                Sink::temporary(to, folder, Some(old), Some(path.clone()))
            }
        }
    }
}

/// Returns the folder that a file stands in.
fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

fn open_file(to: &Path, folder: &Path, like: Option<&Path>) -> Result<Sink, Error> {
    if fs::metadata(to).is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        // A device or a pipe: there is nothing to replace.
        let file = OpenOptions::new().write(true).open(to);
        return file.map(Sink::Plain).map_err(|source| Error::Create { path: to.to_owned(), source });
    }
    let like = like.map(fs::metadata).transpose();
    Sink::temporary(to, folder, like.map_err(|source| Error::Create { path: to.to_owned(), source })?, None)
}

/// A target that is open for writing. Dropping it without [`Sink::commit`] leaves what was there as it was.
#[derive(Debug)]
pub enum Sink {
    /// Takes everything and keeps nothing.
    Nowhere,
    /// A file that is written where it is.
    Plain(File),
    /// A file that gets its name at the end.
    Temporary(Box<Temporary>),
}

/// A file that gets its name at the end.
#[derive(Debug)]
pub struct Temporary {
    file: NamedTempFile,
    to: PathBuf,
    like: Option<Metadata>,
    /// The file that it takes the place of.
    replaces: Option<PathBuf>,
}

impl Sink {
    fn temporary(to: &Path, folder: &Path, like: Option<Metadata>, replaces: Option<PathBuf>) -> Result<Sink, Error> {
        // What is to be as private as its model is private from the start.
        let mode = if like.is_some() { 0o600 } else { 0o666 };
        let mut builder = Builder::new();
        builder.prefix(".septet-").permissions(Permissions::from_mode(mode));
        let file = builder.tempfile_in(folder).map_err(|source| Error::Create { path: to.to_owned(), source })?;
        Ok(Sink::Temporary(Box::new(Temporary { file, to: to.to_owned(), like, replaces })))
    }

    /// Returns the file that is written, if there is one.
    pub fn file(&self) -> Option<&File> {
        match self {
            Sink::Nowhere => None,
            Sink::Plain(file) => Some(file),
            Sink::Temporary(temporary) => Some(temporary.file.as_file()),
        }
    }

    /// Returns the file its place; `changed` tells whether it differs from the input.
    pub fn commit(self, changed: bool) -> Result<(), Error> {
        match self {
            Sink::Temporary(temporary) if changed || temporary.replaces.is_none() => temporary.commit(),
            _ => Ok(()),
        }
    }
}

impl Temporary {
    fn commit(self) -> Result<(), Error> {
        let Temporary { file, to, like, replaces } = self;
        let writing = |source| write_error(&to.display().to_string(), source);
        if let Some(like) = &like {
            if replaces.is_some() {
                keep_owner(file.as_file(), like).map_err(|source| Error::Owner { path: to.clone(), source })?;
            }
            keep_mode_and_times(file.as_file(), like).map_err(writing)?;
        }
        file.as_file().sync_all().map_err(writing)?;
        if let Some(old) = &replaces {
            if !like.is_some_and(|like| is_still(old, &like)) {
                return Err(Error::Moved { path: old.clone() });
            }
            give_name(old, &to)?;
        }
        file.persist(&to).map(drop).map_err(|error| {
            // What was there keeps its name too; that this fails as well could be told to nobody.
            let _ = replaces.map(|old| give_name(&to, &old));
            Error::Create { path: to.clone(), source: error.error }
        })
    }
}

/// Returns the old file the name that the new one is to have, so that the new one can take its place in one step. Should the
/// power fail in between, the old message is whole, and the next run finds it.
fn give_name(old: &Path, to: &Path) -> Result<(), Error> {
    if old == to {
        return Ok(());
    }
    if fs::symlink_metadata(to).is_ok() {
        return Err(Error::Taken { path: old.to_owned(), to: to.to_owned() });
    }
    fs::rename(old, to).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => Error::Moved { path: old.to_owned() },
        _ => Error::Create { path: to.to_owned(), source },
    })
}

fn keep_owner(file: &File, like: &Metadata) -> io::Result<()> {
    let now = file.metadata()?;
    if (now.uid(), now.gid()) == (like.uid(), like.gid()) {
        return Ok(());
    }
    fchown(file, Some(like.uid()), Some(like.gid()))
}

fn keep_mode_and_times(file: &File, like: &Metadata) -> io::Result<()> {
    file.set_permissions(like.permissions())?;
    file.set_times(FileTimes::new().set_accessed(like.accessed()?).set_modified(like.modified()?))
}

/// Tells whether a path still names the file that it named, with the octets that it had.
fn is_still(path: &Path, old: &Metadata) -> bool {
    let key = |file: &Metadata| (file.dev(), file.ino(), file.len(), file.mtime(), file.mtime_nsec());
    fs::metadata(path).is_ok_and(|now| key(&now) == key(old))
}

impl Write for Sink {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        match self {
            Sink::Nowhere => Ok(octets.len()),
            Sink::Plain(file) => file.write(octets),
            Sink::Temporary(temporary) => temporary.file.as_file_mut().write(octets),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Makes the error of a write.
pub fn write_error(name: &str, source: io::Error) -> Error {
    Error::Write { name: name.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Converts a file in place, with something else happening to it before the end.
    fn replace(meanwhile: impl FnOnce(&Path)) -> (Result<(), Error>, io::Result<Vec<u8>>, usize) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.mbox");
        fs::write(&path, "old").expect("a file");
        let mut sink = Target::in_place(&path).and_then(|target| target.open()).expect("a sink");
        sink.write_all(b"new").expect("octets written");
        meanwhile(&path);
        let committed = sink.commit(true);
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
        assert!(matches!(committed, Err(Error::Moved { .. })));
        assert_eq!((now.expect("a file"), files), (b"old and more".to_vec(), 1));
    }

    #[test]
    fn does_not_bring_back_a_file_that_was_removed_meanwhile() {
        let (committed, now, files) = replace(|path| fs::remove_file(path).expect("removed"));
        assert!(matches!(committed, Err(Error::Moved { .. })));
        assert!(now.is_err());
        assert_eq!(files, 0);
    }

    #[test]
    fn leaves_what_is_there_when_it_is_dropped() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.mbox");
        fs::write(&path, "old").expect("a file");
        drop(Target::file(path.clone(), None).open().expect("a sink"));
        assert_eq!(fs::read(&path).expect("a file"), b"old");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
