//! Every conversion in a folder undone: what `septet undo -r` finds.
//!
//! Symbolic links are not followed. What stands in the cur, new and tmp of a Maildir is a message, whatever its name.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::UndoError;
use super::format::SUFFIX;
use crate::archive::convert::is_maildir;

/// Finds the outputs below a folder that have an undo file beside them, in the order of their names.
pub fn converted_below(folder: &Path) -> Result<Vec<PathBuf>, UndoError> {
    let mut found = Vec::new();
    // Without recursion: it may be deep.
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let opening = |source| UndoError::Open { path: folder.clone(), source };
        let (files, inner) = list(&folder).map_err(opening)?;
        found.extend(files.iter().filter_map(|path| output_of(path)));
        let is_maildir = is_maildir(&folder);
        let holds_messages = |path: &PathBuf| is_maildir && ["cur", "new", "tmp"].iter().any(|own| path.ends_with(own));
        folders.extend(inner.into_iter().rev().filter(|path| !holds_messages(path)));
    }
    Ok(found)
}

/// Returns the files of a folder, and its folders, by name.
fn list(folder: &Path) -> io::Result<(Vec<PathBuf>, Vec<PathBuf>)> {
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()? {
            kind if kind.is_dir() => folders.push(entry.path()),
            kind if kind.is_file() => files.push(entry.path()),
            _ => {}
        }
    }
    files.sort();
    folders.sort();
    Ok((files, folders))
}

/// Returns what an undo file stands beside; none of another file.
fn output_of(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.as_bytes().strip_suffix(SUFFIX.as_bytes())?;
    (!name.is_empty()).then(|| path.with_file_name(OsStr::from_bytes(name)))
}
