//! Why a plan must not be carried out: what the public [`check`](fn@super::check) returns.

use thiserror::Error;

/// Why a plan must not be carried out: the message stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The edits do not make what was planned: what is another thing than it should be.
    #[error("the edits do not make what was planned: {0}")]
    Unproved(&'static str),
}
