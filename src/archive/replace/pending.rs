//! A file that is written whole, and the place that it is to take.

use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{folder_of, is_same_file, path_json, remove_own, with_suffix};
use crate::archive::interrupt;

/// What becomes of a file that stands where another is to go.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Existing {
    /// It is replaced, as `cp` and `sort -o` do.
    #[default]
    Replace,
    /// It stays, and the other is not written: `--no-clobber`.
    Keep,
    /// It keeps its content under its name with this behind it: `--backup`.
    Backup(OsString),
}

impl Existing {
    /// Returns where the old content of a file goes; none where it is not kept.
    pub fn backup_of(&self, path: &Path) -> Option<PathBuf> {
        let Existing::Backup(suffix) = self else { return None };
        Some(with_suffix(path, suffix))
    }
}

/// By what a file is known again: where it is, and how large and how old its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    dev: u64,
    ino: u64,
    /// Its octets.
    pub len: u64,
    mtime: (i64, i64),
}

impl Identity {
    /// Takes that of a file.
    pub fn of(file: &Metadata) -> Identity {
        Identity { dev: file.dev(), ino: file.ino(), len: file.len(), mtime: (file.mtime(), file.mtime_nsec()) }
    }

    /// Returns `true` if a path names this very file, with the octets that it had. Links are followed, as they were
    /// when it was opened to be read: it is the file behind them that must not have changed.
    pub fn is_at(&self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|now| Identity::of(&now) == *self)
    }
}

/// Why a file did not take its place.
#[derive(Debug, Error)]
#[allow(missing_docs)]
pub enum ReplaceError {
    #[error("{} changed while it was read, and stays as it is: try again", path.display())]
    Moved { path: PathBuf },
    #[error("{} stays as it is: its new size would give it the name of {}", path.display(), to.display())]
    Taken { path: PathBuf, to: PathBuf },
    #[error("{} already exists and was kept (--no-clobber)", path.display())]
    Exists { path: PathBuf },
    #[error("{} is gone, so {} stays as it is: leave --resume out to start over", path.display(), to.display())]
    Gone { path: PathBuf, to: PathBuf },
    #[error("can't create {}", path.display())]
    Create { path: PathBuf, source: io::Error },
}

/// A file that is written whole and flushed, and the place that it is to take.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    /// Where it stands.
    #[serde(with = "path_json")]
    pub from: PathBuf,
    /// Its number on its device.
    pub ino: u64,
    /// Where it goes.
    #[serde(with = "path_json")]
    pub to: PathBuf,
    /// The file that it takes the place of, which may have had another name.
    pub replaces: Option<ReplacedFile>,
}

/// A file that another one takes the place of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplacedFile {
    /// Its path.
    #[serde(with = "path_json")]
    pub path: PathBuf,
    /// What it was when it was read.
    pub was: Identity,
}

impl Pending {
    /// Gives the file its place. What was carried out already, by a run that was killed then, is no error.
    ///
    /// After an error what was there stays. The file is gone where the place is not to be had; where the system failed
    /// ([`ReplaceError::Create`]) it waits, listed as begun, for who cleans up or goes on. [`Existing::Keep`] counts
    /// only where no input is replaced, for to replace it is what was asked for.
    pub fn carry_out(&self, existing: &Existing) -> Result<(), ReplaceError> {
        interrupt::uninterrupted(|| {
            let done = if self.is_at(&self.to) { Ok(()) } else { self.rename(existing) };
            if matches!(done, Err(ReplaceError::Create { .. })) {
                return done;
            }
            if self.is_at(&self.from) {
                // It failed, or has both names.
                remove_own(&self.from);
            }
            interrupt::ended(&self.from);
            done
        })
    }

    /// Returns `true` if a path names the file itself, by its number, and no other that got the name since. A link is
    /// another file, that somebody else has put there. Both its names are on one file system, so that the device need
    /// not be compared.
    pub fn is_at(&self, path: &Path) -> bool {
        fs::symlink_metadata(path).is_ok_and(|there| there.is_file() && there.ino() == self.ino)
    }

    /// Refuses to take the place of a device, a pipe or a socket, and any place among the devices: `/dev/stdout` is a
    /// link, which leads nowhere where that is closed.
    fn check_place(&self) -> io::Result<()> {
        let is_file = |there: &Metadata| there.is_file() || there.is_dir() || there.is_symlink();
        match fs::symlink_metadata(&self.to) {
            Ok(there) if !is_file(&there) => Err(io::Error::other("what is there is no file")),
            _ if folder_of(&self.to) == Path::new("/dev") => Err(io::Error::other("the folder is for devices")),
            _ => Ok(()),
        }
    }

    /// Moves the file to its place, once the old one is as it was read and is backed up where that is asked for.
    fn rename(&self, existing: &Existing) -> Result<(), ReplaceError> {
        let creating = |source| ReplaceError::Create { path: self.to.clone(), source };
        if !self.is_at(&self.from) {
            // The file itself is gone. That the old one moved too says more, and is an error of this one file alone.
            let moved = self.replaces.as_ref().filter(|old| !old.was.is_at(&old.path));
            let moved = moved.map(|old| ReplaceError::Moved { path: old.path.clone() });
            return Err(moved.unwrap_or_else(|| ReplaceError::Gone { path: self.from.clone(), to: self.to.clone() }));
        }
        self.check_place().map_err(creating)?;
        if let Some(old) = &self.replaces {
            old.give_name(&self.to)?;
        }
        if let Some(backup) = existing.backup_of(&self.to) {
            back_up(&self.to, &backup, &self.from).map_err(creating)?;
        }
        if *existing == Existing::Keep && self.replaces.is_none() {
            return self.link();
        }
        fs::rename(&self.from, &self.to).map_err(|source| {
            // What was there keeps its name too; that this fails as well could be told to nobody.
            if let Some(old) = self.replaces.as_ref().filter(|old| old.path != self.to) {
                let _ = fs::rename(&self.to, &old.path);
            }
            creating(source)
        })
    }

    /// Takes a place that must be free, in one step where there are hard links; `Exists` where it is taken.
    fn link(&self) -> Result<(), ReplaceError> {
        match fs::hard_link(&self.from, &self.to) {
            // On a file system without hard links the next best is to look first.
            Err(error) if error.kind() == ErrorKind::AlreadyExists || fs::symlink_metadata(&self.to).is_ok() => {
                return Err(ReplaceError::Exists { path: self.to.clone() });
            }
            Err(_) => fs::rename(&self.from, &self.to),
            Ok(()) => fs::remove_file(&self.from),
        }
        .map_err(|source| ReplaceError::Create { path: self.to.clone(), source })
    }
}

impl ReplacedFile {
    /// Gives the old file the name that the new one is to have, so that the new one can take its place in one step.
    /// Should the power fail in between, the old message is whole, and the next run finds it.
    fn give_name(&self, to: &Path) -> Result<(), ReplaceError> {
        // A run that was killed had done it.
        if self.path != to && self.was.is_at(to) && !self.path.exists() {
            return Ok(());
        }
        if !self.was.is_at(&self.path) {
            return Err(ReplaceError::Moved { path: self.path.clone() });
        }
        if self.path == to {
            return Ok(());
        }
        if fs::symlink_metadata(to).is_ok() {
            return Err(ReplaceError::Taken { path: self.path.clone(), to: to.to_owned() });
        }
        fs::rename(&self.path, to).map_err(|source| match source.kind() {
            ErrorKind::NotFound => ReplaceError::Moved { path: self.path.clone() },
            _ => ReplaceError::Create { path: to.to_owned(), source },
        })
    }
}

/// Keeps the old content of a file under another name; the file itself stays until it is replaced. `beside` is the
/// passing name of what replaces it: with a `~` behind it, that of the backup for a moment.
fn back_up(file: &Path, backup: &Path, beside: &Path) -> io::Result<()> {
    // A run that was killed had done it; to rename one link of a file to another would do nothing.
    if is_same_file(file, backup) {
        return Ok(());
    }
    let passing = backup_passing(beside);
    let _ = fs::remove_file(&passing);
    match fs::hard_link(file, &passing) {
        Ok(()) => fs::rename(&passing, backup).inspect_err(|_| _ = fs::remove_file(&passing)),
        // There is no old content.
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        // Without hard links there is a moment in which only the backup is there.
        Err(_) => fs::rename(file, backup),
    }
}

/// Returns the name that a backup has for a moment, given the passing name of what replaces the file.
pub fn backup_passing(beside: &Path) -> PathBuf {
    with_suffix(beside, "~")
}

/// Has the name of a file survive a power failure; a file system that can't do that is no worse than before.
pub fn sync_folder(file: &Path) {
    let _ = File::open(folder_of(file)).and_then(|folder| folder.sync_all());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run that went on gave a message the passing name that another one had had, and was killed too: the journal
    /// still said where a file of that name goes.
    #[test]
    fn no_other_file_takes_a_place_by_its_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let write = |name: &str, octets: &str| fs::write(path(name), octets).expect("a file");
        let read = |name: &str| fs::read_to_string(path(name)).expect("a file");
        write("old", "old");
        write("passing", "first");
        let was = Identity::of(&fs::metadata(path("old")).expect("a file"));
        let ino = fs::metadata(path("passing")).expect("a file").ino();
        let replaces = Some(ReplacedFile { path: path("old"), was });
        let pending = |to: &str, replaces| Pending { from: path("passing"), ino, to: path(to), replaces };
        pending("new", replaces.clone()).carry_out(&Existing::Replace).expect("it takes its place");
        write("passing", "second");
        for replaces in [None, replaces] {
            pending("new", replaces.clone()).carry_out(&Existing::Replace).expect("it was done");
            assert!(pending("other", replaces).carry_out(&Existing::Replace).is_err());
            assert_eq!(
                (read("new").as_str(), read("passing").as_str(), path("other").exists()),
                ("first", "second", false)
            );
        }
        // No file, and no place for one.
        let _socket = std::os::unix::net::UnixListener::bind(path("socket")).expect("a socket");
        for to in [path("socket"), PathBuf::from("/dev/septet")] {
            write("passing3", "third");
            let ino = fs::metadata(path("passing3")).expect("a file").ino();
            let misplaced = Pending { from: path("passing3"), ino, to: to.clone(), replaces: None };
            assert!(misplaced.carry_out(&Existing::Replace).is_err());
            assert_eq!(read("passing3"), "third", "for who goes on");
            assert_eq!(to.exists(), to == path("socket"), "{}", to.display());
        }
        // A link that was not removed yet.
        fs::hard_link(path("new"), path("passing2")).expect("a link");
        Pending { from: path("passing2"), ..pending("new", None) }.carry_out(&Existing::Keep).expect("it was done");
        assert!(!path("passing2").exists() && read("new") == "first");
    }
}
