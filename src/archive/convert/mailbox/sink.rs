//! Where the messages of a mailbox go: a mailbox file, or a folder, of messages or of a mailbox for each label.

use std::path::Path;

use super::labels::{MailboxTree, TreeRules};
use super::plan::PlannedBatch;
use super::written::{Model, WrittenMailbox};
use crate::archive::convert::checkpoint::Unflushed;
use crate::archive::convert::migrate::Way;
use crate::archive::convert::{ConvertError, Job, NewMailbox, OutputTarget, SinkCursor};
use crate::archive::replace::TemporaryNames;

/// Where messages go.
pub enum Sink<'t> {
    /// To a mailbox file, or nowhere.
    Mailbox(Box<WrittenMailbox<'t>>),
    /// To a folder: of messages, or of a mailbox for each label.
    Tree(Box<MailboxTree>),
}

impl<'t> Sink<'t> {
    /// Opens what is written of messages that are `like` others, anew or where an interrupted run was (`at`, behind so
    /// many octets of a mailbox file).
    pub fn open(
        job: &Job,
        (new, way): (&'t NewMailbox, &Way),
        like: Model,
        at: Option<(SinkCursor, u64)>,
    ) -> Result<Sink<'t>, ConvertError> {
        let mailbox = match (at, &new.to) {
            (at, OutputTarget::File { to, .. }) if new.is_folder() => {
                let rules = TreeRules::new(way, new, like.permissions, job.rules.verify && at.is_none());
                return tree(job, to, rules, at.map(|(at, _)| at)).map(|tree| Sink::Tree(Box::new(tree)));
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
            Sink::Tree(tree) => tree.take(planned),
        }
    }

    /// Tells how far it is, and what must be flushed for that to be true; none where another run could not go on from
    /// there.
    pub fn cursor(&mut self) -> Result<Option<(SinkCursor, Unflushed)>, ConvertError> {
        match self {
            Sink::Mailbox(mailbox) => mailbox.cursor(),
            Sink::Tree(tree) => Ok(tree.cursor()?.map(|(at, unflushed)| (SinkCursor::Tree(at), unflushed))),
        }
    }

    /// Returns `true` if it is a folder: of messages, or of mailboxes.
    pub fn is_folder(&self) -> bool {
        !matches!(self, Sink::Mailbox(_))
    }
}

/// Opens a folder that is written, anew or where an interrupted run was (`at`). What is compressed can't be gone on
/// with.
fn tree(job: &Job, to: &Path, rules: TreeRules, at: Option<SinkCursor>) -> Result<MailboxTree, ConvertError> {
    match at {
        Some(SinkCursor::Tree(at)) => MailboxTree::go_on(to, rules, &at),
        Some(_) => Err(ConvertError::PartialChanged { path: to.to_owned() }),
        None => {
            let is_resumable = job.journal.is_some() && rules.compression.is_none();
            MailboxTree::begin(to, rules, is_resumable)
        }
    }
}
