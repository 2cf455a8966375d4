//! What becomes of the messages of a batch: planned by one worker alone, without regard to what stands before it.

use std::ops::Range;
use std::sync::Arc;

use super::workers::HoldsOctets;
use crate::archive::convert::batch::Batch;
use crate::archive::convert::job::Job;
use crate::archive::convert::work::{ConvertedMessage, Dialects, convert_item};
use crate::archive::report::{Preview, message_id};
use crate::archive::undo::format::Hunk;
use crate::archive::undo::hunks::hunks;
use crate::process::ruled_profiles::RuledProfiles;
use crate::protocol::mbox::MboxMessage;

/// A batch that is planned: its octets, and what becomes of its messages.
pub struct PlannedBatch {
    /// The octets.
    pub batch: Batch,
    /// The messages that start and end in it.
    pub messages: Vec<PlannedMessage>,
    /// The message that starts in it and goes on in the next: it is passed on piece by piece.
    pub open: Option<PlannedMessage>,
}

/// A message, and what becomes of it.
pub struct PlannedMessage {
    /// Where it is in the batch.
    pub span: Range<usize>,
    /// What was decided.
    pub done: ConvertedMessage,
    /// Its Message-ID, where a report shows it.
    pub id: Option<String>,
    /// The way back, where it is written down.
    pub hunks: Vec<Hunk>,
}

/// Octets of a batch, and what stands for them in the output.
pub struct MadePiece<'b> {
    /// Which message that starts in the batch, from 1; 0 of what stands before the first.
    pub message: u64,
    /// As they were.
    pub old: &'b [u8],
    /// As they are written; none where they stay.
    pub new: Option<&'b [u8]>,
    /// Whether they are a whole message.
    pub is_whole: bool,
}

impl<'b> MadePiece<'b> {
    /// Returns the octets that are written.
    pub fn octets(&self) -> &'b [u8] {
        self.new.unwrap_or(self.old)
    }
}

impl PlannedBatch {
    /// Returns all its octets and what becomes of them, in their order: what stands before the first message, each message that
    /// starts in it, and the start of one that goes on in the next.
    pub fn pieces(&self) -> impl Iterator<Item = MadePiece<'_>> {
        let octets = self.batch.octets();
        let first = self.batch.starts.first().copied().unwrap_or(octets.len());
        let before = MadePiece { message: 0, old: &octets[..first], new: None, is_whole: false };
        let starting = self.messages.iter().chain(&self.open).zip(1..).map(|(message, number)| MadePiece {
            message: number,
            old: &octets[message.span.clone()],
            new: message.done.new.as_deref(),
            is_whole: number <= self.messages.len() as u64,
        });
        std::iter::once(before).chain(starting)
    }
}

impl HoldsOctets for Batch {
    fn octets(&self) -> usize {
        Batch::octets(self).len()
    }
}

impl HoldsOctets for PlannedBatch {
    fn octets(&self) -> usize {
        let new = |message: &PlannedMessage| message.done.new.as_ref().map_or(0, Vec::len);
        self.batch.octets().len() + self.messages.iter().map(new).sum::<usize>()
    }
}

/// What is needed to plan the messages of a mailbox file.
pub struct BatchPlanner {
    profiles: Arc<RuledProfiles>,
    dialects: Dialects,
    /// Whether nothing changes, so that messages are not read.
    passes_all: bool,
    /// What becomes of a message that is not held.
    pass: ConvertedMessage,
    keeps_original: bool,
    /// Whether messages that are marked deleted are left out.
    leaves_out: bool,
    reports: bool,
    has_previews: bool,
}

impl BatchPlanner {
    /// Makes it for a run.
    pub fn new(job: &Job, dialects: Dialects) -> BatchPlanner {
        BatchPlanner {
            profiles: job.profiles.clone(),
            dialects,
            passes_all: job.profiles.is_identity() && dialects.to.is_none(),
            pass: job.pass(),
            keeps_original: job.rules.keep_original,
            leaves_out: job.rules.skip_deleted,
            reports: job.reports(),
            has_previews: job.has_previews(),
        }
    }

    /// Plans the messages of a batch.
    pub fn plan(&self, batch: Batch) -> PlannedBatch {
        let octets = batch.octets();
        let mut spans: Vec<Range<usize>> = batch.spans().collect();
        let open = if batch.open { spans.pop() } else { None };
        let open = open.map(|span| self.pass(octets, span));
        let messages = spans.into_iter().map(|span| self.convert(&batch, span)).collect();
        PlannedBatch { messages, open, batch }
    }

    /// Makes what becomes of a message of which only the beginning is in the batch: it stays, and its header says its
    /// profile.
    fn pass(&self, octets: &[u8], span: Range<usize>) -> PlannedMessage {
        let (from_line, message) = MboxMessage::split_from_line(&octets[span.clone()]);
        let profile = self.profiles.of(message, from_line);
        self.message(octets, span, self.pass.clone().with_profile(profile))
    }

    /// Converts a message that is held whole.
    fn convert(&self, batch: &Batch, span: Range<usize>) -> PlannedMessage {
        let done = match self.passes_all {
            true => ConvertedMessage::default(),
            false => convert_item(&batch.item(&span), &self.profiles, self.dialects),
        };
        self.message(batch.octets(), span, done)
    }

    /// Adds to a decision what the run wants to know besides; the edits are given up then.
    fn message(&self, octets: &[u8], span: Range<usize>, mut done: ConvertedMessage) -> PlannedMessage {
        let octets = &octets[span.clone()];
        done = done.looked_at_for_deletion(MboxMessage::split_from_line(octets).1, self.leaves_out);
        let hunks = match &done.new {
            Some(new) if self.keeps_original => hunks(octets, new, &done.edits, done.shift),
            _ => Vec::new(),
        };
        let message = if self.reports { MboxMessage::split_from_line(octets).1 } else { &[] };
        let now = done.new.as_deref().map(|new| MboxMessage::split_from_line(new).1);
        done.preview = self.has_previews.then(|| Preview::of(message, !done.report.entries.is_empty()).or_of(now));
        let id = if self.reports { message_id(message) } else { None };
        PlannedMessage { span, done: done.with_edits(false), id, hunks }
    }
}
