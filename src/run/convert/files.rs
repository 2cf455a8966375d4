//! Files that are one message each: .eml files and the files of a Maildir, many at a time.
//!
//! A file that can't be read, or that somebody else moved meanwhile (mail programs rename the files of a Maildir when a flag
//! changes), is named on stderr and left as it is, and the others are done all the same; the exit code tells. When
//! nothing more can be written the work ends.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};

use rayon::prelude::*;

use super::error::Error;
use super::input::{Input, compression};
use super::job::Job;
use super::sizes::{fits, true_name};
use super::target::{Target, write_error};
use super::work::{Done, convert_single};
use crate::protocol::mbox::Item;
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
    for chunk in tasks.chunks_mut(CHUNK) {
        let shared = &*job;
        let all: Vec<_> = job.pool.install(|| chunk.par_iter_mut().map(|task| one(shared, task)).collect());
        for (task, converted) in chunk.iter().zip(all) {
            match converted {
                Ok(converted) => {
                    stale += u64::from(converted.stale);
                    record(job, &task.input.name, &converted)?;
                }
                Err(error) => worst = Some(keep_going(job, error)?),
            }
        }
    }
    if stale > 0 {
        let text = "file names state a size (S= or W=) that is no longer true";
        job.progress.suspend(|| super::say(format_args!("{stale} {text}")));
    }
    worst.map_or(Ok(()), |exit| Err(Failure::told(exit)))
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
    let wanted = done.new.as_deref().and_then(|new| true_name(task.input.path.as_deref()?.file_name()?, new));
    let renamed = wanted.clone().filter(|name| task.sized && fits(name));
    let stale = wanted.is_some() && renamed.is_none() && !matches!(task.target, Target::Nowhere | Target::Stdout);
    if let Some(name) = &renamed {
        task.target.rename(name);
    }
    let copied = write(&task.target, &name, done.new.as_ref().unwrap_or(&head), &mut file, done.new.is_some())?;
    let message_id = job.reports().then(|| message_id(Item::split_from_line(&head).1)).flatten();
    Ok(Converted { message_id, bytes: head.len() as u64 + copied, done, renamed, stale })
}

fn plan(message: &[u8], profile: &Profile) -> Done {
    match compression(message) {
        Some(_) => Done::left(Reason::Compressed),
        None => convert_single(message, profile),
    }
}

/// Writes a message and what of its file was not read yet; gives how much that was.
fn write(target: &Target, name: &str, head: &[u8], rest: &mut impl Read, changed: bool) -> Result<u64, Error> {
    if matches!(target, Target::InPlace { .. }) && !changed {
        return Ok(0);
    }
    let writing = |source| write_error(&format!("the output of {name}"), source);
    let mut sink = target.open()?;
    sink.write_all(head).map_err(writing)?;
    let copied = io::copy(rest, &mut sink).map_err(writing)?;
    sink.commit(changed)?;
    Ok(copied)
}
