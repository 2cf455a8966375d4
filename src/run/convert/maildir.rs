//! A Maildir: a folder with cur, new and tmp, and a file for each message.
//!
//! File names stay, and with them the flags, also those that state the message's size (Maildir++'s `S=` and `W=`); how many
//! of those are wrong afterwards is said at the end. Mode and times stay with the file. New files are written in tmp, as every
//! program that delivers to a Maildir does. What else the folder holds (subfolders, indexes) is not touched and not
//! copied.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::error::Error;
use super::files::Task;
use super::input::{Format, Input};
use super::target::Target;

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

/// Lists the files of a Maildir, those of `cur` before those of `new`, each folder's by name.
pub fn tasks(folder: &Path, to: &Destination) -> Result<Vec<Task>, Error> {
    if let Destination::Folder(out) = to {
        make(out)?;
    }
    let mut tasks = Vec::new();
    for sub in ["cur", "new"] {
        for path in list(&folder.join(sub))? {
            let target = target(folder, sub, &path, to);
            tasks.push(Task { input: Input::of_file(path, Format::Eml)?, target });
        }
    }
    Ok(tasks)
}

/// Counts the subfolders in Maildir++ form: `.Name` with a cur of its own. They are not converted with it.
pub fn subfolders(folder: &Path) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let is_sub = |path: &Path| path.join("cur").is_dir();
    entries
        .flatten()
        .filter(|entry| entry.file_name().as_encoded_bytes().starts_with(b".") && is_sub(&entry.path()))
        .count()
}

fn target(folder: &Path, sub: &str, path: &Path, to: &Destination) -> Target {
    match to {
        Destination::Nowhere => Target::Nowhere,
        Destination::InPlace => Target::InPlace { path: path.to_owned(), folder: folder.join("tmp") },
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
