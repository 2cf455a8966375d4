//! A file that is being written and has no place yet.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, IoSlice, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use super::{Pending, ReplacedFile, open_cut, open_regular, remove_own};
use crate::archive::interrupt::{self, UnfinishedKind};

/// How every name of a passing file starts.
pub const PREFIX: &str = ".septet-";

/// The names of one run's passing files: `.septet-RUN-1`, `.septet-RUN-2`, …
#[derive(Debug)]
pub struct TemporaryNames {
    run: String,
    next: AtomicU64,
}

impl TemporaryNames {
    /// Makes names that no other run has; `tag` stands in front, for whoever looks for leftovers.
    pub fn new(tag: &str) -> TemporaryNames {
        TemporaryNames { run: format!("{tag}{:x}-{:x}", std::process::id(), nanos()), next: AtomicU64::new(0) }
    }

    /// Makes names of a run that was killed, to find what it left and to go on with it. None is one that it had: its
    /// journal may still say where a file of such a name goes.
    pub fn of(run: String) -> TemporaryNames {
        TemporaryNames { run, next: AtomicU64::new(nanos()) }
    }

    /// Returns the run that they are of.
    pub fn run(&self) -> &str {
        &self.run
    }

    /// Creates a file in a folder, with this mode but for the umask.
    pub fn create(&self, folder: &Path, mode: u32) -> io::Result<Temporary> {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!("{PREFIX}{}-{number}", self.run));
            match Temporary::create(path, mode, UnfinishedKind::Passing) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                made => return made,
            }
        }
    }

    /// Removes what a run left in a folder that is at its end, or was killed, as the caller knows: no lock is looked
    /// at.
    pub fn remove_leftovers(&self, folder: &Path) {
        remove_where(folder, &format!("{PREFIX}{}-", self.run), |_| true);
    }

    /// Removes what killed runs of a tag left in a folder. What may be of a process that lives stays, be it written or
    /// ready to take its place: so does everything on systems that don't list their processes in `/proc`.
    pub fn remove_dead(tag: &str, folder: &Path) {
        remove_where(folder, &format!("{PREFIX}{tag}"), |path| {
            process_of(tag, path).is_some_and(|process| !may_live(process)) && is_unlocked(path)
        });
    }

    /// Removes what killed runs whose names start with a tag left in a folder; what somebody still writes stays.
    pub fn remove_unused(tag: &str, folder: &Path) {
        remove_where(folder, &format!("{PREFIX}{tag}"), is_unlocked);
    }
}

/// Returns the process that named a passing file: `.septet-TAG1a2b-…`; none where the name is of another kind.
fn process_of(tag: &str, path: &Path) -> Option<u32> {
    let name = path.file_name()?.to_str()?.strip_prefix(PREFIX)?.strip_prefix(tag)?;
    u32::from_str_radix(name.split('-').next()?, 16).ok()
}

/// Returns `true` unless it is known that there is no process of this number.
fn may_live(process: u32) -> bool {
    let listed = Path::new("/proc");
    !listed.join(std::process::id().to_string()).exists() || listed.join(process.to_string()).exists()
}

/// Returns `true` if nobody has a file locked, as whoever writes one has; `false` also where it can't be opened, or the
/// file system has no locks.
fn is_unlocked(path: &Path) -> bool {
    open_regular(path).is_ok_and(|file| file.try_lock().is_ok())
}

/// Returns the nanoseconds since 1970, by which names of two runs differ; 0 for a clock before that.
fn nanos() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64)
}

/// Removes the files of a folder whose names start so, if they are `unused`. What can't be read or removed stays,
/// without an error.
fn remove_where(folder: &Path, start: &str, unused: impl Fn(&Path) -> bool) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(start.as_bytes()) && unused(&entry.path()) {
            // Another run may have removed it.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A file that is being written and has no place yet. Dropping it removes it, unless it can be resumed and that is
/// worth it.
#[derive(Debug)]
pub struct Temporary {
    file: File,
    path: PathBuf,
    kind: UnfinishedKind,
    released: bool,
}

impl Temporary {
    /// Creates a file and lists it as begun, locked as long as it is open; `AlreadyExists` where the path names
    /// anything, be it a link that leads nowhere.
    pub fn create(path: PathBuf, mode: u32, kind: UnfinishedKind) -> io::Result<Temporary> {
        interrupt::uninterrupted(|| {
            let file = OpenOptions::new().read(true).write(true).create_new(true).mode(mode).open(&path)?;
            interrupt::begun(&path, kind);
            // Without locks (some network file systems) nothing is lost but the guard against two runs at once.
            let _ = file.try_lock();
            Ok(Temporary { file, path, kind, released: false })
        })
    }

    /// Opens what an interrupted run left, to be written on behind its first `len` octets: what is beyond is cut off.
    /// `None` where it is gone, shorter, or another file than the one with this number.
    pub fn adopt(path: &Path, ino: u64, len: u64) -> io::Result<Option<Temporary>> {
        let Some(file) = open_cut(path, ino, len)? else { return Ok(None) };
        interrupt::begun(path, UnfinishedKind::Resumable);
        let _ = file.try_lock();
        Ok(Some(Temporary { file, path: path.to_owned(), kind: UnfinishedKind::Resumable, released: false }))
    }

    /// Returns the file.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns its number on its device.
    pub fn ino(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.ino())
    }

    /// Leaves it where it is, listed as begun: it is to get its place, or to be gone on with. Its lock ends with its
    /// file, of which a clone may be held.
    pub fn release(mut self) -> PathBuf {
        self.released = true;
        self.path.clone()
    }

    /// Flushes it to the disk, and has it wait for its place, in which it may replace a file.
    pub fn wait_for(self, to: &Path, replaces: Option<ReplacedFile>) -> io::Result<Pending> {
        self.file.sync_all()?;
        Ok(Pending { ino: self.ino()?, from: self.release(), to: to.to_owned(), replaces })
    }

    /// Removes it: it is not needed any more.
    pub fn discard(mut self) {
        self.kind = UnfinishedKind::Passing;
    }
}

impl Write for Temporary {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.file.write(octets)
    }

    fn write_vectored(&mut self, slices: &[IoSlice]) -> io::Result<usize> {
        self.file.write_vectored(slices)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let kept = self.kind == UnfinishedKind::Resumable && interrupt::is_worth_keeping();
        if !self.released && !kept {
            remove_own(&self.path);
            interrupt::ended(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_run_left_is_removed_and_no_other_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let put = |name: &str| fs::write(folder.path().join(name), b"x").expect("a file");
        // No process has the number: it is beyond the largest that Linux gives.
        let dead = [".septet-tag-7fffffff-1-0", ".septet-tag-7fffffff-1-12"];
        let own = format!(".septet-tag-{:x}-1-0", std::process::id());
        let kept = [&*own, ".septet-other-7fffffff-1-0", ".septet-7fffffff-1-0", ".septet-tag-x", "mail.mbox"];
        dead.iter().chain(&kept).for_each(|name| put(name));
        TemporaryNames::remove_dead("tag-", folder.path());
        assert!(!dead.iter().any(|name| folder.path().join(name).exists()));
        assert!(kept.iter().all(|name| folder.path().join(name).exists()));
    }
}
