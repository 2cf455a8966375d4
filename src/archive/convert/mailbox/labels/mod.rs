//! Mail that is sorted by its labels while it is written: a tree of mailbox files, Maildirs or folders of .eml files.
//! What is one Maildir or folder is a tree of one mailbox, which has the place of all.
//!
//! All of it is one folder, made beside its place as `OUT.partial` and renamed when it is whole ([`UnplacedFolder`]).
//! There is a mailbox for each label that comes, in the order in which they come, so that the same mail gives the same
//! tree. Only some of them are open at a time. A run that was killed goes on with each of them where it was
//! ([`TreeCursor`]); what came in behind that, and mailboxes that were not there yet, are removed.

pub mod choice;
mod mailbox_file;
mod mailboxes;
mod names;
mod rules;
mod tree;
pub mod tree_mailbox;

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use self::mailboxes::LabelledMailbox;
pub use self::mailboxes::LabelledMailboxes;
pub use self::rules::TreeRules;
use self::tree_mailbox::TreeMailbox;
use super::plan::PlannedBatch;
use crate::archive::convert::ConvertError;
use crate::archive::convert::checkpoint::Unflushed;
use crate::archive::convert::cursor::TreeCursor;
use crate::archive::convert::migrate::origin::ORIGIN;
use crate::archive::convert::migrate::unplaced_folder::UnplacedFolder;
use crate::archive::file_error::FileError;
use crate::archive::report::said::messages;

/// A tree of mailboxes that is being written.
pub struct MailboxTree {
    folder: UnplacedFolder,
    mailboxes: LabelledMailboxes,
}

impl MailboxTree {
    /// Makes the folder of the tree under its passing name. Without labels its one mailbox is made now, so that it is
    /// there without messages as well.
    pub fn begin(to: &Path, rules: TreeRules, is_resumable: bool) -> Result<MailboxTree, ConvertError> {
        let folder = UnplacedFolder::begin(to, is_resumable)?;
        let mailboxes = LabelledMailboxes::begin(folder.path(), rules, false);
        let mailboxes = mailboxes.map_err(|source| folder.failed(source))?;
        Ok(MailboxTree { folder, mailboxes })
    }

    /// Goes on with what a run that was killed left; it is an error where something else is there.
    pub fn go_on(to: &Path, rules: TreeRules, at: &TreeCursor) -> Result<MailboxTree, ConvertError> {
        let folder = UnplacedFolder::go_on(to)?;
        if !tree::is_folder(folder.path(), at.ino) {
            return Err(ConvertError::PartialChanged { path: folder.path().to_owned() });
        }
        let mailboxes = LabelledMailboxes::go_on(folder.path(), rules, at)?;
        let known: Vec<&Path> = mailboxes.all.iter().map(|mailbox| mailbox.path.as_path()).collect();
        tree::remove_others(folder.path(), Path::new(""), &known).map_err(|source| folder.failed(source))?;
        Ok(MailboxTree { folder, mailboxes })
    }

    /// Returns `true` if a run that was killed had given the tree its place; what is no part of it is removed then.
    pub fn is_placed(to: &Path, ino: u64, is_sorted: bool) -> bool {
        let is_it = !UnplacedFolder::partial_of(to).exists() && tree::is_folder(to, ino);
        if is_it && is_sorted {
            // It may be gone already.
            let _ = fs::remove_file(to.join(ORIGIN));
        }
        is_it
    }

    /// Writes a batch; returns how many of its messages have a keyword that gets no letter any more.
    pub fn take(&mut self, planned: &PlannedBatch) -> Result<usize, ConvertError> {
        let taken = self.mailboxes.take(planned, |mailbox, message, batch| mailbox.write(message, batch));
        taken.map(|lost| lost.len()).map_err(|source| self.folder.failed(source))
    }

    /// Returns its mailboxes, to be read again.
    pub fn again(&self) -> Result<LabelledMailboxes, ConvertError> {
        let again = LabelledMailboxes::begin(self.folder.path(), self.rules().clone(), true);
        again.map_err(|source| self.folder.failed(source))
    }

    /// Tells how far it is, and what must be flushed for that to be true; none where a run that is killed could not go
    /// on from there.
    pub fn cursor(&mut self) -> Result<Option<(TreeCursor, Unflushed)>, ConvertError> {
        // What stands before the first message has no place yet without a mailbox.
        if self.rules().compression.is_some() || self.mailboxes.all.is_empty() {
            return Ok(None);
        }
        let written = self.written(|mailbox| mailbox.close()).map_err(|source| self.folder.failed(source))?;
        let ino = fs::metadata(self.folder.path()).map_err(|source| self.folder.failed(source))?.ino();
        let cursor = |it: &LabelledMailbox| (it.label.clone(), it.sink.cursor());
        Ok(Some((TreeCursor { ino, mailboxes: self.mailboxes.all.iter().map(cursor).collect() }, written)))
    }

    /// Flushes all of it to the disk, before it may take its place.
    pub fn flush(&mut self) -> Result<(), ConvertError> {
        let flushed = self.written(|mailbox| mailbox.end()).and_then(|written| written.flush());
        flushed.map_err(|source| self.folder.failed(source))
    }

    /// Has `each` hand to the system what was written into a mailbox, and returns what is to be flushed then: the file
    /// system, for there may be thousands of files.
    fn written(&mut self, each: fn(&mut dyn TreeMailbox) -> io::Result<()>) -> io::Result<Unflushed> {
        self.mailboxes.all.iter_mut().try_for_each(|mailbox| each(&mut *mailbox.sink))?;
        Ok(Unflushed::System(self.folder.lock.try_clone()?))
    }

    /// Says how what is read back differs from what was written; none where it doesn't. It must be flushed before.
    pub fn difference(&self) -> Result<Option<String>, ConvertError> {
        for LabelledMailbox { path, sink, .. } in &self.mailboxes.all {
            let there = self.folder.path().join(path).display().to_string();
            let differs = sink.difference().map_err(FileError::reading(&there))?;
            match differs {
                Some(what) if self.rules().is_sorted => return Ok(Some(format!("{}: {what}", path.display()))),
                None => {}
                what => return Ok(what),
            }
        }
        Ok(None)
    }

    /// Returns how its mailboxes are written.
    pub fn rules(&self) -> &TreeRules {
        &self.mailboxes.rules
    }

    /// Says how many mailboxes there are, unless there can be one alone; with `verbose`, what is in each. It must be
    /// flushed before.
    pub fn words(&self, to: &str, verbose: bool) -> Vec<String> {
        if !self.rules().is_sorted {
            return Vec::new();
        }
        let mailboxes = if self.mailboxes.all.len() == 1 { "mailbox" } else { "mailboxes" };
        let head = format!("{to}: {} {mailboxes}", self.mailboxes.all.len());
        let one = |mailbox: &LabelledMailbox| {
            format!("{to}/{}: {}", mailbox.path.display(), messages(mailbox.sink.cursor().messages()))
        };
        let each = self.mailboxes.all.iter().filter(|_| verbose).map(one);
        [head].into_iter().chain(each).collect()
    }

    /// Gives it its place. One that is sorted by labels has a file [`ORIGIN`] only while it is written.
    pub fn place(self) -> Result<(), ConvertError> {
        let is_sorted = self.rules().is_sorted;
        let to = self.folder.place()?;
        if is_sorted {
            // Where it stays behind, since somebody killed this, the next run removes it.
            let _ = fs::remove_file(to.join(ORIGIN));
        }
        Ok(())
    }
}
