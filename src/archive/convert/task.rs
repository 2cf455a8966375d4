//! What is converted, all of it or which octets, and where it goes.

use std::path::PathBuf;
use std::time::Duration;

use super::{Compression, ConvertError, Format, Input, LabelChoice, OutputFormat, OutputTarget};

/// A file and where it goes.
pub struct Task {
    /// The file.
    pub input: Input,
    /// Where it goes; nowhere by itself where it is of a mailbox.
    pub target: OutputTarget,
    /// Whether it is in the cur or new of a Maildir, so that its name says its flags.
    pub in_maildir: bool,
    /// Whether the sizes that its name states are made true: in a Maildir, where no other message has the same name
    /// before the first comma.
    pub sized: bool,
    /// Whether readers may know the message by its name: one that changes gets another, with sizes or without one of
    /// them.
    pub is_known: bool,
    /// How what is written is compressed.
    pub compression: Option<Compression>,
}

impl Task {
    /// Makes one of a file that keeps its name, and is written without compression.
    pub fn new(input: Input, target: OutputTarget) -> Task {
        Task { input, target, in_maildir: false, sized: false, is_known: false, compression: None }
    }
}

/// Files that are converted in a row.
#[derive(Default)]
pub struct FileTasks {
    /// Each of them.
    pub tasks: Vec<Task>,
    /// The folder that they are of, and the one that they go to, where both are Maildirs.
    pub folder: Option<(PathBuf, PathBuf)>,
    /// What is left alone beside them, and why.
    pub left: Vec<ConvertError>,
}

/// A mailbox that becomes one: a mailbox file stays one or becomes a folder, and files become either.
pub struct MailboxTask {
    /// A mailbox file, or files that are one message each, in the order in which they are written.
    pub tasks: Vec<Task>,
    /// What is left alone beside them, and why.
    pub left: Vec<ConvertError>,
    /// What it becomes.
    pub new: NewMailbox,
}

/// What a mailbox becomes.
#[derive(Debug, Clone)]
pub struct NewMailbox {
    /// The form that it gets; a mailbox file keeps its dialect where this names none.
    pub form: OutputFormat,
    /// Where it goes.
    pub to: OutputTarget,
    /// How what is written is compressed.
    pub compression: Option<Compression>,
    /// The octets of a piece.
    pub split: Option<u64>,
    /// Whether it is sorted by labels, and where a message goes that has several.
    pub labels: Option<LabelChoice>,
    /// Whether it was a mailbox file and stays one, whole.
    pub stays: bool,
    /// How long the locks of a mailbox file are waited for that is replaced.
    pub lock: Duration,
}

impl MailboxTask {
    /// Makes that of a mailbox file that stays one, in its dialect, written without compression and without waiting for
    /// locks, as a shard wants it; `mailbox_task` of `work_plan.rs` sets what another run asks for.
    pub fn of_file(input: Input, to: OutputTarget) -> MailboxTask {
        let (form, lock) = (OutputFormat::Mbox, Duration::ZERO);
        let new = NewMailbox { form, to, compression: None, split: None, labels: None, stays: true, lock };
        MailboxTask { tasks: vec![Task::new(input, OutputTarget::Nowhere)], left: Vec::new(), new }
    }
}

/// Returns the mailbox file that tasks are; none of files that are one message each, and without any. A mailbox file is
/// always the only task.
pub fn mailbox_file(tasks: &[Task]) -> Option<&Input> {
    match tasks {
        [task] if task.input.format == Format::Mbox => Some(&task.input),
        _ => None,
    }
}

/// Returns what errors call a mailbox by: its first input or, without one, what it becomes.
pub fn name_of(tasks: &[Task], new: &NewMailbox) -> String {
    tasks.first().map_or_else(|| new.to.name(), |task| task.input.name.clone())
}

impl NewMailbox {
    /// Returns `true` if what is written is a folder: of messages, or of mailboxes.
    pub fn is_folder(&self) -> bool {
        !self.form.is_mailbox() || self.labels.is_some()
    }
}

/// A piece of the work.
pub enum Work {
    /// A mailbox.
    Mailbox(Box<MailboxTask>),
    /// Files that are one message each, and stay so.
    Files(FileTasks),
}

impl Work {
    /// Returns the octets of its inputs together; none where those of one are not known: of a pipe, and of what is
    /// compressed.
    pub fn octets(&self) -> Option<u64> {
        let size = |task: &Task| {
            let known = task.input.path.is_some() && task.input.compression.is_none();
            known.then_some(task.input.size)
        };
        self.tasks().iter().map(size).sum()
    }

    /// Returns its tasks.
    pub fn tasks(&self) -> &[Task] {
        match self {
            Work::Mailbox(mailbox) => &mailbox.tasks,
            Work::Files(files) => &files.tasks,
        }
    }

    /// Returns the mailbox that it is; none of files that stay such.
    pub fn mailbox(&self) -> Option<&MailboxTask> {
        if let Work::Mailbox(mailbox) = self { Some(mailbox) } else { None }
    }
}

/// The octets of a mailbox file that are converted: all of them, which is the default, or a shard's.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ByteRange {
    /// The first, where a message starts.
    pub start: u64,
    /// The end; none for that of the file.
    pub end: Option<u64>,
}
