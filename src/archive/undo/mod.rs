//! `septet undo`: makes of an output the input that it was made of, octet for octet, or refuses.
//!
//! Nothing takes its place before the checksum of what was made is the one that the input had. What changed since it
//! was converted, and an undo file that is cut or damaged, are refused with 65; that of a Maildir may end before
//! its last line, as an interrupted conversion leaves it, and what one that is cut has whole is undone all the same. A
//! file that becomes what it was is locked meanwhile as one is that is converted in place: what is delivered then is
//! delivered to what it was.

mod apply;
pub mod format;
mod read;
mod tree;

use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

use self::apply::restore;
use self::format::{FileNames, SUFFIX, Sides};
use self::read::{Record, UndoReader};
use crate::archive::convert::{ConvertError, FileKey, Time, Unnamed, refuse};
use crate::archive::file_error::FileError;
use crate::archive::interrupt;
use crate::archive::mailbox_lock::{MailboxLock, remove_dead};
use crate::archive::replace::{
    Existing, Pending, Temporary, TemporaryNames, folder_of, is_device, remove_unlinked, with_suffix,
};
use crate::archive::sums::Checksum;
use crate::archive::untrue::remove_untrue;
use crate::process::exit::{Exit, Failure, HasExit};
use crate::process::say::say;
use crate::process::stdio;

/// What stands in the names of passing files, for the next undo to find what one left that was killed.
const PASSING: &str = "undo-";

/// Restore the original of a conversion, octet for octet
///
/// It reads OUT and OUT.undo, which `septet convert --keep-original` wrote. If OUT was changed since, it refuses and
/// writes nothing.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  septet undo clean.mbox
      makes of it what it was made of, and removes clean.mbox.undo
  septet undo -o original.mbox clean.mbox
      writes that to another file, and keeps both
  septet undo -r Mail
      undoes every conversion in a folder and below")]
pub struct Args {
    /// Write to FILE, or for a Maildir to the folder FILE; - is standard output
    ///
    /// Without it OUT itself is restored, and OUT.undo removed.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Undo every conversion in the folder OUT and below; what can't be undone is named, the rest is done
    #[arg(short, long, conflicts_with = "output")]
    recursive: bool,

    /// Wait up to SECONDS for the locks of a file to be restored
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    lock_timeout: u64,

    /// Undo the conversion that wrote OUT: a file, or a Maildir; with -r, all in the folder OUT
    #[arg(value_name = "OUT")]
    converted: PathBuf,
}

/// Why nothing is undone.
#[derive(Debug, Error)]
#[allow(missing_docs)]
pub enum UndoError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(
        "there is no {} to undo {} by: it was undone already, or not converted with --keep-original",
        undo.display(),
        converted.display()
    )]
    NoUndo { converted: PathBuf, undo: PathBuf },
    #[error("{}, line {line}: {what}", path.display())]
    Damaged { path: PathBuf, line: u64, what: &'static str },
    #[error("{} is not what septet wrote: it was changed since, or is another file", path.display())]
    Changed { path: PathBuf },
    #[error("{} is cut (its last line is missing), and stays", path.display())]
    Cut { path: PathBuf },
    #[error("{} already exists, and is another message", path.display())]
    Taken { path: PathBuf },
    #[error("{} does not lead back to the original", path.display())]
    Astray { path: PathBuf },
    #[error(transparent)]
    Convert(#[from] ConvertError),
}

/// What an undo did.
struct Done {
    /// What is said of it.
    said: String,
    /// The messages that are there no more.
    gone: usize,
    /// Whether the undo file ends in the middle of what leads back.
    is_cut: bool,
}

impl HasExit for UndoError {
    fn exit(&self) -> Exit {
        match self {
            UndoError::NoUndo { .. } => Exit::NoInput,
            // A file that can't be written is 74 to `convert`, whatever the reason; here the reason counts.
            UndoError::File(error) | UndoError::Convert(ConvertError::File(error)) => error.exit(),
            UndoError::Convert(error) => error.exit(),
            UndoError::Taken { .. } => Exit::CantCreate,
            _ => Exit::BadData,
        }
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<(), Failure> {
    interrupt::watch().map_err(|error| Failure::new(Exit::Software, error))?;
    if args.recursive {
        return all_below(args);
    }
    Ok(undo_or_clean_up(&args)?)
}

/// Undoes an output and says what was done; after an error, what was begun is removed.
fn undo_or_clean_up(args: &Args) -> Result<(), UndoError> {
    interrupt::stands(format!("{} is as it was", args.converted.display()));
    undo(args).inspect_err(|_| _ = interrupt::clean_up())
}

/// Undoes all outputs in a folder; one that is refused does not keep the others from it. The highest exit code is that
/// of all.
fn all_below(args: Args) -> Result<(), Failure> {
    let (found, undone) = tree::below(&args.converted)?;
    undone.iter().for_each(|path| say(format_args!("{}", already(path))));
    if found.is_empty() && !undone.is_empty() {
        return Ok(());
    }
    if found.is_empty() {
        let text = format!("nothing in {} has an undo file beside it ({SUFFIX})", args.converted.display());
        return Err(Failure::new(Exit::NoInput, text));
    }
    let total = found.len();
    let undo = |converted| undo_or_clean_up(&Args { converted, output: None, recursive: false, ..args });
    let failures = found.into_iter().filter_map(|converted| undo(converted).map_err(Failure::from).err());
    let refused: Vec<Exit> = failures.inspect(|failure| say(format_args!("{failure}"))).map(|it| it.exit).collect();
    let (undone, refusals) = (total - refused.len(), refused.len());
    let are = if undone == 1 { "is" } else { "are" };
    say(format_args!("{undone} of {total} {are} undone, {refusals} refused"));
    let worst = refused.into_iter().max_by_key(|exit| *exit as u8);
    worst.map_or(Ok(()), |exit| Err(Failure::told(exit)))
}

/// Undoes a file or a folder, says what was done, and removes the undo file where it leads nowhere any more. What it
/// is locked by is given back at the end: whoever is killed before leaves what the same command goes by.
fn undo(args: &Args) -> Result<(), UndoError> {
    let undo = with_suffix(&args.converted, SUFFIX);
    let (mut reader, _lock) = match open_locked(args, &undo) {
        Err(_) if args.output.is_none() && was_undone(&undo, &args.converted) => {
            say(format_args!("{}", already(&args.converted)));
            return Ok(());
        }
        opened => opened?,
    };
    let (converted, output) = (&args.converted, args.output.as_deref());
    let Done { said, gone, is_cut } = match reader.maker().folder {
        true => apply::undo_maildir(&mut reader, converted, output)?,
        false => Done { said: undo_file(&mut reader, converted, output)?, gone: 0, is_cut: false },
    };
    match gone {
        0 => say(format_args!("{said}")),
        _ => say(format_args!(
            "{said}; {gone} not there any more (deleted, or moved out of it), and {} stays",
            undo.display()
        )),
    }
    if is_cut {
        return Err(UndoError::Cut { path: undo });
    }
    if gone == 0 && output.is_none() {
        // It leads nowhere any more.
        fs::remove_file(&undo).map_err(FileError::writing(undo.display()))?;
    }
    Ok(())
}

/// Says that there is nothing to do.
fn already(converted: &Path) -> String {
    format!("{} is what it was already", converted.display())
}

/// Returns `true` if an undo that was killed had come so far that the undo file was gone, and its lock was not; it is
/// now.
fn was_undone(undo: &Path, converted: &Path) -> bool {
    let gone = fs::symlink_metadata(undo).is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
    let mailbox = fs::canonicalize(converted).ok().filter(|_| gone);
    mailbox.and_then(|mailbox| remove_dead(&mailbox)).is_some_and(|run| run.starts_with(PASSING))
}

/// Opens the undo file, and locks what is to be replaced: nobody else makes it what it was, or delivers to it.
fn open_locked(args: &Args, undo: &Path) -> Result<(UndoReader, Option<MailboxLock>), UndoError> {
    let reader = UndoReader::open(undo).map_err(|error| match error {
        UndoError::File(FileError::Open { source, .. })
            if source.kind() == io::ErrorKind::NotFound && args.converted.exists() =>
        {
            UndoError::NoUndo { converted: args.converted.clone(), undo: undo.to_owned() }
        }
        other => other,
    })?;
    if args.output.is_some() {
        return Ok((reader, None));
    }
    if reader.maker().folder {
        reader.lock()?;
        return Ok((reader, None));
    }
    let mailbox = fs::canonicalize(&args.converted).map_err(FileError::opening(args.converted.display()))?;
    remove_unlinked(folder_of(&mailbox));
    let (patience, names) = (Duration::from_secs(args.lock_timeout), TemporaryNames::new(PASSING));
    let lock = MailboxLock::take(&mailbox, patience, names.run()).map_err(ConvertError::from)?;
    // Another undo may have come to its end while the locks were waited for.
    Ok((UndoReader::open(undo)?, Some(lock)))
}

/// Undoes a file by itself, in its own place or to `output`, where what is there is replaced; says what was done. The
/// reader stands before the first record.
fn undo_file(reader: &mut UndoReader, converted: &Path, output: Option<&Path>) -> Result<String, UndoError> {
    let opening = FileError::opening(converted.display());
    let old = File::open(converted).map_err(&opening)?;
    let like = old.metadata().map_err(&opening)?;
    let to = output.map_or_else(|| fs::canonicalize(converted).map_err(&opening), |to| Ok(to.to_owned()))?;
    let is_read = |to| [converted, reader.path()].iter().any(|read| FileKey::of(read) == FileKey::of(to));
    if output.is_some_and(is_read) {
        refuse(format!("{} is read: leave -o out to replace it", to.display()))?;
    }
    if !matches!(reader.next()?, Record::File(FileNames { .. })) {
        return Err(reader.damaged("no file"));
    }
    let writing = FileError::writing(to.display());
    let (device, temporary) = (is_device(&to), env::temp_dir());
    let folder = if device { &temporary } else { folder_of(&to) };
    let made = passing_in(folder).create(folder, 0o600).map_err(&writing)?;
    let restored = restore(reader, BufReader::with_capacity(256 << 10, old), converted, &made)?;
    if !matches!(reader.next()?, Record::Whole) {
        return Err(reader.damaged("more than one file"));
    }
    let sides = match restored {
        Some(sides) => sides,
        // The power failed after the way back had its place, and before the file had.
        None if output.is_none() => return Ok(already(converted)),
        None => return Err(UndoError::Changed { path: converted.to_owned() }),
    };
    let is_stdout = to.as_os_str() == "-";
    let said = match (converted.display(), to.display()) {
        (converted, _) if output.is_none() => format!("{converted} is what it was"),
        (converted, _) if is_stdout => format!("the original of {converted} went to standard output"),
        (converted, to) => format!("the original of {converted} is in {to}"),
    };
    let said = format!("{said}: {} octets, of {}", sides.original.bytes, sides.converted.bytes);
    if is_stdout || device {
        let mut from = File::open(made.path()).map_err(&writing)?;
        let out = if device { OpenOptions::new().write(true).open(&to) } else { stdio::open_stdout() };
        let mut out = out.map_err(&writing)?;
        io::copy(&mut from, &mut out).and_then(|_| out.flush()).map_err(&writing)?;
        return Ok(said);
    }
    let replaced = output.and_then(|to| fs::symlink_metadata(to).ok()).filter(|there| there.is_file());
    place(made, &to, like, output.is_none().then_some(&to))?;
    if let Some(old) = replaced {
        say(format_args!("{} replaced a file of {} octets", to.display(), old.len()));
    }
    Ok(said)
}

/// Gives what was made its place, with the mode and times of what it was made of.
fn place(made: Temporary, to: &Path, like: fs::Metadata, replaces: Option<&PathBuf>) -> Result<(), UndoError> {
    // Open, it stays locked: no other undo takes it for what a dead one left.
    let _held = made.file().try_clone().map_err(FileError::writing(to.display()))?;
    let pending = ready(made, to, like, replaces)?;
    pending.carry_out(&Existing::Replace).map_err(ConvertError::from)?;
    remove_untrue([&pending].into_iter()).iter().for_each(|line| say(format_args!("{line}")));
    Ok(())
}

/// Returns names for passing files in a folder, where what a killed undo left is removed.
fn passing_in(folder: &Path) -> TemporaryNames {
    TemporaryNames::remove_unused(PASSING, folder);
    TemporaryNames::new(PASSING)
}

/// Makes a file ready to take a place, with the mode and times of `like`, which is the file that it was made of; with
/// owner and attributes too if it replaces that.
fn ready(file: Temporary, to: &Path, like: fs::Metadata, replaces: Option<&PathBuf>) -> Result<Pending, ConvertError> {
    let replaces = replaces.map(|old| (old.clone(), Time::Kept));
    Unnamed { file, to: to.to_owned(), like: Some(like), replaces }.prepare()
}

/// Returns `true` if an undo file leads to a file as it is now: to convert it again loses nothing. It is `false` where
/// either can't be read.
pub fn leads_to(undo: &Path, original: &Path) -> bool {
    sides_of_one(undo).is_ok_and(|sides| sides.is_some_and(|sides| is_original(original, &sides)))
}

/// Returns both sides of the file that an undo file is about; none where it is about none, or several.
fn sides_of_one(undo: &Path) -> Result<Option<Sides>, UndoError> {
    let mut reader = UndoReader::open(undo)?;
    let Record::File(_) = reader.next()? else { return Ok(None) };
    let sides = reader.sides()?;
    Ok(matches!(reader.next()?, Record::Whole).then_some(sides))
}

/// Returns `true` if a file can be read and is what it was before it was converted.
fn is_original(path: &Path, sides: &Sides) -> bool {
    File::open(path).and_then(Checksum::of).is_ok_and(|sum| sum == sides.original)
}
