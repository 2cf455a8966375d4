//! Every conversion in a folder undone: what `septet undo -r` finds.
//!
//! Symbolic links are not followed. What stands in the cur, new and tmp of a Maildir is a message, whatever its name.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::UndoError;
use super::format::SUFFIX;
use crate::archive::convert::is_maildir;
use crate::archive::folder::{OF_MAILDIR, list};

/// Finds the outputs below a folder that have an undo file beside them, in the order of their names.
pub fn converted_below(folder: &Path) -> Result<Vec<PathBuf>, UndoError> {
    let mut found = Vec::new();
    // Without recursion: it may be deep.
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let opening = |source| UndoError::Open { path: folder.clone(), source };
        let entries = list(&folder).map_err(opening)?;
        found.extend(entries.iter().filter(|(_, kind)| kind.is_file()).filter_map(|(path, _)| output_of(path)));
        let is_maildir = is_maildir(&folder);
        let holds_messages = |path: &PathBuf| is_maildir && OF_MAILDIR.iter().any(|own| path.ends_with(own));
        let inner = entries.into_iter().rev().filter(|(_, kind)| kind.is_dir()).map(|(path, _)| path);
        folders.extend(inner.filter(|path| !holds_messages(path)));
    }
    Ok(found)
}

/// Returns what an undo file stands beside; none of another file.
fn output_of(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.as_bytes().strip_suffix(SUFFIX.as_bytes())?;
    (!name.is_empty()).then(|| path.with_file_name(OsStr::from_bytes(name)))
}
