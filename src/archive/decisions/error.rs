//! Why decisions can't be read, kept or obeyed, and with which exit code.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::archive::file_error::FileError;
use crate::process::exit::{Exit, HasExit};

/// Why decisions can't be read, kept or obeyed.
#[derive(Debug, Error)]
#[allow(missing_docs)]
pub enum DecisionsError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{} is not a file of decisions: `septet review` writes one", path.display())]
    NoDecisions { path: PathBuf },
    #[error("{} is of a newer septet: its form is {version}, and this one reads 1", path.display())]
    Newer { path: PathBuf, version: u32 },
    #[error("{}, line {line}: it is not an answer of `septet review`", path.display())]
    Line { path: PathBuf, line: usize },
    #[error(
        "{} has the decisions of other settings (profile {profile}), by which other things change: give those (--profile, --config), or name another file with --decisions", path.display()
    )]
    OtherSettings { path: PathBuf, profile: String },
    #[error(
        "{} decides of what is not in the input: {what}; nothing was converted. Give all of the archives that were reviewed, as they were then, or go on with an interrupted run (--resume)", path.display()
    )]
    Missing { path: PathBuf, what: String },
    #[error(
        "{} decides of what was not in the input: {what}; it was read only once, so the output is written, without it", path.display()
    )]
    MissingAtEnd { path: PathBuf, what: String },
    #[error("{} decides of what is in no shard: {what}; nothing was joined", path.display())]
    MissingInShards { path: PathBuf, what: String },
}

impl HasExit for DecisionsError {
    fn exit(&self) -> Exit {
        use DecisionsError::*;
        match self {
            File(FileError::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => Exit::NoInput,
            File(FileError::Read { source, .. }) if source.kind() == io::ErrorKind::InvalidData => Exit::BadData,
            File(error) => error.exit(),
            OtherSettings { .. } => Exit::Usage,
            NoDecisions { .. } | Newer { .. } | Line { .. } => Exit::BadData,
            Missing { .. } | MissingAtEnd { .. } | MissingInShards { .. } => Exit::BadData,
        }
    }
}
