//! The Maildir of a shard while it is written: under a name that no other task has, so that two tasks of one shard
//! don't write into one folder, and neither removes what the other has written.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::archive::file_error::FileError;
use crate::archive::folder::list;
use crate::archive::interrupt::{self, UnfinishedKind};
use crate::archive::replace::{PREFIX, Temporary, TemporaryNames, folder_of, sync_folder, with_suffix};

/// What is put behind the name of the file whose lock says that the folder is written.
const SUFFIX: &str = ".d";

/// A folder that has not its place yet. Dropping it removes it.
pub struct ShardFolder {
    path: PathBuf,
    to: PathBuf,
    /// Locked as long as the task lives.
    _lock: Temporary,
}

impl ShardFolder {
    /// Chooses a name beside the place of the folder, which is not made yet.
    pub fn begin(to: &Path, names: &TemporaryNames) -> Result<ShardFolder, FileError> {
        let lock = names.create(folder_of(to), 0o600).map_err(FileError::creating(to.display()))?;
        let path = with_suffix(lock.path(), SUFFIX);
        interrupt::begun(&path, UnfinishedKind::Passing);
        Ok(ShardFolder { path, to: to.to_owned(), _lock: lock })
    }

    /// Returns where it stands until it is whole.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives it its place, in the stead of what an earlier task left there.
    pub fn place(self) -> Result<(), FileError> {
        interrupt::uninterrupted(|| replace_folder(&self.path, &self.to))
            .map_err(FileError::creating(self.to.display()))?;
        sync_folder(&self.to);
        Ok(())
    }

    /// Removes what tasks that were killed left of folders; their locks must have been removed before
    /// ([`TemporaryNames::remove_unused`]).
    pub fn remove_dead(tag: &str, folder: &Path) {
        let start = format!("{PREFIX}{tag}");
        for (path, kind) in list(folder).into_iter().flatten() {
            let name = path.file_name().unwrap_or_default().as_encoded_bytes();
            let is_one = kind.is_dir() && name.starts_with(start.as_bytes()) && name.ends_with(SUFFIX.as_bytes());
            if is_one && !path.with_extension("").exists() {
                // Another task may have removed it.
                let _ = fs::remove_dir_all(&path);
            }
        }
    }
}

impl Drop for ShardFolder {
    fn drop(&mut self) {
        // It is not there once it has its place. That it can't be removed could be told to nobody.
        let _ = fs::remove_dir_all(&self.path);
        interrupt::ended(&self.path);
    }
}

/// Renames a folder to where another may stand, also one that another task puts there at the same time: that is moved
/// away first, for only what nobody else sees can be removed file by file.
fn replace_folder(from: &Path, to: &Path) -> io::Result<()> {
    let away = with_suffix(from, SUFFIX);
    loop {
        match fs::rename(from, to) {
            Err(error) if matches!(error.kind(), ErrorKind::DirectoryNotEmpty | ErrorKind::AlreadyExists) => {}
            renamed => return renamed,
        }
        match fs::rename(to, &away) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            moved => moved.and_then(|()| fs::remove_dir_all(&away))?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_tasks_of_one_shard_write_apart_and_what_is_dead_goes() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (to, names) = (folder.path().join("00000-0.out"), TemporaryNames::new("s00000-"));
        let begin = |name: &str| {
            let begun = ShardFolder::begin(&to, &names).expect("a folder");
            fs::create_dir(begun.path()).expect("a folder");
            (0..50).for_each(|at| fs::write(begun.path().join(format!("{name}{at}")), b"x").expect("a file"));
            begun
        };
        let [one, other, given_up] = ["one", "two", "three"].map(begin);
        fs::create_dir(folder.path().join(".septet-s00000-1-1-1.d")).expect("a folder");
        ShardFolder::remove_dead("s00000-", folder.path());
        drop(given_up);
        std::thread::scope(|scope| {
            for folder in (0..8).map(|_| begin("other")).chain([one, other]) {
                scope.spawn(|| folder.place().expect("a place"));
            }
        });
        let names = |folder: &Path| -> Vec<_> {
            list(folder)
                .expect("a folder")
                .into_iter()
                .map(|(path, _)| path.file_name().expect("a name").to_owned())
                .collect()
        };
        assert_eq!((names(folder.path()), names(&to).len()), (vec!["00000-0.out".into()], 50));
    }
}
