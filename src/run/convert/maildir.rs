//! A Maildir: a folder with cur, new and tmp, and a file for each message.
//!
//! File names stay, and with them the flags; but where the name of a message that changed states its size (`,S=1234` and
//! `,W=1234`), it gets the true one, and in place it gets another name in any case: readers keep what they know of a message
//! by its name (see [`sizes`](super::sizes)). Two messages with one name before the first comma keep theirs, so that neither can get the other's; how many names are not
//! true then is said at the end. Mode and times stay with the file. New files are written in tmp, as every program that
//! delivers to a Maildir does. Subfolders in Maildir++ form (`.Sent`) are converted with it. What else the folder holds
//! (indexes) is not touched and not copied, but for Dovecot's cache, which is removed where it would be untrue.

use std::collections::HashMap;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::error::Error;
use super::input::{Format, Input};
use super::sizes::base;
use super::target::{Target, Time};
use super::task::Task;
use super::walk::is_subfolder;

/// What goes with the messages to another folder: the mark of a Maildir++ subfolder, Dovecot's names of the flags `a` to
/// `z`, and which folders are subscribed to.
const SETTINGS: [&str; 3] = ["maildirfolder", "dovecot-keywords", "subscriptions"];

/// Where the files of a Maildir go.
#[derive(Debug, Clone)]
pub enum Destination {
    /// Nowhere: a dry run.
    Nowhere,
    /// Each into its own place.
    InPlace,
    /// Another Maildir, that is made if it is not there.
    Folder(PathBuf),
}

/// Lists the files of a Maildir and of its subfolders.
pub fn all_tasks(folder: &Path, to: &Destination) -> Result<Vec<Task>, Error> {
    let mut all = tasks(folder, to)?;
    for sub in subfolders(folder) {
        let name = sub.file_name().unwrap_or_default();
        let to = match to {
            Destination::Folder(out) => Destination::Folder(out.join(name)),
            same => same.clone(),
        };
        all.extend(tasks(&sub, &to)?);
    }
    Ok(all)
}

/// Lists the files of a Maildir, those of `cur` before those of `new`, each folder's by name.
fn tasks(folder: &Path, to: &Destination) -> Result<Vec<Task>, Error> {
    if let Destination::Folder(out) = to {
        make(out)?;
        copy_settings(folder, out)?;
    }
    let is_known = !matches!(to, Destination::Folder(_));
    let mut tasks = Vec::new();
    for sub in ["cur", "new"] {
        for path in list(&folder.join(sub))? {
            let target = target(folder, sub, &path, to);
            tasks.push(Task { is_known, ..Task::of_message(Input::of_file(path, Format::Eml)?, target) });
        }
    }
    keep_shared_names(&mut tasks);
    Ok(tasks)
}

/// Has messages keep their names where more than one has the same before the first comma.
fn keep_shared_names(tasks: &mut [Task]) {
    let base =
        |task: &Task| task.input.path.as_deref().and_then(Path::file_name).map(base).unwrap_or_default().to_vec();
    let mut counts: HashMap<Vec<u8>, usize> = HashMap::new();
    tasks.iter().for_each(|task| *counts.entry(base(task)).or_default() += 1);
    tasks.iter_mut().for_each(|task| task.sized = counts.get(&base(task)) == Some(&1));
}

/// Lists the subfolders in Maildir++ form, `.Name` with a cur of its own, by name.
pub fn subfolders(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<_> = entries.flatten().map(|entry| entry.path()).filter(|path| is_subfolder(path)).collect();
    found.sort();
    found
}

/// Copies what says of the messages what their names and files don't.
fn copy_settings(folder: &Path, out: &Path) -> Result<(), Error> {
    for name in SETTINGS {
        let (from, to) = (folder.join(name), out.join(name));
        if from.is_file() && !to.exists() {
            fs::copy(&from, &to).map_err(|source| Error::Create { path: to, source })?;
        }
    }
    Ok(())
}

fn target(folder: &Path, sub: &str, path: &Path, to: &Destination) -> Target {
    match to {
        Destination::Nowhere => Target::Nowhere,
        Destination::InPlace => {
            let (path, folder) = (path.to_owned(), folder.join("tmp"));
            Target::InPlace { to: path.clone(), path, folder, time: Time::Kept }
        }
        Destination::Folder(out) => {
            let name = path.file_name().unwrap_or_default();
            Target::File { to: out.join(sub).join(name), folder: out.join("tmp"), like: Some(path.to_owned()) }
        }
    }
}

fn make(out: &Path) -> Result<(), Error> {
    let make = |path: PathBuf| {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&path);
        made.map_err(|source| Error::Create { path, source })
    };
    ["cur", "new", "tmp"].into_iter().try_for_each(|sub| make(out.join(sub)))
}

fn list(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let files = || -> io::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            if !hidden && entry.file_type()?.is_file() {
                files.push(entry.path());
            }
        }
        files.sort();
        Ok(files)
    };
    files().map_err(|source| Error::Open { name: folder.display().to_string(), source })
}
