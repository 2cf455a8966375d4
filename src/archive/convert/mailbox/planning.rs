//! How a mailbox file is read and planned from one end to the other, whoever takes what is planned.

use std::io::Read;

use super::in_order::SpareBuffers;
use super::plan::{BatchPlanner, PlannedBatch};
use super::workers::{self, Room, Stop};
use crate::archive::convert::batch::{BATCH, Batches};
use crate::archive::convert::error::ConvertError;
use crate::archive::convert::input::Input;
use crate::archive::convert::job::Job;
use crate::archive::convert::work::Dialects;

/// The octets held at which no other batch is read: giant messages are not held side by side.
const HELD: usize = 32 << 20;

/// How a mailbox file is read and planned.
pub struct MailboxPlanning<'t> {
    input: &'t Input,
    planner: BatchPlanner,
    /// The octets of a message up to which it is held whole.
    hold: usize,
    workers: usize,
}

impl<'t> MailboxPlanning<'t> {
    /// Makes it for an input of a run.
    pub fn new(job: &Job, input: &'t Input, dialects: Dialects) -> MailboxPlanning<'t> {
        let holds_all = dialects.to.is_some() || job.rules.skip_deleted;
        let hold = if holds_all { job.most() } else { job.hold() };
        MailboxPlanning { input, planner: BatchPlanner::new(job, dialects), hold, workers: workers_for(job, input) }
    }

    /// Reads from an offset at which a message starts, plans all messages, and hands the batches on in their order. Buffers come
    /// from `spare`.
    pub fn run(
        &self,
        source: Box<dyn Read + Send>,
        at: u64,
        spare: &SpareBuffers,
        hand_on: impl FnMut(PlannedBatch) -> Result<(), ConvertError> + Send,
    ) -> Result<(), ConvertError> {
        let (name, planner) = (&self.input.name, &self.planner);
        let mut batches = Batches::starting(source, self.hold, self.input.mailbox, at);
        let take = || batches.next(spare.take()).map_err(|source| ConvertError::Read { name: name.clone(), source });
        let room = Room { pieces: 2 * self.workers + 2, octets: HELD };
        let stopped = workers::run(self.workers, room, take, |batch| planner.plan(batch), hand_on);
        stopped.map_err(|stop| match stop {
            Stop::Failed(error) => error,
            Stop::Panicked => ConvertError::Fault { name: name.clone() },
        })
    }
}

/// Returns how many workers there are: no more than there are batches for.
fn workers_for(job: &Job, input: &Input) -> usize {
    batches_of(input).map_or(job.jobs, |batches| job.jobs.min(batches))
}

/// Returns about how many batches an input has, one where it has no more; none where that is not known.
pub fn batches_of(input: &Input) -> Option<usize> {
    let known = input.size > 0 && input.compression.is_none();
    usize::try_from(input.size / BATCH as u64 + 1).ok().filter(|_| known)
}
