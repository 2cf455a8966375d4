//! The socket that an earlier run left at the path of a new one.
//!
//! A process that is killed leaves its socket's file, and so does one whose user may not write in the folder. Who
//! connects to it is refused, and by that it is known: what is not known to be left is not removed.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;
use tokio::net::UnixStream;
use tokio::time::timeout;

use super::owner;

/// How long a socket that stands there already has to answer.
const ANSWER: Duration = Duration::from_secs(1);

/// Why the path of a socket is not free.
#[derive(Debug, Error)]
pub enum OccupiedError {
    /// Somebody listens, or is too busy to answer.
    #[error("another process listens there")]
    Taken,
    /// It is a file of another kind.
    #[error("another file, not a socket, is at that path")]
    NotSocket,
    /// The permissions of the socket keep septet from asking.
    #[error(
        "a socket of the user {owner:?} is at that path already, and septet may not connect to it to learn whether a \
         process listens there; `ss -xl src {}` lists the one that does, and where it lists none, remove the file",
        path.display()
    )]
    Unreachable {
        /// The socket.
        path: PathBuf,
        /// Whose it is, by name where there is one.
        owner: String,
    },
    /// Nobody listens, and the file has to stay.
    #[error(
        "an old socket of the user {owner:?} is at that path; no process listens there, but septet may not remove it: \
         remove it, and give septet's user a folder of its own for its sockets"
    )]
    Unremovable {
        /// Whose it is, by name where there is one.
        owner: String,
        /// Why it can't be removed.
        source: io::Error,
    },
    /// The path can't be looked at.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Removes the socket that an earlier run left behind, if there is one; an error where another file stands there, where
/// somebody listens, or where that can't be known. A connection that is not refused within [`ANSWER`], or that would
/// block, counts as somebody who listens and whose queue is full.
pub async fn remove_stale(path: &Path) -> Result<(), OccupiedError> {
    let file = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error.into()),
        Ok(file) if !file.file_type().is_socket() => return Err(OccupiedError::NotSocket),
        Ok(file) => file,
    };
    let owner = owner::name_of(file.uid());
    match timeout(ANSWER, UnixStream::connect(path)).await {
        Ok(Err(error)) if error.kind() == ErrorKind::ConnectionRefused => {
            fs::remove_file(path).map_err(|source| OccupiedError::Unremovable { owner, source })
        }
        Ok(Err(error)) if error.kind() == ErrorKind::PermissionDenied => {
            Err(OccupiedError::Unreachable { path: path.to_owned(), owner })
        }
        Ok(Err(error)) if error.kind() != ErrorKind::WouldBlock => Err(error.into()),
        _ => Err(OccupiedError::Taken),
    }
}
