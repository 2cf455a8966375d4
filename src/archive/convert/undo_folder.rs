//! The undo file of a Maildir: one file beside the folder, which grows with every chunk of messages.
//!
//! It has its name from the start, for messages take their places while it is written. Each message's records are on
//! the disk before the message has its place; so a run that ends early can be undone as well.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::undo_file::maker;
use super::{ConvertError, FileTasks, Job, Task, Within, undo_path};
use crate::archive::file_error::FileError;
use crate::archive::interrupt::{self, UnfinishedKind};
use crate::archive::replace::open_regular_as;
use crate::archive::replace::path_json::JsonPath;
use crate::archive::undo::format::{FileNames, Hunk, Records, write_file, write_head, write_whole};

/// The undo file of a Maildir.
#[derive(Debug)]
pub struct UndoFolder {
    file: File,
    path: PathBuf,
    len: u64,
    /// Whether a message has its place from which it leads back; else it goes with a run that fails.
    leads_back: bool,
}

impl UndoFolder {
    /// Returns its path, where one is asked for; none of files that are no Maildir, and where nothing is written.
    pub fn wanted(job: &Job, files: &FileTasks) -> Option<PathBuf> {
        let (_, to) = files.folder.as_ref().filter(|_| job.rules.keep_original)?;
        files.tasks.iter().any(|task| task.target.path().is_some()).then(|| undo_path(to))
    }

    /// Returns the path of one in another folder: a run that starts anew makes all its messages again, and this too.
    pub fn elsewhere(job: &Job, files: &FileTasks) -> Option<PathBuf> {
        let in_place = files.folder.as_ref().is_some_and(|(from, to)| from == to);
        UndoFolder::wanted(job, files).filter(|_| !in_place)
    }

    /// Refuses to begin one where something stands already, which may be the only way back from an earlier
    /// conversion, or a link.
    pub fn check(job: &Job, files: &FileTasks) -> Result<(), ConvertError> {
        let Some(path) = UndoFolder::wanted(job, files) else { return Ok(()) };
        match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Ok(there) if there.is_symlink() => {
                Err(FileError::creating(path.display())(io::Error::other("a symbolic link is there")).into())
            }
            Ok(_) | Err(_) => Err(ConvertError::UndoExists { path }),
        }
    }

    /// Refuses to go on with an interrupted run whose undo file is not there any more as that run left it: somebody
    /// undid it.
    pub fn check_left(job: &Job, files: &FileTasks) -> Result<(), ConvertError> {
        let (Within::Files { undo: Some(len), .. } | Within::Commit { undo: Some(len), .. }) = job.mark.within else {
            return Ok(());
        };
        let Some(path) = UndoFolder::wanted(job, files).filter(|_| len > 0) else { return Ok(()) };
        match fs::symlink_metadata(&path) {
            Ok(there) if there.is_file() && there.len() >= len => Ok(()),
            _ => Err(ConvertError::PartialChanged { path }),
        }
    }

    /// Opens it where one is asked for, and goes on behind the first `written` octets, which an interrupted run
    /// wrote. The rest is cut off; so for a new one [`UndoFolder::check`] must be asked before.
    pub fn open(job: &Job, files: &FileTasks, written: u64) -> Result<Option<UndoFolder>, FileError> {
        let Some(path) = UndoFolder::wanted(job, files) else { return Ok(None) };
        let open = || {
            // Never through a link, which somebody may have put there meanwhile.
            let mut how = OpenOptions::new();
            let mut file = open_regular_as(how.write(true).create(true).truncate(false).mode(0o600), &path)?;
            if written == 0 {
                interrupt::begun(&path, UnfinishedKind::Waiting);
            }
            file.set_len(written)?;
            if written == 0 {
                write_head(&maker(job.profiles.usual(), true), &mut file)?;
            }
            let len = file.seek(SeekFrom::End(0))?;
            let mut undo = UndoFolder { file, path: path.clone(), len, leads_back: false };
            undo.settle(written > 0);
            Ok(undo)
        };
        open().map(Some).map_err(FileError::creating(path.display()))
    }

    /// Has it stay: messages are about to take their places.
    pub fn stays(&self) {
        interrupt::ended(&self.path);
    }

    /// Has it stay where a message has its place, now or before, and go with a run that fails where none has.
    pub fn settle(&mut self, has_placed: bool) {
        self.leads_back |= has_placed;
        match self.leads_back {
            true => interrupt::ended(&self.path),
            false => interrupt::begun(&self.path, UnfinishedKind::Waiting),
        }
    }

    /// Adds the records of a message, or nothing where there is no room for all of them; they are not on the disk
    /// before [`flush`](Self::flush).
    pub fn add(&mut self, records: &[u8]) -> Result<(), FileError> {
        self.file.write_all(records).map_err(|source| self.take_back(source))?;
        self.len += records.len() as u64;
        Ok(())
    }

    /// Cuts off what was written in part, lest it be taken for an undo file that was damaged; makes the error.
    fn take_back(&self, source: io::Error) -> FileError {
        // What is left, `septet undo` names.
        let _ = self.file.set_len(self.len);
        self.failed(source)
    }

    /// Flushes it to the disk, and returns how long it is.
    pub fn flush(&mut self) -> Result<u64, FileError> {
        self.file.sync_data().map_err(|source| self.failed(source))?;
        Ok(self.len)
    }

    /// Writes its last line, which says that it is whole, and flushes it; it stays from then on.
    pub fn end(mut self) -> Result<(), FileError> {
        write_whole(&mut self.file).map_err(|source| self.take_back(source))?;
        self.file.sync_all().map_err(|source| self.failed(source))?;
        self.stays();
        Ok(())
    }

    /// Makes the error of what could not be written into it.
    fn failed(&self, source: io::Error) -> FileError {
        FileError::writing(self.path.display())(source)
    }
}

/// Writes the records of a message that changed, named below its Maildirs; none where nothing is written.
pub fn records_of(task: &Task, (from, to): &(PathBuf, PathBuf), (old, new): (&[u8], &[u8]), hunks: &[Hunk]) -> Vec<u8> {
    let (Some(input), Some(output)) = (&task.input.path, task.target.path()) else { return Vec::new() };
    let below = |path: &Path, folder: &Path| {
        let whole = fs::canonicalize(folder).ok().and_then(|folder| path.strip_prefix(folder).ok().map(Path::to_owned));
        JsonPath(whole.or_else(|| path.strip_prefix(folder).ok().map(Path::to_owned)).unwrap_or(path.to_owned()))
    };
    let names = FileNames { name: below(output, to), was: below(input, from) };
    let (mut out, mut records) = (Vec::new(), Records::default());
    let written = write_file(&names, &mut out)
        .and_then(|()| records.replace(old, new, hunks, &mut out))
        .and_then(|()| records.end(&mut out).map(drop));
    debug_assert!(written.is_ok(), "memory can be written");
    out
}
