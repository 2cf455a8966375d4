//! Every conversion in a folder undone, and that of the folder itself: what `septet undo -r` finds.
//!
//! Symbolic links are not followed. What stands in the cur, new and tmp of a Maildir is a message, whatever its name.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::format::SUFFIX;
use super::{UndoError, was_undone};
use crate::archive::convert::is_maildir;
use crate::archive::file_error::FileError;
use crate::archive::folder::{OF_MAILDIR, list};
use crate::archive::mailbox_lock::DOT_LOCK;
use crate::archive::replace::with_suffix;

/// Finds the outputs that have an undo file beside them, a folder itself and those below it in the order of their
/// names, and those that an undo had restored that was killed before it gave its lock back, which is gone now.
pub fn below(folder: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>), UndoError> {
    let (mut found, mut undone) = (Vec::new(), Vec::new());
    // Without a slash at its end.
    let own: PathBuf = folder.components().collect();
    found.extend(with_suffix(&own, SUFFIX).is_file().then_some(own));
    // Without recursion: it may be deep.
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = list(&folder).map_err(FileError::opening(folder.display()))?;
        let files = || entries.iter().filter(|(_, kind)| kind.is_file()).map(|(path, _)| path);
        found.extend(files().filter_map(|path| beside(path, SUFFIX)));
        let locked = files().filter_map(|path| beside(path, DOT_LOCK));
        undone.extend(locked.filter(|path| was_undone(&with_suffix(path, SUFFIX), path)));
        let is_maildir = is_maildir(&folder);
        let holds_messages = |path: &PathBuf| is_maildir && OF_MAILDIR.iter().any(|own| path.ends_with(own));
        let inner = entries.into_iter().rev().filter(|(_, kind)| kind.is_dir()).map(|(path, _)| path);
        folders.extend(inner.filter(|path| !holds_messages(path)));
    }
    Ok((found, undone))
}

/// Returns what a file stands beside whose name has this suffix; none of another file.
fn beside(path: &Path, suffix: &str) -> Option<PathBuf> {
    let name = path.file_name()?.as_bytes().strip_suffix(suffix.as_bytes())?;
    (!name.is_empty()).then(|| path.with_file_name(OsStr::from_bytes(name)))
}
