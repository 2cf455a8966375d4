//! The mailboxes of a tree, by their labels: while they are written, or when they are read again.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};

use super::mailbox_file::MailboxFile;
use super::names::{MailboxNames, Named};
use super::rules::TreeRules;
use super::tree_mailbox::TreeMailbox;
use crate::archive::convert::cursor::TreeCursor;
use crate::archive::convert::mailbox::plan::{PlannedBatch, PlannedMessage};
use crate::archive::convert::migrate::folder_files::FolderFiles;
use crate::archive::convert::{ConvertError, MailboxCursor};
use crate::archive::folder::make_private;
use crate::archive::replace::folder_of;

/// The mailboxes that are open at a time; of those that are compressed fewer, for each compressor has memory of its
/// own.
const OPEN: usize = 64;
const OPEN_PACKED: usize = 8;

/// The mailboxes of a tree.
pub struct LabelledMailboxes {
    root: PathBuf,
    /// How they are written.
    pub rules: TreeRules,
    /// Whether they are written already, and only read.
    is_again: bool,
    names: MailboxNames,
    /// Each of them, in the order in which they came.
    pub all: Vec<LabelledMailbox>,
    /// Those that are open, the one last that was written last.
    open: VecDeque<usize>,
    /// What stood before the first message of a mailbox file, until there is a mailbox for it.
    before: Vec<u8>,
}

/// The mailbox of a label.
pub struct LabelledMailbox {
    /// The label.
    pub label: String,
    /// Its path below the tree's folder.
    pub path: PathBuf,
    /// Where its messages go.
    pub sink: Box<dyn TreeMailbox>,
}

impl LabelledMailboxes {
    /// Begins with those below a folder, to write them, or to read them again.
    pub fn begin(root: &Path, rules: TreeRules, is_again: bool) -> io::Result<LabelledMailboxes> {
        let before = rules.before.clone();
        let mut mailboxes = LabelledMailboxes { is_again, before, ..LabelledMailboxes::none(root, rules) };
        if !mailboxes.rules.is_sorted {
            // It is there without messages as well.
            mailboxes.mailbox_of("")?;
        }
        Ok(mailboxes)
    }

    /// Begins without any mailbox, also where there is to be one alone.
    fn none(root: &Path, rules: TreeRules) -> LabelledMailboxes {
        let (root, names, open) = (root.to_owned(), MailboxNames::default(), VecDeque::new());
        LabelledMailboxes { root, rules, is_again: false, names, all: Vec::new(), open, before: Vec::new() }
    }

    /// Goes on with those that a run that was killed left; it is an error where something else is there. `at` names one
    /// at least, and none is compressed, as there is no cursor of others: so what stands before the first message has
    /// its place already. Each is opened when it is written to.
    pub fn go_on(root: &Path, rules: TreeRules, at: &TreeCursor) -> Result<LabelledMailboxes, ConvertError> {
        let changed = |path: &Path| ConvertError::PartialChanged { path: path.to_owned() };
        let mut out = LabelledMailboxes::none(root, rules);
        for (label, at) in &at.mailboxes {
            let Named::New(name) = out.names.of(label) else { return Err(changed(root)) };
            let path = out.rules.path_of(&name);
            let there = root.join(&path);
            let sink = match at {
                MailboxCursor::File(at) => MailboxFile::go_on(there.clone(), at).map(boxed),
                MailboxCursor::Folder(at) => FolderFiles::go_on(&there, out.rules.is_maildir(), at).map(boxed),
            };
            let sink = sink.ok_or_else(|| changed(&there))?;
            out.all.push(LabelledMailbox { label: label.clone(), path, sink });
        }
        Ok(out)
    }

    /// Shows `each` the messages of a batch in their order, each with the octets of the batch and once for each of its
    /// mailboxes; what is left out is not shown. Returns the messages of which `each` returned `true` for any mailbox,
    /// by their number in the batch, from 0.
    pub fn take(
        &mut self,
        planned: &PlannedBatch,
        each: fn(&mut dyn TreeMailbox, &PlannedMessage, &[u8]) -> io::Result<bool>,
    ) -> io::Result<Vec<usize>> {
        if self.all.is_empty() {
            self.before.extend_from_slice(planned.before_first());
        }
        let mut said = Vec::new();
        for (at, message) in planned.messages.iter().enumerate().filter(|(_, message)| !message.done.left_out) {
            if self.take_message(message, |mailbox| each(mailbox, message, planned.batch.octets()))? {
                said.push(at);
            }
        }
        Ok(said)
    }

    /// Shows each mailbox of a message to `each`; returns `true` if it does for any of them.
    fn take_message(
        &mut self,
        message: &PlannedMessage,
        mut each: impl FnMut(&mut dyn TreeMailbox) -> io::Result<bool>,
    ) -> io::Result<bool> {
        let (mut any, mut done) = (false, Vec::new());
        for label in self.rules.labels_of(message) {
            let number = if self.rules.is_sorted { self.mailbox_of(label)? } else { 0 };
            // Two labels may have one mailbox.
            if !done.contains(&number) {
                done.push(number);
                any |= each(&mut *self.all[number].sink)?;
            }
        }
        Ok(any)
    }

    /// Returns the number of the mailbox of a label, which is made where it is new, and counts as open from then on. Of
    /// more than may be open the one that was asked for longest ago is closed.
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
            self.all[first].sink.close()?;
        }
        Ok(number)
    }

    /// Makes the mailbox of a new label, of this `name` below the tree's folder, and returns its number. The first
    /// mailbox file gets what stands before the first message.
    fn make(&mut self, label: &str, name: &Path) -> io::Result<usize> {
        let (number, path) = (self.all.len(), self.rules.path_of(name));
        let there = self.root.join(&path);
        let (head, is_maildir) = (self.rules.head_of(number), self.rules.is_maildir());
        let sink = match (self.rules.form.is_mailbox(), std::mem::take(&mut self.before)) {
            (true, before) if self.is_again => boxed(MailboxFile::behind(there, 0, &before)),
            (true, before) => {
                make_private(folder_of(&there))?;
                boxed(MailboxFile::begin(there, &self.rules, &before)?)
            }
            (false, _) if self.is_again => boxed(FolderFiles::of(&there, is_maildir)),
            (false, _) => {
                make_private(&there)?;
                boxed(FolderFiles::begin(&there, is_maildir, &head, self.rules.verifies)?)
            }
        };
        self.all.push(LabelledMailbox { label: label.to_owned(), path, sink });
        Ok(number)
    }
}

/// Makes a mailbox one of a tree.
fn boxed(mailbox: impl TreeMailbox + 'static) -> Box<dyn TreeMailbox> {
    Box::new(mailbox)
}
