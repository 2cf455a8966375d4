//! What is converted, and where it goes.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::compression::Compression;
use super::error::ConvertError;
use super::input::Input;
use super::packing::OutputFormat;
use super::target::OutputTarget;
use crate::protocol::mbox::Dialect;

/// A file and where it goes.
#[derive(Debug)]
pub struct Task {
    /// The file.
    pub input: Input,
    /// Where it goes.
    pub target: OutputTarget,
    /// Whether the sizes that its name states are made true: in a Maildir.
    pub sized: bool,
    /// Whether readers may know the message by its name: one that changes gets another, with sizes or without one of them.
    pub is_known: bool,
    /// How what is written is compressed.
    pub compression: Option<Compression>,
    /// The dialect that a mailbox file gets; its own without one.
    pub dialect: Option<Dialect>,
    /// How long the locks of a mailbox file are waited for.
    pub lock: Duration,
}

impl Task {
    /// Makes one of a file that is written as it is read.
    pub fn new(input: Input, target: OutputTarget) -> Task {
        Task { input, target, sized: false, is_known: false, compression: None, dialect: None, lock: Duration::ZERO }
    }

    /// Makes that of a message in a Maildir.
    pub fn of_message(input: Input, target: OutputTarget) -> Task {
        Task { sized: true, ..Task::new(input, target) }
    }

    /// Returns the path of the input that its output replaces, which is locked if it is a mailbox file.
    pub fn replaced(&self) -> Option<&Path> {
        match &self.target {
            OutputTarget::InPlace { path, .. } => Some(path),
            _ => None,
        }
    }

    /// Returns the path under which its output can be gone on with; one that is compressed can't be, and is begun anew.
    pub fn partial(&self) -> Option<PathBuf> {
        self.target.partial().filter(|_| self.compression.is_none())
    }
}

/// Files that are converted in a row.
#[derive(Debug, Default)]
pub struct FileTasks {
    /// Each of them.
    pub tasks: Vec<Task>,
    /// The folder that they are of, and the one that they go to, where both are Maildirs.
    pub folder: Option<(PathBuf, PathBuf)>,
    /// What is left alone beside them, and why.
    pub left: Vec<ConvertError>,
}

/// A mailbox that is written in another form, or in pieces.
#[derive(Debug)]
pub struct Migration {
    /// A mailbox file, or files that are one message each, in the order in which they are written.
    pub tasks: Vec<Task>,
    /// What is left alone beside them, and why.
    pub left: Vec<ConvertError>,
    /// The form that it gets.
    pub form: OutputFormat,
    /// Where it goes.
    pub to: OutputTarget,
    /// How what is written is compressed.
    pub compression: Option<Compression>,
    /// The octets of a piece.
    pub split: Option<u64>,
}

/// A piece of the work.
#[derive(Debug)]
pub enum Work {
    /// A mailbox file.
    Mailbox(Box<Task>),
    /// Files that are one message each.
    Files(FileTasks),
    /// A mailbox in another form.
    Migration(Migration),
}

impl Work {
    /// Returns the octets of its inputs; none where that is not known: of a pipe, and of what is compressed.
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
            Work::Mailbox(task) => std::slice::from_ref(&**task),
            Work::Files(files) => &files.tasks,
            Work::Migration(migration) => &migration.tasks,
        }
    }
}
