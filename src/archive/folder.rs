//! Folders: what they hold, and how one becomes a Maildir.

use std::fs::{self, DirBuilder, FileType, Metadata};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use super::file_error::FileError;
use super::interrupt::{self, UnfinishedKind};
use super::replace::create_whole;

/// The folders that a Maildir is made of.
pub const OF_MAILDIR: [&str; 3] = ["cur", "new", "tmp"];

/// Returns the path that two paths begin with, by their names alone; an empty one where they have nothing in common.
pub fn common(one: &Path, other: &Path) -> PathBuf {
    let both = one.components().zip(other.components());
    both.take_while(|(one, other)| one == other).map(|(one, _)| one).collect()
}

/// Lists a folder by name, with what each entry itself is: a symbolic link is not followed. What goes away meanwhile,
/// as a delivery's passing file does, is left out.
pub fn list(folder: &Path) -> io::Result<Vec<(PathBuf, FileType)>> {
    let entries = fs::read_dir(folder)?.map(|entry| entry.and_then(|entry| Ok((entry.path(), entry.file_type()?))));
    let is_gone = |entry: &io::Result<_>| entry.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
    let mut entries = entries.filter(|entry| !is_gone(entry)).collect::<io::Result<Vec<_>>>()?;
    entries.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(entries)
}

/// Makes a folder and those that it is in, where they are missing, readable by their owner only; one that is there
/// keeps its mode.
pub fn make_private(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Makes a folder a Maildir, if it is none; what is made is its owner's alone, as mail is. The error names the folder
/// that can't be made.
pub fn make_maildir(folder: &Path) -> Result<(), (PathBuf, io::Error)> {
    let mut parts = OF_MAILDIR.iter().map(|part| folder.join(part));
    parts.try_for_each(|part| make_private(&part).map_err(|source| (part, source)))
}

/// Copies files of these names, which stand beside mail, to another folder, unless something of that name is there, be
/// it a link that leads nowhere. What is no file in `folder`, or may not be looked at, is passed over.
pub fn copy_beside(names: &[&str], folder: &Path, out: &Path) -> Result<(), FileError> {
    for name in names {
        let (from, to) = (folder.join(name), out.join(name));
        let Some(there) = fs::metadata(&from).ok().filter(Metadata::is_file) else { continue };
        if fs::symlink_metadata(&to).is_ok() {
            continue;
        }
        let octets = fs::read(&from).map_err(FileError::reading(from.display()))?;
        match create_whole(&to, there.mode() & 0o777, &octets, UnfinishedKind::Passing) {
            Ok(_) => interrupt::ended(&to),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(source) => return Err(FileError::creating(to.display())(source)),
        }
    }
    Ok(())
}
