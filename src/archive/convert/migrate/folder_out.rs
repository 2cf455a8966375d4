//! A Maildir, or a folder of .eml files, while it is written: under a passing name, until it is whole.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::folder_files::FolderFiles;
use super::letter::MovedMessage;
use super::origin::{ORIGIN, OriginHead};
use super::unplaced_folder::UnplacedFolder;
use crate::archive::convert::cursor::FolderCursor;
use crate::archive::convert::error::ConvertError;

/// A folder that is being written.
pub struct FolderOut {
    folder: UnplacedFolder,
    /// Held for its lock.
    lock: File,
    files: FolderFiles,
}

impl FolderOut {
    /// Makes the folder under its passing name, and writes what is known of the mailbox file; with `verifies` what is written is
    /// summed up, for [`difference`](FolderOut::difference). With `is_resumable` what is written stays after an error where going
    /// on is worth it.
    pub fn begin(
        to: &Path,
        is_maildir: bool,
        head: &OriginHead,
        verifies: bool,
        is_resumable: bool,
    ) -> Result<FolderOut, ConvertError> {
        let (folder, lock) = UnplacedFolder::begin(to, is_resumable)?;
        let files = FolderFiles::begin(folder.path(), is_maildir, head, verifies);
        let files = files.map_err(|source| folder.failed(source))?;
        Ok(FolderOut { folder, lock, files })
    }

    /// Goes on with what a run that was killed left. What came behind is removed. It is an error where something else is there.
    /// What is written is not summed up, as what was written is not known.
    pub fn go_on(to: &Path, is_maildir: bool, at: &FolderCursor) -> Result<FolderOut, ConvertError> {
        let (folder, lock) = UnplacedFolder::go_on(to)?;
        let changed = || ConvertError::PartialChanged { path: folder.path().to_owned() };
        let files = FolderFiles::go_on(folder.path(), is_maildir, at);
        let files = files.map_err(|source| ConvertError::Create { path: folder.path().to_owned(), source })?;
        let files = files.ok_or_else(changed)?;
        Ok(FolderOut { folder, lock, files })
    }

    /// Tells how far it is, with all of that flushed to the disk.
    pub fn cursor(&mut self) -> Result<FolderCursor, ConvertError> {
        let flushed = self.files.flush().and_then(|()| Ok(rustix::fs::syncfs(&self.lock)?));
        flushed.map_err(|source| self.folder.failed(source))?;
        Ok(self.files.cursor())
    }

    /// Returns `true` if a run that was killed had given the folder its place, of which the file that is kept beside the messages
    /// has this number.
    pub fn is_placed(to: &Path, ino: u64) -> bool {
        let there = fs::symlink_metadata(to.join(ORIGIN));
        !UnplacedFolder::partial_of(to).exists() && there.is_ok_and(|there| there.ino() == ino)
    }

    /// Returns where it stands until it is whole.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a message; returns `true` if a keyword of it is lost.
    pub fn write(&mut self, moved: &MovedMessage) -> Result<bool, ConvertError> {
        self.files.write(moved).map_err(|source| self.folder.failed(source))
    }

    /// Says how what is read back differs from what was written; none where it doesn't. It must be flushed before.
    pub fn difference(&self) -> Result<Option<String>, ConvertError> {
        let failing = |source| ConvertError::Read { name: self.path().display().to_string(), source };
        self.files.difference().map_err(failing)
    }

    /// Flushes all of it to the disk, before it may take its place.
    pub fn flush(&mut self) -> Result<(), ConvertError> {
        let flushed = self.files.end().and_then(|()| Ok(rustix::fs::syncfs(&self.lock)?));
        flushed.map_err(|source| self.folder.failed(source))
    }

    /// Gives it its place.
    pub fn place(self) -> Result<(), ConvertError> {
        self.folder.place().map(drop)
    }
}
