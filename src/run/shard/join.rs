//! `septet join`: makes of the shards what one `convert` would have made.
//!
//! Every shard must be done, by this plan and all by one profile; every octet is held against its checksum while it is
//! copied, and nothing takes its place before all are.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use super::done::{Done, ShardPaths, made_by, messages_of, sum_of};
use super::{PiecePart, Shard, ShardError, read_plan};
use crate::run::convert::{Compression, Packer, Place, with_form};
use crate::run::exit::{Exit, Failure};
use crate::run::interrupt;
use crate::run::replace::{Existing, Names, Pending, Temporary, sync_folder};
use crate::run::report::line::Line;
use crate::run::report::{Form, Reports, Tally};
use crate::run::say::say;
use crate::run::settings::ProfileArgs;
use crate::run::undo::format::Sum;

/// Join the shards of a plan, when all of them are converted
///
/// Every checksum is looked at; the result is that of one `septet convert`, octet for octet, and so are the reports.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    settings: ProfileArgs,

    /// Join the shards of PLAN, which `septet plan` wrote
    #[arg(long, value_name = "PLAN")]
    plan: PathBuf,

    /// Read the shards in DIR
    #[arg(long, value_name = "DIR")]
    out_dir: PathBuf,

    /// Write to OUT: a file for one input, a folder for several or for a Maildir
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Write what became of every message: FILE ends in .jsonl, .html, .csv or .md; may be repeated
    #[arg(long, value_name = "FILE")]
    report: Vec<PathBuf>,

    /// Say nothing but errors
    #[arg(short, long)]
    quiet: bool,
}

/// A shard that is done.
struct Ready {
    shard: Shard,
    done: Done,
}

/// Runs the command.
pub fn run(args: Args) -> Result<(), Failure> {
    interrupt::watch().map_err(|error| Failure::new(Exit::Software, error))?;
    interrupt::stands(format!("{} is as it was", args.output.display()));
    let profile = args.settings.profile()?;
    let reports = args.report.iter().map(|path| with_form(path.clone())).collect::<Result<Vec<_>, _>>()?;
    let mut ready = Vec::new();
    for (shard, line) in read_plan(&args.plan)? {
        let (number, path) = (shard.shard, ShardPaths::new(&args.out_dir, shard.shard).ok());
        let done = Done::read(&path, number)?.ok_or_else(|| ShardError::NotDone { number, path: path.clone() })?;
        if done.made_by != made_by(&line, &profile) || done.pieces.len() != shard.pieces.len() {
            return Err(ShardError::Other { number, path }.into());
        }
        ready.push(Ready { shard, done });
    }
    let joined = join(&args, &ready, reports);
    if joined.is_err() {
        interrupt::clean_up(false);
    }
    let tally = joined?;
    if !args.quiet {
        let (shards, out) = (ready.len(), args.output.display());
        say(format_args!(
            "{shards} shards are joined in {out}: {} messages, {} changed",
            tally.messages, tally.changed
        ));
        // In one piece: stderr has no buffer.
        let _ = io::stderr().write_all(tally.to_string().as_bytes());
    }
    match tally.faults {
        0 => Ok(()),
        count => Err(Failure::new(
            Exit::Software,
            format!("{count} messages were passed untouched because of a fault in septet: please report it"),
        )),
    }
}

fn join(args: &Args, ready: &[Ready], reports: Vec<(PathBuf, Form)>) -> Result<Tally, Failure> {
    let names = Names::new("");
    let mut inputs: BTreeMap<usize, Vec<(&Ready, usize)>> = BTreeMap::new();
    for it in ready {
        it.shard
            .pieces
            .iter()
            .enumerate()
            .for_each(|(at, piece)| inputs.entry(piece.number).or_default().push((it, at)));
    }
    let alone = inputs.len() == 1;
    let is_maildir = |pieces: &[(&Ready, usize)]| {
        pieces.iter().all(|(it, at)| matches!(it.shard.pieces[*at].part, PiecePart::Maildir { .. }))
    };
    let mut pending = Vec::new();
    for pieces in inputs.values() {
        let input = &pieces[0].0.shard.pieces[pieces[0].1].input;
        let to = match alone && (is_maildir(pieces) || !args.output.is_dir()) {
            true => args.output.clone(),
            false => named(&args.output, input)?,
        };
        if Place::of(&to).is_some_and(|place| Place::of(input) == Some(place)) {
            return Err(ShardError::Usage(format!("{} is the input", to.display())).into());
        }
        match is_maildir(pieces) {
            true => maildir(args, pieces, &to, &names, &mut pending)?,
            false => pending.push(file(args, pieces, input, &to, &names)?),
        }
    }
    let tally = ready.iter().fold(Tally::default(), |mut tally, it| {
        tally.add_all(&it.done.tally);
        tally
    });
    pending.extend(report(args, ready, reports, &names, &tally)?);
    for it in &pending {
        it.carry_out(&Existing::Replace).map_err(ShardError::from)?;
    }
    pending.last().into_iter().for_each(|it| sync_folder(&it.to));
    Ok(tally)
}

/// Returns where an input goes in a folder: under its own name.
fn named(folder: &Path, input: &Path) -> Result<PathBuf, Failure> {
    let creating = |source| ShardError::Write { path: folder.to_owned(), source };
    fs::create_dir_all(folder).map_err(creating)?;
    let whole = fs::canonicalize(input).unwrap_or_else(|_| input.to_owned());
    let name = whole.file_name().ok_or_else(|| ShardError::Usage(format!("{} has no name", input.display())))?;
    Ok(folder.join(name))
}

/// Joins the pieces of a file.
fn file(args: &Args, pieces: &[(&Ready, usize)], input: &Path, to: &Path, names: &Names) -> Result<Pending, Failure> {
    let writing = |source| ShardError::Write { path: to.to_owned(), source };
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let made = names.create(folder, 0o666).map_err(writing)?;
    // As `convert` does: compressed as the name says.
    let mut packer = Packer::new(Compression::of_name(to), made.file()).map_err(writing)?;
    for (it, at) in pieces {
        let path = ShardPaths::new(&args.out_dir, it.shard.shard).piece(*at, &it.shard);
        let from = File::open(&path).map_err(|source| ShardError::Open { path: path.clone(), source })?;
        let mut sum = Sum::default();
        let mut buffer = vec![0; 256 << 10];
        let mut from = from;
        loop {
            let read = match from.read(&mut buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read.map_err(|source| ShardError::Read { path: path.clone(), source })?,
            };
            if read == 0 {
                break;
            }
            sum.add(&buffer[..read]);
            packer.write_all(&buffer[..read]).map_err(writing)?;
        }
        if sum.side() != it.done.pieces[*at].output {
            return Err(ShardError::Damaged { number: it.shard.shard, path }.into());
        }
    }
    packer.finish().map_err(writing)?;
    ready_like(made, to, input).map_err(|source| writing(source).into())
}

/// Makes a file ready to take its place, with the mode and times of what it is of, if that is here.
fn ready_like(made: Temporary, to: &Path, like: &Path) -> io::Result<Pending> {
    if let Ok(like) = fs::metadata(like) {
        made.file().set_permissions(like.permissions())?;
        made.file().set_modified(like.modified()?)?;
    }
    made.file().sync_all()?;
    Ok(Pending { ino: made.ino()?, from: made.release(), to: to.to_owned(), replaces: None })
}

/// Joins the pieces of a Maildir.
fn maildir(
    args: &Args,
    pieces: &[(&Ready, usize)],
    to: &Path,
    names: &Names,
    pending: &mut Vec<Pending>,
) -> Result<(), Failure> {
    let writing = |source| ShardError::Write { path: to.to_owned(), source };
    for sub in ["cur", "new", "tmp"] {
        fs::create_dir_all(to.join(sub)).map_err(writing)?;
    }
    for (it, at) in pieces {
        let number = it.shard.shard;
        let path = ShardPaths::new(&args.out_dir, number).piece(*at, &it.shard);
        if sum_of(&path)? != it.done.pieces[*at].output {
            return Err(ShardError::Damaged { number, path }.into());
        }
        for message in messages_of(&path).map_err(|source| ShardError::Read { path: path.clone(), source })? {
            let place = to.join(message.strip_prefix(&path).unwrap_or(&message));
            let copy = || {
                place.parent().map_or(Ok(()), fs::create_dir_all)?;
                let made = names.create(&to.join("tmp"), 0o600)?;
                io::copy(&mut File::open(&message)?, &mut made.file())?;
                ready_like(made, &place, &message)
            };
            pending.push(copy().map_err(writing)?);
        }
    }
    Ok(())
}

/// Joins the reports: messages are counted through each input again.
fn report(
    args: &Args,
    ready: &[Ready],
    files: Vec<(PathBuf, Form)>,
    names: &Names,
    tally: &Tally,
) -> Result<Vec<Pending>, Failure> {
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let folder = files[0].0.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let failing = |error: crate::run::report::ReportError| ShardError::Write { path: error.path, source: error.source };
    let mut reports = Reports::begin_passing(files.clone(), names, folder).map_err(failing)?;
    let mut before: BTreeMap<usize, u64> = BTreeMap::new();
    for it in ready {
        let number = it.shard.shard;
        let path = ShardPaths::new(&args.out_dir, number).report();
        let mut sum = Sum::default();
        let file = File::open(&path).map_err(|source| ShardError::Open { path: path.clone(), source })?;
        let mut from = BufReader::with_capacity(1 << 16, file);
        for (piece, done) in it.shard.pieces.iter().zip(&it.done.pieces) {
            let first = before.entry(piece.number).or_default();
            for _ in 0..done.messages {
                let line =
                    next_line(&mut from, &mut sum, &path)?.ok_or(ShardError::Damaged { number, path: path.clone() })?;
                let line = match matches!(piece.part, PiecePart::Mbox { .. }) && *first > 0 {
                    true => counted_from(&line, *first).ok_or(ShardError::Damaged { number, path: path.clone() })?,
                    false => line,
                };
                reports.add(&line).map_err(failing)?;
            }
            *first += done.messages;
        }
        if next_line(&mut from, &mut sum, &path)?.is_some() || sum.side() != it.done.report {
            return Err(ShardError::Damaged { number, path }.into());
        }
    }
    let (pending, spool) = reports.finish(tally, names).map_err(failing)?;
    spool.into_iter().for_each(Temporary::discard);
    Ok(pending)
}

fn next_line(from: &mut impl BufRead, sum: &mut Sum, path: &Path) -> Result<Option<String>, ShardError> {
    let mut line = String::new();
    let read = from.read_line(&mut line).map_err(|source| ShardError::Read { path: path.to_owned(), source })?;
    sum.add(line.as_bytes());
    Ok((read > 0).then_some(line))
}

/// Counts the message of a line behind those of the pieces before it.
fn counted_from(line: &str, first: u64) -> Option<String> {
    let mut line: Line = serde_json::from_str(line).ok()?;
    line.message += first;
    Some(serde_json::to_string(&line).ok()? + "\n")
}
