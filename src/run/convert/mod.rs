//! Converts archives: mbox, Maildir, .eml.
//!
//! Every input is looked at before anything is written, so that a name that is wrong ends the run with nothing
//! done. [`target`] tells how nothing is lost, [`mailbox`] how it is fast, [`report`](super::report) what is told.

mod ahead;
mod batch;
mod compression;
mod error;
mod files;
mod input;
mod is_mail;
mod job;
mod lock;
mod mailbox;
mod maildir;
mod outputs;
mod packing;
mod place;
mod sizes;
mod target;
mod walk;
mod work;

use std::fmt;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::exit::{Exit, Failure};
use super::report::{Form, Tally};
use super::settings::ProfileArgs;
use crate::protocol::mbox::Dialect;
use error::Error;
use files::Task;
use input::{Format, Input};
use job::Job;
use outputs::Output;
use packing::{Compress, compression, name_outputs};
use walk::Walk;

/// Convert archives: mbox, Maildir, .eml, compressed or not
///
/// Messages that need no change are copied octet for octet. A summary goes to standard error at the end.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    settings: ProfileArgs,

    /// Read the inputs as FORMAT; auto tells it by what is in them
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Auto)]
    format: Format,

    /// Write mailbox files in DIALECT, whatever they are in; without it each stays in its own
    #[arg(long, value_name = "DIALECT", value_enum)]
    output_format: Option<OutputDialect>,

    /// Compress the outputs; without it, as their names say: .gz, .zst, .xz, .bz2
    #[arg(long, value_name = "METHOD", value_enum)]
    compress: Option<Compress>,

    /// Convert all mail in folders and the folders in them; outputs get the same names below OUT
    #[arg(short, long)]
    recursive: bool,

    /// Wait so many seconds for the locks of a mailbox file that is converted in place
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    lock_timeout: u64,

    /// Write to OUT: a file for one input, a folder for several or for a Maildir; to standard output without it, or for -
    #[arg(short, long, value_name = "OUT", conflicts_with = "in_place")]
    output: Option<PathBuf>,

    /// Replace each input, once it is converted whole; one in which nothing changes is not touched
    #[arg(long)]
    in_place: bool,

    /// Write no output; say in report and summary what would be done
    #[arg(long)]
    dry_run: bool,

    /// Write what became of every message: FILE ends in .jsonl (one object a line) or .html (a page)
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Convert with N threads; one for each core without it
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,

    /// Convert these mailbox files, .eml files or Maildirs; - is standard input
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
}

/// Runs the command.
pub fn run(args: Args) -> Result<(), Failure> {
    let started = Instant::now();
    let profile = args.settings.profile()?;
    let report = args.report.clone().map(with_form).transpose()?;
    let mut inputs = look(&args)?;
    name_outputs(args.compress, &mut inputs);
    let work = plan_work(&args, inputs)?;
    let mut job = Job::new(profile, args.jobs.map(NonZeroUsize::get), report)?;
    job.show_progress(work.iter().map(Work::octets).sum());
    let mut result = Ok(());
    for piece in work {
        match piece.run(&mut job) {
            Ok(()) => {}
            Err(failure) if failure.error.is_none() => result = Err(failure),
            Err(failure) => return quiet_if_closed(failure),
        }
    }
    job.finish()?;
    say(format_args!("{}", job.tally.headline(&job.profile.name, started.elapsed())));
    // In one piece: stderr has no buffer.
    let _ = io::stderr().write_all(job.tally.to_string().as_bytes());
    result.and_then(|()| check_faults(&job.tally))
}

/// Looks at the inputs, and in folders for them.
fn look(args: &Args) -> Result<Vec<Input>, Error> {
    if !args.recursive {
        return args.inputs.iter().map(|path| Input::look(path, args.format)).collect();
    }
    let mut found = Walk::default();
    for path in &args.inputs {
        found.add(path, args.format, args.inputs.len() > 1)?;
    }
    if let Some(skipped) = found.skipped() {
        say(format_args!("{skipped}"));
    }
    Ok(found.inputs)
}

fn with_form(path: PathBuf) -> Result<(PathBuf, Form), Error> {
    match Form::of(&path) {
        Some(form) => Ok((path, form)),
        None => Err(Error::Usage(format!("--report {}: the name must end in .jsonl or .html", path.display()))),
    }
}

/// Says a line on stderr. That stderr can't be written is nothing that could be said anywhere.
fn say(line: fmt::Arguments) {
    let _ = writeln!(io::stderr(), "septet: {line}");
}

/// Ends quietly when the reader of standard output went away: it has what it wanted.
fn quiet_if_closed(failure: Failure) -> Result<(), Failure> {
    let error = failure.error.as_deref().and_then(|error| error.downcast_ref::<Error>());
    if error.is_some_and(Error::is_closed_pipe) { Ok(()) } else { Err(failure) }
}

fn check_faults(tally: &Tally) -> Result<(), Failure> {
    match tally.faults {
        0 => Ok(()),
        count => {
            let text = format!("{count} messages were passed untouched because of a fault in septet: please report it");
            Err(Failure::new(Exit::Software, text))
        }
    }
}

/// A piece of the work.
enum Work {
    Mailbox(Box<Task>),
    Files(Vec<Task>),
}

impl Work {
    fn octets(&self) -> u64 {
        match self {
            Work::Mailbox(task) => task.input.size,
            Work::Files(tasks) => tasks.iter().map(|task| task.input.size).sum(),
        }
    }

    fn run(self, job: &mut Job) -> Result<(), Failure> {
        match self {
            Work::Mailbox(task) => Ok(mailbox::convert(job, *task)?),
            Work::Files(tasks) => files::convert(job, tasks),
        }
    }
}

/// Says where everything goes; .eml files in a row are one piece of work.
fn plan_work(args: &Args, inputs: Vec<Input>) -> Result<Vec<Work>, Error> {
    let output = Output::of(args.output.clone(), args.in_place, args.dry_run, args.report.as_deref(), &inputs)?;
    let mut work = Vec::new();
    for input in inputs {
        if let (Format::Maildir, Some(folder)) = (input.format, &input.path) {
            if args.compress.is_some_and(|method| method != Compress::None) {
                return Err(Error::Usage(format!("--compress is for files, and {} is a Maildir", input.name)));
            }
            work.push(Work::Files(maildir::all_tasks(folder, &output.folder_for(&input)?)?));
            continue;
        }
        let task = file_task(args, &output, input)?;
        match (task.input.format, work.last_mut()) {
            (Format::Mbox, _) => work.push(Work::Mailbox(Box::new(task))),
            (_, Some(Work::Files(tasks))) => tasks.push(task),
            _ => work.push(Work::Files(vec![task])),
        }
    }
    Ok(work)
}

fn file_task(args: &Args, output: &Output, input: Input) -> Result<Task, Error> {
    let target = output.file_for(&input)?;
    let compression = compression(args.compress, &input, &target)?;
    let lock = Duration::from_secs(args.lock_timeout);
    let dialect = args.output_format.map(Into::into);
    Ok(Task { input, target, sized: false, indexed: false, compression, dialect, lock })
}

/// The dialects in which mailbox files can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum OutputDialect {
    /// Quote `From ` at the start of a line
    Mboxo,
    /// Quote `>From ` as well, which can be undone
    Mboxrd,
    /// Quote, and state the Content-Length
    Mboxcl,
    /// State the Content-Length, and do not quote
    Mboxcl2,
}

impl From<OutputDialect> for Dialect {
    fn from(dialect: OutputDialect) -> Dialect {
        match dialect {
            OutputDialect::Mboxo => Dialect::Mboxo,
            OutputDialect::Mboxrd => Dialect::Mboxrd,
            OutputDialect::Mboxcl => Dialect::Mboxcl,
            OutputDialect::Mboxcl2 => Dialect::Mboxcl2,
        }
    }
}
