//! Where every input goes, told before anything is written.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::error::Error;
use super::input::{Format, Input};
use super::maildir::Destination;
use super::target::Target;

/// Where the inputs go.
#[derive(Debug, Clone)]
pub enum Output {
    /// Nowhere: a dry run.
    Nowhere,
    /// The one input, to standard output.
    Stdout,
    /// Each into its own place.
    InPlace,
    /// The one input, to this file or Maildir.
    One(PathBuf),
    /// Each into this folder, under its own name.
    Folder(PathBuf),
}

impl Output {
    /// Tells where the inputs go, and refuses what would lose one of them.
    pub fn of(out: Option<PathBuf>, in_place: bool, dry_run: bool, inputs: &[Input]) -> Result<Output, Error> {
        let output = match (out.filter(|out| out.as_os_str() != "-"), inputs) {
            _ if in_place && inputs.iter().any(|input| input.path.is_none()) => {
                return refuse("standard input and pipes have no place that --in-place could write to");
            }
            _ if dry_run => Output::Nowhere,
            (None, _) if in_place => Output::InPlace,
            (None, [input]) if input.format == Format::Maildir => {
                return refuse("a Maildir can't go to standard output: use -o or --in-place");
            }
            (None, [_]) => Output::Stdout,
            (None, _) => return refuse("several inputs can't go to standard output: use -o or --in-place"),
            (Some(out), [input]) if input.format == Format::Maildir || !out.is_dir() => Output::One(out),
            (Some(out), _) => Output::Folder(out),
        };
        output.check(inputs)?;
        Ok(output)
    }

    /// Gives where a file goes.
    pub fn file_for(&self, input: &Input) -> Result<Target, Error> {
        match (self, &input.path) {
            (Output::Nowhere, _) => Ok(Target::Nowhere),
            (Output::InPlace, Some(path)) => Target::in_place(path),
            (Output::Stdout | Output::InPlace, _) => Ok(Target::Stdout),
            (Output::One(out), like) => Ok(Target::file(out.clone(), like.clone())),
            (Output::Folder(folder), like) => {
                fs::create_dir_all(folder).map_err(|source| Error::Create { path: folder.clone(), source })?;
                Ok(Target::file(named(folder, input)?, like.clone()))
            }
        }
    }

    /// Gives where the files of a Maildir go.
    pub fn folder_for(&self, input: &Input) -> Result<Destination, Error> {
        match self {
            Output::Nowhere | Output::Stdout => Ok(Destination::Nowhere),
            Output::InPlace => Ok(Destination::InPlace),
            Output::One(out) => Ok(Destination::Folder(out.clone())),
            Output::Folder(folder) => named(folder, input).map(Destination::Folder),
        }
    }

    /// Refuses outputs that are inputs, and two inputs that would go to one output.
    fn check(&self, inputs: &[Input]) -> Result<(), Error> {
        let read: HashSet<PathBuf> =
            inputs.iter().filter_map(|input| fs::canonicalize(input.path.as_ref()?).ok()).collect();
        let mut written = HashSet::new();
        for input in inputs {
            let to = match self {
                Output::One(out) => out.clone(),
                Output::Folder(folder) => named(folder, input)?,
                _ => continue,
            };
            if fs::canonicalize(&to).is_ok_and(|to| read.contains(&to)) {
                return refuse(format!("{} is an input: use --in-place to replace it", to.display()));
            }
            if !written.insert(to.clone()) {
                return refuse(format!("two inputs would go to {}", to.display()));
            }
        }
        Ok(())
    }
}

/// Gives the path in the folder that has the input's own name.
fn named(folder: &Path, input: &Input) -> Result<PathBuf, Error> {
    let path = input.path.as_deref().and_then(|path| fs::canonicalize(path).ok());
    match path.as_deref().and_then(Path::file_name) {
        Some(name) => Ok(folder.join(name)),
        None => refuse(format!("{} has no name that a file in {} could have", input.name, folder.display())),
    }
}

fn refuse<T>(text: impl Into<String>) -> Result<T, Error> {
    Err(Error::Usage(text.into()))
}
