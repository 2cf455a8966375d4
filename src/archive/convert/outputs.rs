//! Where all goes, told before anything is written.

use std::collections::HashSet;
use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

use super::target::Time;
use super::{
    Args, ConvertError, FileKey, Format, Input, OutputFormat, OutputTarget, Rules, TakenPlaces, refuse, undo_path,
};
use crate::archive::file_error::FileError;
use crate::archive::replace::{Existing, folder_of, is_same_file};

/// Where all of a run goes.
#[derive(Debug, Clone)]
pub enum Output {
    /// Nowhere: a dry run.
    Nowhere,
    /// The one input or mailbox, to standard output.
    Stdout {
        /// Whether that is a terminal, which is shown what can't be seen as well.
        shown: bool,
    },
    /// Each into its own place.
    InPlace,
    /// The one input, to this file or Maildir; or the one mailbox in another form, to this file or folder.
    One(PathBuf),
    /// Each into this folder, under its own name.
    Folder(PathBuf),
}

impl Output {
    /// Tells where all goes: the inputs that stay what they are (`staying`), and so many `mailboxes` that get another
    /// form. The order counts: what --in-place can't do is refused in a dry run as well, and that asks for no output.
    pub fn of(args: &Args, staying: &[Input], mailboxes: usize) -> Result<Output, ConvertError> {
        match (args.output.clone().filter(|out| out.as_os_str() != "-"), staying) {
            _ if args.in_place && staying.iter().any(|input| input.path.is_none()) => {
                refuse("standard input and pipes have no place that --in-place could write to")
            }
            _ if args.in_place && staying.iter().any(Input::is_member) => {
                refuse("--in-place can't write into an archive of files (ZIP, tar): use -o")
            }
            _ if args.dry_run => Ok(Output::Nowhere),
            (None, _) if args.in_place => Ok(Output::InPlace),
            (None, _) => {
                let shown = args.output.is_none() && io::stdout().is_terminal();
                check_stdout(args, staying, mailboxes, shown)?;
                Ok(Output::Stdout { shown })
            }
            (Some(out), []) if mailboxes == 1 => Ok(Output::One(out)),
            (Some(out), [input]) if !input.walked && (input.format == Format::Maildir || !is_folder(&out)) => {
                check_folder(&out)?;
                Ok(Output::One(out))
            }
            (Some(out), _) => Ok(Output::Folder(out)),
        }
    }

    /// Returns where a mailbox of this name goes that gets another form: to OUT itself where nothing else goes there,
    /// but below it where that is a folder and a mailbox file (`is_file`) is written.
    pub fn mailbox_for(&self, name: &Path, is_file: bool) -> OutputTarget {
        match self {
            Output::One(out) if !(is_file && is_folder(out)) => OutputTarget::file(out.clone(), None),
            Output::One(out) | Output::Folder(out) => OutputTarget::file(out.join(name), None),
            Output::Stdout { shown } => OutputTarget::Stdout { shown: *shown },
            // In place nothing gets another form: `migrate::check_options` refuses that.
            Output::Nowhere | Output::InPlace => OutputTarget::Nowhere,
        }
    }

    /// Returns where a file goes; in a folder of outputs, the folder for it is made now. Nowhere in a dry run.
    pub fn file_for(&self, input: &Input) -> Result<OutputTarget, ConvertError> {
        if let Some(to) = self.path_for(input)? {
            let folder = folder_of(&to);
            fs::create_dir_all(folder).map_err(FileError::creating(folder.display()))?;
            return Ok(OutputTarget::file(to, input.path.clone()));
        }
        Ok(match (self, &input.path) {
            // That a mailbox file changed is told by its size, and whether it has unread mail by its times.
            (Output::InPlace, Some(path)) if input.format == Format::Mbox => OutputTarget::in_place(path, Time::Kept)?,
            (Output::InPlace, Some(path)) => OutputTarget::in_place(path, Time::Changed)?,
            (Output::Stdout { shown }, _) => OutputTarget::Stdout { shown: *shown },
            // An input without a path is refused by Output::of in place.
            _ => OutputTarget::Nowhere,
        })
    }

    /// Returns the folder to which the files of a Maildir go, perhaps their own; none where they go nowhere.
    pub fn folder_for(&self, input: &Input) -> Result<Option<PathBuf>, ConvertError> {
        if matches!(self, Output::InPlace) { Ok(input.path.clone()) } else { self.path_for(input) }
    }

    /// Refuses outputs that are inputs, two inputs that would go to one output, and what would be written beside an
    /// output and is another file here; `inputs` are those that stay what they are. Where they go is taken of the
    /// `places`.
    pub fn check(&self, rules: &Rules, inputs: &[Input], places: &mut TakenPlaces) -> Result<(), ConvertError> {
        let own: HashSet<PathBuf> = inputs.iter().filter_map(|input| self.own_path(input)).collect();
        for input in inputs {
            self.check_beside(rules, input)?;
            let output = self.path_for(input)?.or_else(|| self.own_path(input)).unwrap_or_default();
            for path in paths_beside(rules, &output) {
                // A run that was killed had made a backup of it, and had not replaced it yet.
                if is_same_file(&path, &output) && !own.contains(&path) {
                    continue;
                }
                if FileKey::of(&path).is_some_and(|place| !places.take(place)) {
                    return refuse(format!(
                        "{} would be written beside an output, and is another file here",
                        path.display()
                    ));
                }
            }
            let Some(to) = self.path_for(input)? else { continue };
            places.take_output(&to, input.format, "use --in-place to replace it")?;
        }
        if let Output::Stdout { .. } = self { places.take_stdout() } else { Ok(()) }
    }

    /// Refuses an option by which something would be written beside the output of an input that has no place there.
    fn check_beside(&self, rules: &Rules, input: &Input) -> Result<(), ConvertError> {
        match self {
            // A dry run writes nothing beside.
            Output::Nowhere => Ok(()),
            _ if input.format == Format::Maildir && matches!(rules.existing, Existing::Backup(_)) => {
                refuse("--backup would put more messages into a Maildir: use --keep-original")
            }
            _ if rules.keep_original && (input.compression.is_some() || input.is_member()) => {
                refuse(format!("{NO_WAY_BACK} {}", input.name))
            }
            Output::Stdout { .. } if rules.keep_original => {
                refuse("--keep-original needs an output of its own: use -o or --in-place")
            }
            _ => Ok(()),
        }
    }

    /// Returns the path of an input that is replaced, without symbolic links; none where the output is another.
    fn own_path(&self, input: &Input) -> Option<PathBuf> {
        let path = input.path.as_deref().filter(|_| matches!(self, Output::InPlace))?;
        Some(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()))
    }

    /// Returns the path beside which the journal of the run is; none where there is nothing to go on with.
    pub fn journal_beside(&self, inputs: &[Input], reports: &[PathBuf]) -> Option<PathBuf> {
        let is_place = |path: &&PathBuf| fs::metadata(path).map_or(true, |there| there.is_file() || there.is_dir());
        match self {
            Output::InPlace => inputs.iter().find_map(|input| self.own_path(input)),
            Output::One(out) => Some(out).filter(is_place).cloned(),
            Output::Folder(folder) => Some(folder.join("septet")),
            Output::Nowhere => reports.iter().find(is_place).cloned(),
            Output::Stdout { .. } => None,
        }
    }

    /// Returns the path of an output that is another than the input's own; none in place, on standard output and in a
    /// dry run.
    fn path_for(&self, input: &Input) -> Result<Option<PathBuf>, ConvertError> {
        match self {
            Output::One(out) => Ok(Some(out.clone())),
            Output::Folder(folder) => named(folder, input).map(Some),
            _ => Ok(None),
        }
    }
}

/// Returns `true` if a path is that of a folder, by what is there or by the `/` at its end.
fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

/// Refuses an output in a folder that is not there. A folder of outputs is made; that in which one output goes is not.
fn check_folder(out: &Path) -> Result<(), ConvertError> {
    let folder = folder_of(out);
    if folder.exists() { Ok(()) } else { Err(ConvertError::NoFolder { path: folder.to_owned() }) }
}

/// Refuses what can't go to standard output, and what would fill a terminal or make no sense there, where that
/// `is_shown` it.
fn check_stdout(args: &Args, staying: &[Input], mailboxes: usize, is_shown: bool) -> Result<(), ConvertError> {
    let makes_one_file = args.output_format.is_none_or(OutputFormat::is_mailbox) && args.split.is_none();
    match staying {
        _ if mailboxes > 0 && is_shown => refuse(format!("--output-format makes a mailbox, {FILLS}")),
        [] if mailboxes == 1 && makes_one_file => Ok(()),
        _ if mailboxes > 0 => {
            refuse("--output-format and --split need -o here: a folder, or several files, are written")
        }
        [input] if input.walked => refuse("-r needs -o, --in-place or --dry-run"),
        [input] => check_one_to_stdout(input, is_shown),
        _ => refuse("several inputs can't go to standard output: use -o or --in-place"),
    }
}

/// Refuses the one input that stays what it is and can't go to standard output ([`check_stdout`]).
fn check_one_to_stdout(input: &Input, is_shown: bool) -> Result<(), ConvertError> {
    match (input.format, input.compression) {
        (Format::Maildir, _) => refuse("a Maildir can't go to standard output: use -o or --in-place"),
        _ if !is_shown => Ok(()),
        (Format::Eml, None) => Ok(()),
        (Format::Eml, Some(_)) => refuse(format!("{} is compressed, {FILLS}", input.name)),
        _ => refuse(format!("{} is a mailbox, {FILLS}", input.name)),
    }
}

/// What to do with what is not written to a terminal.
const FILLS: &str = "which is not written to a terminal: name a file with -o, or write -o - to have it there";

/// Returns what is written beside an output; nothing beside an empty path, which stands for no file.
fn paths_beside(rules: &Rules, output: &Path) -> Vec<PathBuf> {
    let undo = rules.keep_original.then(|| undo_path(output));
    let all = undo.into_iter().chain(rules.existing.backup_of(output));
    all.filter(|_| !output.as_os_str().is_empty()).collect()
}

/// Why what is compressed has no undo file.
pub const NO_WAY_BACK: &str = "--keep-original can't make a compressed file again, octet for octet: keep a copy of";

/// Returns the path in the folder that has the input's own name; an error where it has none, as standard input.
fn named(folder: &Path, input: &Input) -> Result<PathBuf, ConvertError> {
    match input.name_in_folder() {
        Some(name) => Ok(folder.join(name)),
        None => refuse(format!("{} has no name that a file in {} could have", input.name, folder.display())),
    }
}
