//! A file that says all that it says from its first moment on, and that must not be there before: a lock, a journal.
//!
//! It is written under a passing name and then linked to its own, which fails where that name is taken, as `O_EXCL`
//! does. Whoever is killed meanwhile leaves the passing name alone, and the next run that looks removes it
//! ([`remove_unlinked`]). A file system without hard links gets the file under its own name, where it may be found cut.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use super::{Temporary, TemporaryNames, folder_of, is_at};
use crate::archive::interrupt::{self, UnfinishedKind};

/// What stands in the passing names of such files.
const TAG: &str = "begun-";

/// How often one is begun: between its creation and its lock another run may take it for a dead one's, and remove it.
const ATTEMPTS: usize = 5;

/// Creates a file with these octets, listed as begun, and locked as long as what is returned is open.
///
/// # Errors
///
/// `AlreadyExists` where the path is taken, whatever the links.
pub fn create_whole(path: &Path, mode: u32, octets: &[u8], kind: UnfinishedKind) -> io::Result<File> {
    let names = TemporaryNames::new(TAG);
    for _ in 0..ATTEMPTS {
        let passing = names.create(folder_of(path), mode)?;
        passing.file().write_all(octets)?;
        let file = passing.file().try_clone()?;
        match link(&passing, path, kind) {
            Ok(()) => return Ok(file),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Err(error),
            // Another run took it for a dead one's (see `ATTEMPTS`).
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            // A file system without hard links.
            Err(_) => break,
        }
    }
    create_here(path, mode, octets, kind)
}

/// Removes from a folder what runs left that were killed before such a file had its name.
pub fn remove_unlinked(folder: &Path) {
    TemporaryNames::remove_unused(TAG, folder);
}

/// Gives a passing file its own name too, and lists that as begun. `AlreadyExists` where the name is taken,
/// `NotFound` where the passing name is gone.
fn link(passing: &Temporary, path: &Path, kind: UnfinishedKind) -> io::Result<()> {
    interrupt::uninterrupted(|| {
        match fs::hard_link(passing.path(), path) {
            // The answer of a file server was lost, and it was asked again.
            Err(error) if error.kind() == ErrorKind::AlreadyExists && is_at(passing.file(), path) => {}
            linked => linked?,
        }
        interrupt::begun(path, kind);
        Ok(())
    })
}

/// Creates the file under its own name, where it can't be linked: whoever is killed meanwhile leaves it cut. After an
/// error of writing nothing is left.
fn create_here(path: &Path, mode: u32, octets: &[u8], kind: UnfinishedKind) -> io::Result<File> {
    let made = Temporary::create(path.to_owned(), mode, kind)?;
    match made.file().write_all(octets).and_then(|()| made.file().try_clone()) {
        Ok(file) => {
            made.release();
            Ok(file)
        }
        // Half of it is none.
        Err(error) => {
            made.discard();
            Err(error)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<_> = entries.map(|name| name.into_string().expect("a name")).collect();
        names.sort();
        names
    }

    #[test]
    fn it_is_there_whole_and_locked_either_way() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        type Create = fn(&Path, u32, &[u8], UnfinishedKind) -> io::Result<File>;
        for (name, create) in [("linked", create_whole as Create), ("here", create_here)] {
            let path = folder.path().join(name);
            let held = create(&path, 0o600, b"all of it", UnfinishedKind::Passing).expect("it is free");
            assert_eq!(fs::read(&path).expect("a file"), b"all of it");
            assert!(File::open(&path).expect("a file").try_lock().is_err(), "{name}");
            let taken = create(&path, 0o600, b"another", UnfinishedKind::Passing).expect_err("it is taken");
            assert_eq!(taken.kind(), ErrorKind::AlreadyExists);
            assert_eq!(fs::read(&path).expect("a file"), b"all of it");
            drop(held);
            assert!(File::open(&path).expect("a file").try_lock().is_ok(), "{name}");
        }
        symlink("nowhere", folder.path().join("dangling")).expect("a link");
        assert!(create_whole(&folder.path().join("dangling"), 0o600, b"", UnfinishedKind::Passing).is_err());
        assert_eq!(names(folder.path()), ["dangling", "here", "linked"]);
    }

    #[test]
    fn what_a_killed_run_left_is_removed_and_what_is_written_stays() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join(".septet-begun-1-1-0"), "").expect("a file");
        fs::write(folder.path().join(".septet-other-1-1-0"), "").expect("a file");
        let written = TemporaryNames::new(TAG).create(folder.path(), 0o600).expect("a file");
        remove_unlinked(folder.path());
        let written = written.path().file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        assert_eq!(names(folder.path()), [written, ".septet-other-1-1-0".to_owned()]);
    }
}
