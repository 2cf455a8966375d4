//! One shard of a plan: its pieces, its report, and at last what says that it is done.
//!
//! Nothing here is locked, and nothing is gone on with: a task that was killed is run again from its start, and two
//! that run at the same time write the same octets under names of their own ([`ShardFolder`] is that of a Maildir), so
//! that whichever ends last changes nothing.

use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use super::shard_folder::ShardFolder;
use super::{
    Args, ByteRange, ConvertError, FileTasks, Format, Input, Job, MailboxTask, OutputTarget, Task, files, mailbox,
    maildir,
};
use crate::archive::file_error::FileError;
use crate::archive::interrupt;
use crate::archive::replace::{Existing, TemporaryNames, sync_folder};
use crate::archive::report::{ReportFormat, Reports, said};
use crate::archive::shard::done::{DonePiece, ShardDone, ShardPaths, head_sum, made_by, sum_of};
use crate::archive::shard::{PiecePart, Shard, ShardError, ShardPiece, read_plan};
use crate::archive::sums::Checksum;
use crate::process::exit::{Exit, Failure};
use crate::process::say::say;

/// Converts the shard that the options name. One that is done already is said to be, and left.
pub fn run(args: &Args) -> Result<(), Failure> {
    // Each of the two requires the other.
    let (Some(plan), Some(folder)) = (&args.shard.plan, &args.shard.out_dir) else { return Ok(()) };
    interrupt::watch().map_err(|error| Failure::new(Exit::Software, error))?;
    let number = args.shard.number()?;
    let (_, profiles) = args.settings.settings_and_profiles()?;
    let profiles = args.decided.with(profiles)?;
    let mut shards = read_plan(plan)?;
    let count = shards.len();
    if number >= count {
        return Err(ShardError::NoShard { path: plan.clone(), count, number }.into());
    }
    let (shard, line) = shards.swap_remove(number);
    let paths = ShardPaths::new(folder, number);
    let made_by = made_by(&line, &profiles);
    if is_done(&shard, &paths, &made_by) {
        if !args.quiet {
            say(format_args!("shard {number} of {count} is done already"));
        }
        return Ok(());
    }
    fs::create_dir_all(folder).map_err(FileError::writing(folder.display()))?;
    // It is of another plan or profile, of other decisions, or says what is not true.
    let _ = fs::remove_file(paths.ok());
    TemporaryNames::remove_unused(&paths.tag(), folder);
    ShardFolder::remove_dead(&paths.tag(), folder);
    interrupt::stands(format!("shard {number} is not done, the others are as they were"));
    super::say_passed_over(&profiles, args.quiet);
    let job = Job::new(profiles, args.jobs.map(NonZeroUsize::get), args.rules()?);
    let result = convert(job, &shard, &paths, made_by);
    if result.is_err() {
        interrupt::clean_up();
    }
    result
}

/// Returns `true` if a shard is done: what says so is there, is of this plan and this profile, and so is what it wrote,
/// by its octets' number; a Maildir need only be there. `join` looks at the checksums.
fn is_done(shard: &Shard, paths: &ShardPaths, made_by: &str) -> bool {
    let Ok(Some(done)) = ShardDone::read(&paths.ok(), shard.shard) else { return false };
    let there = |at: usize, piece: &DonePiece| {
        let output = fs::metadata(paths.piece(at, shard));
        output.is_ok_and(|output| output.is_dir() || output.len() == piece.output.bytes)
    };
    done.made_by == made_by
        && fs::metadata(paths.report()).is_ok_and(|report| report.len() == done.report.bytes)
        && done.pieces.len() == shard.pieces.len()
        && done.pieces.iter().enumerate().all(|(at, piece)| there(at, piece))
}

/// Converts the pieces of a shard, and writes last what says that it is done.
fn convert(mut job: Job, shard: &Shard, paths: &ShardPaths, made_by: String) -> Result<(), Failure> {
    job.own_names = TemporaryNames::new(&paths.tag());
    let report = paths.report();
    let reports = Reports::begin_passing(vec![(report.clone(), ReportFormat::Lines)], job.names());
    let mut reports = reports.map_err(ConvertError::from)?;
    reports.previews = true;
    job.reports = Some(reports);
    job.show_progress(Some(shard.bytes));
    job.skip_all(&shard.skipped)?;
    let mut pieces = Vec::new();
    for (at, piece) in shard.pieces.iter().enumerate() {
        let before = job.mark.tally.messages;
        let output = paths.piece(at, shard);
        let output = convert_piece(&mut job, piece, &output)?;
        pieces.push(DonePiece { messages: job.mark.tally.messages - before, output });
    }
    job.finish()?;
    let (number, tally) = (shard.shard, job.mark.tally.clone());
    let decided = job.profiles.met();
    let done = ShardDone { shard: number, made_by, pieces, report: sum_of(&report)?, tally, decided };
    write_ok(&job, &done, paths)?;
    if !job.rules.quiet {
        let (messages, changed) = (said::messages(job.mark.tally.messages), job.mark.tally.changed);
        say(format_args!("shard {number} is done: {messages}, {changed} changed"));
    }
    Ok(())
}

/// Converts a piece into its output, and returns the checksum of that; an error where a file of it failed, and where
/// its input is not what it was when the plan was made.
fn convert_piece(job: &mut Job, piece: &ShardPiece, output: &Path) -> Result<Checksum, Failure> {
    let changed = || ShardError::Changed { path: piece.path.clone() };
    match &piece.part {
        PiecePart::Mbox { size, head, .. } | PiecePart::Whole { size, head, .. } => {
            let (stretch, format) = match piece.part {
                PiecePart::Mbox { start, end, .. } => (ByteRange { start, end: Some(end) }, Format::Mbox),
                PiecePart::Whole { message: true, .. } => (ByteRange::default(), Format::Eml),
                _ => (ByteRange::default(), Format::Auto),
            };
            let mut input = Input::look(&piece.path, format)?;
            input.name = piece.input.display().to_string();
            let there = fs::metadata(&piece.path).map_or(0, |file| file.len());
            if there != *size || head_sum(&piece.path, stretch.start, stretch.end.unwrap_or(*size))? != *head {
                return Err(changed().into());
            }
            let target = OutputTarget::file(output.to_owned(), Some(piece.path.clone()));
            match input.format {
                Format::Mbox => mailbox::convert(job, &mut MailboxTask::of_file(input, target), stretch)?,
                _ => files::convert(job, FileTasks { tasks: vec![Task::new(input, target)], ..FileTasks::default() })?,
            }
            job.check_failed()?;
            Ok(sum_of(output)?)
        }
        PiecePart::Maildir { count, first, last } => {
            let folder = ShardFolder::begin(output, job.names())?;
            // What is left alone was said when the plan was made.
            let tasks = maildir::all_tasks(&piece.path, Some(folder.path()), false)?.tasks;
            let mut tasks = cut(tasks, &piece.path, (first, last, *count)).ok_or_else(changed)?;
            tasks.iter_mut().for_each(|task| name_as_planned(task, piece));
            job.unplaced = Some((folder.path().to_owned(), output.to_owned()));
            files::convert(job, FileTasks { tasks, ..FileTasks::default() })?;
            job.unplaced = None;
            job.check_failed()?;
            // In its place another task may replace it.
            let sum = sum_of(folder.path())?;
            folder.place()?;
            Ok(sum)
        }
    }
}

/// Gives a message of a Maildir the name in reports that it has where the Maildir goes by its name in the plan.
fn name_as_planned(task: &mut Task, piece: &ShardPiece) {
    let below = task.input.path.as_deref().and_then(|path| path.strip_prefix(&piece.path).ok());
    if let Some(below) = below {
        task.input.name = piece.input.join(below).display().to_string();
    }
}

/// Takes the messages of a piece out of those of the whole Maildir; none when they are not there any more; those in a
/// row that end with `last` must be as many as when the plan was made.
fn cut(mut tasks: Vec<Task>, folder: &Path, (first, last, count): (&PathBuf, &PathBuf, usize)) -> Option<Vec<Task>> {
    if count == 0 {
        return Some(Vec::new());
    }
    let name = |task: &Task| Some(task.input.path.as_deref()?.strip_prefix(folder).ok()?.to_owned());
    let start = tasks.iter().position(|task| name(task).as_ref() == Some(first))?;
    let mut piece = tasks.split_off(start);
    piece.truncate(count);
    (piece.len() == count && piece.last().and_then(name).as_ref() == Some(last)).then_some(piece)
}

/// Writes what says that the shard is done; all else must be on the disk.
fn write_ok(job: &Job, done: &ShardDone, paths: &ShardPaths) -> Result<(), Failure> {
    let ok = &paths.ok();
    let write = || {
        let mut file = job.names().create(paths.folder, 0o666)?;
        writeln!(file, "{}", serde_json::to_string(done)?)?;
        file.wait_for(ok, None)
    };
    let pending = write().map_err(FileError::writing(ok.display()))?;
    pending.carry_out(&Existing::Replace).map_err(ConvertError::from)?;
    sync_folder(ok);
    Ok(())
}
