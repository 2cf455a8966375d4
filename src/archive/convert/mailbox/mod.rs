//! A mailbox: read, planned and written at the same time, in order, whatever it was and becomes.
//!
//! Messages come from a [`source`]: a mailbox file, or files that are one message each. Each of the [`workers`] reads a
//! batch while no other does, plans its messages alone ([`plan`]), and puts it in the queue; whoever puts the first
//! there reports and writes what is ready ([`in_order`]), in the order of the source, to a [`sink`]: a mailbox file,
//! whole or in pieces, a folder, or a tree of either, sorted by labels ([`labels`]). What does not change is written
//! straight from the buffer that it was read into, messages in a row as one slice. All of it takes its place at the
//! end, flushed to the disk, and read again if that was asked for ([`read_again`]).
//!
//! A message's octets are the same in every form; what stands around it differs ([`migrate`](super::migrate)).

mod count;
mod in_order;
pub mod labels;
mod made;
mod pieces;
pub mod plan;
mod planning;
mod read_again;
mod run;
mod seams;
mod sink;
mod source;
mod workers;
pub mod written;

use super::{ByteRange, ConvertError, Cursor, Job, MailboxTask, NewMailbox, SinkCursor, Within};
use crate::archive::mailbox_lock::MailboxLock;
use crate::process::exit::Failure;
use crate::process::say::say;
use labels::MailboxTree;
pub use pieces::{partials, piece_path};
use run::MailboxRun;

/// How the names of passing files start that hold mail in another form, so that the next run knows them.
pub const PASSING: &str = "migrate-";

/// Converts a mailbox, or goes on where an interrupted run was in it (`job.mark`), and gives the output its
/// place. What is replaced must be locked by the caller ([`lock`]).
pub fn convert(job: &mut Job, task: &mut MailboxTask, stretch: ByteRange) -> Result<(), Failure> {
    let at = match std::mem::take(&mut job.mark.within) {
        // An interrupted run had written all of it.
        Within::Commit { steps, .. } => return Ok(job.carry_out(&steps, |_, error| Err(error))?),
        Within::Mailbox(at) => Some(*at),
        _ => None,
    };
    let left = std::mem::take(&mut task.left);
    if at.is_none() {
        left.into_iter().try_for_each(|error| job.leave(error))?;
    }
    let lost = match &at {
        Some(at) if is_placed(&task.new, at) => at.lost,
        _ => MailboxRun { job, tasks: &mut task.tasks, new: &task.new, stretch }.convert(at)?,
    };
    if let Some(words) = lost.words(&task.new.to.name()).filter(|_| !job.rules.quiet) {
        job.progress.suspend(|| say(format_args!("{words}")));
    }
    Ok(())
}

/// Locks a mailbox file that is to be replaced, from before it is read until the lock is dropped; none where nothing is
/// replaced, or nothing in it can change. `passes_all` of `plan.rs` goes by the same profiles and form.
pub fn lock(job: &Job, new: &NewMailbox) -> Result<Option<MailboxLock>, ConvertError> {
    let changes = !job.profiles.is_identity() || new.form.dialect().is_some() || job.rules.skip_deleted;
    let replaced = new.to.replaced().filter(|_| changes);
    Ok(replaced.map(|path| MailboxLock::take(path, new.lock, job.names().run())).transpose()?)
}

/// Returns `true` if an interrupted run had given a folder its place.
fn is_placed(new: &NewMailbox, at: &Cursor) -> bool {
    let (SinkCursor::Tree(at), Some(to)) = (&at.sink, new.to.path()) else { return false };
    MailboxTree::is_placed(to, at.ino, new.labels.is_some())
}

#[cfg(test)]
mod moved_tests;
#[cfg(test)]
mod tests;
