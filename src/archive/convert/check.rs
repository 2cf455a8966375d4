//! What is refused before anything is done: an output that is there and shall stay, a way back that would be lost.

use std::fs;

use super::outputs::NO_WAY_BACK;
use super::{ConvertError, Job, OutputTarget, Task, UndoFolder, Within, Work, migrate, refuse, undo_path};
use crate::archive::replace::{Existing, ReplaceError};
use crate::archive::undo::leads_to;

/// Refuses, before any of this work is done, what would be refused after hours otherwise: inputs that don't go with the
/// options, and outputs that are in the way.
pub fn refuse_early(job: &Job, work: &[Work]) -> Result<(), ConvertError> {
    // A run that goes on within a piece was looked at when it began, and some of its outputs are there by now.
    if job.mark.within != Within::Start {
        return Ok(());
    }
    inputs(job, work)?;
    work.iter().try_for_each(|piece| match piece {
        // Of a Maildir each file that is in the way is refused alone, and its undo file is looked at when it is begun.
        Work::Files(files) if files.folder.is_some() => Ok(()),
        Work::Mailbox(mailbox) if mailbox.new.stays => output(job, &mailbox.new.to),
        Work::Mailbox(mailbox) => migrate::check_place(&mailbox.new, job.rules.existing == Existing::Keep),
        Work::Files(files) => files.tasks.iter().try_for_each(|task| output(job, &task.target)),
    })
}

/// Refuses a run that starts anew, before it removes what an interrupted one left. `interrupted` says that that one was
/// of the same command: an undo file in the way is its own then, and the error says so.
pub fn refuse_new_run(job: &Job, work: &[Work], interrupted: bool) -> Result<(), ConvertError> {
    let ways_back = work.iter().try_for_each(|piece| match piece {
        // The same command makes that anew.
        Work::Files(files) if interrupted && UndoFolder::elsewhere(job, files).is_some() => Ok(()),
        Work::Files(files) => UndoFolder::check(job, files),
        Work::Mailbox(_) => Ok(()),
    });
    refuse_early(job, work).and(ways_back).map_err(|error| match error {
        ConvertError::UndoExists { path } if interrupted => ConvertError::UndoInterrupted { path },
        error => error,
    })
}

/// Refuses inputs that can be read only once, for `--verify`, and what is compressed, for `--keep-original`.
fn inputs(job: &Job, work: &[Work]) -> Result<(), ConvertError> {
    let once = |task: &&Task| job.rules.verify && task.input.path.is_none();
    if let Some(task) = work.iter().flat_map(Work::tasks).find(once) {
        return refuse(format!("--verify reads the input again, and {} can be read only once", task.input.name));
    }
    let packed = work.iter().find_map(packed).filter(|_| job.rules.keep_original);
    packed.map_or(Ok(()), |name| refuse(format!("{NO_WAY_BACK} {name}")))
}

/// Returns the name of an input whose output is compressed.
fn packed(work: &Work) -> Option<&str> {
    let is_packed = |task: &&Task| work.mailbox().map_or(task.compression, |mailbox| mailbox.new.compression).is_some();
    work.tasks().iter().find(is_packed).map(|task| &*task.input.name)
}

/// Refuses an output that is there and shall stay, and an undo file that leads back to another original than the input.
/// Only in place is that the only way back: elsewhere the input stays.
fn output(job: &Job, target: &OutputTarget) -> Result<(), ConvertError> {
    let Some(path) = target.path() else { return Ok(()) };
    if job.rules.existing == Existing::Keep && fs::symlink_metadata(path).is_ok() {
        return Err(ReplaceError::Exists { path: path.to_owned() }.into());
    }
    let undo = undo_path(path);
    let in_place = target.replaced().is_some();
    if job.rules.keep_original && in_place && undo.exists() && !leads_to(&undo, path) {
        return Err(ConvertError::UndoExists { path: undo });
    }
    Ok(())
}
