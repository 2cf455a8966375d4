//! What stands beside mail and is untrue once the mail changed: sizes that programs keep. It is removed, and whoever wrote
//! it makes it anew.
//!
//! | beside | file | what it has |
//! |---|---|---|
//! | a Maildir | `dovecot.index.cache` | fields and sizes of messages by their names: untrue where one kept its name |
//! | a Maildir and its subfolders | `maildirsize` | the sum of all sizes for a quota (Maildir++), beside the inbox |
//! | a mailbox file | `.imap/NAME/dovecot.index.cache` | the same of its messages by their numbers |

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::archive::convert::walk::is_subfolder;
use crate::archive::replace::{Pending, folder_of};

/// Removes what is untrue beside files that took the place of others; returns what there is to say of each that was there.
pub fn remove_untrue<'p>(placed: impl Iterator<Item = &'p Pending>) -> Vec<String> {
    let files: BTreeSet<PathBuf> = placed.flat_map(beside).collect();
    let removed = files.into_iter().filter(|file| fs::remove_file(file).is_ok());
    removed.map(|file| format!("removed {}: it had old sizes", file.display())).collect()
}

fn beside(pending: &Pending) -> Vec<PathBuf> {
    let Some(old) = &pending.replaces else { return Vec::new() };
    let folder = folder_of(&pending.to);
    let is_of_maildir = folder.ends_with("cur") || folder.ends_with("new");
    match folder.parent().filter(|_| is_of_maildir) {
        Some(maildir) => beside_message(maildir, old.path == pending.to),
        None => pending.to.file_name().map(|name| cache(&folder.join(".imap").join(name))).into_iter().collect(),
    }
}

fn beside_message(maildir: &Path, kept_name: bool) -> Vec<PathBuf> {
    let inbox = maildir.parent().filter(|_| is_subfolder(maildir)).unwrap_or(maildir);
    kept_name.then(|| cache(maildir)).into_iter().chain([inbox.join("maildirsize")]).collect()
}

fn cache(folder: &Path) -> PathBuf {
    folder.join("dovecot.index.cache")
}
