//! Why a message does not pass, alone or in a batch.

use thiserror::Error;

use super::pipe::PipeError;
use crate::config::Action;
use crate::process::decide::Decision;
use crate::process::exit::{Exit, HasExit};

/// Why a message does not pass.
#[derive(Debug, Error)]
pub enum FilterError {
    /// The pipe failed.
    #[error(transparent)]
    Pipe(#[from] PipeError),
    /// It is larger than what the process may hold.
    #[error("no memory for a message of {0} octets: the limit of the process's address space (ulimit -v) is too low")]
    Memory(u64),
    /// It is larger than what the process may hold, and its size is not known: so much of it was read.
    #[error(
        "no memory for a message of more than {0} octets: the limit of the process's address space (ulimit -v) is too low"
    )]
    MemoryToRead(u64),
    /// The settings say so.
    #[error("{what} ({key} = \"{action}\")")]
    Refused {
        /// What they say.
        action: Action,
        /// The key of the settings.
        key: &'static str,
        /// What is wrong with the message.
        what: String,
    },
}

impl FilterError {
    /// Makes the error of a message that the settings do not let pass.
    pub fn refused(decision: &Decision) -> FilterError {
        FilterError::Refused { action: decision.action, key: decision.key, what: decision.what() }
    }
}

impl HasExit for FilterError {
    fn exit(&self) -> Exit {
        match self {
            FilterError::Refused { action: Action::Reject, .. } => Exit::BadData,
            _ => Exit::TempFail,
        }
    }
}
