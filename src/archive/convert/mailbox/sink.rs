//! Where the messages of a mailbox go: a mailbox file, or a folder of messages.

use std::fs::File;
use std::path::Path;

use super::plan::PlannedBatch;
use super::written::{Model, WrittenMailbox};
use crate::archive::convert::cursor::SinkCursor;
use crate::archive::convert::error::ConvertError;
use crate::archive::convert::job::Job;
use crate::archive::convert::migrate::folder_out::FolderOut;
use crate::archive::convert::migrate::letter::Way;
use crate::archive::convert::migrate::origin::OriginHead;
use crate::archive::convert::packing::OutputFormat;
use crate::archive::convert::target::OutputTarget;
use crate::archive::convert::task::NewMailbox;
use crate::archive::replace::TemporaryNames;

/// Where messages go.
pub enum Sink<'t> {
    /// To a mailbox file, or nowhere.
    Mailbox(Box<WrittenMailbox<'t>>),
    /// To a folder.
    Folder(FolderOut),
}

impl<'t> Sink<'t> {
    /// Opens what is written of messages that are `like` others, anew or where an interrupted run was (`at`, behind so many octets of a
    /// mailbox file).
    pub fn open(
        job: &Job,
        (new, way): (&'t NewMailbox, &Way),
        like: Model,
        at: Option<(SinkCursor, u64)>,
    ) -> Result<Sink<'t>, ConvertError> {
        let mailbox = match (at, &new.to) {
            (at, OutputTarget::File { to, .. }) if !new.form.is_mailbox() => {
                return folder(job, to, way, at.map(|(at, _)| at)).map(Sink::Folder);
            }
            (Some((at, read)), _) => WrittenMailbox::go_on(new, like, at, read),
            (None, _) => WrittenMailbox::begin(job, new, like, way.before_first()),
        };
        mailbox.map(|mailbox| Sink::Mailbox(Box::new(mailbox)))
    }

    /// Writes a batch.
    pub fn take(&mut self, planned: &PlannedBatch, names: &TemporaryNames) -> Result<(), ConvertError> {
        match self {
            Sink::Mailbox(mailbox) => mailbox.take(planned, names),
            Sink::Folder(folder) => {
                let mut staying = planned.messages.iter().filter(|message| !message.done.left_out);
                staying.try_for_each(|message| message.moved.as_ref().map_or(Ok(()), |moved| folder.write(moved)))
            }
        }
    }

    /// Tells how far it is, and which files must be flushed for that to be true; none where another run could not go on from there.
    pub fn cursor(&mut self) -> Result<Option<(SinkCursor, Vec<File>)>, ConvertError> {
        match self {
            Sink::Mailbox(mailbox) => mailbox.cursor(),
            Sink::Folder(folder) => Ok(Some((folder.cursor()?, Vec::new()))),
        }
    }

    /// Returns `true` if it is a folder.
    pub fn is_folder(&self) -> bool {
        matches!(self, Sink::Folder(_))
    }

    /// Returns the files that are written from begin to end.
    pub fn files(&self) -> Result<Vec<File>, ConvertError> {
        match self {
            Sink::Mailbox(mailbox) => mailbox.files(),
            Sink::Folder(_) => Ok(Vec::new()),
        }
    }
}

/// Opens a folder that is written.
fn folder(job: &Job, to: &Path, way: &Way, at: Option<SinkCursor>) -> Result<FolderOut, ConvertError> {
    let is_maildir = way.form == OutputFormat::Maildir;
    match at {
        Some(SinkCursor::Folder { ino, origin, messages }) => FolderOut::go_on(to, is_maildir, (ino, origin), messages),
        Some(SinkCursor::Mailbox { .. }) => Err(ConvertError::PartialChanged { path: to.to_owned() }),
        None => {
            let head = way.head.clone().unwrap_or_else(|| OriginHead::new(way.origin(), Vec::new()));
            FolderOut::begin(to, is_maildir, &head, job.rules.verify, job.journal.is_some())
        }
    }
}
