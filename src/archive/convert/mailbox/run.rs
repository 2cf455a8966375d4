//! One mailbox on its way, from where it is opened to where it has its place.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::sync::mpsc::sync_channel;
use std::thread;

use super::count::count;
use super::in_order::{MailboxWriter, ReadSoFar};
use super::labels::MailboxTree;
use super::made::MadeMailbox;
use super::plan::BatchPlanner;
use super::planning::{Planning, batches_of};
use super::sink::Sink;
use super::source::identity;
use super::written::{EndedMailbox, Model, WrittenMailbox, output_error};
use crate::archive::convert::beside::Losses;
use crate::archive::convert::checkpoint::{self, Checkpoints};
use crate::archive::convert::migrate::{OriginHead, Way};
use crate::archive::convert::{
    ByteRange, ConvertError, Cursor, Input, Job, JournalStep, NewMailbox, SourceCursor, Task, Within, WrittenSum,
    mailbox_file, name_of,
};
use crate::archive::replace::path_json::JsonPath;
use crate::archive::sums::RunningSum;
use crate::process::say::say;

/// What is said where the pseudo message of a mailbox file is left out.
const PSEUDO: &str = "the first message of the mailbox file is UW IMAP's or Pine's own, and no mail; it is kept in septet-origin.jsonl alone";

/// A mailbox on its way.
pub struct MailboxRun<'r> {
    /// The run.
    pub job: &'r mut Job,
    /// A mailbox file, or files that are one message each.
    pub tasks: &'r mut [Task],
    /// What it becomes.
    pub new: &'r NewMailbox,
    /// What of a mailbox file is converted.
    pub stretch: ByteRange,
}

impl MailboxRun<'_> {
    /// Converts the mailbox from its start, or from where an interrupted run was (`at`), and gives the output its
    /// place. Returns what is lost of its messages, since their new place can't say it.
    pub fn convert(mut self, at: Option<Cursor>) -> Result<Losses, ConvertError> {
        let sums = self.sums();
        if at.is_none() && self.only_counts() {
            return self.copy(sums).map(|()| Losses::default());
        }
        let (verifies, so_far) = (self.job.rules.verify && at.is_none(), self.so_far(at.as_ref()));
        let model = self.model(at.is_some(), sums.1.clone())?;
        let planning = Planning::new(self.job, self.tasks, self.new, self.stretch);
        let was_mailbox = mailbox_file(self.tasks).is_some();
        let is_long = batches_of(self.tasks) != Some(1);
        let read_before = at.is_some();
        let (read, written) = at.map_or((None, None), |at| (Some(at.source), Some((at.sink, so_far.octets))));
        let source = planning.open(self.tasks, read)?;
        if source.has_pseudo() && !self.job.rules.quiet {
            let to = self.new.to.name();
            self.job.progress.suspend(|| say(format_args!("{to}: {PSEUDO}")));
        }
        // An interrupted run looked at the first message.
        let known = if read_before { so_far.known.clone() } else { source.known(self.job.profiles.limits()) };
        let way = Way { known: known.clone(), ..Way::new(self.new.form, source.head()) };
        let planner = BatchPlanner::new(self.job, &way, self.new.labels);
        let sink = Sink::open(self.job, (self.new, &way), model, written)?;
        let made = (verifies && !sink.is_folder()).then(|| MadeMailbox::new(&way, was_mailbox));
        let messages = so_far.messages + u64::from(source.has_pseudo());
        let at = ReadSoFar { messages, known, ..so_far };
        let (job, planning) = (&mut *self.job, &planning);
        let mut writer = MailboxWriter { job, planning, sink, at, files: None, made, pending: None, marks: None };
        with_checkpoints(&mut writer, is_long, self.new, |writer| {
            planning.run(source, &planner, |planned| writer.take(planned))?;
            writer.close(writer.at.octets)
        })?;
        let (lost, end) = (writer.at.lost, if writer.sink.is_folder() { writer.cursor()? } else { None });
        let MailboxWriter { sink, made, .. } = writer;
        match sink {
            Sink::Mailbox(mailbox) => self.place(mailbox.end()?, made, &way, sums)?,
            Sink::Tree(tree) => self.place_tree(*tree, &way, end.map(|(end, _)| end), verifies)?,
        }
        Ok(lost)
    }

    /// Returns the checksums of what is read and written of a mailbox file that stays one, where a page shows them, and
    /// has what is read summed up from now on; so it comes before the input is opened. Elsewhere they sum up nothing.
    fn sums(&mut self) -> (RunningSum, RunningSum) {
        let (wanted, after) = (self.job.sum(), self.job.sum());
        let input = self.tasks.first_mut().map(|task| &mut task.input).filter(|_| self.new.stays);
        input.map(|input| (input.sum_up(wanted), after)).unwrap_or_default()
    }

    /// Returns how far an interrupted run had read it, if one had; the octets of that count in the progress from now
    /// on.
    fn so_far(&self, at: Option<&Cursor>) -> ReadSoFar {
        let input = mailbox_file(self.tasks).and_then(identity);
        let (octets, messages) = match at.map(|at| &at.source) {
            Some(SourceCursor::Mailbox { read, message, .. }) => (*read, *message),
            _ => (self.stretch.start, 0),
        };
        self.job.progress.skip(octets - self.stretch.start);
        let (lost, known) = at.map(|at| (at.lost, at.known.clone())).unwrap_or_default();
        ReadSoFar { input, octets, messages, lost, known }
    }

    /// Returns what the output is to be like. Where it was `begun` by an interrupted run, the mailbox file is opened
    /// once more, to be read for the undo file.
    fn model(&self, begun: bool, sum: RunningSum) -> Result<Model, ConvertError> {
        let first = self.tasks.first().map(|task| &task.input);
        let Some(input) = first.filter(|_| self.new.stays) else {
            let permissions = first.and_then(permissions_of);
            return Ok(Model { name: self.new.to.name(), permissions, original: None, sum });
        };
        let original = if begun { input.open_file()? } else { None };
        Ok(Model { name: input.name.clone(), permissions: None, original, sum })
    }

    /// Returns `true` if the mailbox file is only copied. Where messages state their length, counting From_ lines would
    /// not do.
    fn only_counts(&self) -> bool {
        let is_plain = self.new.stays && self.new.compression.is_none() && self.new.form.dialect().is_none();
        let counts = mailbox_file(self.tasks).is_some_and(|input| input.mailbox.dialect.counts());
        self.job.only_counts() && self.stretch == ByteRange::default() && is_plain && !counts
    }

    /// Copies the mailbox file, and counts its messages, of which nothing changes: in place nothing takes a place then.
    fn copy(mut self, sums: (RunningSum, RunningSum)) -> Result<(), ConvertError> {
        let model = self.model(false, sums.1.clone())?;
        let mut ended = WrittenMailbox::begin(self.job, self.new, model, b"")?.end()?;
        let dialect = mailbox_file(self.tasks).map(|input| input.mailbox.dialect).unwrap_or_default();
        let way = Way::new(self.new.form, Some(OriginHead::new(dialect, Vec::new())));
        let mut sum = self.job.rules.verify.then(WrittenSum::default);
        if let Some(task) = self.tasks.first_mut() {
            ended.sink = count(self.job, &mut task.input, ended.sink, sum.as_mut())?;
        }
        let made = sum.map(|sum| MadeMailbox::of_copy(sum, &way));
        self.place(ended, made, &way, sums)
    }

    /// Gives a mailbox file its place, once it was read again if that was asked for.
    fn place(
        &mut self,
        ended: EndedMailbox,
        made: Option<MadeMailbox>,
        way: &Way,
        sums: (RunningSum, RunningSum),
    ) -> Result<(), ConvertError> {
        let kept = self.new.to.replaced().is_some() && !ended.changed;
        let written: Vec<_> = ended.pending.iter().map(|piece| &*piece.from).chain(ended.sink.path()).collect();
        if self.job.rules.verify && !kept && !written.is_empty() {
            // What is read again is not summed up.
            self.tasks.iter_mut().for_each(|task| _ = task.input.sum_up(RunningSum::default()));
            self.read_again(&written, made, way)?;
        }
        // The way back is there before what it leads back from.
        let original = mailbox_file(self.tasks).and_then(|input| input.path.clone());
        let undo = match ended.undo {
            Some(undo) if kept => {
                undo.discard();
                None
            }
            undo => undo.map(|undo| undo.prepare(original.as_deref())).transpose()?,
        };
        let pending = ended.pending.into_iter().chain(undo).chain(ended.sink.prepare(ended.changed)?).collect();
        let (name, before) = (name_of(self.tasks, self.new), sums.0.total());
        let after = if kept { before.clone() } else { sums.1.total() };
        self.job.record_file(&name, self.new.to.name(), before.zip(after));
        let step = JournalStep { input: JsonPath(original.unwrap_or(name.into())), pending, ..JournalStep::default() };
        self.job.write_mark(Within::Commit { steps: vec![step.clone()], undo: None }, true)?;
        self.job.carry_out(&[step], |_, error| Err(error))
    }

    /// Gives a folder its place, once it was read again if that was asked for; whoever is killed once it has its place
    /// finds all counted (`end`).
    fn place_tree(
        &mut self,
        mut tree: MailboxTree,
        way: &Way,
        end: Option<Cursor>,
        is_summed: bool,
    ) -> Result<(), ConvertError> {
        tree.flush()?;
        if self.job.rules.verify {
            self.read_tree_again(&tree, is_summed, way)?;
        }
        if let Some(end) = end.filter(|_| self.job.journal.is_some()) {
            self.job.write_mark(Within::Mailbox(Box::new(end)), true)?;
        }
        let words = tree.words(&self.new.to.name(), self.job.rules.verbose);
        tree.place()?;
        self.job.mark.placed = true;
        self.job.count_done();
        let words = words.into_iter().filter(|_| !self.job.rules.quiet);
        words.for_each(|line| self.job.progress.suspend(|| say(format_args!("{line}"))));
        Ok(())
    }
}

/// Returns who may read a file: so the mailbox file that is made of it is no less private. Where that can't be told it
/// is the owner alone. None of what has no path.
fn permissions_of(input: &Input) -> Option<Permissions> {
    let path = input.path.as_deref()?;
    Some(fs::metadata(path).map_or(Permissions::from_mode(0o600), |there| there.permissions()))
}

/// Converts what is read; meanwhile another thread flushes it, and writes down how far it is where another run could go
/// on there. The job's journal is lent to that thread, and is the job's again then; where the output can't be gone on
/// with it stays with the job.
pub fn with_checkpoints<'j, 't>(
    writer: &mut MailboxWriter<'j, 't>,
    is_long: bool,
    new: &NewMailbox,
    convert: impl FnOnce(&mut MailboxWriter<'j, 't>) -> Result<(), ConvertError>,
) -> Result<(), ConvertError> {
    // One batch is done in a moment; and where nothing has a place there is nothing to flush or to go on with.
    let is_for_nobody = writer.job.journal.is_none() && new.to.path().is_none();
    if !is_long || new.compression.is_some() || is_for_nobody {
        return convert(writer);
    }
    let mut journal = writer.job.journal.take();
    let spool = writer.job.spool().and_then(|spool| spool.try_clone().ok());
    let (to, marks) = sync_channel(0);
    let (written, flushed) = thread::scope(|scope| {
        let flush = || checkpoint::write_all(journal.as_mut(), spool.as_ref(), marks);
        let flusher = thread::Builder::new().name("flush".to_owned()).spawn_scoped(scope, flush);
        // If no thread is to be had, nothing is written down.
        writer.marks = flusher.is_ok().then(|| Checkpoints::to(to));
        let written = convert(writer);
        writer.marks = None;
        (written, flusher.map_or(Ok(Ok(())), |flusher| flusher.join()))
    });
    writer.job.journal = journal;
    // What could not be flushed is less than why the others stopped.
    written?;
    let flushed = flushed.map_err(|_| ConvertError::Fault { name: writer.planning.name.clone() })?;
    Ok(flushed.map_err(output_error(&writer.planning.name))?)
}
