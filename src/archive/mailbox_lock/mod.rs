//! Locks a mailbox file while it is converted in place or made what it was, as the programs do that deliver to it.
//!
//! Two locks are in use for mailbox files, and a program may honour either: a record lock (`fcntl`) on the file, and a
//! file `NAME.lock` beside it. Both are taken, in the order of Debian's policy (§11.6): first fcntl, then the dot lock;
//! if the second is not to be had, the first is given back, and both are tried again later, the pause growing from 50
//! ms to 2 s. When the time is up nothing was done, and the exit code is 75.
//!
//! The record lock is one of the open file description, so that nothing else in this process that closes the file gives
//! it up. The dot lock is touched again and again, for others take one that is minutes old for a dead program's; one
//! that stands is never removed here, but for that of a septet that was killed ([`dot`] says how that is told).
//!
//! A converted mailbox is another file under the old name. A program that waits for the record lock alone would then
//! have the lock of a file that is gone; those that look again (Dovecot, Exim) or want the dot lock too (Postfix,
//! procmail) are safe.

mod dot;

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::archive::file_error::FileError;
use crate::archive::replace::is_at;
use crate::process::exit::{Exit, HasExit};
pub use dot::{DOT_LOCK, remove_dead, remove_left};
use dot::{DotLock, dot_name};

/// The first pause between two attempts; it doubles up to [`LONGEST`].
const SHORTEST: Duration = Duration::from_millis(50);

/// The longest pause between two attempts.
const LONGEST: Duration = Duration::from_secs(2);

/// Why a mailbox file is not locked.
#[derive(Debug, Error)]
#[allow(missing_docs)]
pub enum LockError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{} is locked by another program ({by}): try again, or stop deliveries to it", path.display())]
    Locked { path: PathBuf, by: String },
}

impl HasExit for LockError {
    fn exit(&self) -> Exit {
        match self {
            LockError::File(error) => error.exit(),
            LockError::Locked { .. } => Exit::TempFail,
        }
    }
}

/// Both locks of a mailbox file; dropping it gives them back.
#[derive(Debug)]
pub struct MailboxLock {
    /// Holds the record lock until it is closed; none where the file may not be written.
    _record: Option<File>,
    _dot: DotLock,
}

impl MailboxLock {
    /// Takes both locks, and tries again until `patience` is over, at least once. `run` is written into the dot lock,
    /// so that whoever goes on with that run can remove it should this process be killed ([`remove_left`]).
    pub fn take(mailbox: &Path, patience: Duration, run: &str) -> Result<MailboxLock, LockError> {
        let started = Instant::now();
        let mut pause = SHORTEST;
        loop {
            let by = match MailboxLock::attempt(mailbox, run)? {
                Ok(lock) => return Ok(lock),
                Err(by) => by,
            };
            let left = patience.saturating_sub(started.elapsed());
            if left.is_zero() {
                return Err(LockError::Locked { path: mailbox.to_owned(), by });
            }
            thread::sleep(pause.min(left));
            pause = (pause * 2).min(LONGEST);
        }
    }

    /// Tries once. The inner error names the lock that somebody else has, so that a later attempt may do; the outer
    /// one is not cured by waiting.
    fn attempt(mailbox: &Path, run: &str) -> Result<Result<MailboxLock, String>, LockError> {
        let opening = FileError::opening(mailbox.display());
        let record = match OpenOptions::new().read(true).write(true).open(mailbox) {
            // Who may not write the file may not lock it; that it can be replaced is up to its folder.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => None,
            file => Some(file.map_err(&opening)?),
        };
        if !record.as_ref().map_or(Ok(true), record_lock).map_err(&opening)? {
            return Ok(Err("fcntl".to_owned()));
        }
        let dot = dot_name(mailbox);
        Ok(match DotLock::take(&dot, run) {
            // Whoever had the locks meanwhile put another file there: the record lock is of one that is gone.
            Ok(_) if record.as_ref().is_some_and(|record| !is_at(record, mailbox)) => Err("fcntl".to_owned()),
            Ok(dot) => Ok(MailboxLock { _record: record, _dot: dot }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(dot.display().to_string()),
            Err(source) => return Err(FileError::creating(dot.display())(source).into()),
        })
    }
}

/// Takes the record lock for writing on all of a file; `false` where another program has one, and `true` without a
/// lock where the file system has none.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn record_lock(file: &File) -> io::Result<bool> {
    use nix::errno::Errno;
    use nix::fcntl::{FcntlArg, fcntl};
    use nix::libc::{F_WRLCK, SEEK_SET, flock};
    let whole = flock { l_type: F_WRLCK as _, l_whence: SEEK_SET as _, l_start: 0, l_len: 0, l_pid: 0 };
    match fcntl(file, FcntlArg::F_OFD_SETLK(&whole)) {
        Ok(_) => Ok(true),
        Err(Errno::EAGAIN | Errno::EACCES) => Ok(false),
        // A file system without record locks has nobody who takes one.
        Err(Errno::EINVAL | Errno::ENOLCK | Errno::EOPNOTSUPP) => Ok(true),
        Err(error) => Err(error.into()),
    }
}

/// Elsewhere a record lock would end with the first of this process's files that is closed: the dot lock has to do.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn record_lock(_: &File) -> io::Result<bool> {
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::process::arrival::hostname;

    const SHORT: Duration = Duration::from_millis(120);

    fn mailbox() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (mailbox, dot) = (folder.path().join("inbox"), folder.path().join("inbox.lock"));
        fs::write(&mailbox, "").expect("a file");
        (folder, mailbox, dot)
    }

    #[test]
    fn two_do_not_have_it_at_once_and_nothing_is_left() {
        let (folder, mailbox, dot) = mailbox();
        let lock = MailboxLock::take(&mailbox, SHORT, "one").expect("nobody else has it");
        let said = fs::read_to_string(&dot).expect("a lock");
        assert!(said.lines().next().is_some_and(|line| line.parse::<u32>().is_ok()), "{said}");
        // What is opened and closed meanwhile takes nothing away.
        drop(File::open(&mailbox).expect("a file"));
        let second = MailboxLock::take(&mailbox, SHORT, "two");
        assert!(matches!(second, Err(LockError::Locked { by, .. }) if by == "fcntl"));
        // Nor does the dot lock alone look like a dead one's, be it to the run itself.
        assert!(DotLock::take(&dot, "two").is_err() && DotLock::take(&dot, "one").is_err());
        assert!(dot.exists(), "it is the first one's still");
        drop(lock);
        drop(MailboxLock::take(&mailbox, SHORT, "two").expect("it is free"));
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_dot_lock_of_another_program_stays_and_the_record_lock_is_given_back() {
        let (_folder, mailbox, dot) = mailbox();
        for said in ["", "1", "1\n", "1\nanother\n", "1\nseptet one\n", "1\nseptet one\nhost another.example\n"] {
            fs::write(&dot, said).expect("a lock");
            let refused = MailboxLock::take(&mailbox, SHORT, "two");
            assert!(matches!(refused, Err(LockError::Locked { by, .. }) if by.ends_with("inbox.lock")), "{said:?}");
            assert_eq!(fs::read_to_string(&dot).expect("a lock"), said);
            let file = OpenOptions::new().write(true).open(&mailbox).expect("a file");
            assert!(record_lock(&file).expect("it can be asked for"));
        }
    }

    #[test]
    fn a_dot_lock_that_came_in_the_place_of_this_one_stays() {
        let (_folder, mailbox, dot) = mailbox();
        let lock = MailboxLock::take(&mailbox, SHORT, "one").expect("nobody else has it");
        fs::remove_file(&dot).expect("a lock");
        fs::write(&dot, "1\n").expect("a lock");
        drop(lock);
        assert_eq!(fs::read_to_string(&dot).expect("a lock"), "1\n");
    }

    #[test]
    fn the_dot_lock_of_a_killed_run_is_taken_over() {
        let (_folder, mailbox, dot) = mailbox();
        let said = format!("1\nseptet one\nhost {}\n", hostname());
        // Whoever lives has it locked.
        fs::write(&dot, &said).expect("a lock");
        let living = File::open(&dot).expect("a file");
        living.try_lock().expect("it is free");
        assert!(MailboxLock::take(&mailbox, SHORT, "two").is_err());
        drop(living);
        drop(MailboxLock::take(&mailbox, SHORT, "two").expect("a dead one's"));
        assert!(!dot.exists());
    }

    /// Of a host that can't be told, by whoever goes on from the run alone.
    #[test]
    fn the_dot_lock_of_a_run_that_is_gone_on_with_is_removed_by_its_name() {
        let (_folder, mailbox, dot) = mailbox();
        fs::write(&dot, "1\nseptet one\n").expect("a lock");
        ["two", "on", ""].iter().for_each(|run| remove_left(&mailbox, run));
        assert!(dot.exists());
        remove_left(&mailbox, "one");
        assert!(!dot.exists());
    }
}
