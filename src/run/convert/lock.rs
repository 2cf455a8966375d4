//! Locks a mailbox file while it is converted in place, as the programs do that deliver to it.
//!
//! Two locks are in use for mailbox files, and a program may honour either: a record lock (`fcntl`) on the file, and a file
//! `NAME.lock` beside it. Both are taken, in the order of Debian's policy (§11.6): first fcntl, then the dot lock; if the second is not to
//! be had, the first is given back, and both are tried again later, the pause growing from 50 ms to 2 s. When the time is up
//! nothing was done, and the exit code is 75.
//!
//! The record lock is one of the open file description, so that nothing else in this process that closes the file
//! gives it up. The dot lock is touched again and again, for others take one that is minutes old for a dead program's; one that
//! stands is never removed here, but for that of a run that was killed, by the run that goes on from there or starts anew in
//! its place: it has the name of the run in it, and the journal's lock says that the run is gone.
//!
//! A converted mailbox is another file under the old name. A program that waits for the record lock alone would then have
//! the lock of a file that is gone; those that look again (Dovecot, Exim) or want the dot lock too (Postfix, procmail) are safe.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use super::error::Error;
use crate::run::interrupt::{self, Kind};

/// The first pause between two attempts; it doubles up to [`LONGEST`].
const SHORTEST: Duration = Duration::from_millis(50);

/// The longest pause between two attempts.
const LONGEST: Duration = Duration::from_secs(2);

/// How often the dot lock is touched.
const TOUCHED: Duration = Duration::from_secs(20);

/// What stands before the name of the run in a dot lock.
const SIGNED: &str = "septet ";

/// Both locks of a mailbox file; dropping it gives them back.
#[derive(Debug)]
pub struct MailboxLock {
    /// Holds the record lock until it is closed; none where the file may not be written.
    _record: Option<File>,
    _dot: DotLock,
}

impl MailboxLock {
    /// Takes both locks, trying for so long.
    ///
    /// `runs` names this run, and the one that it follows: a dot lock that one of them left when it was killed is taken over.
    pub fn take(mailbox: &Path, patience: Duration, runs: &[String]) -> Result<MailboxLock, Error> {
        let started = Instant::now();
        let mut pause = SHORTEST;
        loop {
            let by = match MailboxLock::attempt(mailbox, runs)? {
                Ok(lock) => return Ok(lock),
                Err(by) => by,
            };
            let left = patience.saturating_sub(started.elapsed());
            if left.is_zero() {
                return Err(Error::Locked { path: mailbox.to_owned(), by });
            }
            thread::sleep(pause.min(left));
            pause = (pause * 2).min(LONGEST);
        }
    }

    /// Tries once; says which lock is taken already.
    fn attempt(mailbox: &Path, runs: &[String]) -> Result<Result<MailboxLock, String>, Error> {
        let name = || mailbox.display().to_string();
        let opening = |source| Error::Open { name: name(), source };
        let record = match OpenOptions::new().read(true).write(true).open(mailbox) {
            // Who may not write the file may not lock it; that it can be replaced is up to its folder.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => None,
            file => Some(file.map_err(opening)?),
        };
        if !record.as_ref().map_or(Ok(true), record_lock).map_err(opening)? {
            return Ok(Err("fcntl".to_owned()));
        }
        let dot = dot_name(mailbox);
        Ok(match DotLock::take(&dot, runs) {
            Ok(dot) => Ok(MailboxLock { _record: record, _dot: dot }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(dot.display().to_string()),
            Err(source) => return Err(Error::Create { path: dot, source }),
        })
    }
}

/// Takes the record lock for writing on all of a file; false when another program has one.
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

fn dot_name(mailbox: &Path) -> PathBuf {
    let mut name: OsString = mailbox.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}

/// The file `NAME.lock`, which is removed when it is dropped.
#[derive(Debug)]
struct DotLock {
    path: PathBuf,
    /// Closed when the lock is given back, which ends the thread that touches it.
    held: Option<Sender<()>>,
}

impl DotLock {
    fn take(path: &Path, runs: &[String]) -> io::Result<DotLock> {
        if runs.iter().any(|run| is_of(path, run)) {
            fs::remove_file(path)?;
        }
        let mut file = interrupt::uninterrupted(|| {
            let file = OpenOptions::new().write(true).create_new(true).open(path)?;
            interrupt::begun(path, Kind::Passing);
            io::Result::Ok(file)
        })?;
        let (held, released) = channel();
        let lock = DotLock { path: path.to_owned(), held: Some(held) };
        // Others read the number of the process alone.
        let run = runs.first().map_or(String::new(), |run| format!("{SIGNED}{run}\n"));
        write!(file, "{}\n{run}", std::process::id())?;
        thread::spawn(move || {
            while released.recv_timeout(TOUCHED) == Err(RecvTimeoutError::Timeout) {
                // Who can't touch it can do nothing about it.
                let _ = file.set_modified(SystemTime::now());
            }
        });
        Ok(lock)
    }
}

/// Tells whether a run left a dot lock.
fn is_of(path: &Path, run: &str) -> bool {
    let signed = fs::read_to_string(path).unwrap_or_default();
    signed.lines().nth(1).and_then(|line| line.strip_prefix(SIGNED)) == Some(run)
}

impl Drop for DotLock {
    fn drop(&mut self) {
        self.held = None;
        interrupt::uninterrupted(|| {
            let _ = fs::remove_file(&self.path);
            interrupt::ended(&self.path);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_millis(120);

    #[test]
    fn two_do_not_have_it_at_once_and_nothing_is_left() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (mailbox, dot) = (folder.path().join("inbox"), folder.path().join("inbox.lock"));
        fs::write(&mailbox, "").expect("a file");
        let lock = MailboxLock::take(&mailbox, SHORT, &[]).expect("nobody else has it");
        assert!(fs::read_to_string(&dot).expect("a lock").trim().parse::<u32>().is_ok());
        // What is opened and closed meanwhile takes nothing away.
        drop(File::open(&mailbox).expect("a file"));
        let second = MailboxLock::take(&mailbox, SHORT, &[]);
        assert!(matches!(second, Err(Error::Locked { by, .. }) if by == "fcntl"));
        assert!(dot.exists(), "it is the first one's still");
        drop(lock);
        assert!(!dot.exists());
        drop(MailboxLock::take(&mailbox, SHORT, &[]).expect("it is free"));
    }

    #[test]
    fn a_dot_lock_of_another_program_stays_and_the_record_lock_is_given_back() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (mailbox, dot) = (folder.path().join("inbox"), folder.path().join("inbox.lock"));
        fs::write(&mailbox, "").expect("a file");
        fs::write(&dot, "1\n").expect("a lock");
        let refused = MailboxLock::take(&mailbox, SHORT, &[]);
        assert!(matches!(refused, Err(Error::Locked { by, .. }) if by.ends_with("inbox.lock")));
        assert_eq!(fs::read_to_string(&dot).expect("a lock"), "1\n");
        let file = OpenOptions::new().write(true).open(&mailbox).expect("a file");
        assert!(record_lock(&file).expect("it can be asked for"));
    }

    #[test]
    fn the_dot_lock_of_a_killed_run_is_taken_over_by_whoever_follows_it_alone() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (mailbox, dot) = (folder.path().join("inbox"), folder.path().join("inbox.lock"));
        fs::write(&mailbox, "").expect("a file");
        fs::write(&dot, "1\nseptet one\n").expect("a lock");
        let take = |runs: &[&str]| {
            let runs: Vec<_> = runs.iter().map(|&run| run.to_owned()).collect();
            MailboxLock::take(&mailbox, SHORT, &runs).map(drop)
        };
        assert!(take(&["two"]).is_err() && take(&["on"]).is_err() && take(&[]).is_err());
        assert!(take(&["two", "one"]).is_ok());
        assert!(!dot.exists());
    }
}
