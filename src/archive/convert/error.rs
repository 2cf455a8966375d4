//! Why a conversion ends early, and with which exit code.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::archive::decisions::DecisionsError;
use crate::archive::file_error::FileError;
use crate::archive::mailbox_lock::LockError;
use crate::archive::replace::ReplaceError;
use crate::process::exit::{Exit, HasExit};

/// Why a conversion ends early.
#[derive(Debug, Error)]
#[allow(missing_docs)]
pub enum ConvertError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{name} does not look like mail: {hint}")]
    NotMail { name: String, hint: &'static str },
    #[error(
        "{name} does not end where its first line says, so where the message ends is not sure, and it is passed over"
    )]
    Miscounted { name: String },
    #[error("{name} contains no mail")]
    NoMail { name: String },
    #[error("{name} does not start with a From_ line, so it is not an mbox")]
    NotMbox { name: String },
    #[error("{name} is a folder without cur and new, so it is not a Maildir; -r converts the mail in a folder")]
    NotMaildir { name: String },
    #[error("there is no folder {}", path.display())]
    NoFolder { path: PathBuf },
    #[error("can't give the new {} the {what} of the old one, which stays as it was", path.display())]
    Attributes { path: PathBuf, what: &'static str, source: io::Error },
    #[error(transparent)]
    Replace(#[from] ReplaceError),
    #[error("{} already exists: name an output that does not", path.display())]
    OutputThere { path: PathBuf },
    #[error("{} already exists and may be needed to undo an earlier conversion: undo it, or move it away", path.display())]
    UndoExists { path: PathBuf },
    #[error("{} undoes an interrupted run: continue that run (--resume), or undo it", path.display())]
    UndoInterrupted { path: PathBuf },
    #[error("{} is {what}, and stays as it is", path.display())]
    LeftAlone { path: PathBuf, what: &'static str },
    #[error("another septet is at work there: {} is locked", path.display())]
    Busy { path: PathBuf },
    #[error("{} is in the way: it is not a septet journal of yours", path.display())]
    NoJournal { path: PathBuf },
    #[error(
        "{} belongs to another command: give the one that was interrupted, or leave --resume out to start over", path.display()
    )]
    OtherCommand { path: PathBuf },
    #[error("{name} changed since the run was interrupted: leave --resume out to start over")]
    InputChanged { name: String },
    #[error("{} is not what the interrupted run left: leave --resume out to start over", path.display())]
    PartialChanged { path: PathBuf },
    #[error("what was written of {name} is not what was planned: {what}; it did not take its place")]
    Unverified { name: String, what: String },
    #[error(
        "{name}, message {message}: it is over limits.message_bytes, and can't be held, as --output-format and --skip-deleted must: raise the limit"
    )]
    Giant { name: String, message: u64 },
    #[error(transparent)]
    Decisions(#[from] DecisionsError),
    #[error(transparent)]
    Lock(#[from] LockError),
    #[error("internal error at {name}: please report it")]
    Fault { name: String },
    #[error("{0}")]
    Usage(String),
}

use ConvertError::*;

impl ConvertError {
    /// Returns `true` if the reader of standard output went away, which ends a conversion quietly.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, ConvertError::File(FileError::Write { source, .. }) if source.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Returns `true` if it concerns one file of many alone, so that the others are done all the same.
    pub fn is_of_one_file(&self) -> bool {
        match self {
            ConvertError::File(error) => matches!(error, FileError::Open { .. } | FileError::Read { .. }),
            // Where one file can't be created the others can't either.
            ConvertError::Replace(error) => !matches!(error, ReplaceError::Create { .. }),
            _ => matches!(self, Unverified { .. } | LeftAlone { .. } | Miscounted { .. }),
        }
    }

    /// Returns `true` if what is there belongs to another run, so that nothing of it may be removed.
    pub fn is_of_another_run(&self) -> bool {
        let is_another_input = matches!(self, InputChanged { .. } | PartialChanged { .. });
        is_another_input || matches!(self, Busy { .. } | NoJournal { .. } | OtherCommand { .. })
    }
}

impl HasExit for ConvertError {
    fn exit(&self) -> Exit {
        match self {
            ConvertError::File(FileError::Write { .. }) => Exit::Io,
            ConvertError::File(error) => error.exit(),
            ConvertError::Lock(error) => error.exit(),
            ConvertError::Decisions(error) => error.exit(),
            NotMaildir { .. } | NotMail { .. } | NoMail { .. } | LeftAlone { .. } => Exit::NoInput,
            NotMbox { .. } | Giant { .. } | Miscounted { .. } | Unverified { .. } => Exit::BadData,
            InputChanged { .. } | PartialChanged { .. } => Exit::BadData,
            UndoExists { .. } | UndoInterrupted { .. } | OutputThere { .. } => Exit::CantCreate,
            NoFolder { .. } | NoJournal { .. } => Exit::CantCreate,
            ConvertError::Replace(ReplaceError::Moved { .. }) | Busy { .. } => Exit::TempFail,
            ConvertError::Replace(ReplaceError::Gone { .. }) => Exit::BadData,
            ConvertError::Replace(_) => Exit::CantCreate,
            Attributes { .. } => Exit::NoPermission,
            Fault { .. } => Exit::Software,
            ConvertError::Usage(_) | OtherCommand { .. } => Exit::Usage,
        }
    }
}

/// Refuses what the command line asks for: returns the error that says this text, with the exit code of a wrong usage.
pub fn refuse<T>(text: impl Into<String>) -> Result<T, ConvertError> {
    Err(ConvertError::Usage(text.into()))
}
