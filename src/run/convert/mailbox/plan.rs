//! What becomes of the messages of a batch, in order: planned over all cores, reported, and made pieces to be written.

use std::ops::Range;
use std::sync::mpsc::{Receiver, Sender};

use rayon::prelude::*;

use crate::protocol::mbox::Item;
use crate::run::convert::batch::Batch;
use crate::run::convert::checkpoint::Pace;
use crate::run::convert::error::Error;
use crate::run::convert::job::Job;
use crate::run::convert::journal::{MailboxMark, Mark, Within};
use crate::run::convert::work::{Dialects, Done, convert_item};
use crate::run::report::{Row, message_id};
use crate::run::undo::format::Hunk;
use crate::run::undo::hunks::hunks;

/// A batch that is planned: its octets, and what is written of it.
pub struct Planned {
    /// The octets.
    pub batch: Batch,
    /// What is written.
    pub pieces: Vec<Piece>,
    /// How far the run is behind it, where that is to be written down.
    pub mark: Option<Mark>,
}

/// What is written: octets of the batch as they are, or a message made anew.
pub enum Piece {
    /// Octets that stay.
    Kept(Range<usize>),
    /// A message made anew.
    New { of: Range<usize>, octets: Vec<u8>, hunks: Vec<Hunk> },
}

/// A mailbox file that is being planned.
pub struct Mailbox<'j> {
    /// The run.
    pub job: &'j mut Job,
    /// The input's name.
    pub name: &'j str,
    /// The dialect that it is in, and the one that is wanted.
    pub dialects: Dialects,
    /// The messages so far.
    pub message: u64,
    /// The message that is passed on piece by piece, and whose length is not known yet.
    pub pending: Option<Pending>,
    /// Whether anything changed.
    pub changed: bool,
    /// When to write down how far it is; none where nothing is written down.
    pub pace: Option<Pace>,
    /// How far it was at its start.
    pub from: MailboxMark,
}

/// A message that is passed on piece by piece.
pub struct Pending {
    offset: u64,
    message_id: Option<String>,
    done: Done,
}

impl Mailbox<'_> {
    /// Plans batches until there are no more, or the writer has ended; tells whether anything changed.
    pub fn plan_all(mut self, from: Receiver<Batch>, to: Sender<Planned>) -> Result<bool, Error> {
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
        let mut spans: Vec<Range<usize>> = batch.spans().collect();
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
