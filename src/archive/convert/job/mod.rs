//! What one run of the command shares over all its inputs: profile, threads, report, counts, progress, journal.

mod end;
mod record;
mod standing;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::progress::Progress;
use super::{ConvertError, ConvertedMessage, Journal, Mark, Within};
use crate::archive::decisions::DecidedProfiles;
use crate::archive::file_error::FileError;
use crate::archive::interrupt;
use crate::archive::replace::{Existing, TemporaryNames};
use crate::archive::report::page::SampleSet;
use crate::archive::report::provenance::FileRecord;
use crate::archive::report::{Provenance, Reports};
use crate::archive::sums::{Checksum, RunningSum};
use crate::message::LimitReached;
use crate::rewrite::Reason;
pub use standing::Standing;

/// How many messages are named on stderr because somebody should look at them.
const NAMED: u64 = 20;

/// The octets that a mailbox file may have around a message, a From_ line and a separator: far more than any has.
pub const AROUND: usize = 4096;

/// How outputs are written.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// What becomes of a file that is there.
    pub existing: Existing,
    /// Whether every output is read again by another reader before it counts.
    pub verify: bool,
    /// Whether each output gets an undo file beside it.
    pub keep_original: bool,
    /// Whether messages that Thunderbird marked deleted are left out.
    pub skip_deleted: bool,
    /// Whether nothing but errors is said.
    pub quiet: bool,
    /// Whether each input is spoken of.
    pub verbose: bool,
}

/// What one run shares over all its inputs.
#[derive(Debug)]
pub struct Job {
    /// What becomes of the messages.
    pub profiles: Arc<DecidedProfiles>,
    /// How many threads plan.
    pub jobs: usize,
    /// The threads that plan files of one message each, and verify; none before they are needed.
    pool: OnceLock<ThreadPool>,
    /// How far it is.
    pub progress: Progress,
    /// Where a report comes from.
    pub provenance: Provenance,
    /// How outputs are written.
    pub rules: Rules,
    /// How far it is, by the piece of work, with the counts so far.
    pub mark: Mark,
    /// The journal; none where a run can't be gone on with.
    pub journal: Option<Journal>,
    /// The names of passing files, without a journal; they tell the leftovers of a task that was killed.
    pub own_names: TemporaryNames,
    /// What was said of what is untrue beside the mail.
    untrue: BTreeSet<String>,
    /// What is said of how far it is; none where somebody else says it.
    standing: Option<Standing>,
    /// A folder that is written under a passing name, and its place: in reports its files stand there already.
    pub unplaced: Option<(PathBuf, PathBuf)>,
    /// How many files took their places in this run.
    pub placings: u64,
    /// The reports, if there are any: each has a line for each message.
    pub reports: Option<Reports>,
    /// Which samples a page still wants.
    book: SampleSet,
}

impl Job {
    /// Makes it; `jobs` is the number of threads that plan, one for each core when none is given.
    pub fn new(profiles: impl Into<DecidedProfiles>, jobs: Option<usize>, rules: Rules) -> Job {
        let profiles = profiles.into();
        let provenance = Provenance { profile: profiles.names(), ..Provenance::default() };
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        Job {
            provenance,
            profiles: Arc::new(profiles),
            jobs: jobs.unwrap_or_else(cores),
            pool: OnceLock::new(),
            progress: Progress::hidden(),
            rules,
            mark: Mark::default(),
            journal: None,
            own_names: TemporaryNames::new(""),
            untrue: BTreeSet::new(),
            standing: None,
            unplaced: None,
            placings: 0,
            reports: None,
            book: SampleSet::default(),
        }
    }

    /// Returns the threads that plan many files at once, and starts them when they are asked for first.
    pub fn pool(&self) -> Result<&ThreadPool, ConvertError> {
        if let Some(pool) = self.pool.get() {
            return Ok(pool);
        }
        let pool = ThreadPoolBuilder::new().num_threads(self.jobs).build();
        let pool = pool.map_err(|error| ConvertError::Usage(format!("can't start so many threads: {error}")))?;
        Ok(self.pool.get_or_init(|| pool))
    }

    /// Shows progress on a terminal, out of so many octets that are still to be read; none where that is not known.
    pub fn show_progress(&mut self, octets: Option<u64>) {
        if !self.rules.quiet {
            self.progress.count(self.mark.tally.messages);
            self.progress.show(octets);
        }
    }

    /// Makes a checksum for what is read or written; it costs nothing where no page is made, which shows it.
    pub fn sum(&self) -> RunningSum {
        RunningSum::new(self.reports.as_ref().is_some_and(Reports::has_page))
    }

    /// Makes a checksum for a file that is one message: also where a page may be made of the lines later.
    pub fn file_sum(&self) -> RunningSum {
        RunningSum::new(self.has_previews())
    }

    /// Records a mailbox file and what became of it, where a page shows that.
    pub fn record_file(&mut self, input: &str, output: String, sums: Option<(Checksum, Checksum)>) {
        let Some((before, after)) = sums else { return };
        let input = input.to_owned();
        self.mark.files.add(self.mark.pieces, FileRecord { input, files: None, before, output, after });
    }

    /// Returns the names of this run's passing files: those that the journal knows or, without one, its `own_names`.
    pub fn names(&self) -> &TemporaryNames {
        self.journal.as_ref().map_or(&self.own_names, |journal| &journal.names)
    }

    /// Returns `true` if messages are counted alone, without a line for each and without a way back.
    pub fn only_counts(&self) -> bool {
        let asks = self.reports.is_some() || self.rules.keep_original || self.rules.skip_deleted;
        self.profiles.is_identity() && !asks
    }

    /// Returns `true` if its lines have what a page shows besides.
    pub fn has_previews(&self) -> bool {
        self.reports.as_ref().is_some_and(|reports| reports.previews)
    }

    /// Returns the octets of a file around a message up to which it is held whole; 0 when no message is read.
    pub fn hold(&self) -> usize {
        if self.profiles.is_identity() { 0 } else { self.most() }
    }

    /// Returns the most octets of a file around a message that are ever held: a mailbox quotes lines of six octets or
    /// more by one octet each.
    pub fn most(&self) -> usize {
        let limit = self.profiles.limits().message_bytes;
        limit.saturating_add(limit / 6).saturating_add(AROUND)
    }

    /// Makes what becomes of a message that is not held, and so stays as it is; the limit is named as the reason,
    /// unless no message is read at all.
    pub fn pass(&self) -> ConvertedMessage {
        let limit = LimitReached::MessageBytes(self.profiles.limits().message_bytes);
        // A profile that changes nothing has no message read, so none is left for its size.
        if self.profiles.is_identity() {
            ConvertedMessage::default()
        } else {
            ConvertedMessage::left(Reason::Limit(limit))
        }
    }

    /// Returns how far the run is, with its counts and with all lines of the report handed to the system, not yet
    /// flushed to the disk.
    pub fn mark_within(&mut self, within: Within) -> Result<Mark, ConvertError> {
        if let Some(reports) = &mut self.reports {
            self.mark.spool = reports.mark()?;
        }
        Ok(Mark { within, ..self.mark.clone() })
    }

    /// Returns the file of the report's lines, to be flushed to the disk.
    pub fn spool(&self) -> Option<&std::fs::File> {
        self.reports.as_ref().map(Reports::file)
    }

    /// Writes down how far the run is; without a journal only the lines of the report are handed to the system. `flush`
    /// has it on the disk before this returns, as it must be before files take their places.
    pub fn write_mark(&mut self, within: Within, flush: bool) -> Result<(), ConvertError> {
        let mark = self.mark_within(within)?;
        if let (true, Some(spool)) = (flush, self.spool()) {
            spool.sync_data().map_err(FileError::writing("the report"))?;
        }
        let Some(journal) = &mut self.journal else { return Ok(()) };
        journal.write(&mark, flush).map_err(FileError::creating(journal.path().display()))?;
        if let Within::Commit { steps, .. } = &mark.within {
            // It says where they go: without them nobody could go on from it.
            steps.iter().flat_map(|step| &step.pending).for_each(|pending| interrupt::waits(&pending.from));
        }
        Ok(())
    }
}
