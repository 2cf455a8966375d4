//! What is converted, and where it goes.

use std::path::PathBuf;

use super::input::Input;
use super::target::Target;

/// A file and where it goes.
#[derive(Debug)]
pub struct Task {
    /// The file.
    pub input: Input,
    /// Where it goes.
    pub target: Target,
    /// Whether the sizes that its name states are made true: in a Maildir.
    pub sized: bool,
}

/// Files that are converted in a row.
#[derive(Debug, Default)]
pub struct Files {
    /// Each of them.
    pub tasks: Vec<Task>,
    /// The folder that they are of, and the one that they go to, where both are Maildirs.
    pub folder: Option<(PathBuf, PathBuf)>,
}

/// A piece of the work.
#[derive(Debug)]
pub enum Work {
    /// A mailbox file.
    Mailbox(Task),
    /// Files that are one message each.
    Files(Files),
}

impl Work {
    /// Returns the octets of its inputs.
    pub fn octets(&self) -> u64 {
        match self {
            Work::Mailbox(task) => task.input.size,
            Work::Files(files) => files.tasks.iter().map(|task| task.input.size).sum(),
        }
    }

    /// Returns its tasks.
    pub fn tasks(&self) -> &[Task] {
        match self {
            Work::Mailbox(task) => std::slice::from_ref(task),
            Work::Files(files) => &files.tasks,
        }
    }
}
