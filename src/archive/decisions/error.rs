//! Why decisions can't be read, kept or obeyed, and with which exit code.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::archive::file_error::FileError;
use crate::process::exit::{Exit, Failure};

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

impl DecisionsError {
    /// Returns the exit code.
    pub fn exit(&self) -> Exit {
        match self {
            DecisionsError::File(FileError::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                Exit::NoInput
            }
            DecisionsError::File(FileError::Read { source, .. }) if source.kind() == io::ErrorKind::InvalidData => {
                Exit::BadData
            }
            DecisionsError::File(error) => error.exit(),
            DecisionsError::OtherSettings { .. } => Exit::Usage,
            DecisionsError::NoDecisions { .. }
            | DecisionsError::Newer { .. }
            | DecisionsError::Line { .. }
            | DecisionsError::Missing { .. }
            | DecisionsError::MissingAtEnd { .. }
            | DecisionsError::MissingInShards { .. } => Exit::BadData,
        }
    }
}

impl From<DecisionsError> for Failure {
    fn from(error: DecisionsError) -> Failure {
        Failure::new(error.exit(), error)
    }
}
