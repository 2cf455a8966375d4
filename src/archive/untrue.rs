//! What stands beside mail and is untrue once the mail changed: sizes that programs keep. It is removed, and whoever
//! wrote it makes it anew.
//!
//! | beside | file | what it has |
//! |---|---|---|
//! | a Maildir | `dovecot.index.cache` | fields and sizes of messages by their names: untrue where one kept its name |
//! | a Maildir and its subfolders | `maildirsize` | the sum of all sizes for a quota (Maildir++), beside the inbox |
//! | a mailbox file | `.imap/NAME/dovecot.index.cache` | the same of its messages by their numbers |
//!
//! What can't be removed without loss, or would not be made anew of itself, is named with what to do:
//!
//! | beside | file | what it has |
//! |---|---|---|
//! | a mailbox file | `NAME.msf` | Thunderbird's list: where its messages start, and their sizes |
//! | a mailbox file `NAME.mbox` | `NAME.imap` | imap-backup's: where its messages start, and their octets |
//! | messages in a folder | `cyrus.index`, `cyrus.cache` | Cyrus': sizes, checksums and fields of its messages |

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::archive::convert::walk::is_subfolder;
use crate::archive::replace::{Pending, folder_of, with_suffix};

/// Removes what is untrue beside files that took the place of others; returns what there is to say: what was removed,
/// and what is untrue and left for the user to deal with. What can't be removed is passed over in silence.
pub fn remove_untrue<'p>(placed: impl Iterator<Item = &'p Pending> + Clone) -> Vec<String> {
    let named: BTreeSet<String> = placed.clone().flat_map(named_beside).collect();
    let files: BTreeSet<PathBuf> = placed.flat_map(beside).collect();
    let removed = files.into_iter().filter(|file| fs::remove_file(file).is_ok());
    let removed = removed.map(|file| format!("removed {}: it had old sizes", file.display()));
    removed.chain(named).collect()
}

/// Returns what there is to say of the lists that other programs keep of a file that took the place of another, and
/// that are not removed here.
fn named_beside(pending: &Pending) -> Vec<String> {
    // Of a new file nobody keeps a list.
    if pending.replaces.is_none() {
        return Vec::new();
    }
    let mut lists = vec![
        (with_suffix(&pending.to, ".msf"), "close Thunderbird and delete it; Thunderbird makes it anew"),
        (
            folder_of(&pending.to).join("cyrus.index"),
            "Cyrus has the old sizes and checksums of messages in it: run `reconstruct -G -R` for this mailbox",
        ),
    ];
    if pending.to.extension().is_some_and(|end| end == "mbox") {
        let what = "imap-backup would cut messages wrongly by it: bring the old mailbox back, and convert a copy (-o)";
        lists.push((pending.to.with_extension("imap"), what));
    }
    let there = lists.iter().filter(|(list, _)| list.is_file());
    there.map(|(list, what)| format!("{} is out of date: {what}", list.display())).collect()
}

/// Returns the paths of what is untrue beside a file that took the place of another, be they there or not.
fn beside(pending: &Pending) -> Vec<PathBuf> {
    // Only what changed in place makes others' sizes untrue (docs/archives.md).
    let Some(old) = &pending.replaces else { return Vec::new() };
    let folder = folder_of(&pending.to);
    let is_of_maildir = folder.ends_with("cur") || folder.ends_with("new");
    match folder.parent().filter(|_| is_of_maildir) {
        Some(maildir) => beside_message(maildir, old.path == pending.to),
        None => pending.to.file_name().map(|name| cache(&folder.join(".imap").join(name))).into_iter().collect(),
    }
}

/// Returns what is untrue beside a message of a Maildir: the sum of the sizes beside its inbox, and Dovecot's cache
/// if the message kept its name, for under another name it is a new message to Dovecot.
fn beside_message(maildir: &Path, kept_name: bool) -> Vec<PathBuf> {
    let inbox = maildir.parent().filter(|_| is_subfolder(maildir)).unwrap_or(maildir);
    kept_name.then(|| cache(maildir)).into_iter().chain([inbox.join("maildirsize")]).collect()
}

/// Returns the path of Dovecot's cache in a folder, be it there or not.
fn cache(folder: &Path) -> PathBuf {
    folder.join("dovecot.index.cache")
}
