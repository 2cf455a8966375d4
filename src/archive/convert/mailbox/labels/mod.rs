//! Mail that is sorted by its labels while it is written: a tree of mailbox files, Maildirs or folders of .eml files.
//! What is one Maildir or folder is a tree of one mailbox, which has the place of all.
//!
//! All of it is one folder, made beside its place as `OUT.partial` and renamed when it is whole ([`UnplacedFolder`]).
//! There is a mailbox for each label that comes, in the order in which they come, so that the same mail gives the same
//! tree. Only some of them are open at a time. A run that was killed goes on with each of them where it was
//! ([`TreeCursor`]); what came in behind that, and mailboxes that were not there yet, are removed.

pub mod choice;
mod mailbox_file;
mod names;
mod rules;
mod tree;
mod tree_again;
pub mod tree_mailbox;

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use self::mailbox_file::MailboxFile;
use self::names::{MailboxNames, Named};
pub use self::rules::TreeRules;
pub use self::tree_again::TreeAgain;
use self::tree_mailbox::TreeMailbox;
use super::plan::{PlannedBatch, PlannedMessage};
use crate::archive::convert::cursor::{LabelCursor, MailboxCursor, TreeCursor};
use crate::archive::convert::error::ConvertError;
use crate::archive::convert::migrate::folder_files::FolderFiles;
use crate::archive::convert::migrate::origin::ORIGIN;
use crate::archive::convert::migrate::unplaced_folder::UnplacedFolder;
use crate::archive::file_error::FileError;
use crate::archive::report::said::messages;

/// The mailboxes that are open at a time; of those that are compressed fewer, for each compressor has memory of its
/// own.
const OPEN: usize = 64;
const OPEN_PACKED: usize = 8;

/// A tree of mailboxes that is being written.
pub struct MailboxTree {
    folder: UnplacedFolder,
    /// Held for its lock; it is not a part of the tree, but of one mailbox alone.
    lock: File,
    rules: TreeRules,
    names: MailboxNames,
    mailboxes: Vec<LabelledMailbox>,
    /// Those that are open, the one last that was written last.
    open: VecDeque<usize>,
    /// What stood before the first message of a mailbox file, until there is a mailbox for it.
    before: Vec<u8>,
}

/// The mailbox of a label.
struct LabelledMailbox {
    label: String,
    /// Its path below the tree's folder.
    path: PathBuf,
    sink: Box<dyn TreeMailbox>,
}

impl MailboxTree {
    /// Makes the folder of the tree under its passing name.
    pub fn begin(to: &Path, rules: TreeRules, is_resumable: bool) -> Result<MailboxTree, ConvertError> {
        let (folder, lock) = UnplacedFolder::begin(to, is_resumable)?;
        let (names, mailboxes, open) = (MailboxNames::default(), Vec::new(), VecDeque::new());
        let before = rules.before.clone();
        let mut tree = MailboxTree { folder, lock, rules, names, mailboxes, open, before };
        if !tree.rules.is_sorted {
            // It is there without messages as well.
            tree.mailbox_of("").map_err(|source| tree.folder.failed(source))?;
        }
        Ok(tree)
    }

    /// Goes on with what a run that was killed left; it is an error where something else is there.
    pub fn go_on(to: &Path, rules: TreeRules, at: &TreeCursor) -> Result<MailboxTree, ConvertError> {
        let (folder, lock) = UnplacedFolder::go_on(to)?;
        let changed = |path: &Path| ConvertError::PartialChanged { path: path.to_owned() };
        if !tree::is_folder(folder.path(), at.ino) {
            return Err(changed(folder.path()));
        }
        let (names, open) = (MailboxNames::default(), VecDeque::new());
        let mut out = MailboxTree { folder, lock, rules, names, mailboxes: Vec::new(), open, before: Vec::new() };
        for mailbox in &at.mailboxes {
            let Named::New(name) = out.names.of(&mailbox.label) else { return Err(changed(out.folder.path())) };
            let path = out.rules.path_of(&name);
            let there = out.folder.path().join(&path);
            let sink = match &mailbox.at {
                MailboxCursor::File(at) => MailboxFile::go_on(there.clone(), at).map(|it| it.map(boxed)),
                MailboxCursor::Folder(at) => {
                    FolderFiles::go_on(&there, out.rules.is_maildir(), at).map(|it| it.map(boxed))
                }
            };
            let sink = sink.map_err(|_| changed(&there))?.ok_or_else(|| changed(&there))?;
            out.mailboxes.push(LabelledMailbox { label: mailbox.label.clone(), path, sink });
        }
        let known: Vec<&Path> = out.mailboxes.iter().map(|mailbox| mailbox.path.as_path()).collect();
        tree::remove_others(out.folder.path(), &known).map_err(|source| out.folder.failed(source))?;
        Ok(out)
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
        if self.mailboxes.is_empty() {
            self.before.extend_from_slice(planned.before_first());
        }
        let mut staying = planned.messages.iter().filter(|message| !message.done.left_out);
        staying.try_fold(0, |lost, message| Ok(lost + usize::from(self.write(message, planned.batch.octets())?)))
    }

    /// Writes a message of a batch to each of its mailboxes; returns `true` if a keyword of it gets no letter in any of
    /// them.
    fn write(&mut self, message: &PlannedMessage, batch: &[u8]) -> Result<bool, ConvertError> {
        let mut is_lost = false;
        let labels = self.rules.labels_of(message);
        let mut written = Vec::with_capacity(message.mailboxes.len());
        for label in labels {
            let number = if self.rules.is_sorted { self.mailbox_of(label) } else { Ok(0) };
            let number = number.map_err(|source| self.folder.failed(source))?;
            // Two labels may have one mailbox.
            if written.contains(&number) {
                continue;
            }
            if labels.len() > 1 {
                written.push(number);
            }
            let done = self.mailboxes[number].sink.write(message, batch);
            is_lost |= done.map_err(|source| self.folder.failed(source))?;
        }
        Ok(is_lost)
    }

    /// Returns the number of the mailbox of a label, which is made where it is new, and counts as open from then on.
    fn mailbox_of(&mut self, label: &str) -> io::Result<usize> {
        let number = match self.names.of(label) {
            Named::Known(number) => number,
            Named::New(name) => self.make(label, &name)?,
        };
        if let Some(at) = self.open.iter().position(|open| *open == number) {
            self.open.remove(at);
        }
        self.open.push_back(number);
        let most = if self.rules.compression.is_some() { OPEN_PACKED } else { OPEN };
        if self.open.len() > most
            && let Some(first) = self.open.pop_front()
        {
            self.mailboxes[first].sink.close()?;
        }
        Ok(number)
    }

    /// Makes the mailbox of a new label.
    fn make(&mut self, label: &str, name: &Path) -> io::Result<usize> {
        let (number, path) = (self.mailboxes.len(), self.rules.path_of(name));
        let there = self.folder.path().join(&path);
        let head = self.rules.head_of(number);
        let TreeRules { compression, permissions, verifies, .. } = &self.rules;
        let sink = match self.rules.has_files() {
            true => {
                tree::make_folders(there.parent())?;
                let before = std::mem::take(&mut self.before);
                boxed(MailboxFile::begin(there, *compression, permissions.as_ref(), &before, *verifies)?)
            }
            false => {
                tree::make_folders(Some(&there))?;
                boxed(FolderFiles::begin(&there, self.rules.is_maildir(), &head, *verifies)?)
            }
        };
        self.mailboxes.push(LabelledMailbox { label: label.to_owned(), path, sink });
        Ok(number)
    }

    /// Tells how far it is, with all of that flushed to the disk; none where a run that is killed could not go on from
    /// there.
    pub fn cursor(&mut self) -> Result<Option<TreeCursor>, ConvertError> {
        // What stands before the first message has no place yet without a mailbox.
        if self.rules.is_packed() || self.mailboxes.is_empty() {
            return Ok(None);
        }
        self.sync(|mailbox| mailbox.flush())?;
        let ino = fs::metadata(self.folder.path()).map_err(|source| self.folder.failed(source))?.ino();
        let cursor = |it: &LabelledMailbox| LabelCursor { label: it.label.clone(), at: it.sink.cursor() };
        Ok(Some(TreeCursor { ino, mailboxes: self.mailboxes.iter().map(cursor).collect() }))
    }

    /// Flushes all of it to the disk, before it may take its place.
    pub fn flush(&mut self) -> Result<(), ConvertError> {
        self.sync(|mailbox| mailbox.end())
    }

    fn sync(&mut self, each: fn(&mut dyn TreeMailbox) -> io::Result<()>) -> Result<(), ConvertError> {
        let all = self.mailboxes.iter_mut().try_for_each(|mailbox| each(&mut *mailbox.sink));
        let synced = all.and_then(|()| Ok(rustix::fs::syncfs(&self.lock)?));
        synced.map_err(|source| self.folder.failed(source))
    }

    /// Says how what is read back differs from what was written; none where it doesn't. It must be flushed before.
    pub fn difference(&self) -> Result<Option<String>, ConvertError> {
        for LabelledMailbox { path, sink, .. } in &self.mailboxes {
            let there = self.folder.path().join(path).display().to_string();
            let differs = sink.difference().map_err(FileError::reading(&there))?;
            match differs {
                Some(what) if self.rules.is_sorted => return Ok(Some(format!("{}: {what}", path.display()))),
                None => {}
                what => return Ok(what),
            }
        }
        Ok(None)
    }

    /// Returns where it stands until it is whole.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns how its mailboxes are written.
    pub fn rules(&self) -> &TreeRules {
        &self.rules
    }

    /// Says how many mailboxes there are, unless there can be one alone; with `verbose`, what is in each.
    pub fn words(&self, to: &str, verbose: bool) -> Vec<String> {
        if !self.rules.is_sorted {
            return Vec::new();
        }
        let mailboxes = if self.mailboxes.len() == 1 { "mailbox" } else { "mailboxes" };
        let head = format!("{to}: {} {mailboxes}", self.mailboxes.len());
        let one = |mailbox: &LabelledMailbox| {
            format!("{to}/{}: {}", mailbox.path.display(), messages(mailbox.sink.cursor().messages()))
        };
        let each = self.mailboxes.iter().filter(|_| verbose).map(one);
        [head].into_iter().chain(each).collect()
    }

    /// Gives it its place.
    pub fn place(self) -> Result<(), ConvertError> {
        let to = self.folder.place()?;
        if self.rules.is_sorted {
            // Where it stays behind, since somebody killed this, the next run removes it.
            let _ = fs::remove_file(to.join(ORIGIN));
        }
        Ok(())
    }
}

/// Makes a mailbox one of a tree.
fn boxed(mailbox: impl TreeMailbox + 'static) -> Box<dyn TreeMailbox> {
    Box::new(mailbox)
}
