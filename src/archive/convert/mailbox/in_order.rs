//! What becomes of planned batches, in their order: reported, written, and written down how far it is.

use std::ops::Range;

use super::made::MadeMailbox;
use super::plan::{PlannedBatch, PlannedMessage};
use super::planning::Planning;
use super::sink::Sink;
use crate::archive::convert::beside::{KnownKeywords, Loss, Losses};
use crate::archive::convert::checkpoint::{Checkpoints, Unflushed};
use crate::archive::convert::migrate::{FilesRead, SourceMessage, UnreadFile};
use crate::archive::convert::{Batch, ConvertError, ConvertedMessage, Cursor, Job, SourceCursor, Within};
use crate::archive::replace::Identity;
use crate::archive::report::MessagePlace;
use crate::process::say::say;

/// How far a mailbox is read.
#[derive(Debug, Clone, Default)]
pub struct ReadSoFar {
    /// What the mailbox file was; none where it has no place, and of files.
    pub input: Option<Identity>,
    /// The octets of the mailbox file, up to the start of a message.
    pub octets: u64,
    /// The messages.
    pub messages: u64,
    /// What is lost of the messages, since their new place can't say it.
    pub lost: Losses,
    /// The keywords that the first message names.
    pub known: KnownKeywords,
}

/// A mailbox that is being written.
pub struct MailboxWriter<'j, 't> {
    /// The run.
    pub job: &'j mut Job,
    /// How it is read.
    pub planning: &'j Planning,
    /// The output.
    pub sink: Sink<'t>,
    /// How far it is read.
    pub at: ReadSoFar,
    /// The same of files.
    pub files: Option<FilesRead>,
    /// What all of it was planned to become, where somebody verifies a mailbox file.
    pub made: Option<MadeMailbox>,
    /// The message that is passed on piece by piece, and whose length is not known yet.
    pub pending: Option<OpenMessage>,
    /// None where nothing is flushed and written down.
    pub marks: Option<Checkpoints>,
}

/// A message that is passed on piece by piece.
pub struct OpenMessage {
    offset: u64,
    message_id: Option<String>,
    done: ConvertedMessage,
}

impl MailboxWriter<'_, '_> {
    /// Reports and writes a batch, and has it written down how far the mailbox is; batches come in their order, for
    /// messages are numbered here. How far it is comes last, once all of it is reported and written.
    pub fn take(&mut self, mut planned: PlannedBatch) -> Result<(), ConvertError> {
        self.report(&mut planned)?;
        if let Some(made) = &mut self.made {
            made.add(&planned, |_| Ok::<_, ConvertError>(true))?;
        }
        let without_letters = self.sink.take(&planned, self.job.names())?;
        let moved = planned.messages.iter().filter_map(|message| message.moved.as_ref());
        moved.for_each(|moved| self.at.lost.add(moved.loss));
        (0..without_letters).for_each(|_| self.at.lost.add(Loss::default().and_keywords(true)));
        self.at.octets += planned.batch.octets().len() as u64;
        self.files = planned.files.take().or(self.files.take());
        self.mark(!planned.batch.open)?;
        self.planning.spare.give_back(planned.batch);
        Ok(())
    }

    /// Counts and reports the messages of a batch, and what can't be read of files. The message that was passed on
    /// piece by piece comes first, for it ends where the first of these starts.
    fn report(&mut self, planned: &mut PlannedBatch) -> Result<(), ConvertError> {
        let PlannedBatch { batch, files, messages, open, failed } = planned;
        // A batch that is lost, or comes twice, is a fault of septet.
        if files.is_none() && batch.at != self.at.octets {
            return Err(ConvertError::Fault { name: self.planning.name.clone() });
        }
        failed.drain(..).try_for_each(|UnreadFile { name, error }| self.job.pass_over_file(&name, error))?;
        self.count(batch.octets().len() as u64);
        if let Some(&start) = batch.starts.first() {
            self.close(batch.at + start as u64)?;
        }
        for PlannedMessage { own, span, done, id, .. } in messages {
            let message_id = id.as_deref();
            let Some(own) = own else {
                self.job.take_samples(&batch.octets()[span.clone()], done);
                self.record(done, message_id, batch.at + span.start as u64..batch.at + span.end as u64)?;
                continue;
            };
            let (input, bytes) = (&*own.input, own.octets.len() as u64);
            self.say_without_time(own);
            self.count(bytes);
            self.job.take_samples(&own.octets, done);
            self.job.record(MessagePlace { input, renamed: None, message: 1, offset: 0, bytes, message_id }, done)?;
        }
        open.as_ref().map_or(Ok(()), |message| self.open(message, batch))
    }

    /// Counts octets that were read.
    fn count(&mut self, octets: u64) {
        self.job.mark.tally.bytes += octets;
        self.job.progress.inc(octets);
    }

    /// Says that when a file was changed can't be told.
    fn say_without_time(&self, own: &SourceMessage) {
        let Err(error) = &own.modified else { return };
        let name = &own.input;
        let words = format!("{name}: when it was changed can't be read ({error}); its time is what the message says");
        self.job.progress.suspend(|| say(format_args!("{words}")));
    }

    /// Reports the message that was passed on piece by piece, now that its end is known.
    pub fn close(&mut self, end: u64) -> Result<(), ConvertError> {
        let Some(OpenMessage { offset, message_id, done }) = self.pending.take() else { return Ok(()) };
        self.record(&done, message_id.as_deref(), offset..end)
    }

    /// Begins a message that is passed on piece by piece; an error where every message must be held.
    fn open(&mut self, message: &PlannedMessage, batch: &Batch) -> Result<(), ConvertError> {
        if self.planning.holds_all {
            return Err(ConvertError::Giant { name: self.planning.name.clone(), message: self.at.messages + 1 });
        }
        let (offset, mut done) = (batch.at + message.span.start as u64, message.done.clone());
        self.job.take_samples(&batch.octets()[message.span.clone()], &mut done);
        self.pending = Some(OpenMessage { offset, message_id: message.id.clone(), done });
        Ok(())
    }

    /// Counts and reports the next message of a mailbox file, whose octets stand `at` these offsets of it.
    fn record(&mut self, done: &ConvertedMessage, id: Option<&str>, at: Range<u64>) -> Result<(), ConvertError> {
        self.at.messages += 1;
        let (input, message, offset, bytes) = (&*self.planning.name, self.at.messages, at.start, at.end - at.start);
        self.job.record(MessagePlace { input, renamed: None, message, offset, bytes, message_id: id }, done)
    }

    /// Has it written down how far the mailbox is, if that is due; `ended` says that the batch ends where a message
    /// does, for no run goes on within one.
    fn mark(&mut self, ended: bool) -> Result<(), ConvertError> {
        let may = ended && self.pending.is_none();
        if !self.marks.as_mut().filter(|_| may).is_some_and(Checkpoints::are_due) {
            return Ok(());
        }
        if let (Some((cursor, unflushed)), Some(marks)) = (self.cursor()?, &self.marks) {
            marks.send((self.job.mark_within(Within::Mailbox(Box::new(cursor)))?, unflushed));
        }
        Ok(())
    }

    /// Tells how far it is; none where another run could not go on from there.
    pub fn cursor(&mut self) -> Result<Option<(Cursor, Unflushed)>, ConvertError> {
        let source = match &self.files {
            Some(files) => files.cursor(),
            // A folder is gone on with where its mailbox file can be read once more.
            None if self.sink.is_folder() && self.at.input.is_none() => return Ok(None),
            None => {
                let ReadSoFar { input, octets: read, messages: message, .. } = self.at.clone();
                SourceCursor::Mailbox { input, read, message }
            }
        };
        let (lost, known) = (self.at.lost, self.at.known.clone());
        Ok(self.sink.cursor()?.map(|(sink, unflushed)| (Cursor { source, sink, lost, known }, unflushed)))
    }
}
