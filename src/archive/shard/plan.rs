//! `septet plan`: what is cut into shards, and where the plan goes. [`cut`](super::cut) tells how it is cut.

use std::collections::HashSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::ShardError;
use super::cut::write_plan;
use crate::archive::convert::walk::Walk;
use crate::archive::convert::{ConvertError, FileKey, Format, Input, TakenPlaces, refuse};
use crate::archive::file_error::FileError;
use crate::archive::interrupt;
use crate::archive::replace::{Existing, TemporaryNames, folder_of, sync_folder};
use crate::archive::size_argument::size_argument;
use crate::process::address::address_of;
use crate::process::exit::{Exit, Failure};
use crate::process::say::say;
use crate::process::stdio;

/// Cut archives into shards, to be converted on many machines
///
/// Writes one line of JSON for each shard; `septet convert --plan` converts one of them, and `septet
/// join` joins them.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  septet plan --target 256MiB -o plan.jsonl archive.mbox
  for n in $(seq 0 $(($(wc -l < plan.jsonl) - 1))); do
      septet convert --plan plan.jsonl --shard $n --out-dir shards
  done
  septet join --plan plan.jsonl --out-dir shards -o clean.mbox")]
pub struct Args {
    /// Make shards of about SIZE: octets, or with KiB, MiB, GiB, KB, MB, GB
    #[arg(long, value_name = "SIZE", default_value = "256MiB", value_parser = size_argument)]
    target: u64,

    /// Cut all mail in folders and the folders in them, as `convert -r` finds it
    #[arg(short, long)]
    recursive: bool,

    /// Write the plan to PLAN, once it is whole; to standard output without it, or for -
    ///
    /// Relative names of inputs are then found from the folder of PLAN, wherever a worker stands.
    #[arg(short, long, value_name = "PLAN")]
    output: Option<PathBuf>,

    /// Cut these mailbox files, .eml files or Maildirs
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
}

/// Runs the command.
pub fn run(args: Args) -> Result<(), Failure> {
    let to = args.output.clone().filter(|path| path.as_os_str() != "-");
    let found = find(&args)?;
    check_places(&found.inputs, to.as_deref())?;
    let Some(to) = to else {
        let out = stdio::open_stdout().map_err(Failure::of_output)?;
        return write_plan(&found, PathBuf::new(), args.target, out);
    };
    interrupt::watch().map_err(|error| Failure::new(Exit::Software, error))?;
    interrupt::stands(format!("{} is as it was", to.display()));
    let made = TemporaryNames::new("").create(folder_of(&to), 0o666).map_err(FileError::writing(to.display()))?;
    write_plan(&found, inputs_from(&to, &args.inputs), args.target, made.file())?;
    let pending = made.wait_for(&to, None).map_err(FileError::writing(to.display()))?;
    pending.carry_out(&Existing::Replace).map_err(ShardError::from)?;
    sync_folder(&to);
    Ok(())
}

/// Looks at the inputs, and with `-r` in folders for them; says what is skipped there.
fn find(args: &Args) -> Result<Walk, ConvertError> {
    let mut found = Walk::default();
    for path in &args.inputs {
        if path.as_os_str() == "-" {
            return refuse("standard input can't be cut: name a file");
        }
        if let Some(address) = address_of(path) {
            return refuse(format!("{address} can't be cut: only a file can, so mount it, or copy it here"));
        }
        found.add(path, Format::Auto, args.inputs.len() > 1, args.recursive)?;
    }
    if let Some(member) = found.inputs.iter().find(|input| input.is_member()) {
        return refuse(format!("{} is in an archive of files, which can't be cut: unpack it first", member.name));
    }
    if let Some(pipe) = found.inputs.iter().find(|input| input.path.is_none()) {
        return refuse(format!("{} is a pipe, which can't be cut", pipe.name));
    }
    found.said_of_skipped().into_iter().for_each(|skipped| say(format_args!("{skipped}")));
    Ok(found)
}

/// Refuses a plan that would go to an input, and inputs of which two would have one name in the folder of the joined
/// ones.
fn check_places(inputs: &[Input], to: Option<&Path>) -> Result<(), ConvertError> {
    let places = TakenPlaces::of(inputs.iter());
    let stdout = || stdio::stdout().ok().as_ref().and_then(FileKey::of_file).filter(|place| places.is_read(place));
    if let Some(what) = to.map_or_else(|| stdout().map(|_| "an input"), |to| places.wrong_with(to)) {
        let shown = to.map_or("standard output".to_owned(), |to| to.display().to_string());
        return refuse(format!("{shown} is {what}"));
    }
    let mut names = HashSet::new();
    for input in inputs {
        let name = input.name_in_folder();
        if name.clone().is_some_and(|name| !names.insert(name)) {
            let name = name.unwrap_or_default();
            return refuse(format!("two inputs are named {}, and would be joined in one place", name.display()));
        }
    }
    Ok(())
}

/// Returns the working directory as it is seen from a plan's folder, where it is another and relative names of inputs
/// need it; else an empty path.
fn inputs_from(plan: &Path, inputs: &[PathBuf]) -> PathBuf {
    let folders = (fs::canonicalize(folder_of(plan)), fs::canonicalize("."));
    let (Ok(from), Ok(to), true) = (folders.0, folders.1, inputs.iter().any(|input| input.is_relative())) else {
        return PathBuf::new();
    };
    let shared = from.components().zip(to.components()).take_while(|(one, other)| one == other).count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(to.components().skip(shared)).collect()
}
