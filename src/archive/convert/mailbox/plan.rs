//! What becomes of the messages of a batch: planned by one worker alone, without regard to what stands before it.

use std::ops::Range;
use std::sync::Arc;

use super::labels::choice::mailboxes_of;
use super::source::ReadBatch;
use super::workers::HoldsOctets;
use crate::archive::convert::migrate::letter::{MovedMessage, of_file, out_of_mailbox};
use crate::archive::convert::migrate::{FilesRead, SourceMessage, UnreadFile, Way};
use crate::archive::convert::work::{convert_item, convert_single};
use crate::archive::convert::{Batch, Compression, ConvertedMessage, Dialects, Job, LabelChoice, Rules, SingleMessage};
use crate::archive::decisions::DecidedProfiles;
use crate::archive::report::{Preview, message_id};
use crate::archive::undo::format::{Hunk, hunks};
use crate::edit::EditList;
use crate::protocol::mbox::MboxMessage;
use crate::rewrite::Reason;

/// A batch that is planned: its octets, and what becomes of its messages.
#[derive(Default)]
pub struct PlannedBatch {
    /// The octets, of a mailbox file.
    pub batch: Batch,
    /// How far files are read.
    pub files: Option<FilesRead>,
    /// The messages that start and end in it.
    pub messages: Vec<PlannedMessage>,
    /// The message that starts in it and goes on in the next: it is passed on piece by piece.
    pub open: Option<PlannedMessage>,
    /// Why some of the files can't be read.
    pub failed: Vec<UnreadFile>,
}

/// A message, and what becomes of it.
pub struct PlannedMessage {
    /// Where it is in the batch; nowhere if it was alone in its file.
    pub span: Range<usize>,
    /// The message that was alone in its file.
    pub own: Option<SourceMessage>,
    /// What was decided.
    pub done: ConvertedMessage,
    /// What it is in another form than the one that it came in.
    pub moved: Option<MovedMessage>,
    /// The labels to whose mailboxes it goes, where it is sorted by them.
    pub mailboxes: Vec<String>,
    /// Its Message-ID, where a report shows it.
    pub id: Option<String>,
    /// The way back, where it is written down.
    pub hunks: Vec<Hunk>,
}

impl PlannedMessage {
    /// Returns its octets as they were read; `batch` are those of its batch.
    pub fn old<'m>(&'m self, batch: &'m [u8]) -> &'m [u8] {
        self.own.as_ref().map_or_else(|| batch.get(self.span.clone()).unwrap_or(b""), |own| &own.octets)
    }

    /// Returns its octets as they are written; none where they stay.
    pub fn written(&self) -> Option<&[u8]> {
        let moved = self.moved.as_ref().filter(|_| !self.done.left_out);
        moved.map(|moved| &*moved.octets).or(self.done.new.as_deref())
    }

    /// Returns what becomes of it, as the message of this `number` in its batch; `batch` are the octets of that.
    pub fn piece<'m>(&'m self, batch: &'m [u8], number: u64, is_whole: bool) -> MadePiece<'m> {
        MadePiece {
            message: number,
            old: self.old(batch),
            new: self.written(),
            is_whole,
            file: self.own.as_ref().map(|own| &*own.input),
            line: self.moved.as_ref().and_then(|moved| moved.line),
            hunks: &self.hunks,
        }
    }
}

/// Octets of a batch, and what stands for them in the output.
#[derive(Default)]
pub struct MadePiece<'b> {
    /// Which message that starts in the batch, from 1; 0 of what stands before the first.
    pub message: u64,
    /// As they were.
    pub old: &'b [u8],
    /// As they are written; none where they stay.
    pub new: Option<&'b [u8]>,
    /// Whether they are a whole message.
    pub is_whole: bool,
    /// Its file, where it was alone in that.
    pub file: Option<&'b str>,
    /// Which line of what is kept of a mailbox file it is, where it is as it stood there.
    pub line: Option<u64>,
    /// The way back, where it is written down.
    pub hunks: &'b [Hunk],
}

impl<'b> MadePiece<'b> {
    /// Returns the octets that are written.
    pub fn octets(&self) -> &'b [u8] {
        self.new.unwrap_or(self.old)
    }

    /// Returns `true` if there is anything; what is left out of a mailbox file is a piece, as the octets go by.
    fn is_any(&self) -> bool {
        !self.octets().is_empty() || (!self.old.is_empty() && self.file.is_none())
    }
}

impl PlannedBatch {
    /// Returns what stands before the first message of a mailbox file, or of what is left of the message before.
    pub fn before_first(&self) -> &[u8] {
        let octets = self.batch.octets();
        &octets[..self.batch.starts.first().copied().unwrap_or(octets.len())]
    }

    /// Returns all its octets and what becomes of them, in their order: what stands before the first message, each
    /// message that starts in it, and the start of one that goes on in the next. What is left out of files is not among
    /// them.
    pub fn pieces(&self) -> impl Iterator<Item = MadePiece<'_>> {
        let octets = self.batch.octets();
        let before = MadePiece { old: self.before_first(), ..MadePiece::default() };
        let whole = self.messages.len() as u64;
        let starting = self.messages.iter().chain(&self.open).zip(1..);
        let starting = starting.map(move |(message, number)| message.piece(octets, number, number <= whole));
        std::iter::once(before).chain(starting).filter(MadePiece::is_any)
    }
}

impl HoldsOctets for PlannedBatch {
    /// Returns the octets that it holds: those of its batch or of its files, and all that is written instead of them.
    fn octets(&self) -> usize {
        let held = |message: &PlannedMessage| {
            message.own.as_ref().map_or(0, |own| own.octets.len()) + message.written().map_or(0, <[u8]>::len)
        };
        self.batch.octets().len() + self.messages.iter().map(held).sum::<usize>()
    }
}

/// What is needed to plan the messages of a mailbox.
pub struct BatchPlanner {
    profiles: Arc<DecidedProfiles>,
    way: Way,
    /// Whether nothing changes, so that messages are not read.
    passes_all: bool,
    /// What becomes of a message that is not held.
    pass: ConvertedMessage,
    /// Whether there is a way back, and whether messages that are marked deleted are left out.
    rules: Rules,
    /// Whether they are sorted by labels, and where one goes that has several.
    labels: Option<LabelChoice>,
    reports: bool,
    has_previews: bool,
}

impl BatchPlanner {
    /// Makes it for a run.
    pub fn new(job: &Job, way: &Way, labels: Option<LabelChoice>) -> BatchPlanner {
        BatchPlanner {
            profiles: job.profiles.clone(),
            way: way.clone(),
            passes_all: job.profiles.is_identity() && way.form.dialect().is_none(),
            pass: job.pass(),
            rules: job.rules.clone(),
            labels,
            reports: job.reports.is_some(),
            has_previews: job.has_previews(),
        }
    }

    /// Plans the messages of a batch.
    pub fn plan(&self, read: ReadBatch) -> PlannedBatch {
        match read {
            ReadBatch::Octets(batch) => self.plan_octets(batch),
            ReadBatch::Files(found, read) => self.plan_files(found, read),
        }
    }

    /// Plans the messages of a batch of a mailbox file; of one that goes on in the next, what is known by its
    /// beginning.
    fn plan_octets(&self, batch: Batch) -> PlannedBatch {
        let octets = batch.octets();
        let mut spans: Vec<Range<usize>> = batch.spans().collect();
        let open = if batch.open { spans.pop() } else { None };
        let open = open.map(|span| self.pass(octets, span));
        let messages = spans.into_iter().map(|span| self.convert(&batch, span)).collect();
        PlannedBatch { messages, open, batch, ..PlannedBatch::default() }
    }

    /// Plans messages that were alone in their files; those that could not be read are handed on in a row of their own.
    fn plan_files(&self, found: Vec<Result<SourceMessage, UnreadFile>>, read: FilesRead) -> PlannedBatch {
        let mut planned = PlannedBatch { files: Some(read), ..PlannedBatch::default() };
        for found in found {
            match found {
                Ok(found) => planned.messages.push(self.move_file(found)),
                Err(error) => planned.failed.push(error),
            }
        }
        planned
    }

    /// Makes what becomes of a message of which only the beginning is in the batch: it stays, and its header says its
    /// profile.
    fn pass(&self, octets: &[u8], span: Range<usize>) -> PlannedMessage {
        let octets = &octets[span.clone()];
        let profile = self.profiles.of(SingleMessage::head(octets), MboxMessage::split_from_line(octets).0);
        self.message(octets, self.pass.clone().with_profile(profile), span)
    }

    /// Plans a file that is one message and stays one; of what is not held whole the beginning is read. What is still
    /// compressed once it was unpacked is left.
    pub fn plan_alone(&self, octets: &[u8], is_whole: bool) -> PlannedMessage {
        let done = match Compression::of(octets) {
            _ if !is_whole => return self.pass(octets, 0..octets.len()),
            Some(_) => ConvertedMessage::left(Reason::Compressed),
            None => convert_single(octets, &self.profiles),
        };
        self.message(octets, done, 0..0)
    }

    /// Converts a message of a mailbox file that is held whole.
    fn convert(&self, batch: &Batch, span: Range<usize>) -> PlannedMessage {
        let (octets, from) = (&batch.octets()[span.clone()], self.way.origin());
        if !self.way.form.is_mailbox() {
            let (done, moved) = out_of_mailbox(octets, &batch.item(&span), &self.way, &self.profiles);
            return PlannedMessage { moved: Some(moved), ..self.message(octets, done, span) };
        }
        let done = match self.passes_all {
            true => ConvertedMessage::default(),
            false => convert_item(&batch.item(&span), &self.profiles, Dialects { from, to: self.way.form.dialect() }),
        };
        self.message(octets, done, span)
    }

    /// Converts a message that was alone in its file.
    fn move_file(&self, found: SourceMessage) -> PlannedMessage {
        let (done, moved) = of_file(&found, &self.way, &self.profiles);
        let planned = self.message(&found.octets, done, 0..0);
        PlannedMessage { moved: Some(moved), own: Some(found), ..planned }
    }

    /// Adds to a decision what the run wants to know besides; the edits are given up then.
    fn message(&self, octets: &[u8], mut done: ConvertedMessage, span: Range<usize>) -> PlannedMessage {
        let message = SingleMessage::head(octets);
        done = done.looked_at_for_deletion(message, self.rules.skip_deleted);
        let hunks = match &done.new {
            Some(new) if self.rules.keep_original => hunks(octets, new, &done.edits, done.shift),
            _ => Vec::new(),
        };
        let shown = if self.reports { message } else { &[] };
        let now = done.new.as_deref().map(SingleMessage::head);
        done.preview = self.has_previews.then(|| Preview::of_decided(&done.report, shown, now));
        let id = if self.reports { message_id(shown) } else { None };
        let mailboxes = self.labels.map(|choice| mailboxes_of(message, choice, self.profiles.limits()));
        // Their octets fill the memory.
        done.edits = EditList::new();
        PlannedMessage { span, own: None, done, moved: None, mailboxes: mailboxes.unwrap_or_default(), id, hunks }
    }
}
