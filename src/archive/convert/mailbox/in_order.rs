//! What becomes of planned batches, in their order: reported, written, and written down how far it is.

use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};

use super::made::MadeMailbox;
use super::plan::{PlannedBatch, PlannedMessage};
use crate::archive::convert::batch::Batch;
use crate::archive::convert::checkpoint::Pace;
use crate::archive::convert::error::ConvertError;
use crate::archive::convert::job::Job;
use crate::archive::convert::journal::{MailboxMark, Mark, Within};
use crate::archive::convert::work::ConvertedMessage;
use crate::archive::convert::written::{OutputPiece, WrittenMailbox, output_error};
use crate::archive::report::MessagePlace;

/// Buffers that wait to be read into again.
#[derive(Default)]
pub struct SpareBuffers(Mutex<Vec<Vec<u8>>>);

impl SpareBuffers {
    /// Takes a buffer, a new one where none waits.
    pub fn take(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn give_back(&self, batch: Batch) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(batch.into_buffer());
    }
}

/// When and by whom what is written is flushed, and written down how far a run is.
pub struct Checkpoints {
    /// When.
    pub pace: Pace,
    /// To whom.
    pub to: Sender<Mark>,
}

/// A mailbox file that is being written.
pub struct MailboxWriter<'j> {
    /// The run.
    pub job: &'j mut Job,
    /// The input's name.
    pub name: &'j str,
    /// Whether every message must be held: to be written in another dialect, or left out.
    pub holds_all: bool,
    /// The output.
    pub output: WrittenMailbox,
    /// How far it is: what it read, its messages, whether any changed.
    pub at: MailboxMark,
    /// What all of it was planned to become, where somebody verifies.
    pub made: Option<MadeMailbox>,
    /// The message that is passed on piece by piece, and whose length is not known yet.
    pub pending: Option<OpenMessage>,
    /// None where nothing is flushed and written down.
    pub marks: Option<Checkpoints>,
    /// Where buffers go.
    pub spare: &'j SpareBuffers,
}

/// A message that is passed on piece by piece.
pub struct OpenMessage {
    offset: u64,
    message_id: Option<String>,
    done: ConvertedMessage,
}

impl MailboxWriter<'_> {
    /// Reports and writes a batch, and has it written down how far the file is; batches come in their order, for
    /// messages are numbered here.
    pub fn take(&mut self, mut planned: PlannedBatch) -> Result<(), ConvertError> {
        let (at, octets) = (planned.batch.at, planned.batch.octets().len() as u64);
        // A batch that is lost, or comes twice, is a fault of septet.
        if at != self.at.read {
            return Err(ConvertError::Fault { name: self.name.to_owned() });
        }
        self.made.iter_mut().for_each(|made| made.add(&planned));
        self.job.tally.bytes += octets;
        self.job.progress.inc(octets);
        if let Some(&start) = planned.batch.starts.first() {
            self.close(at + start as u64)?;
        }
        for message in &mut planned.messages {
            self.job.take_samples(&planned.batch.octets()[message.span.clone()], &mut message.done);
            let offset = at + message.span.start as u64;
            self.record(&message.done, offset, message.span.len() as u64, message.id.as_deref())?;
        }
        if let Some(message) = planned.open.take() {
            self.open(message, &planned.batch)?;
        }
        self.write(&planned)?;
        self.at.read = at + octets;
        self.mark(!planned.batch.open)?;
        self.spare.give_back(planned.batch);
        Ok(())
    }

    /// Reports the message that was passed on piece by piece, now that its end is known.
    pub fn close(&mut self, end: u64) -> Result<(), ConvertError> {
        let Some(OpenMessage { offset, message_id, done }) = self.pending.take() else { return Ok(()) };
        self.record(&done, offset, end - offset, message_id.as_deref())
    }

    /// Begins a message that is passed on piece by piece; an error where every message must be held.
    fn open(&mut self, message: PlannedMessage, batch: &Batch) -> Result<(), ConvertError> {
        if self.holds_all {
            return Err(ConvertError::Giant { name: self.name.to_owned(), message: self.at.message + 1 });
        }
        let PlannedMessage { span, mut done, id: message_id, .. } = message;
        let offset = batch.at + span.start as u64;
        self.job.take_samples(&batch.octets()[span], &mut done);
        self.pending = Some(OpenMessage { offset, message_id, done });
        Ok(())
    }

    /// Counts and reports the next message of the file.
    fn record(
        &mut self,
        done: &ConvertedMessage,
        offset: u64,
        bytes: u64,
        message_id: Option<&str>,
    ) -> Result<(), ConvertError> {
        self.at.message += 1;
        let (input, message) = (self.name, self.at.message);
        self.job.record(MessagePlace { input, renamed: None, message, offset, bytes, message_id }, done)
    }

    /// Writes a batch: what changed anew, and what stays between as it is, in one piece.
    fn write(&mut self, planned: &PlannedBatch) -> Result<(), ConvertError> {
        let octets = planned.batch.octets();
        let (mut pieces, mut kept) = (Vec::new(), 0);
        for PlannedMessage { span, done, hunks, .. } in &planned.messages {
            let Some(new) = &done.new else { continue };
            pieces.push(OutputPiece::Kept(&octets[kept..span.start]));
            pieces.push(OutputPiece::New { old: &octets[span.clone()], new, hunks });
            kept = span.end;
        }
        self.at.changed |= !pieces.is_empty();
        pieces.push(OutputPiece::Kept(&octets[kept..]));
        self.output.write(&pieces).map_err(|source| output_error(self.name, source))
    }

    /// Has it written down how far the file is, if that is due; `ended` says that the batch ends where a message
    /// does, for no run goes on within one.
    fn mark(&mut self, ended: bool) -> Result<(), ConvertError> {
        let may = ended && self.pending.is_none();
        let Some(marks) = self.marks.as_mut().filter(|_| may) else { return Ok(()) };
        if !marks.pace.is_due() {
            return Ok(());
        }
        self.output.mark(&mut self.at).map_err(|source| output_error(self.name, source))?;
        let mark = self.job.mark_within(Within::Mailbox(self.at.clone()))?;
        // Whoever writes marks down may have failed, which is told at the end.
        let _ = marks.to.send(mark);
        Ok(())
    }
}
