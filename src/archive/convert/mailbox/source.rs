//! Where the messages of a mailbox come from: a mailbox file, or files that are one message each; some megabytes at a
//! time.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::{Mutex, PoisonError};

use super::workers::HoldsOctets;
use crate::archive::convert::beside::KnownKeywords;
use crate::archive::convert::migrate::pseudo::is_pseudo;
use crate::archive::convert::migrate::source::FileSource;
use crate::archive::convert::migrate::{FilesRead, OriginHead, SourceMessage, UnreadFile};
use crate::archive::convert::{Batch, Batches, ByteRange, ConvertError, Format, Input, SourceCursor, Task};
use crate::archive::file_error::FileError;
use crate::archive::replace::Identity;
use crate::message::Limits;
use crate::protocol::mbox::Dialect;

/// Buffers that wait to be read into again.
#[derive(Default)]
pub struct SpareBuffers(Mutex<Vec<Vec<u8>>>);

impl SpareBuffers {
    /// Takes a buffer, a new one where none waits.
    pub fn take(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// Keeps the buffer of a batch.
    pub fn give_back(&self, batch: Batch) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(batch.into_buffer());
    }
}

/// Where messages come from.
pub enum Source<'t> {
    /// A mailbox file.
    Mailbox(Box<MailboxSource>),
    /// Files that are one message each.
    Files(Box<FileSource<'t>>),
}

/// Messages that were read together.
pub enum ReadBatch {
    /// Octets of a mailbox file.
    Octets(Batch),
    /// Messages that were alone in their files, or why one can't be read, and how far the files are read.
    Files(Vec<Result<SourceMessage, UnreadFile>>, FilesRead),
}

impl HoldsOctets for ReadBatch {
    /// Returns the octets that were read, of files those that could be.
    fn octets(&self) -> usize {
        match self {
            ReadBatch::Octets(batch) => batch.octets().len(),
            ReadBatch::Files(files, _) => files.iter().flatten().map(|found| found.octets.len()).sum(),
        }
    }
}

/// A mailbox file.
pub struct MailboxSource {
    batches: Batches<Box<dyn Read + Send>>,
    name: String,
    dialect: Dialect,
    /// What was read to see what stands before the first message.
    looked_at: VecDeque<Batch>,
    before: Vec<u8>,
    has_pseudo: bool,
}

impl<'t> Source<'t> {
    /// Opens the messages of tasks: one mailbox file alone, of which a `stretch` is read, or files of one message each,
    /// never both. A message is held whole up to `hold` octets. It is an error where they are not what they were when
    /// another run was there (`at`).
    pub fn open(
        tasks: &'t mut [Task],
        hold: usize,
        stretch: ByteRange,
        at: Option<&SourceCursor>,
    ) -> Result<Source<'t>, ConvertError> {
        match tasks {
            [task] if task.input.format == Format::Mbox => MailboxSource::open(&mut task.input, hold, stretch, at)
                .map(|mailbox| Source::Mailbox(Box::new(mailbox))),
            tasks => FileSource::open(tasks, at, hold).map(|files| Source::Files(Box::new(files))),
        }
    }

    /// Reads on to the first message, of a mailbox file only where it `parts_messages`, each of which becomes a file:
    /// then it must be known what stands before the first. A first one that is no mail ([`is_pseudo`]) counts as such.
    pub fn look_at_first(&mut self, hold: usize, parts_messages: bool) -> Result<(), ConvertError> {
        match self {
            Source::Mailbox(mailbox) if parts_messages => mailbox.look_before_first(hold),
            Source::Mailbox(_) => Ok(()),
            Source::Files(files) => {
                files.look_at_first();
                Ok(())
            }
        }
    }

    /// Returns the keywords that the first message names, if it was looked at. None where it was not: nobody wants them
    /// of a mailbox file that becomes a mailbox file.
    pub fn known(&self, limits: &Limits) -> KnownKeywords {
        let first = match self {
            Source::Mailbox(mailbox) => mailbox.first(),
            Source::Files(files) => files.first(),
        };
        first.map(|first| KnownKeywords::of(first, limits)).unwrap_or_default()
    }

    /// Returns what is known of the mailbox file that the messages stand in, or came from.
    pub fn head(&self) -> Option<OriginHead> {
        match self {
            Source::Mailbox(mailbox) => Some(OriginHead::new(mailbox.dialect, mailbox.before.clone())),
            Source::Files(files) => files.head(),
        }
    }

    /// Returns `true` if a first message that is no mail was passed over.
    pub fn has_pseudo(&self) -> bool {
        matches!(self, Source::Mailbox(mailbox) if mailbox.has_pseudo)
    }

    /// Reads the next messages; none at the end. What is read beyond them goes into a buffer that is used again.
    pub fn next(&mut self, spare: Vec<u8>) -> Result<Option<ReadBatch>, ConvertError> {
        match self {
            Source::Mailbox(mailbox) => Ok(mailbox.next(spare)?.map(ReadBatch::Octets)),
            Source::Files(files) => Ok(files.next().map(|(found, read)| ReadBatch::Files(found, read))),
        }
    }
}

impl MailboxSource {
    /// Opens the mailbox file where the stretch starts, or where another run was; it is an error where it is not the
    /// file that it was then.
    fn open(
        input: &mut Input,
        hold: usize,
        stretch: ByteRange,
        at: Option<&SourceCursor>,
    ) -> Result<MailboxSource, ConvertError> {
        let read = match at {
            None => stretch.start,
            Some(SourceCursor::Mailbox { input: was, read, .. }) if *was == identity(input) => *read,
            Some(_) => return Err(ConvertError::InputChanged { name: input.name.clone() }),
        };
        let from = input.open_range(read, stretch.end)?;
        Ok(MailboxSource {
            batches: Batches::starting(from, hold, input.mailbox, read),
            name: input.name.clone(),
            dialect: input.mailbox.dialect,
            looked_at: VecDeque::new(),
            before: Vec::new(),
            has_pseudo: false,
        })
    }

    /// Reads the next batch, first of all those that were looked at; none at the end.
    fn next(&mut self, spare: Vec<u8>) -> Result<Option<Batch>, ConvertError> {
        if let Some(batch) = self.looked_at.pop_front() {
            return Ok(Some(batch));
        }
        Ok(self.batches.next(spare).map_err(FileError::reading(&self.name))?)
    }

    /// Returns the octets of the first message, or of the one that is no mail, if it was looked at.
    fn first(&self) -> Option<&[u8]> {
        if self.has_pseudo {
            return Some(&self.before);
        }
        let batch = self.looked_at.iter().find(|batch| !batch.starts.is_empty())?;
        batch.spans().next().map(|first| &batch.octets()[first])
    }

    /// Reads on to the first message that is mail, and keeps what stands before it, the message that is none included.
    /// The batches are given later as if nobody had looked, but without the start of that one. An error where more
    /// stands there than is held.
    fn look_before_first(&mut self, hold: usize) -> Result<(), ConvertError> {
        let mut read = VecDeque::new();
        while let Some(mut batch) = self.next(Vec::new())? {
            let is_found = !batch.starts.is_empty();
            self.has_pseudo = batch.spans().next().is_some_and(|first| is_pseudo(&batch.octets()[first]));
            if self.has_pseudo {
                batch.starts.remove(0);
            }
            let end = batch.starts.first().copied().unwrap_or(batch.octets().len());
            self.before.extend_from_slice(&batch.octets()[..end]);
            read.push_back(batch);
            if self.before.len() > hold {
                return Err(ConvertError::Giant { name: self.name.clone(), message: 1 });
            }
            if is_found {
                break;
            }
        }
        self.looked_at = read;
        Ok(())
    }
}

/// Takes the identity of an input that has a place; none of what has no path, and of what is gone.
pub fn identity(input: &Input) -> Option<Identity> {
    std::fs::metadata(input.path.as_deref()?).ok().map(|file| Identity::of(&file))
}
