//! Why a connection is over before both sides wanted it.

use thiserror::Error;

use crate::serve::stream::StreamError;

/// Why a connection ends early.
#[derive(Debug, Error)]
pub enum SmtpError {
    /// The socket is no good any more, or the client too slow.
    #[error(transparent)]
    Stream(#[from] StreamError),
    /// The client sends a message too slowly.
    #[error("a message that comes too slowly")]
    SlowMessage,
    /// The client sends a message slowly, and others wait for the memory that it holds.
    #[error("a message that comes slowly while others wait for memory")]
    HoldsMemory,
    /// A trusted client did not say for whom it connects.
    #[error("no PROXY header where proxy_protocol = true wants one")]
    NoProxy,
    /// The session closed it: too many faults, or no SMTP at all.
    #[error("the client made too many faults, or does not speak SMTP")]
    Abuse,
}

impl SmtpError {
    /// Returns the stable name that counters use, which `ends` of the metrics lists.
    pub fn code(&self) -> &'static str {
        match self {
            SmtpError::Stream(error) => error.code(),
            SmtpError::SlowMessage | SmtpError::HoldsMemory => "slow-message",
            SmtpError::NoProxy => "no-proxy",
            SmtpError::Abuse => "abuse",
        }
    }
}
