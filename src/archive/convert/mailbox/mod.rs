//! A mailbox file: read, planned and written at the same time, in order.
//!
//! Each of the [`workers`] reads and splits a batch while no other does, plans its messages alone, and puts it in the queue;
//! whoever puts the first there reports and writes what is ready, in the order of the file. What does not change is written
//! straight from the buffer that it was read into, messages in a row as one slice.

mod count;
mod in_order;
mod made;
mod plan;
mod planning;
mod read_again;
mod workers;

use std::io::Read;
use std::sync::mpsc::channel;
use std::thread;

use super::byte_range::ByteRange;
use super::checkpoint::{self, Pace};
use super::error::ConvertError;
use super::files::Task;
use super::input::Input;
use super::job::Job;
use super::journal::{JournalStep, MailboxMark, Within};
use super::target::OutputTarget;
use super::verify::WrittenSum;
use super::work::Dialects;
use super::written::{WrittenMailbox, identity, output_error};
use crate::archive::mailbox_lock::MailboxLock;
use crate::archive::replace::path_json::JsonPath;
use crate::archive::sums::RunningSum;
use count::count;
use in_order::{Checkpoints, MailboxWriter, SpareBuffers};
use made::MadeMailbox;
use planning::{MailboxPlanning, batches_of};

/// Converts a mailbox file, or goes on where an interrupted run was in it (`job.mark`), and gives the output its
/// place. What is replaced must be locked by the caller ([`lock`]).
pub fn convert(job: &mut Job, task: &mut Task, stretch: ByteRange) -> Result<(), ConvertError> {
    // Its size tells that it changed, and whether it has unread mail is told by its times.
    task.target.keep_time();
    let from = task.input.mailbox.dialect;
    let dialects = Dialects { from, to: task.dialect };
    // Where messages state their length, counting From_ lines would not do.
    let counts = job.only_counts() && stretch.is_whole() && !from.counts() && task.dialect.is_none();
    let after = job.sum();
    let before = task.input.sum_up(job.sum());
    let (sink, undo, changed, made) = if counts && task.compression.is_none() {
        let (sink, _) = WrittenMailbox::begin(job, task, after.clone())?.end(&task.input.name)?;
        let mut sum = job.rules.verify.then(WrittenSum::default);
        let sink = count(job, &mut task.input, sink, sum.as_mut())?;
        (sink, None, false, sum.map(|sum| MadeMailbox::of_copy(sum, dialects)))
    } else {
        let from = match std::mem::take(&mut job.mark.within) {
            Within::Mailbox(from) => from,
            _ => MailboxMark { input: identity(&task.input), read: stretch.start, ..MailboxMark::default() },
        };
        // What an interrupted run wrote down names its output, or octets of one that is no file.
        let begun = from.ino != 0 || from.written > 0;
        let output = if begun {
            WrittenMailbox::go_on(task, &from, after.clone())?
        } else {
            WrittenMailbox::begin(job, task, after.clone())?
        };
        job.progress.skip(from.read - stretch.start);
        let mut source = task.input.open_range(from.read, stretch.end)?;
        // What an interrupted run wrote was planned there.
        let made = (job.rules.verify && !begun).then(|| MadeMailbox::new(dialects));
        if let Some(made) = &made {
            source = made.counting(source);
        }
        let begun = BegunMailbox { output, at: from, made };
        let BegunMailbox { output, at, made } = convert_with_checkpoints(job, &task.input, dialects, source, begun)?;
        let (sink, undo) = output.end(&task.input.name)?;
        (sink, undo, at.changed, made)
    };
    let in_place = matches!(task.target, OutputTarget::InPlace { .. });
    let kept = in_place && !changed;
    // What is read again by whoever verifies is not summed up.
    task.input.sum_up(RunningSum::default());
    if let (true, Some(written)) = (job.rules.verify && (changed || !in_place), sink.path()) {
        read_again::check(job, task, stretch, written, made)?;
    }
    // The way back is there before what it leads back from.
    let original = task.input.path.as_deref();
    let undo = match undo {
        Some(undo) if !changed && in_place => {
            undo.discard();
            None
        }
        undo => undo.map(|undo| undo.prepare(original)).transpose()?,
    };
    let pending = undo.into_iter().chain(sink.prepare(changed)?).collect();
    job.record_file(
        &task.input.name,
        task.target.name(),
        before.total().zip(if kept { before.total() } else { after.total() }),
    );
    let input = JsonPath(original.unwrap_or(task.input.name.as_ref()).to_owned());
    let step = JournalStep { input, pending, ..JournalStep::default() };
    job.write_mark(Within::Commit { steps: vec![step.clone()], undo: None }, true)?;
    job.carry_out(&[step], |_, error| Err(error))
}

/// Locks a mailbox file that is to be replaced, from before it is read until the lock is dropped; none where nothing is
/// replaced, or nothing in it can change.
pub fn lock(job: &Job, task: &Task) -> Result<Option<MailboxLock>, ConvertError> {
    let replaced =
        task.replaced().filter(|_| !job.profiles.is_identity() || task.dialect.is_some() || job.rules.skip_deleted);
    Ok(replaced.map(|path| MailboxLock::take(path, task.lock, job.names().run())).transpose()?)
}

/// A mailbox file that is being written, between its batches.
struct BegunMailbox {
    output: WrittenMailbox,
    /// How far it is, and whether anything changed.
    at: MailboxMark,
    /// What it was planned to become; none where nobody verifies, or an interrupted run began it.
    made: Option<MadeMailbox>,
}

/// Converts what is read of an input; meanwhile another thread flushes what is written, and writes down how far it is
/// where a run could go on there. The job's journal is lent to that thread, and is the job's again then; where the output can't
/// be gone on with it stays with the job.
fn convert_with_checkpoints(
    job: &mut Job,
    input: &Input,
    dialects: Dialects,
    source: Box<dyn Read + Send>,
    mut begun: BegunMailbox,
) -> Result<BegunMailbox, ConvertError> {
    let failing = |source| output_error(&input.name, source);
    begun.at.ino = begun.output.ino();
    let mut files = begun.output.files().map_err(failing)?;
    // One batch is done in a moment.
    let is_long = batches_of(input) != Some(1);
    let mut journal = job.journal.take_if(|_| is_long && begun.output.is_resumable());
    if !is_long || (journal.is_none() && files.is_empty()) {
        return convert_messages(job, input, dialects, source, (begun, None));
    }
    files.extend(job.spool().and_then(|spool| spool.try_clone().ok()));
    let (to, marks) = channel();
    let pace = Pace::new();
    let (written, flushed) = thread::scope(|scope| {
        let flush = || checkpoint::write_all(journal.as_mut(), &files, marks, &pace);
        let flusher = thread::Builder::new().name("flush".to_owned()).spawn_scoped(scope, flush);
        // If no thread is to be had, nothing is written down.
        let marks = flusher.is_ok().then(|| Checkpoints { pace: pace.clone(), to });
        let written = convert_messages(job, input, dialects, source, (begun, marks));
        (written, flusher.map_or(Ok(Ok(())), |flusher| flusher.join()))
    });
    job.journal = journal.or_else(|| job.journal.take());
    // What could not be flushed is less than why the others stopped.
    let written = written?;
    flushed.map_err(|_| ConvertError::Fault { name: input.name.clone() })?.map_err(failing)?;
    Ok(written)
}

/// Reads, plans and writes all messages.
fn convert_messages(
    job: &mut Job,
    input: &Input,
    dialects: Dialects,
    source: Box<dyn Read + Send>,
    (BegunMailbox { output, at, made }, marks): (BegunMailbox, Option<Checkpoints>),
) -> Result<BegunMailbox, ConvertError> {
    let (name, holds_all) = (&input.name, dialects.to.is_some() || job.rules.skip_deleted);
    let (planning, spare, start) = (MailboxPlanning::new(job, input, dialects), SpareBuffers::default(), at.read);
    let mut writer = MailboxWriter { job, name, holds_all, output, at, made, pending: None, marks, spare: &spare };
    planning.run(source, start, &spare, |planned| writer.take(planned))?;
    writer.close(writer.at.read)?;
    let MailboxWriter { output, at, made, .. } = writer;
    Ok(BegunMailbox { output, at, made })
}

#[cfg(test)]
mod tests;
