//! The messages that are on their way to another form, in the order in which they are written, some megabytes at a time.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use super::apple;
use super::flags::MessageFlags;
use super::mh_marks::MhMarks;
use super::origin::{OriginHead, OriginReader, OriginRecord};
use super::pseudo::is_pseudo;
use crate::archive::convert::batch::{Batch, Batches};
use crate::archive::convert::cursor::SourceCursor;
use crate::archive::convert::error::ConvertError;
use crate::archive::convert::input::Format;
use crate::archive::convert::packing::OutputFormat;
use crate::archive::convert::single::SingleMessage;
use crate::archive::convert::task::Task;
use crate::archive::convert::written::identity;
use crate::archive::maildir_name::base;
use crate::archive::replace::{Identity, folder_of};
use crate::archive::sha256::Sha256;
use crate::protocol::mbox::Dialect;

/// The octets of files that are held at the same time, about.
const AT_ONCE: u64 = 4 << 20;

/// The files that are held at the same time at most.
const FILES: usize = 256;

/// A message as it stands in its file.
#[derive(Debug)]
pub struct SourceMessage {
    /// The name of its file in reports.
    pub input: Arc<str>,
    /// Which message of that file, from 1.
    pub message: u64,
    /// Where it starts there.
    pub offset: u64,
    /// Its octets there.
    pub octets: Vec<u8>,
    /// What stands beside them.
    pub beside: MessageOrigin,
}

/// What is known of a message besides its octets.
#[derive(Debug)]
pub enum MessageOrigin {
    /// It stands in a mailbox file.
    Mailbox {
        /// The dialect of that.
        dialect: Dialect,
        /// Whether a length joins it with its neighbours there, against the From_ lines.
        is_covered: bool,
    },
    /// It is alone in its file.
    File {
        /// What the name of its file says, in a Maildir, the marks of an MH folder, or Apple Mail behind the message.
        state: Option<MessageFlags>,
        /// Whether it stands in a Maildir.
        in_maildir: bool,
        /// When the file was changed, in seconds since 1970; or why that can't be told.
        modified: Result<i64, String>,
        /// What is kept of the mailbox file that it came from, and in which line.
        kept: Option<(u64, OriginRecord)>,
    },
}

/// Where messages come from.
pub enum MessageSource<'t> {
    /// A mailbox file.
    Mailbox(Box<MailboxSource>),
    /// Files that are one message each.
    Files(Box<FileSource<'t>>),
}

/// A mailbox file.
pub struct MailboxSource {
    batches: Batches<Box<dyn Read + Send>>,
    input: Arc<str>,
    dialect: Dialect,
    message: u64,
    before: Vec<u8>,
    /// Whether a first message that is no mail counts as what stands before the first.
    leaves_pseudo: bool,
    /// Whether there was one.
    has_pseudo: bool,
    /// What the file was when it was opened.
    identity: Option<Identity>,
    /// The octets read, up to the start of a message.
    read: u64,
}

/// Files that are one message each.
pub struct FileSource<'t> {
    tasks: std::slice::IterMut<'t, Task>,
    origin: Option<OriginReader>,
    /// The marks of the folder that was read last.
    marks: (PathBuf, MhMarks),
    /// How many were read, and what they are known by.
    done: u64,
    known: Sha256,
}

impl<'t> MessageSource<'t> {
    /// Opens the messages of tasks: one mailbox file alone, or files of one message each, never both. A message of more than
    /// `hold` octets is an error when it is read. On the way to a folder of messages, a first one that is no mail
    /// ([`is_pseudo`]) is none. They are read from where another run was (`at`), if one was; it is an error where they are not
    /// what they were then.
    pub fn open(
        tasks: &'t mut [Task],
        hold: usize,
        to: OutputFormat,
        at: Option<&SourceCursor>,
    ) -> Result<MessageSource<'t>, ConvertError> {
        match tasks {
            [task] if task.input.format == Format::Mbox => {
                MailboxSource::open(task, hold, to, at).map(|mailbox| MessageSource::Mailbox(Box::new(mailbox)))
            }
            tasks => FileSource::open(tasks, at).map(|files| MessageSource::Files(Box::new(files))),
        }
    }

    /// Tells how far they are read; none where a run that is killed could not go on from there, since they can be read only once.
    pub fn cursor(&self) -> Option<SourceCursor> {
        Some(match self {
            MessageSource::Mailbox(mailbox) => SourceCursor::Mailbox {
                input: Some(mailbox.identity.clone()?),
                read: mailbox.read,
                message: mailbox.message,
            },
            MessageSource::Files(files) => {
                SourceCursor::Files { done: files.done, known_by: files.known.clone().hex() }
            }
        })
    }

    /// Returns what is known of the mailbox file that the messages stand in, or came from; complete once a message was read.
    pub fn head(&self) -> Option<OriginHead> {
        match self {
            MessageSource::Mailbox(mailbox) => Some(OriginHead::new(mailbox.dialect, mailbox.before.clone())),
            MessageSource::Files(files) => files.origin.as_ref().map(|origin| origin.head.clone()),
        }
    }

    /// Returns `true` if a first message that is no mail was passed over.
    pub fn has_pseudo(&self) -> bool {
        matches!(self, MessageSource::Mailbox(mailbox) if mailbox.has_pseudo)
    }

    /// Reads the next messages; none at the end. A file that can't be read is an error among them.
    pub fn next(&mut self, hold: usize) -> Result<Vec<Result<SourceMessage, ConvertError>>, ConvertError> {
        match self {
            MessageSource::Mailbox(mailbox) => Ok(mailbox.next(hold)?.into_iter().map(Ok).collect()),
            MessageSource::Files(files) => Ok(files.next(hold)),
        }
    }
}

impl MailboxSource {
    fn open(
        task: &mut Task,
        hold: usize,
        to: OutputFormat,
        at: Option<&SourceCursor>,
    ) -> Result<MailboxSource, ConvertError> {
        let (identity, mailbox) = (identity(&task.input), task.input.mailbox);
        let (read, message) = match at {
            None => (0, 0),
            Some(SourceCursor::Mailbox { input, read, message }) if *input == identity => (*read, *message),
            Some(_) => return Err(ConvertError::InputChanged { name: task.input.name.clone() }),
        };
        Ok(MailboxSource {
            batches: Batches::starting(task.input.open_range(read, None)?, hold, mailbox, read),
            input: task.input.name.as_str().into(),
            dialect: mailbox.dialect,
            message,
            before: Vec::new(),
            leaves_pseudo: !to.is_mailbox(),
            has_pseudo: false,
            identity,
            read,
        })
    }

    /// Returns the messages of the next batch that has any; none at the end.
    fn next(&mut self, hold: usize) -> Result<Vec<SourceMessage>, ConvertError> {
        loop {
            let failing = |source| ConvertError::Read { name: self.input.to_string(), source };
            let Some(batch) = self.batches.next(Vec::new()).map_err(failing)? else { return Ok(Vec::new()) };
            let found = self.part(&batch, hold)?;
            self.read = batch.at + batch.octets().len() as u64;
            if !found.is_empty() {
                return Ok(found);
            }
        }
    }

    /// Parts a batch into its messages; one that goes on in the next batch is larger than is held, which is an error.
    fn part(&mut self, batch: &Batch, hold: usize) -> Result<Vec<SourceMessage>, ConvertError> {
        let octets = batch.octets();
        if self.message == 0 {
            let first = batch.starts.first().copied().unwrap_or(octets.len());
            self.before.extend_from_slice(&octets[..first]);
        }
        let mut found = Vec::with_capacity(batch.starts.len());
        for span in batch.spans() {
            self.message += 1;
            if self.message == 1 && self.leaves_pseudo && is_pseudo(&octets[span.clone()]) {
                self.has_pseudo = true;
                self.before.extend_from_slice(&octets[span]);
                continue;
            }
            let (input, offset) = (self.input.clone(), batch.at + span.start as u64);
            let beside = MessageOrigin::Mailbox { dialect: self.dialect, is_covered: batch.is_covered(&span) };
            let octets = octets[span].to_vec();
            found.push(SourceMessage { input, message: self.message, offset, octets, beside });
        }
        // What goes on in the next batch is more than is held; so is what stands before the first message, if it is that large.
        match (batch.open && !found.is_empty()) || self.before.len() > hold {
            true => Err(ConvertError::Giant { name: self.input.to_string(), message: self.message.max(1) }),
            false => Ok(found),
        }
    }
}

impl<'t> FileSource<'t> {
    fn open(tasks: &'t mut [Task], at: Option<&SourceCursor>) -> Result<FileSource<'t>, ConvertError> {
        let origin = folder_of_all(tasks).and_then(|folder| OriginReader::open(&folder));
        let name = tasks.first().map_or_else(String::new, |task| task.input.name.clone());
        let (done, known) = (0, Sha256::default());
        let mut files = FileSource { tasks: tasks.iter_mut(), origin, marks: Default::default(), done, known };
        match at {
            None => Ok(files),
            Some(SourceCursor::Files { done, known_by }) if files.pass(*done) == *known_by => Ok(files),
            Some(_) => Err(ConvertError::InputChanged { name }),
        }
    }

    /// Passes over so many files, and returns what they are known by.
    fn pass(&mut self, done: u64) -> String {
        while self.done < done && self.next_task().is_some() {}
        self.known.clone().hex()
    }

    /// Returns the next file, which counts as read from then on.
    fn next_task(&mut self) -> Option<&'t mut Task> {
        let task = self.tasks.next()?;
        let name = task.input.path_alone().and_then(Path::file_name);
        self.known.update(name.map_or(task.input.name.as_bytes(), |name| known_by(name, task)));
        self.known.update(b"\0");
        self.done += 1;
        Some(task)
    }

    /// Reads the next files, some megabytes together; none at the end.
    fn next(&mut self, hold: usize) -> Vec<Result<SourceMessage, ConvertError>> {
        let (mut found, mut size) = (Vec::new(), 0);
        while found.len() < FILES && size < AT_ONCE {
            let Some(task) = self.next_task() else { break };
            let one = read(task, self.origin.as_mut(), &mut self.marks, hold);
            size += one.as_ref().map_or(0, |found| found.octets.len() as u64);
            found.push(one);
        }
        found
    }
}

/// Reads a file that is one message, without what Apple Mail writes around it; one that is larger than `hold` is an
/// error.
fn read(
    task: &mut Task,
    origin: Option<&mut OriginReader>,
    marks: &mut (PathBuf, MhMarks),
    hold: usize,
) -> Result<SourceMessage, ConvertError> {
    let name = task.input.name.clone();
    let mut octets = Vec::new();
    let read = task.input.open()?.take(hold as u64 + 1).read_to_end(&mut octets);
    read.map_err(|source| ConvertError::Read { name: name.clone(), source })?;
    if octets.len() > hold {
        return Err(ConvertError::Giant { name, message: 1 });
    }
    // What Apple Mail writes around a message has no place beside one in another form.
    let single = SingleMessage::of(&octets);
    if single.is_miscounted() {
        return Err(ConvertError::Miscounted { name });
    }
    let of_apple = single.apple_flags().map(apple::flags_of);
    if single.from_line.is_empty() && single.message.len() < octets.len() {
        octets = single.message.to_vec();
    }
    let path = task.input.path_alone();
    let file_name = path.and_then(Path::file_name);
    let in_maildir = task.sized && file_name.is_some();
    let beside = || path.and_then(|path| if in_maildir { flags_of(path) } else { marked(path, marks) });
    let state = of_apple.or_else(beside);
    let kept = origin.zip(file_name).and_then(|(origin, name)| origin.find(known_by(name, task)));
    let beside =
        MessageOrigin::File { state, in_maildir, modified: modified(path).map_err(|error| error.to_string()), kept };
    Ok(SourceMessage { input: name.into(), message: 1, offset: 0, octets, beside })
}

/// Returns what the name of a message in a Maildir says of it.
fn flags_of(path: &Path) -> Option<MessageFlags> {
    let is_new = path.parent().and_then(Path::file_name).is_some_and(|folder| folder == "new");
    Some(MessageFlags::of_name(path.file_name()?, is_new))
}

/// Returns what the `marks` of its folder say of a message; they are read anew where they are another folder's.
fn marked(path: &Path, (of, marks): &mut (PathBuf, MhMarks)) -> Option<MessageFlags> {
    let (folder, name) = (folder_of(path), path.file_name()?.to_str()?);
    if of != folder {
        (*of, *marks) = (folder.to_owned(), MhMarks::of(folder));
    }
    marks.flags_of(name)
}

/// Returns when a file was changed, in seconds since 1970: 0 for a time before that, or without a file.
fn modified(path: Option<&Path>) -> io::Result<i64> {
    let Some(path) = path else { return Ok(0) };
    let since = path.metadata()?.modified()?.duration_since(UNIX_EPOCH);
    Ok(since.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX)))
}

/// Returns what a file is known by among the messages of its folder, in whose order they come.
fn known_by<'n>(name: &'n std::ffi::OsStr, task: &Task) -> &'n [u8] {
    if task.sized { base(name) } else { name.as_encoded_bytes() }
}

/// Sorts the messages of a Maildir by their own names, wherever they stand in it: so they came in.
pub fn sort_by_own_name(tasks: &mut [Task]) {
    tasks.sort_by(|one, other| {
        let name = |task: &Task| task.input.path.as_deref().and_then(Path::file_name).map(|name| base(name).to_vec());
        name(one).cmp(&name(other))
    });
}

/// Returns the folder that all files are of: of a Maildir, the one that its cur and new are in.
fn folder_of_all(tasks: &[Task]) -> Option<std::path::PathBuf> {
    let folder = |task: &Task| {
        let folder = task.input.path_alone()?.parent()?;
        Some(if task.sized { folder.parent()? } else { folder }.to_owned())
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
