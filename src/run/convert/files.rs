//! Files that are one message each: .eml files and the files of a Maildir, many at a time.
//!
//! A file that can't be read, or that somebody else moved meanwhile (mail programs rename the files of a Maildir when a flag
//! changes), is named on stderr and left as it is, and the others are done all the same; the exit code tells. When
//! nothing more can be written the work ends.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rayon::prelude::*;

use super::compression::{Compression, Packer};
use super::error::Error;
use super::input::Input;
use super::job::Job;
use super::sizes::{fits, sized_name, true_name};
use super::target::{Target, write_error};
use super::work::{Done, convert_single};
use crate::protocol::mbox::{Dialect, Item};
use crate::rewrite::{Profile, Reason};
use crate::run::exit::{Exit, Failure};
use crate::run::report::{Row, message_id};

/// The files that are planned before their rows are written.
const CHUNK: usize = 256;

/// A file and where it goes.
#[derive(Debug)]
pub struct Task {
    /// The file.
    pub input: Input,
    /// Where it goes.
    pub target: Target,
    /// Whether the sizes that its name states are made true: in a Maildir.
    pub sized: bool,
    /// Whether Dovecot knows the message by its name, and its sizes: one that changes gets a name with sizes.
    pub indexed: bool,
    /// How what is written is compressed.
    pub compression: Option<Compression>,
    /// The dialect that a mailbox file gets; its own without one.
    pub dialect: Option<Dialect>,
    /// How long the locks of a mailbox file are waited for.
    pub lock: Duration,
}

impl Task {
    /// Makes that of a message in a Maildir.
    pub fn of_message(input: Input, target: Target) -> Task {
        Task { input, target, sized: true, indexed: false, compression: None, dialect: None, lock: Duration::ZERO }
    }
}

struct Converted {
    done: Done,
    bytes: u64,
    message_id: Option<String>,
    /// Its new name, where sizes in it were made true.
    renamed: Option<OsString>,
    /// Whether its name states a size that is no longer true.
    stale: bool,
}

/// Converts files, and reports them in their order.
pub fn convert(job: &mut Job, mut tasks: Vec<Task>) -> Result<(), Failure> {
    let mut worst = None;
    let mut stale = 0;
    let mut caches = BTreeSet::new();
    for chunk in tasks.chunks_mut(CHUNK) {
        let shared = &*job;
        let all: Vec<_> = job.pool.install(|| chunk.par_iter_mut().map(|task| one(shared, task)).collect());
        for (task, converted) in chunk.iter().zip(all) {
            match converted {
                Ok(converted) => {
                    stale += u64::from(converted.stale);
                    caches.extend(old_cache(task, &converted));
                    record(job, &task.input.name, &converted)?;
                }
                Err(error) => worst = Some(keep_going(job, error)?),
            }
        }
    }
    for folder in caches.iter().filter(|folder| forget_cache(folder)) {
        let cache = folder.join("dovecot.index.cache");
        job.progress.suspend(|| super::say(format_args!("removed {}: it had old sizes", cache.display())));
    }
    if stale > 0 {
        let text = "file names state a size (S= or W=) that is no longer true";
        job.progress.suspend(|| super::say(format_args!("{stale} {text}")));
    }
    worst.map_or(Ok(()), |exit| Err(Failure::told(exit)))
}

/// Returns the Maildir whose cache is untrue now: a message changed there, and kept its name.
fn old_cache(task: &Task, converted: &Converted) -> Option<PathBuf> {
    let Target::InPlace { path, .. } = &task.target else { return None };
    let kept = task.sized && converted.done.new.is_some() && converted.renamed.is_none();
    Some(path.parent()?.parent()?.to_owned()).filter(|_| kept)
}

/// Removes Dovecot's cache of a Maildir in which messages changed under names that they keep: it has the fields and sizes
/// of the old ones. Dovecot makes it anew. Tells whether there was one.
fn forget_cache(folder: &Path) -> bool {
    fs::remove_file(folder.join("dovecot.index.cache")).is_ok()
}

/// Says an error that concerns one file alone; any other ends the work.
fn keep_going(job: &Job, error: Error) -> Result<Exit, Failure> {
    if !matches!(error, Error::Open { .. } | Error::Read { .. } | Error::Moved { .. } | Error::Taken { .. }) {
        return Err(error.into());
    }
    let (exit, failure) = (error.exit(), Failure::from(error));
    job.progress.suspend(|| super::say(format_args!("{failure}")));
    Ok(exit)
}

fn record(job: &mut Job, name: &str, converted: &Converted) -> Result<(), Error> {
    let Converted { done, bytes, message_id, renamed, .. } = converted;
    job.tally.bytes += bytes;
    job.progress.inc(*bytes);
    let renamed = renamed.as_deref().map(OsStr::to_string_lossy);
    let (message_id, renamed, report) = (message_id.as_deref(), renamed.as_deref(), &done.report);
    job.record(&Row { input: name, renamed, message: 1, offset: 0, bytes: *bytes, message_id, report }, done.fault)
}

/// Converts one file; what is over the limit is copied without being held.
fn one(job: &Job, task: &mut Task) -> Result<Converted, Error> {
    let name = task.input.name.clone();
    let reading = |source| Error::Read { name: name.clone(), source };
    let mut file = task.input.open()?;
    let (mut head, hold) = (Vec::new(), job.hold() as u64);
    (&mut file).take(hold.saturating_add(1)).read_to_end(&mut head).map_err(reading)?;
    let done = if head.len() as u64 > hold { job.pass() } else { plan(&head, &job.profile) };
    let wanted = done.new.as_deref().and_then(|new| wanted_name(task, new));
    let renamed = wanted.clone().filter(|name| task.sized && fits(name));
    let stale = wanted.is_some() && renamed.is_none() && !matches!(task.target, Target::Nowhere | Target::Stdout);
    if let Some(name) = &renamed {
        task.target.rename(name);
    }
    let copied = write(task, done.new.as_ref().unwrap_or(&head), &mut file, done.new.is_some())?;
    let message_id = job.reports().then(|| message_id(Item::split_from_line(&head).1)).flatten();
    Ok(Converted { message_id, bytes: head.len() as u64 + copied, done, renamed, stale })
}

/// Returns the name that a message in a Maildir should have with its new octets, if that is another one.
fn wanted_name(task: &Task, new: &[u8]) -> Option<OsString> {
    let name = task.input.path.as_deref()?.file_name()?;
    let indexed = task.indexed && task.sized;
    true_name(name, new).or_else(|| if indexed { sized_name(name, new) } else { None })
}

fn plan(message: &[u8], profile: &Profile) -> Done {
    match Compression::of(message) {
        Some(_) => Done::left(Reason::Compressed),
        None => convert_single(message, profile),
    }
}

/// Writes a message and what of its file was not read yet; gives how much that was.
fn write(task: &Task, head: &[u8], rest: &mut impl Read, changed: bool) -> Result<u64, Error> {
    if matches!(task.target, Target::InPlace { .. }) && !changed {
        return Ok(0);
    }
    let name = &task.input.name;
    let writing = |source| write_error(&format!("the output of {name}"), source);
    let mut sink = Packer::new(task.compression, task.target.open()?).map_err(writing)?;
    sink.write_all(head).map_err(writing)?;
    let copied = copy(rest, &mut sink, name)?;
    sink.finish().map_err(writing)?.commit(changed)?;
    Ok(copied)
}

/// Copies what was not read yet; tells whose fault it is when that fails.
fn copy(from: &mut impl Read, to: &mut impl Write, name: &str) -> Result<u64, Error> {
    let (mut buffer, mut copied) = (vec![0; 128 << 10], 0);
    loop {
        let read = match from.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read.map_err(|source| Error::Read { name: name.to_owned(), source })?,
        };
        if read == 0 {
            return Ok(copied);
        }
        let writing = |source| write_error(&format!("the output of {name}"), source);
        to.write_all(&buffer[..read]).map_err(writing)?;
        copied += read as u64;
    }
}
