//! The dot lock, `NAME.lock`: the number of the process, the name of the run, and the host that it runs on.
//!
//! It is there with all of that or not at all, and locked (`flock`) as long as its process lives. So one that has a run
//! and this host in it and is not locked is of a septet that was killed, and is removed. So is one of the run that is
//! gone on with, or in the place of which another starts anew: the journal's lock says that it is gone. Any other may
//! be another program's, and stays: also one of another host, for locks don't reach from host to host everywhere.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, SystemTime};

use crate::archive::interrupt::{self, UnfinishedKind};
use crate::archive::replace::{create_whole, is_at, open_regular, with_suffix};
use crate::process::arrival::hostname;
use crate::process::say::warn;

/// How often the dot lock is touched.
const TOUCHED: Duration = Duration::from_secs(20);

/// What stands before the name of the run in a dot lock.
const SIGNED: &str = "septet ";

/// What stands before the name of the host.
const HOST: &str = "host ";

/// How many octets of a dot lock are read; ours have fewer, and one of another program may have any number.
const LONGEST: u64 = 4096;

/// What the name of a dot lock has behind that of its mailbox file.
pub const DOT_LOCK: &str = ".lock";

/// Returns the path of the dot lock of a mailbox file; `mailbox` is its own path and that of no link, as others lock
/// it.
pub fn dot_name(mailbox: &Path) -> PathBuf {
    with_suffix(mailbox, DOT_LOCK)
}

/// The file `NAME.lock`, which is removed when it is dropped.
#[derive(Debug)]
pub struct DotLock {
    path: PathBuf,
    file: Arc<File>,
    /// Closed when the lock is given back, which ends the thread that touches it.
    _held: Sender<()>,
}

impl DotLock {
    /// Creates the dot lock for a run, once one that a killed septet left was removed (`take_away`), and touches it
    /// now and then until it is dropped. `AlreadyExists` where somebody else has it.
    pub fn take(path: &Path, run: &str) -> io::Result<DotLock> {
        take_away(path, run);
        // Others read the number of the process alone.
        let said = format!("{}\n{SIGNED}{run}\n{HOST}{}\n", std::process::id(), hostname());
        let file = Arc::new(create_whole(path, 0o666, said.as_bytes(), UnfinishedKind::Passing)?);
        let (_held, released) = channel();
        let touched = file.clone();
        thread::spawn(move || {
            while released.recv_timeout(TOUCHED) == Err(RecvTimeoutError::Timeout) {
                // Who can't touch it can do nothing about it.
                let _ = touched.set_modified(SystemTime::now());
            }
        });
        Ok(DotLock { path: path.to_owned(), file, _held })
    }
}

impl Drop for DotLock {
    fn drop(&mut self) {
        interrupt::uninterrupted(|| {
            // Whoever took it for a dead program's has one of its own there.
            if is_at(&self.file, &self.path)
                && let Err(error) = fs::remove_file(&self.path)
            {
                let path = self.path.display();
                warn(format_args!(
                    "{path} can't be removed ({error}): remove it, for deliveries wait until it is gone"
                ));
            }
            interrupt::ended(&self.path);
        });
    }
}

/// Removes the dot lock of a mailbox file that this run left when it was killed; one of any other stays.
pub fn remove_left(mailbox: &Path, run: &str) {
    take_away(&dot_name(mailbox), run);
}

/// Removes the dot lock of a mailbox file that a septet of this host left when it was killed, and returns the name of
/// its run; none where there is no such lock.
pub fn remove_dead(mailbox: &Path) -> Option<String> {
    take_away(&dot_name(mailbox), "")
}

/// Removes a dot lock if the septet that made it is gone: nobody has it locked, and it was made on this host or by
/// `run`, which the caller knows to be gone, or is itself. Any other lock stays. Returns the run whose lock was
/// removed.
fn take_away(path: &Path, run: &str) -> Option<String> {
    let file = open_regular(path).ok()?;
    let (of, host) = read(&file)?;
    let dead = match file.try_lock() {
        Ok(()) => of == run || host.as_deref() == Some(hostname()),
        Err(TryLockError::WouldBlock) => false,
        // Without locks a journal is the only one that can tell.
        Err(TryLockError::Error(_)) => of == run,
    };
    // While it is locked here, no other septet removes this very file.
    // Where that fails it is in the way, which is said then.
    (dead && is_at(&file, path) && fs::remove_file(path).is_ok()).then_some(of)
}

/// Reads whose dot lock it is: the run, and the host; none where it is another program's.
fn read(file: &File) -> Option<(String, Option<String>)> {
    let mut said = String::new();
    file.take(LONGEST).read_to_string(&mut said).ok()?;
    let mut lines = said.lines().skip(1);
    let run = lines.next()?.strip_prefix(SIGNED)?.to_owned();
    Some((run, lines.next().and_then(|line| line.strip_prefix(HOST)).map(str::to_owned)))
}
