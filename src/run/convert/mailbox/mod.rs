//! A mailbox file: read, planned and written at the same time, in order.
//!
//! Three threads pass batches on: one reads and splits, one plans (over all cores), one writes. There are [`BUFFERS`]
//! buffers in all, which is what bounds the memory; each goes round and round. What does not change is written straight
//! from the buffer that it was read into, messages in a row as one slice.

mod count;
mod plan;

use std::io::Read;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::batch::{Batch, Batches};
use super::checkpoint::{self, Pace};
use super::error::Error;
use super::files::Task;
use super::input::Input;
use super::job::Job;
use super::journal::{MailboxMark, Mark, Step, Within};
use super::lock::MailboxLock;
use super::stretch::Stretch;
use super::target::Target;
use super::verify;
use super::work::Dialects;
use super::written::{Written, identity, open_from, output_error};
use crate::run::replace::path_json::JsonPath;
use crate::run::report::sums::Sum;
use count::count;
use plan::{Mailbox, Piece, Planned};

/// The buffers that go round: one being read into, one being planned, one being written.
const BUFFERS: usize = 3;

/// Converts a mailbox file, or goes on where an interrupted run was in it.
pub fn convert(job: &mut Job, task: &mut Task, stretch: Stretch) -> Result<(), Error> {
    let from = task.input.mailbox.dialect;
    let dialects = Dialects { from, to: task.dialect };
    let counts = job.only_counts() && stretch.is_whole() && !from.counts() && task.dialect.is_none();
    let after = job.sum();
    let before = task.input.sum_up(job.sum());
    let (sink, undo, changed) = if counts && task.compression.is_none() {
        let (sink, _) = Written::begin(job, task, after.clone())?.end(&task.input.name)?;
        (count(job, &mut task.input, sink)?, None, false)
    } else {
        let from = match std::mem::take(&mut job.mark.within) {
            Within::Mailbox(from) => from,
            _ => MailboxMark { input: identity(&task.input), read: stretch.start, ..MailboxMark::default() },
        };
        let begun = from.ino != 0 || from.written > 0;
        let output =
            if begun { Written::go_on(task, &from, after.clone())? } else { Written::begin(job, task, after.clone())? };
        job.progress.inc(from.read - stretch.start);
        let source = open_from(&mut task.input, from.read, stretch.end)?;
        let (output, changed) = pump(job, &task.input, dialects, source, output, from)?;
        let (sink, undo) = output.end(&task.input.name)?;
        (sink, undo, changed)
    };
    let in_place = matches!(task.target, Target::InPlace { .. });
    let kept = in_place && !changed;
    // What is read again by whoever verifies is not summed up.
    task.input.sum_up(Sum::default());
    if let (true, Some(written)) = (job.rules.verify && (changed || !in_place), sink.path()) {
        verify::mailbox(job, task, stretch, written)?;
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
    let step = Step { input, pending, ..Step::default() };
    job.write_mark(Within::Commit { steps: vec![step.clone()], undo: None }, true)?;
    job.carry_out(&[step], &mut |_, error| Err(error))
}

/// Locks a mailbox file that is to be replaced, from before it is read until the lock is dropped.
pub fn lock(job: &Job, task: &Task) -> Result<Option<MailboxLock>, Error> {
    match &task.target {
        Target::InPlace { path, .. } if !job.profile.is_identity() || task.dialect.is_some() => {
            MailboxLock::take(path, task.lock, &job.runs()).map(Some)
        }
        _ => Ok(None),
    }
}

fn pump(
    job: &mut Job,
    input: &Input,
    dialects: Dialects,
    source: Box<dyn Read + Send>,
    output: Written,
    from: MailboxMark,
) -> Result<(Written, bool), Error> {
    let name = &input.name;
    let hold = if dialects.to.is_some() { job.most() } else { job.hold() };
    let batches = Batches::starting(source, hold, input.mailbox, from.read);
    let (give_back, spare) = channel();
    (0..BUFFERS).for_each(|_| drop(give_back.send(Vec::new())));
    let (read, to_plan) = channel();
    let (planned, to_write) = channel();
    let (mark, marks) = channel();
    let pace = Pace::new();
    let from = MailboxMark { ino: output.ino(), ..from };
    let mut files = output.files().map_err(|source| output_error(name, source))?;
    files.extend(job.spool().and_then(|spool| spool.try_clone().ok()));
    let (journal, pace_of, resumable) = (job.journal.take(), pace.clone(), output.is_resumable());
    thread::scope(|scope| {
        let reader = scope.spawn(move || read_all(batches, &spare, &read));
        let writer = scope.spawn(move || write_all(output, &to_write, &give_back, &mark));
        let marks_any = journal.is_some() && resumable;
        let marker =
            journal.map(|journal| scope.spawn(move || checkpoint::write_all(journal, &files, marks, &pace_of)));
        let pace = Some(pace).filter(|_| marks_any);
        let (message, changed) = (from.message, from.changed);
        let mailbox = Mailbox { job: &mut *job, name, dialects, message, pending: None, changed, pace, from };
        let changed = mailbox.plan_all(to_plan, planned);
        let read = reader.join().unwrap_or_else(|panic| resume_unwind(panic));
        let written = writer.join().unwrap_or_else(|panic| resume_unwind(panic));
        let marked = marker.map(|marker| marker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        let marked = marked.map_or(Ok(()), |(journal, marked)| {
            job.journal = Some(journal);
            marked
        });
        // What could not be written is why the others stopped.
        let output = written.map_err(|source| output_error(name, source))?;
        marked.map_err(|source| output_error(name, source))?;
        read.map_err(|source| Error::Read { name: name.to_owned(), source })?;
        Ok((output, changed?))
    })
}

/// Reads until the file ends, or nobody wants more.
fn read_all<R: Read>(mut from: Batches<R>, spare: &Receiver<Vec<u8>>, to: &Sender<Batch>) -> std::io::Result<()> {
    while let Ok(buffer) = spare.recv() {
        let Some(batch) = from.next(buffer)? else { break };
        if to.send(batch).is_err() {
            break;
        }
    }
    Ok(())
}

fn write_all(
    mut output: Written,
    from: &Receiver<Planned>,
    give_back: &Sender<Vec<u8>>,
    marks: &Sender<Mark>,
) -> std::io::Result<Written> {
    for Planned { batch, pieces, mark } in from {
        for piece in &pieces {
            match piece {
                Piece::Kept(range) => output.keep(&batch.octets()[range.clone()])?,
                Piece::New { of, octets, hunks } => output.replace(&batch.octets()[of.clone()], octets, hunks)?,
            }
        }
        if let Some(mut mark) = mark {
            if let Within::Mailbox(mark) = &mut mark.within {
                output.mark(mark)?;
            }
            // Whoever writes marks down may have failed, which is told at the end.
            let _ = marks.send(mark);
        }
        // The reader may have ended already.
        let _ = give_back.send(batch.into_buffer());
    }
    Ok(output)
}
