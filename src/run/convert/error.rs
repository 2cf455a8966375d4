//! Why a conversion ends early, and with which exit code.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::compression::Damaged;
use crate::run::exit::{Exit, Failure};

/// Why a conversion ends early.
#[derive(Debug, Error)]
#[allow(missing_docs)]
pub enum Error {
    #[error("can't open {name}")]
    Open { name: String, source: io::Error },
    #[error("can't read {name}")]
    Read { name: String, source: io::Error },
    #[error("{name} is no mail: {hint}")]
    NotMail { name: String, hint: &'static str },
    #[error("there is no mail in {name}")]
    NoMail { name: String },
    #[error("{name} does not start with a From_ line, so it is no mbox")]
    NotMbox { name: String },
    #[error("{name} is a folder without cur and new, so it is no Maildir; -r converts the mail in a folder")]
    NotMaildir { name: String },
    #[error("can't create {}", path.display())]
    Create { path: PathBuf, source: io::Error },
    #[error("can't write {name}")]
    Write { name: String, source: io::Error },
    #[error("can't give the new {} the owner of the old one, which stays as it was", path.display())]
    Owner { path: PathBuf, source: io::Error },
    #[error("{} changed while it was read, and stays as it is: try again", path.display())]
    Moved { path: PathBuf },
    #[error("{} is locked by another program ({by}): try again, or stop deliveries to it", path.display())]
    Locked { path: PathBuf, by: String },
    #[error("{name}, message {message}: it is over limits.message_bytes, and can't be written in another dialect")]
    Giant { name: String, message: u64 },
    #[error("{} stays as it is: its new size would give it the name of {}", path.display(), to.display())]
    Taken { path: PathBuf, to: PathBuf },
    #[error("{0}")]
    Usage(String),
}

impl Error {
    /// Tells whether the reader of standard output went away, which ends a conversion quietly.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Error::Write { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Returns the exit code.
    pub fn exit(&self) -> Exit {
        match self {
            Error::Open { .. } | Error::NotMaildir { .. } | Error::NotMail { .. } | Error::NoMail { .. } => {
                Exit::NoInput
            }
            Error::Read { source, .. } if Damaged::is(source) => Exit::BadData,
            Error::NotMbox { .. } | Error::Giant { .. } => Exit::BadData,
            Error::Create { .. } | Error::Taken { .. } => Exit::CantCreate,
            Error::Read { .. } | Error::Write { .. } => Exit::Io,
            Error::Owner { .. } => Exit::NoPermission,
            Error::Moved { .. } | Error::Locked { .. } => Exit::TempFail,
            Error::Usage(_) => Exit::Usage,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::new(error.exit(), error)
    }
}
