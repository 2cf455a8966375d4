//! Why a connection is over before both sides wanted it.

use thiserror::Error;

use crate::protocol::milter::SessionError;
use crate::serve::stream::StreamError;

/// Why a connection ends early.
#[derive(Debug, Error)]
pub enum MilterError {
    /// What the MTA sent makes no sense.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The socket is no good any more, or the MTA too slow.
    #[error(transparent)]
    Stream(#[from] StreamError),
}

impl MilterError {
    /// Returns the stable name that counters use, which `ends` of the metrics lists.
    pub fn code(&self) -> &'static str {
        match self {
            MilterError::Session(SessionError::Wire(_)) => "malformed",
            MilterError::Session(SessionError::Order { .. }) => "order",
            MilterError::Session(SessionError::Version(_)) => "version",
            MilterError::Stream(error) => error.code(),
        }
    }
}
