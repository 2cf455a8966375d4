//! A Maildir: a folder with cur, new and tmp, and a file for each message.
//!
//! File names stay, and with them the flags; but where the name of a message that changed states its size (`,S=1234`
//! and `,W=1234`), it gets the true one, and in place it gets another name in any case: readers keep what they know of
//! a message by its name (see [`sizes`](super::sizes)). Two messages with one name before the first comma keep theirs,
//! so that neither can get the other's; how many names are not true then is said at the end. Mode and times stay with
//! the file. New files are written in tmp, as every program that delivers to a Maildir does. Subfolders in Maildir++
//! form (`.Sent`) are converted with it. What else the folder holds (indexes) is not touched and not copied, but for
//! what is untrue then ([`untrue`](crate::archive::untrue)).
//!
//! A symbolic link to a file is a message: in another folder a file of its own comes of it. In place it is left alone,
//! and named, as one that leads nowhere is in any case: what it leads to belongs to somebody else.

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::target::Time;
use super::walk::is_subfolder;
use super::{ConvertError, FileTasks, Format, Input, OutputTarget, Task};
use crate::archive::file_error::FileError;
use crate::archive::folder::{copy_beside, list, make_maildir};
use crate::archive::maildir_name::base;

/// What goes with the messages to another folder: the mark of a Maildir++ subfolder, Dovecot's names of the flags `a`
/// to `z`, and which folders are subscribed to.
const SETTINGS: [&str; 3] = ["maildirfolder", "dovecot-keywords", "subscriptions"];

/// Lists the files of a Maildir and of its subfolders, each with where it goes: to another Maildir, which is made now
/// ([`tasks`]), to its own place where that is this one, or nowhere. `in_place` is told apart, for a dry run of it goes
/// nowhere and finds the same files.
pub fn all_tasks(folder: &Path, to: Option<&Path>, in_place: bool) -> Result<FileTasks, ConvertError> {
    let mut all = tasks(folder, to, in_place)?;
    for sub in subfolders(folder) {
        if let Some(left) = left_alone(&sub, in_place) {
            all.left.push(left);
            continue;
        }
        let to = to.map(|to| to.join(sub.file_name().unwrap_or_default()));
        let of_sub = tasks(&sub, to.as_deref(), in_place)?;
        all.tasks.extend(of_sub.tasks);
        all.left.extend(of_sub.left);
    }
    Ok(all)
}

/// Lists the files of a Maildir, those of `cur` before those of `new`, each folder's by name. Another folder that they
/// go to is made a Maildir, with the settings of this one.
pub fn tasks(folder: &Path, to: Option<&Path>, in_place: bool) -> Result<FileTasks, ConvertError> {
    let another = to.filter(|_| !in_place);
    if let Some(out) = another {
        make_maildir(out).map_err(|(path, source)| FileError::creating(path.display())(source))?;
        copy_beside(&SETTINGS, folder, out)?;
    }
    // In another folder no reader knows the messages yet.
    let is_known = another.is_none();
    let (mut tasks, mut left) = (Vec::new(), Vec::new());
    for sub in ["cur", "new"] {
        if let Some(alone) = left_alone(&folder.join(sub), in_place) {
            left.push(alone);
            continue;
        }
        let (files, links) = messages_in(&folder.join(sub), in_place)?;
        left.extend(links);
        for path in files {
            let target = to.map_or(OutputTarget::Nowhere, |out| OutputTarget::File {
                to: out.join(sub).join(path.file_name().unwrap_or_default()),
                folder: out.join("tmp"),
                like: Some(path.clone()),
                replaces: in_place.then_some(Time::Kept),
            });
            match Input::of_file(path, Format::Eml) {
                Ok(input) => tasks.push(Task { is_known, in_maildir: true, ..Task::new(input, target) }),
                // A client may have renamed it or taken it away since the folder was listed.
                Err(error) => left.push(error),
            }
        }
    }
    keep_shared_names(&mut tasks);
    Ok(FileTasks { tasks, left, folder: None })
}

/// Says of each message whether its name may become another ([`Task::sized`]): not where more than one has the same
/// before the first comma.
fn keep_shared_names(tasks: &mut [Task]) {
    let base = |task: &Task| Some(base(task.input.path.as_deref()?.file_name()?).to_vec());
    let mut counts: HashMap<_, usize> = HashMap::new();
    tasks.iter().for_each(|task| *counts.entry(base(task)).or_default() += 1);
    tasks.iter_mut().for_each(|task| task.sized = counts.get(&base(task)) == Some(&1));
}

/// Lists the subfolders in Maildir++ form, `.Name` with a cur of its own, by name; none where the folder can't be read.
pub fn subfolders(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = list(folder) else { return Vec::new() };
    entries.into_iter().map(|(path, _)| path).filter(|path| is_subfolder(path)).collect()
}

/// Lists the files of a folder that are messages, by name, and what in it is left alone: links, and what is no file.
/// Folders are passed over, and so is what starts with a full stop.
fn messages_in(folder: &Path, in_place: bool) -> Result<(Vec<PathBuf>, Vec<ConvertError>), ConvertError> {
    let is_hidden = |path: &Path| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    let (mut files, mut left) = (Vec::new(), Vec::new());
    for (path, kind) in
        list(folder).map_err(FileError::opening(folder.display()))?.into_iter().filter(|(path, _)| !is_hidden(path))
    {
        let wrong = match kind.is_symlink() {
            true => wrong_with_link(&path, in_place),
            false => (!kind.is_file()).then_some("no file, but a pipe, a socket or a device"),
        };
        match wrong {
            _ if kind.is_dir() => {}
            Some(what) => left.push(ConvertError::LeftAlone { path, what }),
            None => files.push(path),
        }
    }
    Ok((files, left))
}

/// Tells why a symbolic link is left alone; none where what it leads to is a message here. Whoever owns a Maildir may
/// set a link to any file, and who converts it may read more than he.
fn wrong_with_link(path: &Path, in_place: bool) -> Option<&'static str> {
    let there = fs::metadata(path).ok().filter(Metadata::is_file);
    match there {
        None => Some("a symbolic link that leads to no file"),
        Some(_) if in_place => Some("a symbolic link to a file that stands elsewhere"),
        Some(there) => {
            let is_his = fs::symlink_metadata(path).is_ok_and(|link| link.uid() == there.uid());
            (!is_his).then_some("a symbolic link to a file of somebody else")
        }
    }
}

/// Returns the error that names a folder of a Maildir that is a symbolic link and left alone: in place any, elsewhere
/// one to a folder of somebody else. None where the folder is read.
fn left_alone(path: &Path, in_place: bool) -> Option<ConvertError> {
    let link = fs::symlink_metadata(path).ok().filter(Metadata::is_symlink)?;
    let is_his = || fs::metadata(path).is_ok_and(|there| there.uid() == link.uid());
    let what = match in_place {
        true => "a symbolic link to a folder that stands elsewhere",
        false if is_his() => return None,
        false => "a symbolic link to a folder of somebody else",
    };
    Some(ConvertError::LeftAlone { path: path.to_owned(), what })
}
