//! Why a connection is over before both sides wanted it.

use thiserror::Error;

use crate::protocol::milter::SessionError;
use crate::serve::stream::StreamError;

/// Why a connection ends early.
#[derive(Debug, Error)]
pub enum MilterEnd {
    /// What the MTA sent makes no sense.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The socket is no good any more, or the MTA too slow.
    #[error(transparent)]
    Stream(#[from] StreamError),
}

impl MilterEnd {
    /// Returns the stable name that counters use.
    pub fn code(&self) -> &'static str {
        match self {
            MilterEnd::Session(SessionError::Wire(_)) => "malformed",
            MilterEnd::Session(SessionError::Order { .. }) => "order",
            MilterEnd::Session(SessionError::Version(_)) => "version",
            MilterEnd::Stream(error) => error.code(),
        }
    }
}
