//! Files that are one message each: .eml files and the files of a Maildir, many at a time.
//!
//! A file that can't be read, or that somebody else moved meanwhile (mail programs rename the files of a Maildir when a
//! flag changes), is named on stderr and left as it is, and the others are done all the same; the exit code tells. When
//! nothing more can be written the work ends.
//!
//! Files go in chunks: all of a chunk are written under passing names, then the journal says which they are, then they
//! take their places and are reported. So a run that was killed at any moment knows of every file whether it has its
//! place.

mod write;

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::job::Standing;
use super::mailbox::plan::{BatchPlanner, PlannedMessage};
use super::migrate::Way;
use super::sizes::{fits, other_name, true_name};
use super::undo_folder::records_of;
use super::{
    ConvertError, ConvertedMessage, FileTasks, Job, JournalStep, OutputFormat, OutputTarget, Task, UndoFolder, Within,
    read_held,
};
use crate::archive::file_error::FileError;
use crate::archive::maildir_name::base;
use crate::archive::replace::Pending;
use crate::archive::replace::path_json::JsonPath;
use crate::archive::report::{MessagePlace, OwnFile};
use crate::process::exit::Failure;
use write::write;

/// The files that are planned before their rows are written.
const CHUNK: usize = 256;

/// What became of one file, before anything of it takes its place.
struct Converted {
    done: ConvertedMessage,
    bytes: u64,
    message_id: Option<String>,
    /// Its new name, where sizes in it were made true.
    renamed: Option<OsString>,
    /// Whether its name states a size that is no longer true.
    stale: bool,
    /// What takes its place.
    pending: Vec<Pending>,
    /// What the undo file of its folder is to say of it.
    records: Vec<u8>,
}

/// Converts files, and reports them in their order; goes on where an interrupted run was (`job.mark`). Files that
/// failed alone are named, and the job keeps the exit code of the last of them ([`Job::check_failed`]).
pub fn convert(job: &mut Job, mut files: FileTasks) -> Result<(), Failure> {
    let (folder, total) = (files.folder.as_ref().map(|(folder, _)| folder.as_path()), files.tasks.len());
    UndoFolder::check_left(job, &files)?;
    job.stand(Standing::messages(folder, done_at_first(job, &files.tasks), total));
    let (last, undo_at) = finish_interrupted(job)?;
    let done = last.as_deref().map_or(0, |last| done_before(&files.tasks, last));
    job.stand(Standing::messages(folder, done, total));
    if undo_at.is_none() && UndoFolder::wanted(job, &files).is_some() {
        UndoFolder::check(job, &files)?;
        // Whoever goes on from here knows that the file is this run's.
        job.write_mark(Within::Files { last: JsonPath::default(), undo: Some(0) }, true)?;
    }
    let mut undo = UndoFolder::open(job, &files, undo_at.unwrap_or(0))?;
    for error in files.left.drain(..) {
        // Of a run that is gone on with they are reported already.
        if done == 0 { job.leave(error)? } else { job.pass_over(error)? }
    }
    job.progress.skip(files.tasks[..done].iter().map(|task| task.input.size).sum());
    let planner = BatchPlanner::new(job, &Way::new(OutputFormat::Eml, None), None);
    for chunk in files.tasks[done..].chunks_mut(CHUNK) {
        convert_chunk(job, &planner, chunk, files.folder.as_ref(), undo.as_mut())?;
    }
    Ok(undo.map_or(Ok(()), UndoFolder::end)?)
}

/// Tells how many files an interrupted run had done when it stopped, before what waits for its place has it.
fn done_at_first(job: &Job, tasks: &[Task]) -> usize {
    match &job.mark.within {
        Within::Files { last, .. } => done_before(tasks, &last.0),
        Within::Commit { steps, .. } => {
            // The first of them is not done itself.
            steps.first().map_or(0, |step| done_before(tasks, &step.input.0).saturating_sub(1))
        }
        _ => 0,
    }
}

/// Gives the files their places that an interrupted run was about to, and removes its passing files. Tells which file
/// was the last, and how far the undo file was; neither where no run was interrupted here.
fn finish_interrupted(job: &mut Job) -> Result<(Option<PathBuf>, Option<u64>), Failure> {
    let found = match std::mem::take(&mut job.mark.within) {
        Within::Files { last, undo } => (Some(last.0), undo),
        Within::Commit { steps, undo } => {
            job.carry_out(&steps, Job::pass_over)?;
            (steps.last().map(|step| step.input.0.clone()), undo)
        }
        _ => (None, None),
    };
    job.journal.iter().for_each(|journal| journal.remove_passing());
    Ok(found)
}

/// Tells how many files an interrupted run had done, the last of them known: by its name, or in a Maildir by what stays
/// of it. It is 0, and all are converted again, where that file is gone and no message before it stands in its folder
/// of a Maildir.
fn done_before(tasks: &[Task], last: &Path) -> usize {
    let is_beside = |task: &Task| task.sized && task.input.known_by().parent() == last.parent();
    let own_name = |path: &Path| path.file_name().map(|name| base(name).to_vec());
    let exact = tasks.iter().rposition(|task| task.input.known_by() == last);
    let same = || tasks.iter().rposition(|it| is_beside(it) && own_name(it.input.known_by()) == own_name(last));
    // It was removed since: in a Maildir the names are in order.
    let before = || tasks.iter().rposition(|task| is_beside(task) && task.input.known_by() < last);
    exact.or_else(same).or_else(before).map_or(0, |at| at + 1)
}

/// Converts a chunk of files side by side, and gives them their places in order. One that can't be converted is named
/// and passed over.
fn convert_chunk(
    job: &mut Job,
    planner: &BatchPlanner,
    chunk: &mut [Task],
    folder: Option<&(PathBuf, PathBuf)>,
    mut undo: Option<&mut UndoFolder>,
) -> Result<(), Failure> {
    let shared = &*job;
    let all: Vec<_> =
        job.pool()?.install(|| chunk.par_iter_mut().map(|task| convert_file(shared, planner, task, folder)).collect());
    let mut steps = Vec::with_capacity(chunk.len());
    for (task, converted) in chunk.iter().zip(all) {
        match converted {
            Ok(converted) => {
                if let Some(undo) = &mut undo {
                    undo.add(&converted.records)?;
                }
                steps.push(journal_step(job, task, converted)?);
            }
            Err(error) => job.pass_over_file(&task.input.name, error)?,
        }
    }
    // The way back is on the disk before the journal names the files, and that before they take their places.
    let at = undo.as_mut().map(|undo| undo.flush()).transpose()?;
    if steps.iter().any(|step| !step.pending.is_empty()) && job.journal.is_some() {
        job.write_mark(Within::Commit { steps: steps.clone(), undo: at }, true)?;
    }
    carry_out(job, &steps, undo)?;
    let last = chunk.last().map(|task| task.input.known_by().to_owned());
    Ok(job.write_mark(Within::Files { last: JsonPath(last.unwrap_or_default()), undo: at }, false)?)
}

/// Gives the files of a chunk their places. Their undo file stays from then on, whatever happens; where none has its
/// place it leads back from nothing that this chunk did.
fn carry_out(job: &mut Job, steps: &[JournalStep], undo: Option<&mut UndoFolder>) -> Result<(), ConvertError> {
    let Some(undo) = undo else { return job.carry_out(steps, Job::pass_over) };
    let before = job.placings;
    undo.stays();
    let carried = job.carry_out(steps, Job::pass_over);
    undo.settle(job.placings > before);
    carried
}

/// Makes the step in which a file takes its place and is reported. Files come in their order, since
/// [`Job::prepare_told`] takes the samples of a page in it.
fn journal_step(job: &mut Job, task: &Task, converted: Converted) -> Result<JournalStep, ConvertError> {
    let Converted { done, bytes, message_id, renamed, stale, pending, .. } = converted;
    let renamed = renamed.as_deref().map(OsStr::to_string_lossy);
    let (input, message_id, renamed) = (&*task.input.name, message_id.as_deref(), renamed.as_deref());
    let place = MessagePlace { input, renamed, message: 1, offset: 0, bytes, message_id };
    let told = job.prepare_told(place, &done)?;
    Ok(JournalStep { input: JsonPath(task.input.known_by().to_owned()), pending, told, stale })
}

/// Converts one file up to where it may take its place; what is over the limit is copied without being held. Gives
/// `task` the name that its new size wants. `folder` is there for a Maildir, whose messages share one undo file.
fn convert_file(
    job: &Job,
    planner: &BatchPlanner,
    task: &mut Task,
    folder: Option<&(PathBuf, PathBuf)>,
) -> Result<Converted, ConvertError> {
    let name = task.input.name.clone();
    let before = task.input.sum_up(job.file_sum());
    // A profile that changes nothing leaves out what is marked deleted all the same, by its header.
    let held = if job.rules.skip_deleted { job.most() } else { job.hold() };
    let (head, mut file) = read_held(&mut task.input, held)?;
    let is_whole = head.len() <= job.hold();
    let PlannedMessage { mut done, id: message_id, hunks, .. } = planner.plan_alone(&head, is_whole);
    job.take_samples(&head, &mut done);
    let wanted = done.new.as_deref().filter(|_| !done.left_out).and_then(|new| wanted_name(task, new));
    let renamed = wanted.clone().filter(|name| task.sized && fits(name));
    // Where nothing gets a name, none is untrue.
    let stale = wanted.is_some()
        && renamed.is_none()
        && !matches!(task.target, OutputTarget::Nowhere | OutputTarget::Stdout { .. });
    if let Some(name) = &renamed {
        task.target.rename(name);
    }
    let after = job.file_sum();
    let (copied, pending) = match done.left_out {
        true => (io::copy(&mut file, &mut io::sink()).map_err(FileError::reading(&name))?, Vec::new()),
        false => write(job, task, (folder.is_none(), &after), (&head, done.new.as_deref(), &hunks), &mut file)?,
    };
    if let Some(preview) = done.preview.as_mut().filter(|_| after.is_wanted()) {
        // In place nothing was written of what stays.
        let in_place = task.target.replaced().is_some() && done.new.is_none();
        let sums = before.total().filter(|_| !done.left_out).zip(if in_place { before.total() } else { after.total() });
        let output = job.shown_output(&task.target);
        preview.file = sums.map(|(before, after)| OwnFile { output, before, after });
    }
    let records = match (folder, &done.new) {
        (Some(folder), Some(new)) if job.rules.keep_original => records_of(task, folder, (&head, new), &hunks),
        _ => Vec::new(),
    };
    // A chunk of them is held: their octets are on the disk by now.
    let done = ConvertedMessage { new: None, ..done };
    Ok(Converted { message_id, bytes: head.len() as u64 + copied, done, renamed, stale, pending, records })
}

/// Returns the name that a message in a Maildir should have with its new octets: one whose sizes are true, or where
/// readers may know it by its name ([`Task::is_known`]) another in any case. None where its name may stay.
fn wanted_name(task: &Task, new: &[u8]) -> Option<OsString> {
    let name = task.input.path_alone()?.file_name()?;
    let is_known = task.is_known && task.sized;
    true_name(name, new).or_else(|| is_known.then(|| other_name(name, new)))
}
