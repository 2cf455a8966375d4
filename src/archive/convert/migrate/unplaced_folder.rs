//! A folder while it is written.
//!
//! It is made beside its place, as `OUT.partial`, flushed to the disk, and renamed: a folder of that name is there
//! whole, or not at all. So it takes no place that is taken. What a run that was killed left of it is known by the file
//! that is made first and locked as long as the run lives; another run goes on with it, or it makes room for the next.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::origin::ORIGIN;
use crate::archive::convert::ConvertError;
use crate::archive::convert::target::PARTIAL;
use crate::archive::file_error::FileError;
use crate::archive::interrupt::{self, UnfinishedKind};
use crate::archive::replace::{folder_of, open_regular_as, sync_folder, with_suffix};

/// A folder that has not its place yet.
pub struct UnplacedFolder {
    to: PathBuf,
    partial: PathBuf,
    /// The file [`ORIGIN`], held for its lock.
    pub lock: File,
    /// Whether another run can go on with it.
    is_resumable: bool,
    placed: bool,
}

impl UnplacedFolder {
    /// Makes the folder under its passing name, and in it the file [`ORIGIN`], which it locks. An error where another
    /// run is at work there, or what is there is none of septet's; whether the place itself is free is asked before
    /// ([`check`]). With `is_resumable` what is written stays after an error where going on is worth it.
    pub fn begin(to: &Path, is_resumable: bool) -> Result<UnplacedFolder, ConvertError> {
        let partial = UnplacedFolder::partial_of(to);
        fs::create_dir_all(folder_of(to)).map_err(FileError::creating(partial.display()))?;
        make_room(&partial)?;
        let kind = if is_resumable { UnfinishedKind::Resumable } else { UnfinishedKind::Passing };
        let lock = interrupt::uninterrupted(|| {
            interrupt::begun(&partial, kind);
            DirBuilder::new().mode(0o700).create(&partial)?;
            let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(partial.join(ORIGIN))?;
            // Without locks (some network file systems) nothing is lost but the guard against two runs at once.
            let _ = file.try_lock();
            Ok(file)
        });
        let lock = lock.map_err(FileError::creating(partial.display()))?;
        Ok(UnplacedFolder { to: to.to_owned(), partial, lock, is_resumable, placed: false })
    }

    /// Goes on with what a run that was killed left, and locks it. An error where there is no such folder.
    pub fn go_on(to: &Path) -> Result<UnplacedFolder, ConvertError> {
        let partial = UnplacedFolder::partial_of(to);
        let how = &mut OpenOptions::new();
        let lock = open_regular_as(how.read(true).write(true), &partial.join(ORIGIN))
            .map_err(|_| ConvertError::PartialChanged { path: partial.clone() })?;
        if lock.try_lock().is_err() {
            return Err(ConvertError::Busy { path: partial });
        }
        interrupt::begun(&partial, UnfinishedKind::Resumable);
        Ok(UnplacedFolder { to: to.to_owned(), partial, lock, is_resumable: true, placed: false })
    }

    /// Returns the passing name of a folder.
    pub fn partial_of(to: &Path) -> PathBuf {
        with_suffix(to, PARTIAL)
    }

    /// Returns where it stands until it is whole.
    pub fn path(&self) -> &Path {
        &self.partial
    }

    /// Gives it its place, which is returned; all of it must be on the disk.
    pub fn place(mut self) -> Result<PathBuf, ConvertError> {
        interrupt::uninterrupted(|| {
            fs::rename(&self.partial, &self.to).map_err(|source| match source.kind() {
                ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists | ErrorKind::NotADirectory => {
                    ConvertError::OutputThere { path: self.to.clone() }
                }
                _ => FileError::creating(self.to.display())(source).into(),
            })?;
            self.placed = true;
            interrupt::ended(&self.partial);
            Ok::<(), ConvertError>(())
        })?;
        sync_folder(&self.to);
        Ok(std::mem::take(&mut self.to))
    }

    /// Makes the error of something that could not be written in it.
    pub fn failed(&self, source: io::Error) -> ConvertError {
        FileError::writing(self.partial.display())(source).into()
    }
}

impl Drop for UnplacedFolder {
    /// Removes it, unless it has its place, or another run can go on with it and that is worth it.
    fn drop(&mut self) {
        let is_kept = self.is_resumable && interrupt::is_worth_keeping();
        if !self.placed && !is_kept {
            // That it can't be removed could be told to nobody.
            let _ = fs::remove_dir_all(&self.partial);
            interrupt::ended(&self.partial);
        }
    }
}

/// Removes what a run that was killed left; what somebody still writes, or is none, stays and is an error.
fn make_room(partial: &Path) -> Result<(), ConvertError> {
    if fs::symlink_metadata(partial).is_err() {
        return Ok(());
    }
    let creating = FileError::creating(partial.display());
    let begun = open_regular_as(OpenOptions::new().read(true), &partial.join(ORIGIN));
    let begun = begun.map_err(|_| creating(ErrorKind::AlreadyExists.into()))?;
    if begun.try_lock().is_err() {
        return Err(ConvertError::Busy { path: partial.to_owned() });
    }
    Ok(fs::remove_dir_all(partial).map_err(creating)?)
}

/// Refuses a place that is taken; an empty folder is a place.
pub fn check(to: &Path) -> Result<(), ConvertError> {
    let is_free = match fs::read_dir(to) {
        Ok(mut entries) => entries.next().is_none(),
        Err(_) => fs::symlink_metadata(to).is_err(),
    };
    if is_free { Ok(()) } else { Err(ConvertError::OutputThere { path: to.to_owned() }) }
}
