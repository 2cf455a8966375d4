//! Which mailboxes are written in another form, under which names, and what is refused before anything is done.
//!
//! A mailbox file is one mailbox, a Maildir is one and each of its subfolders another, and the .eml files of a folder
//! are one together. A mailbox by itself goes to OUT, several go below it under their own names.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::apple_mailbox::AppleMailbox;
use super::source::sort_by_own_name;
use super::unplaced_folder;
use crate::archive::convert::mailbox::piece_path;
use crate::archive::convert::maildir;
use crate::archive::convert::outputs::Output;
use crate::archive::convert::packing::{SplitBy, compression_of, packed_name, unpacked_name};
use crate::archive::convert::{
    Args, Compress, ConvertError, FileTasks, Format, Input, MailboxTask, NewMailbox, OutputFormat, OutputTarget,
    TakenPlaces, Task, refuse,
};
use crate::archive::replace::ReplaceError;

/// A mailbox that is written in another form.
pub struct MigratedMailbox {
    /// Its name below OUT, without the end that its form gives it.
    name: PathBuf,
    /// The account that it is of, where Apple Mail has it.
    account: Option<PathBuf>,
    tasks: Vec<Task>,
    left: Vec<ConvertError>,
}

/// Parts the inputs that stay in the form that they are in (first) from those that are written in another, or in
/// pieces.
pub fn part(args: &Args, inputs: Vec<Input>) -> (Vec<Input>, Vec<Input>) {
    let (mut staying, migrating): (Vec<_>, Vec<_>) = inputs.into_iter().partition(|input| match args.output_format {
        Some(form) if form.format() != input.format => false,
        _ if args.split_by.is_some() => false,
        _ => args.split.is_none() || input.format != Format::Mbox,
    });
    if !migrating.is_empty() {
        // They go below OUT too, whether there is one or many.
        staying.iter_mut().for_each(|input| input.walked = true);
    }
    (staying, migrating)
}

/// Says what every mailbox becomes and where it goes, and refuses what would lose something. Where they go is taken of
/// the `places`, but for standard output ([`Output::check`]).
pub fn plan(
    args: &Args,
    mailboxes: Vec<MigratedMailbox>,
    output: &Output,
    places: &mut TakenPlaces,
) -> Result<Vec<MailboxTask>, ConvertError> {
    let planned = mailboxes.into_iter().map(|mailbox| {
        let MigratedMailbox { name, tasks, left, .. } = mailbox;
        let form = args.output_format.unwrap_or(OutputFormat::Mbox);
        let labels = args.split_by.map(|SplitBy::Label| args.labels.unwrap_or_default());
        let is_file = form.is_mailbox() && labels.is_none();
        let to = output.mailbox_for(&if is_file { file_name(args, name) } else { name }, is_file);
        // A folder's name says nothing of what is in it.
        let compression = compression_of(args.compress, to.path().filter(|_| is_file))?;
        let new = NewMailbox { form, to, compression, split: args.split, labels, stays: false, lock: Duration::ZERO };
        if let OutputTarget::File { to, .. } = &new.to {
            places.take_output(&first_piece(&new, to), Format::Mbox, "name another output")?;
            if new.is_folder() {
                places.take_folder(to);
            }
        }
        Ok(MailboxTask { tasks, left, new })
    });
    planned.collect()
}

/// Finds the mailboxes in the inputs, in their order.
pub fn mailboxes(inputs: Vec<Input>) -> Result<Vec<MigratedMailbox>, ConvertError> {
    let several = inputs.len() > 1;
    let (mut all, mut of_messages): (Vec<MigratedMailbox>, _) = (Vec::new(), HashMap::new());
    for input in inputs {
        match (input.format, input.path.clone()) {
            (Format::Maildir, Some(folder)) => all.extend(of_maildir(&folder, &input, several)?),
            (Format::Mbox, _) => {
                let (name, left) = (bare(&own_name(&input)), Vec::new());
                let tasks = vec![Task::new(input, OutputTarget::Nowhere)];
                all.push(MigratedMailbox { name, account: None, tasks, left });
            }
            _ => {
                let (name, account) = mailbox_of(&input);
                let at = *of_messages.entry((name.clone(), account.clone())).or_insert(all.len());
                if at == all.len() {
                    all.push(MigratedMailbox { name, account, tasks: Vec::new(), left: Vec::new() });
                }
                all[at].tasks.push(Task::new(input, OutputTarget::Nowhere));
            }
        }
    }
    all.iter_mut().for_each(|mailbox| sort_numbers(&mut mailbox.tasks));
    name_accounts(&mut all);
    Ok(all)
}

/// Puts the name of its account before that of a mailbox of Apple Mail where another one has the same name.
fn name_accounts(all: &mut [MigratedMailbox]) {
    let mut count: HashMap<PathBuf, usize> = HashMap::new();
    all.iter().for_each(|mailbox| *count.entry(mailbox.name.clone()).or_default() += 1);
    for mailbox in all.iter_mut().filter(|mailbox| count.get(&mailbox.name).is_some_and(|count| *count > 1)) {
        if let Some(account) = &mailbox.account {
            mailbox.name = account.join(&mailbox.name);
        }
    }
}

/// Sorts what was found in a folder of MH or Apple Mail by the numbers that its messages have for names, as `12` or
/// `12.partial.emlx`: they came in that order. What has no number comes behind them.
fn sort_numbers(tasks: &mut [Task]) {
    let number = |task: &Task| {
        let name = task.input.path_alone()?.file_name()?.to_str()?;
        let (number, end) = name.split_once('.').unwrap_or((name, ""));
        number.parse::<u32>().ok().filter(|_| matches!(end, "" | "emlx" | "partial.emlx"))
    };
    if tasks.iter().all(|task| task.input.walked) && tasks.iter().any(|task| number(task).is_some()) {
        tasks.sort_by_key(|task| number(task).map_or((true, 0), |number| (false, number)));
    }
}

/// Returns the name of the mailbox that a message by itself is of, and its account: as Apple Mail calls it, or that
/// below OUT, or for one in the folder itself that was walked, the folder's own name. Messages that were named one by
/// one are one mailbox together.
fn mailbox_of(input: &Input) -> (PathBuf, Option<PathBuf>) {
    let below = input.output_name.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    let path = input.path_alone().and_then(|path| fs::canonicalize(path).ok());
    let apple = path.as_deref().filter(|_| input.walked).and_then(AppleMailbox::of);
    let folder = path.as_deref().and_then(Path::parent).and_then(Path::file_name).map(PathBuf::from);
    match apple {
        Some(AppleMailbox { account, name }) => (name, Some(account)),
        None if !below.as_os_str().is_empty() => (below.to_owned(), None),
        None => (folder.filter(|_| input.walked).unwrap_or_else(|| "messages".into()), None),
    }
}

/// Returns a Maildir and its subfolders, each a mailbox; with subfolders it is called `INBOX`. Of `several` inputs they
/// are below the Maildir's own name.
fn of_maildir(folder: &Path, input: &Input, several: bool) -> Result<Vec<MigratedMailbox>, ConvertError> {
    let subfolders = maildir::subfolders(folder);
    let own = own_name(input);
    let inbox = if subfolders.is_empty() { own.clone() } else { below(&own, several, "INBOX") };
    let mut all = Vec::new();
    let mut add = |path: &Path, name: PathBuf| -> Result<(), ConvertError> {
        let FileTasks { mut tasks, left, .. } = maildir::tasks(path, None, false)?;
        sort_by_own_name(&mut tasks);
        all.push(MigratedMailbox { name, account: None, tasks, left });
        Ok(())
    };
    add(folder, inbox)?;
    for sub in subfolders {
        let name = sub.file_name().unwrap_or_default().to_string_lossy().into_owned();
        add(&sub, below(&own, several, name.trim_start_matches('.')))?;
    }
    Ok(all)
}

/// Returns the name of a mailbox of a Maildir: `name`, below the Maildir's own one where there are `several` inputs.
fn below(own: &Path, several: bool, name: &str) -> PathBuf {
    if several { own.join(name) } else { name.into() }
}

/// Returns the name of an input below OUT.
fn own_name(input: &Input) -> PathBuf {
    let given = input.output_name.clone().filter(|name| !name.as_os_str().is_empty());
    given.or_else(|| input.own_name()).unwrap_or_else(|| "mail".into())
}

/// Returns the name of a mailbox without the ends that mailbox files have.
fn bare(name: &Path) -> PathBuf {
    let unpacked = unpacked_name(name);
    let is_end = unpacked.extension().is_some_and(|end| end.eq_ignore_ascii_case("mbox"));
    if is_end { unpacked.with_extension("") } else { unpacked }
}

/// Returns the name of the mailbox file that a mailbox of this name becomes, with the ends that such files have.
fn file_name(args: &Args, mut name: PathBuf) -> PathBuf {
    name.as_mut_os_string().push(".mbox");
    packed_name(name, args.compress.and_then(Compress::compression))
}

/// Refuses a place that is taken; a mailbox file may be replaced unless it is to be `kept`.
pub fn check_place(new: &NewMailbox, kept: bool) -> Result<(), ConvertError> {
    let OutputTarget::File { to, .. } = &new.to else { return Ok(()) };
    if new.is_folder() {
        return unplaced_folder::check(to);
    }
    let first = first_piece(new, to);
    match first.exists() {
        // Pieces of an earlier run would stay behind those of this one.
        true if new.split.is_some() => Err(ConvertError::OutputThere { path: first }),
        true if kept => Err(ReplaceError::Exists { path: first }.into()),
        true if first.is_dir() => refuse(format!("{} is a folder: name a file", first.display())),
        _ => Ok(()),
    }
}

/// Returns the file that is written first: `to` itself, or with `--split` the first piece of it.
fn first_piece(new: &NewMailbox, to: &Path) -> PathBuf {
    new.split.map_or(to.to_owned(), |_| piece_path(to, 1))
}
