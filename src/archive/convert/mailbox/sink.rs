//! Where the messages of a mailbox go: a mailbox file, a folder of messages, or a mailbox for each label.

use std::fs::File;
use std::path::Path;

use super::labels::{LabelledOut, TreeRules};
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
    Folder(Box<FolderOut>),
    /// To a mailbox for each label.
    Labelled(Box<LabelledOut>),
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
            (at, OutputTarget::File { to, .. }) if new.labels.is_some() => {
                let rules = TreeRules::new(way, new.compression, like.permissions, job.rules.verify && at.is_none());
                return labelled(job, to, rules, at.map(|(at, _)| at)).map(|tree| Sink::Labelled(Box::new(tree)));
            }
            (at, OutputTarget::File { to, .. }) if !new.form.is_mailbox() => {
                return folder(job, to, way, at.map(|(at, _)| at)).map(|folder| Sink::Folder(Box::new(folder)));
            }
            (Some((at, read)), _) => WrittenMailbox::go_on(new, like, at, read),
            (None, _) => WrittenMailbox::begin(job, new, like, way.before_first()),
        };
        mailbox.map(|mailbox| Sink::Mailbox(Box::new(mailbox)))
    }

    /// Writes a batch; returns how many of its messages have a keyword that gets no letter any more.
    pub fn take(&mut self, planned: &PlannedBatch, names: &TemporaryNames) -> Result<usize, ConvertError> {
        match self {
            Sink::Mailbox(mailbox) => mailbox.take(planned, names).map(|()| 0),
            Sink::Labelled(tree) => tree.take(planned),
            Sink::Folder(folder) => {
                let staying = planned.messages.iter().filter(|message| !message.done.left_out);
                let mut moved = staying.filter_map(|message| message.moved.as_ref());
                moved.try_fold(0, |lost, moved| Ok(lost + usize::from(folder.write(moved)?)))
            }
        }
    }

    /// Tells how far it is, and which files must be flushed for that to be true; none where another run could not go on from there.
    pub fn cursor(&mut self) -> Result<Option<(SinkCursor, Vec<File>)>, ConvertError> {
        match self {
            Sink::Mailbox(mailbox) => mailbox.cursor(),
            Sink::Folder(folder) => Ok(Some((SinkCursor::Folder(folder.cursor()?), Vec::new()))),
            Sink::Labelled(tree) => Ok(tree.cursor()?.map(|at| (SinkCursor::Labelled(at), Vec::new()))),
        }
    }

    /// Returns `true` if it is a folder: of messages, or of mailboxes.
    pub fn is_folder(&self) -> bool {
        !matches!(self, Sink::Mailbox(_))
    }

    /// Flushes a folder to the disk, before it may take its place; no message may follow.
    pub fn flush(&mut self) -> Result<(), ConvertError> {
        match self {
            Sink::Mailbox(_) => Ok(()),
            Sink::Folder(folder) => folder.flush(),
            Sink::Labelled(tree) => tree.flush(),
        }
    }

    /// Says how what is read back of a folder differs from what was written; none where it doesn't. It must be flushed before.
    pub fn difference(&self) -> Result<Option<String>, ConvertError> {
        match self {
            Sink::Mailbox(_) => Ok(None),
            Sink::Folder(folder) => folder.difference(),
            Sink::Labelled(tree) => tree.difference(),
        }
    }

    /// Says what is in a tree of mailboxes; with `verbose`, in each of them.
    pub fn words(&self, to: &str, verbose: bool) -> Vec<String> {
        match self {
            Sink::Mailbox(_) | Sink::Folder(_) => Vec::new(),
            Sink::Labelled(tree) => tree.words(to, verbose),
        }
    }

    /// Gives a folder its place; a mailbox file gets it otherwise.
    pub fn place(self) -> Result<(), ConvertError> {
        match self {
            Sink::Mailbox(_) => Ok(()),
            Sink::Folder(folder) => folder.place(),
            Sink::Labelled(tree) => tree.place(),
        }
    }

    /// Returns the files that are written from begin to end.
    pub fn files(&self) -> Result<Vec<File>, ConvertError> {
        match self {
            Sink::Mailbox(mailbox) => mailbox.files(),
            Sink::Folder(_) | Sink::Labelled(_) => Ok(Vec::new()),
        }
    }
}

/// Opens a folder that is written.
fn folder(job: &Job, to: &Path, way: &Way, at: Option<SinkCursor>) -> Result<FolderOut, ConvertError> {
    let is_maildir = way.form == OutputFormat::Maildir;
    match at {
        Some(SinkCursor::Folder(at)) => FolderOut::go_on(to, is_maildir, &at),
        Some(_) => Err(ConvertError::PartialChanged { path: to.to_owned() }),
        None => {
            let head = way.head.clone().unwrap_or_else(|| OriginHead::new(way.origin(), Vec::new()));
            FolderOut::begin(to, is_maildir, &head, job.rules.verify, job.journal.is_some())
        }
    }
}

/// Opens a tree of mailboxes that is written.
fn labelled(job: &Job, to: &Path, rules: TreeRules, at: Option<SinkCursor>) -> Result<LabelledOut, ConvertError> {
    match at {
        Some(SinkCursor::Labelled(at)) => LabelledOut::go_on(to, rules, &at),
        Some(_) => Err(ConvertError::PartialChanged { path: to.to_owned() }),
        None => {
            let is_resumable = job.journal.is_some() && !rules.is_packed();
            LabelledOut::begin(to, rules, is_resumable)
        }
    }
}
