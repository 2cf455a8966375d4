//! Why a connection is over before both sides wanted it.

use thiserror::Error;

use crate::protocol::milter::SessionError;
use crate::serve::stream::StreamError;

/// Why a connection ends early.
#[derive(Debug, Error)]
pub enum End {
    /// What the MTA sent makes no sense.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The socket is no good any more, or the MTA too slow.
    #[error(transparent)]
    Stream(#[from] StreamError),
}

impl End {
    /// Returns the stable name that counters use.
    pub fn code(&self) -> &'static str {
        match self {
            End::Session(SessionError::Wire(_)) => "malformed",
            End::Session(SessionError::Order { .. }) => "order",
            End::Session(SessionError::Version(_)) => "version",
            End::Stream(error) => error.code(),
        }
    }
}
