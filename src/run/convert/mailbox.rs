//! A mailbox file: read, planned and written at the same time, in order.
//!
//! Three threads pass batches on: one reads and splits, one plans (over all cores), one writes. There are [`BUFFERS`]
//! buffers in all, which is what bounds the memory; each goes round and round. What does not change is written straight
//! from the buffer that it was read into, messages in a row as one slice.

use std::io::{ErrorKind, Read, Write};
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use rayon::prelude::*;

use super::ahead::Ahead;
use super::batch::{Batch, Batches};
use super::checkpoint::{self, Pace};
use super::error::Error;
use super::files::Task;
use super::input::Input;
use super::job::Job;
use super::journal::{MailboxMark, Mark, Step, Within};
use super::lock::MailboxLock;
use super::stretch::Stretch;
use super::target::{Sink, Target, write_error};
use super::verify;
use super::work::{Dialects, Done, convert_item};
use super::written::{Written, identity, open_from};
use crate::protocol::mbox::{Item, Splitter};
use crate::run::replace::path_json::JsonPath;
use crate::run::report::sums::Sum;
use crate::run::report::{Row, message_id};
use crate::run::undo::format::Hunk;
use crate::run::undo::hunks::hunks;

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
        let (sink, changed) = count(job, &mut task.input, sink)?;
        (sink, None, changed)
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
        let (sink, undo) = output.end(&output_name(&task.input.name))?;
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

/// Copies a mailbox file of which only the messages are counted. A file is copied by the system, which shows the octets
/// to nobody, while they are read and counted here: that halves the time.
fn count(job: &mut Job, input: &mut Input, mut sink: Sink) -> Result<(Sink, bool), Error> {
    let source = open(input)?;
    let from = if sink.file().is_some() { input.open_file()? } else { None };
    match (from, sink.file()) {
        (Some(mut from), Some(mut to)) => thread::scope(|scope| {
            let copier = scope.spawn(move || std::io::copy(&mut from, &mut to));
            let counted = pass_on(job, &input.name, source, std::io::sink());
            let copied = copier.join().unwrap_or_else(|panic| resume_unwind(panic));
            counted.and(copied.map(drop).map_err(|source| output_error(&input.name, source)))
        })?,
        _ => pass_on(job, &input.name, source, &mut sink)?,
    }
    Ok((sink, false))
}

/// Opens an input; a compressed one is unpacked by a thread of its own.
fn open(input: &mut Input) -> Result<Box<dyn Read + Send>, Error> {
    let source = input.open()?;
    Ok(if input.compression.is_some() { Box::new(Ahead::start(source)) } else { source })
}

/// Counts the messages of a mailbox file and passes its octets on. One thread and a buffer that stays in the processor's
/// cache are faster here than three threads.
fn pass_on(job: &mut Job, name: &str, mut source: impl Read, mut sink: impl Write) -> Result<(), Error> {
    let (mut splitter, mut starts) = (Splitter::new(), Vec::new());
    let mut buffer = vec![0; 256 << 10];
    loop {
        let read = match source.read(&mut buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(source) => return Err(Error::Read { name: name.to_owned(), source }),
            Ok(0) => break,
            Ok(read) => read,
        };
        splitter.feed(&buffer[..read], &mut starts);
        sink.write_all(&buffer[..read]).map_err(|source| output_error(name, source))?;
        let found = starts.drain(..).count() as u64;
        job.tally.messages += found;
        job.progress.count(found);
        job.tally.bytes += read as u64;
        job.progress.inc(read as u64);
    }
    splitter.finish(&mut starts);
    job.tally.messages += starts.len() as u64;
    Ok(())
}

fn output_error(name: &str, source: std::io::Error) -> Error {
    write_error(&output_name(name), source)
}

fn output_name(name: &str) -> String {
    format!("the output of {name}")
}

/// A batch that is planned: its octets, and what is written of it.
struct Planned {
    batch: Batch,
    pieces: Vec<Piece>,
    /// How far the run is behind it, where that is to be written down.
    mark: Option<Mark>,
}

/// What is written: octets of the batch as they are, or a message made anew.
enum Piece {
    Kept(Range<usize>),
    New { of: Range<usize>, octets: Vec<u8>, hunks: Vec<Hunk> },
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

/// A mailbox file that is being planned.
struct Mailbox<'j> {
    job: &'j mut Job,
    name: &'j str,
    dialects: Dialects,
    /// The messages so far.
    message: u64,
    /// The message that is passed on piece by piece, and whose length is not known yet.
    pending: Option<Pending>,
    changed: bool,
    /// When to write down how far it is; none where nothing is written down.
    pace: Option<Pace>,
    /// How far it was at its start.
    from: MailboxMark,
}

struct Pending {
    offset: u64,
    message_id: Option<String>,
    done: Done,
}

impl Mailbox<'_> {
    /// Plans batches until there are no more, or the writer has ended; tells whether anything changed.
    fn plan_all(mut self, from: Receiver<Batch>, to: Sender<Planned>) -> Result<bool, Error> {
        let mut end = self.from.read;
        for batch in from {
            end = batch.at + batch.octets().len() as u64;
            self.job.tally.bytes += batch.octets().len() as u64;
            self.job.progress.inc(batch.octets().len() as u64);
            let pieces = self.plan(&batch)?;
            let mark = self.mark(&batch, end)?;
            if to.send(Planned { batch, pieces, mark }).is_err() {
                break;
            }
        }
        self.close(end)?;
        Ok(self.changed)
    }

    /// Says how far it is behind a batch, if that is to be written down; within a message that is not held it is not.
    fn mark(&mut self, batch: &Batch, read: u64) -> Result<Option<Mark>, Error> {
        let may = !batch.open && self.pending.is_none();
        if !self.pace.as_mut().is_some_and(|pace| may && pace.is_due()) {
            return Ok(None);
        }
        let mark = MailboxMark { read, message: self.message, changed: self.changed, ..self.from.clone() };
        self.job.mark_within(Within::Mailbox(mark)).map(Some)
    }

    fn plan(&mut self, batch: &Batch) -> Result<Vec<Piece>, Error> {
        if let Some(&start) = batch.starts.first() {
            self.close(batch.at + start as u64)?;
        }
        let mut spans = spans(batch);
        let open = if batch.open { spans.pop() } else { None };
        let done = self.convert(batch.octets(), &spans);
        let mut pieces = Pieces::default();
        for (span, done) in spans.into_iter().zip(done) {
            let octets = &batch.octets()[span.clone()];
            self.record(&done, batch.at + span.start as u64, octets.len() as u64, self.id(octets))?;
            if let Some(new) = done.new {
                self.changed = true;
                let keeps = self.job.rules.keep_original;
                let hunks = if keeps { hunks(octets, &new, &done.edits, done.shift) } else { Vec::new() };
                pieces.replace(span, new, hunks);
            }
        }
        if let Some(span) = open {
            if self.dialects.to.is_some() {
                return Err(Error::Giant { name: self.name.to_owned(), message: self.message + 1 });
            }
            let octets = &batch.octets()[span.clone()];
            let done = self.job.look(octets, self.job.pass());
            self.pending = Some(Pending { offset: batch.at + span.start as u64, message_id: self.id(octets), done });
        }
        Ok(pieces.until(batch.octets().len()))
    }

    fn convert(&self, octets: &[u8], spans: &[Range<usize>]) -> Vec<Done> {
        if self.job.profile.is_identity() && self.dialects.to.is_none() {
            return spans.iter().map(|span| self.job.look(&octets[span.clone()], Done::default())).collect();
        }
        let (job, dialects, keeps) = (&*self.job, self.dialects, self.job.rules.keep_original);
        let one = |span: &Range<usize>| {
            let octets = &octets[span.clone()];
            job.look(octets, convert_item(octets, &job.profile, dialects)).with_edits(keeps)
        };
        job.pool.install(|| spans.par_iter().map(one).collect())
    }

    /// Reports the message that was passed on piece by piece, now that its end is known.
    fn close(&mut self, end: u64) -> Result<(), Error> {
        let Some(Pending { offset, message_id, done }) = self.pending.take() else { return Ok(()) };
        self.record(&done, offset, end - offset, message_id)
    }

    fn record(&mut self, done: &Done, offset: u64, bytes: u64, message_id: Option<String>) -> Result<(), Error> {
        self.message += 1;
        let (input, message, message_id) = (self.name, self.message, message_id.as_deref());
        let (report, glimpse) = (&done.report, done.glimpse.as_ref());
        let row = Row { input, renamed: None, message, offset, bytes, message_id, report, glimpse };
        self.job.record(&row, done.fault)
    }

    fn id(&self, octets: &[u8]) -> Option<String> {
        self.job.reports().then(|| message_id(Item::split_from_line(octets).1)).flatten()
    }
}

/// Returns the octets of each message that starts in a batch.
fn spans(batch: &Batch) -> Vec<Range<usize>> {
    let ends = batch.starts.iter().skip(1).copied().chain([batch.octets().len()]);
    batch.starts.iter().zip(ends).map(|(&start, end)| start..end).collect()
}

/// The pieces of a batch: what is kept of it runs together.
#[derive(Default)]
struct Pieces {
    pieces: Vec<Piece>,
    kept: usize,
}

impl Pieces {
    fn replace(&mut self, span: Range<usize>, octets: Vec<u8>, hunks: Vec<Hunk>) {
        self.keep(span.start);
        self.kept = span.end;
        self.pieces.push(Piece::New { of: span, octets, hunks });
    }

    fn keep(&mut self, until: usize) {
        if self.kept < until {
            self.pieces.push(Piece::Kept(self.kept..until));
        }
    }

    fn until(mut self, end: usize) -> Vec<Piece> {
        self.keep(end);
        self.pieces
    }
}
