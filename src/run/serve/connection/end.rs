//! Why a connection is over before both sides wanted it.

use std::io;
use std::time::Duration;

use thiserror::Error;

use crate::protocol::milter::SessionError;

/// Why a connection ends early.
#[derive(Debug, Error)]
pub enum End {
    /// What the MTA sent makes no sense.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The system reported an error, mostly that the MTA is gone.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Nothing came within `idle_time`.
    #[error("no command for {0:?}")]
    Idle(Duration),
    /// A command came too slowly.
    #[error("a command that did not come whole in {0:?}")]
    SlowRead(Duration),
    /// An answer was taken too slowly.
    #[error("an answer that was not taken in {0:?}")]
    SlowWrite(Duration),
}

impl End {
    /// Gives the stable name that counters use.
    pub fn code(&self) -> &'static str {
        match self {
            End::Session(SessionError::Wire(_)) => "malformed",
            End::Session(SessionError::Order { .. }) => "order",
            End::Session(SessionError::Version(_)) => "version",
            End::Io(_) => "lost",
            End::Idle(_) => "idle",
            End::SlowRead(_) => "slow-read",
            End::SlowWrite(_) => "slow-write",
        }
    }
}
