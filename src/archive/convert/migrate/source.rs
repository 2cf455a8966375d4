//! Messages that are alone in their files, in the order in which they are written, some of them at a time.

use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::origin::{OriginHead, OriginReader, OriginRecord};
use crate::archive::convert::beside::apple;
use crate::archive::convert::beside::maildir::marks_of_name;
use crate::archive::convert::beside::mh::MhMarks;
use crate::archive::convert::beside::{KeywordLetters, MessageMarks};
use crate::archive::convert::{ConvertError, SingleMessage, SourceCursor, Task, read_held};
use crate::archive::maildir_name::base;
use crate::archive::replace::folder_of;
use crate::archive::sha256::Sha256;

/// The octets of files that are held at the same time, about.
const AT_ONCE: u64 = 1 << 20;

/// The files that are held at the same time at most.
pub const FILES: usize = 128;

/// A message that is alone in its file, and what is known of it besides its octets.
#[derive(Debug)]
pub struct SourceMessage {
    /// The name of its file in reports.
    pub input: String,
    /// Its octets there.
    pub octets: Vec<u8>,
    /// What the name of its file says, in a Maildir, the marks of an MH folder, or Apple Mail behind the message.
    pub state: Option<MessageMarks>,
    /// Whether it stands in a Maildir.
    pub in_maildir: bool,
    /// When the file was changed, in seconds since 1970; or why that can't be told.
    pub modified: Result<i64, String>,
    /// What is kept of the mailbox file that it came from, and in which line.
    pub kept: Option<(u64, OriginRecord)>,
}

/// A file that can't be read as a message.
#[derive(Debug)]
pub struct UnreadFile {
    /// Its name in reports.
    pub name: String,
    /// Why.
    pub error: ConvertError,
}

/// Files that are one message each.
pub struct FileSource<'t> {
    tasks: std::slice::IterMut<'t, Task>,
    /// The octets that a message may have.
    hold: usize,
    origin: Option<OriginReader>,
    /// The marks of the folder that was read last.
    marks: FolderMarks,
    read: FilesRead,
    /// What was read to see the first message.
    looked_at: Option<(Vec<Result<SourceMessage, UnreadFile>>, FilesRead)>,
}

/// What a file beside the messages of a folder says of them.
#[derive(Default)]
struct FolderMarks {
    folder: PathBuf,
    mh: MhMarks,
    keywords: KeywordLetters,
}

/// How far files are read.
#[derive(Clone, Default)]
pub struct FilesRead {
    /// How many.
    done: u64,
    /// What they are known by.
    known: Sha256,
}

impl FilesRead {
    /// Returns it as a journal has it.
    pub fn cursor(&self) -> SourceCursor {
        SourceCursor::Files { done: self.done, known_by: self.known.clone().hex() }
    }
}

impl<'t> FileSource<'t> {
    /// Opens the messages of files, from where another run was (`at`), if one was; it is an error where the files are
    /// not what they were then. A message of more than `hold` octets is an error when it is read.
    pub fn open(tasks: &'t mut [Task], at: Option<&SourceCursor>, hold: usize) -> Result<FileSource<'t>, ConvertError> {
        let origin = folder_of_all(tasks).and_then(|folder| OriginReader::open(&folder));
        let name = tasks.first().map_or_else(String::new, |task| task.input.name.clone());
        let (tasks, read) = (tasks.iter_mut(), FilesRead::default());
        let mut files = FileSource { tasks, hold, origin, marks: FolderMarks::default(), read, looked_at: None };
        match at {
            None => Ok(files),
            Some(at @ SourceCursor::Files { done, .. }) if files.pass(*done).cursor() == *at => Ok(files),
            Some(_) => Err(ConvertError::InputChanged { name }),
        }
    }

    /// Returns what is known of the mailbox file that they came from.
    pub fn head(&self) -> Option<OriginHead> {
        self.origin.as_ref().map(|origin| origin.head.clone())
    }

    /// Passes over so many files. It passes over fewer where there are no more.
    fn pass(&mut self, done: u64) -> &FilesRead {
        while self.read.done < done && self.next_task().is_some() {}
        &self.read
    }

    /// Returns the next file, which counts as read from then on.
    fn next_task(&mut self) -> Option<&'t mut Task> {
        let task = self.tasks.next()?;
        let name = task.input.path_alone().and_then(Path::file_name);
        self.read.known.update(name.map_or(task.input.name.as_bytes(), |name| known_by(name, task)));
        self.read.known.update(b"\0");
        self.read.done += 1;
        Some(task)
    }

    /// Reads on to the first message, if nothing was read yet. Those read together with it are given by
    /// [`next`](Self::next) as if nobody had looked.
    pub fn look_at_first(&mut self) {
        self.looked_at = self.next();
    }

    /// Returns the octets of the first message, if it was looked at.
    pub fn first(&self) -> Option<&[u8]> {
        let (found, _) = self.looked_at.as_ref()?;
        found.iter().flatten().next().map(|found| &*found.octets)
    }

    /// Reads the next files, some of them together; none at the end.
    pub fn next(&mut self) -> Option<(Vec<Result<SourceMessage, UnreadFile>>, FilesRead)> {
        if let Some(found) = self.looked_at.take() {
            return Some(found);
        }
        let (mut found, mut size) = (Vec::new(), 0);
        while found.len() < FILES && size < AT_ONCE {
            let Some(task) = self.next_task() else { break };
            let one = self.read(task);
            size += one.as_ref().map_or(0, |found| found.octets.len() as u64);
            found.push(one.map_err(|error| UnreadFile { name: task.input.name.clone(), error }));
        }
        (!found.is_empty()).then(|| (found, self.read.clone()))
    }

    /// Reads a file that is one message, without what Apple Mail writes around it; one that is larger than what is held
    /// is an error. Files come in the order of their names, for so what is kept beside them is found.
    fn read(&mut self, task: &mut Task) -> Result<SourceMessage, ConvertError> {
        let name = task.input.name.clone();
        let (mut octets, _) = read_held(&mut task.input, self.hold)?;
        if octets.len() > self.hold {
            return Err(ConvertError::Giant { name, message: 1 });
        }
        // What Apple Mail writes around a message has no place beside one in another form.
        let single = SingleMessage::of(&octets);
        if single.is_miscounted() {
            return Err(ConvertError::Miscounted { name });
        }
        let of_apple = single.apple_flags().map(apple::marks_of);
        if single.from_line.is_empty() && single.message.len() < octets.len() {
            octets = single.message.to_vec();
        }
        let path = task.input.path_alone();
        let file_name = path.and_then(Path::file_name);
        let in_maildir = task.in_maildir && file_name.is_some();
        let state = of_apple.or_else(|| self.marks.of_file(path?, in_maildir));
        let kept = self.origin.as_mut().zip(file_name).and_then(|(origin, name)| origin.find(known_by(name, task)));
        let modified = modified(path).map_err(|error| error.to_string());
        Ok(SourceMessage { input: name, octets, state, in_maildir, modified, kept })
    }
}

impl FolderMarks {
    /// Returns what is known of a message by the name of its file and by what stands beside it, which is read anew
    /// where that is another folder's.
    fn of_file(&mut self, path: &Path, in_maildir: bool) -> Option<MessageMarks> {
        let (part, name) = (folder_of(path), path.file_name()?);
        let folder = if in_maildir { folder_of(part) } else { part };
        if self.folder != folder {
            let (mh, keywords) = (MhMarks::of(folder), KeywordLetters::of(folder));
            *self = FolderMarks { folder: folder.to_owned(), mh, keywords };
        }
        match in_maildir {
            true => Some(marks_of_name(name, part.file_name().is_some_and(|part| part == "new"), &self.keywords)),
            false => self.mh.marks_of(name.to_str()?),
        }
    }
}

/// Returns when a file was changed, in seconds since 1970: 0 for a time before that, or without a file.
fn modified(path: Option<&Path>) -> io::Result<i64> {
    let Some(path) = path else { return Ok(0) };
    let since = path.metadata()?.modified()?.duration_since(UNIX_EPOCH);
    Ok(since.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX)))
}

/// Returns what a file is known by among the messages of its folder, in whose order they come. Of two messages of a
/// Maildir with one name before the first comma nothing was kept that could be told apart.
fn known_by<'n>(name: &'n std::ffi::OsStr, task: &Task) -> &'n [u8] {
    if task.sized { base(name) } else { name.as_encoded_bytes() }
}

/// Sorts the messages of a Maildir by their own names, wherever they stand in it: so they came in.
pub fn sort_by_own_name(tasks: &mut [Task]) {
    tasks.sort_by_cached_key(|task| Some(base(task.input.path.as_deref()?.file_name()?).to_vec()));
}

/// Returns the folder that all files are of: of a Maildir, the one that its cur and new are in.
fn folder_of_all(tasks: &[Task]) -> Option<std::path::PathBuf> {
    let folder = |task: &Task| {
        let folder = task.input.path_alone()?.parent()?;
        Some(if task.in_maildir { folder.parent()? } else { folder }.to_owned())
    };
    let first = folder(tasks.first()?)?;
    tasks.iter().all(|task| folder(task).as_ref() == Some(&first)).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_that_can_not_be_read_is_not_that_of_1970() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(modified(Some(&folder.path().join("gone"))).is_err());
        assert!(modified(Some(folder.path())).expect("a time") > 1_700_000_000);
    }
}
