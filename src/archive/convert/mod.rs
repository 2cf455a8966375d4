//! Converts archives: mbox, Maildir, .eml.
//!
//! Every input is looked at before anything is written, so that a name that is wrong ends the run with nothing done.
//! [`target`] tells how nothing is lost, [`mailbox`] how it is fast, [`report`](crate::archive::report) what is told.

mod args;
mod batch;
mod beside;
mod check;
mod checkpoint;
mod compression;
mod container;
mod cursor;
mod decided;
pub mod deleted;
mod error;
mod files;
mod gzip_members;
mod input;
mod is_mail;
mod job;
mod journal;
mod mailbox;
mod maildir;
mod mh;
mod migrate;
mod numbered;
mod outputs;
mod packing;
mod place;
mod progress;
mod resume;
mod shard;
mod shard_folder;
mod single;
mod sizes;
mod taken;
mod target;
mod task;
mod undo_file;
mod undo_folder;
mod verify;
pub mod visit;
pub(super) mod walk;
mod way_on;
mod work;
mod work_plan;

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use crate::archive::interrupt;
use crate::archive::replace::TemporaryNames;
use crate::archive::report::said;
use crate::config::Settings;
use crate::config::profile::ProfileTable;
use crate::process::advice::AdviceBasis;
use crate::process::exit::{Exit, Failure};
use crate::process::ruled_profiles::RuledProfiles;
use crate::process::say::say;
pub use args::{Args, with_form};
pub use batch::{Batch, Batches};
pub use compression::{Compression, Packer, UnpackError, open_packed, unpacked};
pub use cursor::{Cursor, MailboxCursor, Seams, SinkCursor, SourceCursor};
pub use error::{ConvertError, refuse};
pub use input::{Format, Input, ReadAs, is_maildir};
use job::Standing;
pub use job::{Job, Rules};
pub use journal::{Journal, JournalStep, Mark, Within};
pub use mh::copy_marks;
use packing::name_outputs;
pub use packing::{Compress, LabelChoice, OutputFormat};
pub use place::FileKey;
pub use single::{SingleMessage, read_held};
pub use taken::TakenPlaces;
pub use target::{OpenTarget, OutputTarget, Time, Unnamed};
pub use task::{ByteRange, FileTasks, MailboxTask, NewMailbox, Task, Work, mailbox_file, name_of};
pub use undo_file::undo_path;
pub use undo_folder::UndoFolder;
pub use verify::{OTHER, WrittenSum};
use walk::{Skipped, Walk};
pub use work::{ConvertedMessage, Dialects};

/// Lists the messages of a Maildir below its folder, in the order in which they are converted, with their octets. What
/// is left alone is said on standard error. `septet plan` names a piece by its first and last of them, so the order
/// must be that of `maildir::all_tasks`, in which `shard.rs` finds it again.
pub fn maildir_files(folder: &Path) -> Result<Vec<(PathBuf, u64)>, ConvertError> {
    let below = |task: Task| {
        let path = task.input.path?;
        Some((path.strip_prefix(folder).unwrap_or(&path).to_owned(), task.input.size))
    };
    let FileTasks { tasks, left, .. } = maildir::all_tasks(folder, None, false)?;
    left.iter().for_each(|error| say(format_args!("{error}")));
    Ok(tasks.into_iter().filter_map(below).collect())
}

/// Runs the command; with `--plan`, one shard. The journal goes once all is done, also where single files failed: their
/// exit code is told at the end, with no error text, for each was named when it failed.
pub fn run(args: Args) -> Result<(), Failure> {
    if args.shard.plan.is_some() {
        return shard::run(&args);
    }
    let started = Instant::now();
    args.check()?;
    interrupt::watch().map_err(|error| Failure::new(Exit::Software, error))?;
    let (settings, profiles) = args.settings.settings_and_profiles()?;
    let profiles = args.decided.with(profiles)?;
    let rules = args.rules()?;
    args.reports()?;
    let (mut inputs, skipped) = look(&args)?;
    args.check_left_out(&inputs)?;
    let is_read_once = inputs.iter().any(|input| input.path.is_none());
    if !args.resume {
        decided::check_before(&args, &profiles, is_read_once)?;
    }
    name_outputs(args.compress, &mut inputs);
    let (inputs, migrating) = migrate::part(&args, inputs);
    migrate::check_options(&args, &inputs, &migrating)?;
    let migrates = !migrating.is_empty();
    let (output, journal, work) = work_plan::plan(&args, &rules, inputs, migrating)?;
    say_passed_over(&profiles, args.quiet);
    let mut job = Job::new(profiles, args.jobs.map(NonZeroUsize::get), rules);
    if migrates {
        job.own_names = TemporaryNames::new(mailbox::PASSING);
    }
    job.provenance.dry_run = args.dry_run;
    job.provenance.settings = profile_keys(&settings, &job.profiles);
    job.provenance.basis = Some(Arc::new(AdviceBasis::new(&settings, &job.profiles)));
    job.provenance.same_mail = way_on::same_mail(&args, &output);
    let begun = resume::begin(&mut job, &args, journal, &work);
    let before = job.mark.tally.bytes;
    let done = match begun {
        Ok(true) => Ok(()),
        Ok(false) => decided::check_new_run(&args, &job, is_read_once)
            .and_then(|()| job.skip_all(&skipped).map_err(Failure::from))
            .and_then(|()| convert(&mut job, work)),
        Err(error) => Err(error.into()),
    };
    match done {
        // A failure without an error was told file by file, and the run came to its end.
        Err(failure) if failure.error.is_some() => return end_failed_run(failure, job),
        _ => {}
    }
    if !job.rules.quiet {
        way_on::say_end(&args, &output, &job, job.mark.tally.bytes.saturating_sub(before), started.elapsed());
    }
    job.end();
    done?;
    decided::check_after(&job.profiles, is_read_once)?;
    job.mark.tally.check_faults()
}

/// Returns what the keys of profiles say, as TOML: of the usual one, then the rules, and the profiles that they name.
/// The keys of the usual one stand alone, those of the others behind `rule[0].` and `profile.NAME.`; a key that is not
/// set is left out.
pub fn profile_keys(settings: &Settings, profiles: &RuledProfiles) -> Vec<(String, String)> {
    let keys = |name: &str| settings.profile_table(name).map(ProfileTable::values).unwrap_or_default();
    let written = |before: String, values: Vec<(&'static str, Option<toml::Value>)>| {
        values.into_iter().filter_map(move |(key, value)| Some((format!("{before}{key}"), value?.to_string())))
    };
    let rules = profiles.rules().iter().enumerate();
    let rules = rules.flat_map(|(at, rule)| written(format!("rule[{at}]."), rule.values()));
    let others = profiles.others();
    let others = others.iter().flat_map(|profile| written(format!("profile.{}.", profile.name), keys(&profile.name)));
    written(String::new(), keys(&profiles.usual().name)).chain(rules).chain(others).collect()
}

/// Says which rules never hold here, unless `quiet`.
fn say_passed_over(profiles: &RuledProfiles, quiet: bool) {
    profiles.passed_over().iter().filter(|_| !quiet).for_each(|what| say(format_args!("{what}")));
}

/// Looks at the inputs, in archives of files and with `-r` in folders for them; also returns what is skipped there, and
/// says so.
fn look(args: &Args) -> Result<(Vec<Input>, Vec<Skipped>), ConvertError> {
    let found = Walk::of(args.output.as_deref(), &args.inputs, args.format, args.recursive)?;
    match found.said_of_skipped() {
        Some(_) if args.verbose => {
            found.skipped.iter().for_each(|it| say(format_args!("skipped {}: {}", it.path.display(), it.reason)));
        }
        Some(skipped) if !args.quiet => say(format_args!("{skipped}")),
        _ => {}
    }
    Ok((found.inputs, found.skipped))
}

/// Converts all pieces that are not done yet, and makes the reports. Where single files failed, all the rest is done,
/// and the error at the end has an exit code and no text. `work` must be that of the run that is gone on with, in its
/// order, since as many pieces of it as `job.mark` counts are passed over (`known_by` of `resume.rs` sees to that).
fn convert(job: &mut Job, work: Vec<Work>) -> Result<(), Failure> {
    let done = job.mark.pieces;
    check::refuse_early(job, &work[done.min(work.len())..])?;
    if job.mark.tally.messages > 0 && !job.rules.quiet {
        say(format_args!("went on at message {}", job.mark.tally.messages + 1));
    }
    job.show_progress(work.iter().skip(done).map(Work::octets).sum());
    let total = work.len();
    for piece in work.into_iter().skip(done) {
        convert_piece(job, piece, total)?;
    }
    let at = if job.reports.is_some() { "the reports are not written yet" } else { "" };
    job.stand(Standing::inputs(total, total, at.to_owned()));
    job.finish()?;
    if job.mark.stale > 0 && !job.rules.quiet {
        say(format_args!("{} file names state a size (S= or W=) that is no longer true", job.mark.stale));
    }
    job.check_failed()
}

/// Converts a piece of work, says so where that is asked for, and counts it as done. Files that failed one by one are
/// no error of the piece.
fn convert_piece(job: &mut Job, piece: Work, total: usize) -> Result<(), Failure> {
    let before = job.rules.verbose.then(|| (job.mark.tally.messages, job.mark.tally.changed, words_of(&piece)));
    match piece {
        Work::Mailbox(mut task) => convert_mailbox(job, &mut task, total)?,
        Work::Files(files) => files::convert(job, files)?,
    }
    if let Some((messages, changed, what)) = before {
        let (messages, changed) =
            (said::messages(job.mark.tally.messages - messages), job.mark.tally.changed - changed);
        job.progress.suspend(|| say(format_args!("{what}: {messages}, {changed} changed")));
    }
    Ok(job.end_piece()?)
}

/// Converts a mailbox, locked where it is replaced. Says how large a file was that the output took the place of, where
/// that was not the input itself.
fn convert_mailbox(job: &mut Job, task: &mut MailboxTask, total: usize) -> Result<(), Failure> {
    let (to, done) = (task.new.to.path().map(Path::to_owned), job.mark.pieces);
    let at = to.as_deref().map_or("standard output".to_owned(), |to| to.display().to_string());
    let so_far = match to.is_some() {
        _ if !task.new.stays => format!("nothing is in {} yet", task.new.to.name()),
        true => format!("{at} is as it was"),
        false => format!("what went to {at} is not whole"),
    };
    job.stand(Standing::inputs(done, total, so_far));
    let replaced = to.as_deref().filter(|_| task.new.stays && task.new.to.replaced().is_none());
    let replaced = replaced.and_then(|to| fs::symlink_metadata(to).ok()).filter(|there| there.is_file());
    let lock = mailbox::lock(job, &task.new)?;
    mailbox::convert(job, task, ByteRange::default())?;
    drop(lock);
    if let (Some(old), false) = (replaced, job.rules.quiet) {
        let kept = to.as_deref().and_then(|to| job.rules.existing.backup_of(to));
        let kept = kept.map_or(String::new(), |kept| format!(", which is {} now", kept.display()));
        job.progress.suspend(|| say(format_args!("{at} replaced a file of {} octets{kept}", old.len())));
    }
    Ok(())
}

/// Returns what is converted to where; of many files that belong to no Maildir only how many they are.
fn words_of(piece: &Work) -> String {
    let (what, to) = match piece {
        Work::Files(FileTasks { folder: Some((from, to)), .. }) => {
            (from.display().to_string(), to.display().to_string())
        }
        Work::Files(FileTasks { tasks, .. }) => match &tasks[..] {
            [task] => (task.input.name.clone(), task.target.path().unwrap_or(Path::new("-")).display().to_string()),
            tasks => return format!("{} files", tasks.len()),
        },
        Work::Mailbox(mailbox) => {
            let what = match (mailbox_file(&mailbox.tasks), mailbox.tasks.len()) {
                (Some(input), _) => input.name.clone(),
                (None, 1) => "1 file".to_owned(),
                (None, files) => format!("{files} files"),
            };
            let is_stdout = mailbox.new.stays && mailbox.new.to.path().is_none();
            (what, if is_stdout { "standard output".to_owned() } else { mailbox.new.to.name() })
        }
    };
    format!("{what} to {to}")
}

/// Ends a run that failed: removes what was begun, or keeps it for `--resume`, and says which.
///
/// It is no failure where the reader of standard output went away, for it has what it wanted; and where the files are
/// another run's, all of them are kept. The job goes before the cleaning up: what it holds open must be closed by then.
fn end_failed_run(failure: Failure, job: Job) -> Result<(), Failure> {
    let error = failure.error.as_deref().and_then(|error| error.downcast_ref::<ConvertError>());
    let closed = error.is_some_and(ConvertError::is_closed_pipe);
    let foreign = error.is_some_and(ConvertError::is_of_another_run);
    job.progress.finish();
    match foreign {
        true => interrupt::keep(),
        false => job.keep_what_is_done(),
    }
    let placed = job.mark.placed;
    drop(job);
    let (kept, words) = interrupt::clean_up();
    if (kept || placed) && !foreign && !closed {
        say(format_args!("{words}"));
    }
    if closed { Ok(()) } else { Err(failure) }
}
