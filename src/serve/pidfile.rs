//! The file that holds the daemon's process id.
//!
//! It is written beside its place and moved there: a link that somebody has put there is replaced and not followed, and
//! nothing is waited for that opens slowly. A file that names a process which is a septet still is somebody else's.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io, process};

use crate::process::exit::{Exit, Failure};

/// The octets of a file that may name a process.
const LONGEST: u64 = 20;

/// A written file; it is removed when it is dropped, if it still is ours.
#[derive(Debug)]
pub struct PidFile(PathBuf);

impl PidFile {
    /// Writes this process's id to a file, over a link or a file that stands there; exit 73 where that can't be, where
    /// anything else stands there, or where the file names another process that is a septet.
    pub fn write(path: PathBuf) -> Result<PidFile, Failure> {
        match claim(&path) {
            Ok(()) => Ok(PidFile(path)),
            Err(what) => Err(Failure::new(Exit::CantCreate, what)),
        }
    }
}

impl Drop for PidFile {
    /// Removes the file unless another process has written its own since.
    fn drop(&mut self) {
        if owner(&self.0) == Some(process::id()) {
            // It may be gone already, and then there is nothing to do.
            let _ = fs::remove_file(&self.0);
        }
    }
}

/// Writes the file where nobody else has its place; the error says why it can't be.
fn claim(path: &Path) -> Result<(), String> {
    let shown = path.display();
    if fs::symlink_metadata(path).is_ok_and(|file| !file.is_file() && !file.is_symlink()) {
        return Err(format!("the key pidfile names {shown}, which is no file"));
    }
    if let Some(other) = owner(path).filter(|&other| other != process::id() && is_septet(other)) {
        return Err(format!("the key pidfile names {shown}, which is the file of another septet, process {other}"));
    }
    write(path).map_err(|error| format!("can't write the pidfile {shown}, as the key pidfile asks: {error}"))
}

/// Writes the file beside its place, and moves it there; what was begun is removed where that fails.
fn write(path: &Path) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}", process::id()));
    let beside = PathBuf::from(beside);
    let written = OpenOptions::new().write(true).create_new(true).open(&beside).and_then(|mut file| {
        file.write_all(format!("{}\n", process::id()).as_bytes())?;
        fs::rename(&beside, path)
    });
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Returns the process that a plain file names; none of a link, or of a file that is too long to be a pidfile.
fn owner(path: &Path) -> Option<u32> {
    let file = fs::symlink_metadata(path).ok()?;
    let fits = file.is_file() && file.len() <= LONGEST;
    fits.then(|| fs::read_to_string(path).ok()?.trim().parse().ok()).flatten()
}

/// Returns `true` if a process runs the same program as this one, as far as its name in /proc says.
fn is_septet(process: u32) -> bool {
    program(&process.to_string()).is_some_and(|other| Some(other) == program("self"))
}

/// Returns the name of the program that a process runs.
fn program(process: &str) -> Option<String> {
    fs::read_to_string(format!("/proc/{process}/comm")).ok()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn replaces_a_link_and_removes_only_its_own() {
        let dir = tempfile::tempdir().expect("a folder");
        let (path, precious) = (dir.path().join("pid"), dir.path().join("precious"));
        fs::write(&precious, "data").expect("a file");
        symlink(&precious, &path).expect("a link");
        let file = PidFile::write(path.clone()).expect("it is written");
        assert_eq!(fs::read_to_string(&precious).expect("a file"), "data");
        assert_eq!(fs::read_to_string(&path).expect("a file").trim(), process::id().to_string());
        fs::write(&path, "1\n").expect("a file");
        drop(file);
        assert!(path.exists(), "it is another daemon's by now");
    }

    #[test]
    fn leaves_another_septets_file_alone() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("pid");
        let child = process::Command::new("/proc/self/exe").arg("--list").stdout(process::Stdio::piped()).spawn();
        let mut child = child.expect("this program");
        fs::write(&path, child.id().to_string()).expect("a file");
        // It may have ended, but nobody has taken note: its name stands.
        let taken = PidFile::write(path.clone()).map(drop);
        let alive = is_septet(child.id());
        child.kill().and_then(|()| child.wait()).expect("it ends");
        assert_eq!(taken.is_err(), alive);
        PidFile::write(path).map(drop).expect("nobody has it any more");
        assert!(PidFile::write(dir.path().to_owned()).is_err(), "a folder");
    }
}
