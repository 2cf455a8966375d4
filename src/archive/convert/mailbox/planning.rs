//! How a mailbox is read and planned from one end to the other, whoever takes what is planned.

use super::plan::{BatchPlanner, PlannedBatch};
use super::source::{Source, SpareBuffers};
use super::workers::{self, Room, Stop};
use crate::archive::convert::batch::BATCH;
use crate::archive::convert::migrate::source::FILES;
use crate::archive::convert::{ByteRange, ConvertError, Job, NewMailbox, SourceCursor, Task, mailbox_file, name_of};

/// The octets held at which no other batch is read: giant messages are not held side by side.
const HELD: usize = 32 << 20;

/// How a mailbox is read and planned.
pub struct Planning {
    /// What errors call it.
    pub name: String,
    stretch: ByteRange,
    /// The octets of a message up to which it is held whole.
    hold: usize,
    /// Whether every message must be held: to be written otherwise than in one piece, or left out.
    pub holds_all: bool,
    /// Whether each message becomes a file of its own.
    parts_messages: bool,
    workers: usize,
    /// Where buffers go, and come from again.
    pub spare: SpareBuffers,
}

impl Planning {
    /// Makes it for a mailbox of a run; there are no more workers than there are batches for.
    pub fn new(job: &Job, tasks: &[Task], new: &NewMailbox, stretch: ByteRange) -> Planning {
        let is_file = mailbox_file(tasks).is_some();
        let parts_messages = !new.form.is_mailbox();
        let holds_all =
            new.is_folder() || new.split.is_some() || new.form.dialect().is_some() || job.rules.skip_deleted;
        let hold = if holds_all || !is_file { job.most() } else { job.hold() };
        let workers = batches_of(tasks).map_or(job.jobs, |batches| job.jobs.min(batches));
        let name = name_of(tasks, new);
        Planning { name, stretch, hold, holds_all, parts_messages, workers, spare: SpareBuffers::default() }
    }

    /// Opens the messages, from where another run was (`at`), if one was.
    pub fn open<'t>(&self, tasks: &'t mut [Task], at: Option<SourceCursor>) -> Result<Source<'t>, ConvertError> {
        let mut source = Source::open(tasks, self.hold, self.stretch, at.as_ref())?;
        if at.is_none() {
            source.look_at_first(self.hold, self.parts_messages)?;
        }
        Ok(source)
    }

    /// Reads and plans all messages, and hands the batches on in their order. A panic of a worker is a fault of septet;
    /// the first error ends it.
    pub fn run(
        &self,
        mut source: Source,
        planner: &BatchPlanner,
        hand_on: impl FnMut(PlannedBatch) -> Result<(), ConvertError> + Send,
    ) -> Result<(), ConvertError> {
        let room = Room { pieces: 2 * self.workers + 2, octets: HELD };
        let take = || source.next(self.spare.take());
        let stopped = workers::run(self.workers, room, take, |read| planner.plan(read), hand_on);
        stopped.map_err(|stop| match stop {
            Stop::Failed(error) => error,
            Stop::Panicked => ConvertError::Fault { name: self.name.clone() },
        })
    }
}

/// Returns about how many batches a mailbox has, one where it has no more; none where that is not known.
pub fn batches_of(tasks: &[Task]) -> Option<usize> {
    let size = |task: &Task| Some(task.input.size).filter(|size| *size > 0 && task.input.compression.is_none());
    let octets: Option<u64> = tasks.iter().map(size).sum();
    usize::try_from(octets? / BATCH as u64 + 1).ok().map(|batches| batches + tasks.len() / FILES)
}
