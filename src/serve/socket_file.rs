//! The file of a unix socket: made when it is bound, given to whom the settings say, removed in the end.
//!
//! It goes by its path, and whoever may write in the folder can put another file there at any moment, or a link to one
//! that is none of his, while septet is still root. So the file's number is kept; what stands at the path is held by a
//! descriptor before it is looked at, and the descriptor's file is the one that changes hands. What is not ours is
//! neither changed nor removed. The number is ours alone only as long as the socket is open: the file goes first.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, ErrorKind};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use nix::fcntl::{AtFlags, OFlag, open};
use nix::sys::stat;
use nix::unistd::{Gid, Uid, fchownat};
use thiserror::Error;
use tracing::warn;

use super::owner;
use crate::config::{Access, Mode};

/// A socket's file; it is removed when this is dropped.
#[derive(Debug)]
pub struct SocketFile {
    path: PathBuf,
    /// As the system made it; what the settings don't say goes back to this.
    made: Metadata,
    /// Whose it is where the settings don't say.
    user: u32,
}

/// Why a socket's file can't be as the settings want it.
#[derive(Debug, Error)]
pub enum AccessError {
    /// The system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// There is nobody of that name.
    #[error("no {kind} is named {name:?}")]
    NoOwner {
        /// User or group.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// /proc is not mounted.
    #[error("without /proc the mode of a socket can't be changed")]
    NoProc,
    /// The path is another file's now.
    #[error("another file stands at {0} by now; a restart makes the socket anew")]
    Replaced(PathBuf),
}

/// The permissions of a file, without its kind.
const PERMISSIONS: u32 = 0o777;

impl SocketFile {
    /// Takes charge of the file of a socket that was just bound: what stands at the path now counts as ours.
    pub fn of_bound(path: &Path) -> io::Result<SocketFile> {
        let made = fs::symlink_metadata(path)?;
        Ok(SocketFile { path: path.to_owned(), user: made.uid(), made })
    }

    /// Gives it the owner, group and permissions of the settings; what they don't say is as it was made.
    pub fn give(&self, access: &Access) -> Result<(), AccessError> {
        let user = number("user", access.user.as_deref(), owner::user)?.unwrap_or(self.user);
        let group = number("group", access.group.as_deref(), owner::group)?.unwrap_or(self.made.gid());
        let mode = access.mode.map_or(self.made.mode() & PERMISSIONS, |Mode(mode)| mode);
        self.held()?.give(user, group, mode)
    }

    /// Gives it to another user as if he had made it; its group stays, which the folder may have given it.
    pub fn hand_over(&mut self, user: u32) -> Result<(), AccessError> {
        let held = self.held()?;
        held.give(user, held.now.gid(), held.now.mode() & PERMISSIONS)?;
        self.user = user;
        Ok(())
    }

    /// Takes hold of the file, if it is still the one at the path; a link is not followed.
    fn held(&self) -> Result<Held, AccessError> {
        let how = OFlag::O_PATH | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        let file = File::from(open(&self.path, how, stat::Mode::empty()).map_err(io::Error::from)?);
        let now = file.metadata()?;
        match self.is_ours(&now) {
            true => Ok(Held { file, now }),
            false => Err(AccessError::Replaced(self.path.clone())),
        }
    }

    /// Warns that the file stays although nobody will listen: a later start finds it, and can't remove it either unless
    /// it is root's.
    fn warn_of_leaving(&self, error: &io::Error) {
        let (path, folder) = (self.path.display(), self.path.parent().unwrap_or(&self.path).display());
        warn!("{path} can't be removed and stays: {error}; septet's user must be allowed to write in {folder}");
    }

    /// Returns `true` if this is the file that was bound, by its device and number.
    fn is_ours(&self, now: &Metadata) -> bool {
        now.file_type().is_socket() && (now.dev(), now.ino()) == (self.made.dev(), self.made.ino())
    }
}

/// A socket's file by a descriptor, which stays the same file whatever becomes of its path.
struct Held {
    file: File,
    now: Metadata,
}

impl Held {
    /// Sets owner, group and permissions, as far as they differ.
    fn give(&self, user: u32, group: u32, mode: u32) -> Result<(), AccessError> {
        // Whoever may not change an owner may still leave it as it is, so that is not even asked for.
        if (self.now.uid(), self.now.gid()) != (user, group) {
            let (user, group) = (Some(Uid::from_raw(user)), Some(Gid::from_raw(group)));
            fchownat(&self.file, c"", user, group, AtFlags::AT_EMPTY_PATH).map_err(io::Error::from)?;
        }
        if self.now.mode() & PERMISSIONS != mode {
            self.set_mode(mode)?;
        }
        Ok(())
    }

    /// Sets the permissions, by the name that the descriptor has in /proc: fchmod(2) takes none that only holds a file.
    fn set_mode(&self, mode: u32) -> Result<(), AccessError> {
        let name = format!("/proc/self/fd/{}", self.file.as_raw_fd());
        fs::set_permissions(name, Permissions::from_mode(mode)).map_err(|error| match error.kind() {
            ErrorKind::NotFound => AccessError::NoProc,
            _ => error.into(),
        })
    }
}

impl Drop for SocketFile {
    /// Removes the file if it is still ours. The socket must be open until then, or its number may be another file's.
    fn drop(&mut self) {
        // It may be gone already, or belong to a daemon that took over, and then there is nothing to do. By path, since
        // no call unlinks by a descriptor: another file may come in between, but only from somebody who may write in
        // the folder.
        let removed = fs::symlink_metadata(&self.path).and_then(|now| match self.is_ours(&now) {
            true => fs::remove_file(&self.path),
            false => Ok(()),
        });
        match removed {
            Err(error) if error.kind() != ErrorKind::NotFound => self.warn_of_leaving(&error),
            _ => {}
        }
    }
}

/// Returns the number of the user or group that the settings name, which `find` knows by its name; none where they name
/// none.
fn number(kind: &'static str, name: Option<&str>, find: fn(&str) -> Option<u32>) -> Result<Option<u32>, AccessError> {
    match name {
        Some(name) => find(name).map(Some).ok_or(AccessError::NoOwner { kind, name: name.to_owned() }),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::symlink_metadata(path).expect("a file").mode() & PERMISSIONS
    }

    #[test]
    fn is_given_away_and_taken_back() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("sock");
        let _socket = UnixListener::bind(&path).expect("a socket");
        let file = SocketFile::of_bound(&path).expect("a file");
        let before = mode(&path);
        file.give(&Access { mode: Some(Mode(0o620)), ..Access::default() }).expect("it is ours");
        assert_eq!(mode(&path), 0o620);
        file.give(&Access::default()).expect("it is ours");
        assert_eq!(mode(&path), before);
        let nobody = file.give(&Access { user: Some("no such user".into()), ..Access::default() });
        assert!(matches!(nobody, Err(AccessError::NoOwner { kind: "user", .. })), "{nobody:?}");
        drop(file);
        assert!(!path.exists());
    }

    #[test]
    fn leaves_a_file_alone_that_took_its_place() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("sock");
        let _socket = UnixListener::bind(&path).expect("a socket");
        let file = SocketFile::of_bound(&path).expect("a file");
        let precious = dir.path().join("precious");
        fs::write(&precious, "data").expect("a file");
        fs::rename(&path, dir.path().join("away")).expect("moved");
        std::os::unix::fs::symlink(&precious, &path).expect("a link");
        let before = mode(&precious);
        let given = file.give(&Access { mode: Some(Mode(0o777)), ..Access::default() });
        assert!(matches!(given, Err(AccessError::Replaced(_))), "{given:?}");
        assert_eq!(mode(&precious), before);
        drop(file);
        assert!(path.exists());
    }

    #[test]
    fn changes_the_file_that_was_looked_at() {
        let dir = tempfile::tempdir().expect("a folder");
        let (path, away, precious) = (dir.path().join("sock"), dir.path().join("away"), dir.path().join("precious"));
        let _socket = UnixListener::bind(&path).expect("a socket");
        let file = SocketFile::of_bound(&path).expect("a file");
        fs::write(&precious, "data").expect("a file");
        let before = mode(&precious);
        let held = file.held().expect("it is ours");
        fs::rename(&path, &away).expect("moved");
        std::os::unix::fs::symlink(&precious, &path).expect("a link");
        held.give(held.now.uid(), held.now.gid(), 0o622).expect("it is held");
        assert_eq!((mode(&away), mode(&precious)), (0o622, before));
    }
}
