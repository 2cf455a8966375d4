//! The folders of a tree of mailboxes.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::archive::convert::migrate::origin::ORIGIN;
use crate::archive::folder::OF_MAILDIR;

/// Returns `true` if a folder stands there, and it is the one of this number.
pub fn is_folder(path: &Path, ino: u64) -> bool {
    fs::symlink_metadata(path).is_ok_and(|there| there.is_dir() && there.ino() == ino)
}

/// Removes all below the folder `at` of the tree that is in none of its `known` mailboxes: what was begun later. All
/// paths but `root` are those below that; an empty `at` is the tree itself. The messages of a mailbox that is a folder
/// stay. It calls itself no deeper than [`names`](super::names) lets names nest.
pub fn remove_others(root: &Path, at: &Path, known: &[&Path]) -> io::Result<()> {
    let is_mailbox = known.contains(&at);
    for entry in fs::read_dir(root.join(at))? {
        let entry = entry?;
        let path = at.join(entry.file_name());
        let leads_to_one = known.iter().any(|mailbox| mailbox.starts_with(&path));
        // No label has the name of a folder of messages.
        let is_own =
            is_mailbox && (!entry.file_type()?.is_dir() || OF_MAILDIR.iter().any(|part| entry.file_name() == *part));
        match entry.file_type()?.is_dir() {
            _ if is_own => {}
            true if leads_to_one => remove_others(root, &path, known)?,
            true => fs::remove_dir_all(entry.path())?,
            false if leads_to_one || path == Path::new(ORIGIN) => {}
            false => fs::remove_file(entry.path())?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_begun_later_is_removed() {
        let root = tempfile::tempdir().expect("a folder");
        let put = |path: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
            fs::write(path, "x").expect("a file");
        };
        let kept = ["septet-origin.jsonl", "a/cur/1", "a/septet-origin.jsonl", "b/c/new/2", "d.mbox"];
        let gone = ["a/e/cur/1", "b/cur/3", "b/septet-origin.jsonl", "f.mbox", "g/h.mbox"];
        kept.iter().chain(&gone).for_each(|path| put(path));
        remove_others(root.path(), Path::new(""), &["a", "b/c", "d.mbox"].map(Path::new)).expect("removed");
        assert!(kept.iter().all(|path| root.path().join(path).exists()));
        assert!(gone.iter().all(|path| !root.path().join(path).exists()));
        assert!(["a/e", "g"].iter().all(|path| !root.path().join(path).exists()));
    }
}
