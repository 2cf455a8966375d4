//! What one run of the command shares over all its inputs: profile, threads, report, counts, progress, journal.

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::error::Error;
use super::journal::{Journal, Mark, Step, Told, Within};
use super::progress::Progress;
use super::target::write_error;
use super::work::Done;
use crate::message::LimitReached;
use crate::protocol::mbox::Item;
use crate::rewrite::{Profile, Reason};
use crate::run::decide::{looks, reasons};
use crate::run::interrupt;
use crate::run::replace::{Existing, Names, sync_folder};
use crate::run::report::line::Line;
use crate::run::report::page::Book;
use crate::run::report::provenance::FileRecord;
use crate::run::report::sums::{Sum, Total};
use crate::run::report::{Around, Glimpse, Provenance, ReportError, Reports, Row, Tally};

/// How many messages are named on stderr because somebody should look at them.
const NAMED: u64 = 20;

/// What is more than a message in a mailbox file: a From_ line and a separator.
const AROUND: usize = 4096;

/// How outputs are written.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// What becomes of a file that is there.
    pub existing: Existing,
    /// Whether every output is read again by another reader before it counts.
    pub verify: bool,
    /// Whether each output gets an undo file beside it.
    pub keep_original: bool,
    /// Whether nothing but errors is said.
    pub quiet: bool,
    /// Whether each input is spoken of.
    pub verbose: bool,
}

/// What one run shares over all its inputs.
#[derive(Debug)]
pub struct Job {
    /// What becomes of the messages.
    pub profile: Profile,
    /// The threads that plan.
    pub pool: ThreadPool,
    /// The counts so far.
    pub tally: Tally,
    /// How far it is.
    pub progress: Progress,
    /// Where a report comes from.
    pub provenance: Provenance,
    /// How outputs are written.
    pub rules: Rules,
    /// How far it is, by the piece of work; the counts are written into it when it is needed.
    pub mark: Mark,
    /// The journal; none where a run can't be gone on with.
    pub journal: Option<Journal>,
    /// The names of passing files, without a journal.
    own_names: Names,
    /// Whether anything has its place, so that a report of it must not be lost.
    pub placed: bool,
    reports: Option<Reports>,
    /// Which samples a page still wants.
    book: Book,
}

impl Job {
    /// Makes it; `jobs` is the number of threads that plan, one for each core when none is given.
    pub fn new(profile: Profile, jobs: Option<usize>, rules: Rules) -> Result<Job, Error> {
        let pool = ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(0)).build();
        let pool = pool.map_err(|error| Error::Usage(format!("can't start so many threads: {error}")))?;
        let provenance = Provenance { profile: profile.name.clone(), ..Provenance::default() };
        Ok(Job {
            provenance,
            profile,
            pool,
            tally: Tally::default(),
            progress: Progress::hidden(),
            rules,
            mark: Mark::default(),
            journal: None,
            own_names: Names::new(""),
            placed: false,
            reports: None,
            book: Book::default(),
        })
    }

    /// Goes on from where an interrupted run was; its names, counts and lines are those of this one now.
    pub fn go_on_from(&mut self, mark: Mark) {
        self.tally = mark.tally.clone();
        self.mark = mark;
    }

    /// Has passing files named so that the leftovers of a task that was killed can be told.
    pub fn name_files(&mut self, names: Names) {
        self.own_names = names;
    }

    /// Begins to report.
    pub fn report_to(&mut self, reports: Option<Reports>) {
        self.reports = reports;
    }

    /// Shows progress on a terminal, out of so many octets that are still to be read; none where that is not known.
    pub fn show_progress(&mut self, octets: Option<u64>) {
        if !self.rules.quiet {
            self.progress.count(self.tally.messages);
            self.progress.show(octets);
        }
    }

    /// Makes a checksum for what is read or written; it costs nothing where no page is made, which shows it.
    pub fn sum(&self) -> Sum {
        Sum::new(self.reports.as_ref().is_some_and(Reports::has_page))
    }

    /// Makes a checksum for a file that is one message: also where a page may be made of the lines later.
    pub fn file_sum(&self) -> Sum {
        Sum::new(self.reports.as_ref().is_some_and(Reports::has_glimpses))
    }

    /// Adds to what became of a message what a page shows of it, out of its octets in its file.
    pub fn look(&self, octets: &[u8], mut done: Done) -> Done {
        if !self.reports.as_ref().is_some_and(Reports::has_glimpses) {
            return done;
        }
        let part = |octets| Item::split_from_line(octets).1;
        // What the planner failed on is not read once more.
        let new = if done.fault { None } else { done.new.as_deref().map(part) };
        let mut glimpse = Glimpse::of(part(octets), !done.report.entries.is_empty());
        glimpse.samples = self.book.take(&done.report, part(octets), new, &self.profile.limits);
        done.glimpse = Some(glimpse);
        done
    }

    /// Records a mailbox file and what became of it, where a page shows that.
    pub fn record_file(&mut self, input: &str, output: String, sums: Option<(Total, Total)>) {
        let Some((before, after)) = sums else { return };
        let input = input.to_owned();
        self.mark.files.add(self.mark.pieces, FileRecord { input, files: None, before, output, after });
    }

    /// Returns the names of this run's passing files.
    pub fn names(&self) -> &Names {
        self.journal.as_ref().map_or(&self.own_names, |journal| &journal.names)
    }

    /// Names this run, and the killed one in the place of which it starts anew, if there was one.
    pub fn runs(&self) -> Vec<String> {
        let before = self.journal.as_ref().and_then(|journal| journal.instead_of.clone());
        [self.names().run().to_owned()].into_iter().chain(before).collect()
    }

    /// Tells whether messages are counted alone, without a line for each and without a way back.
    pub fn only_counts(&self) -> bool {
        self.profile.is_identity() && self.reports.is_none() && !self.rules.keep_original
    }

    /// Tells whether the report has a line for each message.
    pub fn reports(&self) -> bool {
        self.reports.is_some()
    }

    /// Returns the octets of a file around a message up to which it is held whole; 0 when no message is read.
    pub fn hold(&self) -> usize {
        if self.profile.is_identity() { 0 } else { self.most() }
    }

    /// Returns the most octets of a file around a message that are ever held.
    pub fn most(&self) -> usize {
        self.profile.limits.message_bytes.saturating_add(AROUND)
    }

    /// Makes what becomes of a message that is not held.
    pub fn pass(&self) -> Done {
        let limit = LimitReached::MessageBytes(self.profile.limits.message_bytes);
        if self.profile.is_identity() { Done::default() } else { Done::left(Reason::Limit(limit)) }
    }

    /// Counts a message and reports it.
    pub fn record(&mut self, row: &Row, fault: bool) -> Result<(), Error> {
        self.tally.add(row.report);
        self.tally.faults += u64::from(is_fault(row, fault));
        self.progress.count(1);
        self.warn(row);
        let line = self.line(row)?;
        self.report_line(&line)
    }

    /// Makes what is to be counted and reported of a message once its file has its place.
    pub fn tell(&mut self, row: &Row, fault: bool) -> Result<Told, Error> {
        self.warn(row);
        let mut tally = Tally { bytes: row.bytes, faults: u64::from(is_fault(row, fault)), ..Tally::default() };
        tally.add(row.report);
        Ok(Told { tally, line: self.line(row)? })
    }

    /// Counts and reports what was told before.
    pub fn take(&mut self, told: &Told) -> Result<(), Error> {
        self.tally.add_all(&told.tally);
        self.progress.inc(told.tally.bytes);
        self.progress.count(told.tally.messages);
        self.report_line(&told.line)
    }

    fn line(&mut self, row: &Row) -> Result<String, Error> {
        if self.reports.is_none() {
            return Ok(String::new());
        }
        let line = Line::of(row);
        if let Some(glimpse) = row.glimpse {
            self.book.add(&line.entries, &glimpse.samples);
        }
        let line = serde_json::to_string(&line);
        Ok(line.map_err(|error| write_error("the report", error.into()))? + "\n")
    }

    fn report_line(&mut self, line: &str) -> Result<(), Error> {
        match &mut self.reports {
            Some(reports) if !line.is_empty() => reports.add(line).map_err(report_error),
            _ => Ok(()),
        }
    }

    /// Names a message that somebody should look at, unless many were named already.
    fn warn(&mut self, row: &Row) {
        let lines = looks(row.report);
        if lines.is_empty() {
            return;
        }
        self.mark.to_look_at += 1;
        if self.mark.to_look_at <= NAMED && !self.rules.quiet {
            let (input, message, lines) = (row.input, row.message, lines.join("; "));
            self.progress.suspend(|| super::warn(format_args!("{input}, message {message}: {lines}")));
        }
    }

    /// Returns how far the run is, with all lines of the report handed to the system.
    pub fn mark_within(&mut self, within: Within) -> Result<Mark, Error> {
        if let Some(reports) = &mut self.reports {
            self.mark.spool = reports.mark().map_err(report_error)?;
        }
        Ok(Mark { tally: self.tally.clone(), within, ..self.mark.clone() })
    }

    /// Returns the file of the report's lines, to be flushed to the disk.
    pub fn spool(&self) -> Option<&std::fs::File> {
        self.reports.as_ref().map(Reports::file)
    }

    /// Writes down how far the run is.
    pub fn write_mark(&mut self, within: Within, flush: bool) -> Result<(), Error> {
        let mark = self.mark_within(within)?;
        if let (true, Some(spool)) = (flush, self.spool()) {
            spool.sync_data().map_err(|source| write_error("the report", source))?;
        }
        let Some(journal) = &mut self.journal else { return Ok(()) };
        let written = journal.write(&mark, flush);
        written.map_err(|source| Error::Create { path: journal.path().to_owned(), source })
    }

    /// Gives files their places and reports them; an error of one file alone is handed to `failed`, and the others follow.
    pub fn carry_out(
        &mut self,
        steps: &[Step],
        failed: &mut dyn FnMut(&mut Job, Error) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for step in steps {
            let placed = step.pending.iter().try_for_each(|pending| pending.carry_out(&self.rules.existing));
            match placed {
                Ok(()) => {
                    self.placed |= !step.pending.is_empty();
                    self.mark.stale += u64::from(step.stale);
                    self.take(&step.told)?;
                }
                Err(error) => failed(self, error.into())?,
            }
        }
        let mut folders: Vec<_> = steps.iter().flat_map(|step| &step.pending).map(|pending| &pending.to).collect();
        folders.dedup_by_key(|path| path.parent());
        folders.into_iter().for_each(|path| sync_folder(path));
        Ok(())
    }

    /// Ends a piece of work.
    pub fn end_piece(&mut self) -> Result<(), Error> {
        self.mark.pieces += 1;
        self.write_mark(Within::Start, false)
    }

    /// Has what a report is made of kept should the work end now, if anything has its place already: a run that starts anew
    /// would find it done, and have nothing to report.
    pub fn keep_for_report(&self) {
        if self.placed && self.journal.is_some() {
            interrupt::keep();
        }
    }

    /// Ends the reports, and with them the run.
    pub fn finish(&mut self) -> Result<(), Error> {
        self.progress.finish();
        if let more @ 1.. = self.mark.to_look_at.saturating_sub(NAMED)
            && !self.rules.quiet
        {
            super::warn(format_args!("{more} more messages like these; a report names them all"));
        }
        if let Some(reports) = self.reports.take() {
            self.keep_for_report();
            self.provenance.took = self.provenance.begun.elapsed().unwrap_or_default();
            self.provenance.files.clone_from(&self.mark.files);
            let around = Around { tally: &self.tally, provenance: &self.provenance };
            let (pending, spool) = reports.finish(around, self.names()).map_err(report_error)?;
            let step = Step { pending, ..Step::default() };
            self.write_mark(Within::Commit { steps: vec![step.clone()], undo: None }, true)?;
            step.pending.iter().try_for_each(|pending| pending.carry_out(&Existing::Replace))?;
            spool.into_iter().for_each(|spool| spool.discard());
        }
        self.journal.take().into_iter().for_each(Journal::remove);
        Ok(())
    }
}

fn is_fault(row: &Row, fault: bool) -> bool {
    fault || reasons(row.report).any(Reason::is_ours)
}

/// Makes the error of a report that can't be written.
pub fn report_error(ReportError { path, source }: ReportError) -> Error {
    use std::io::ErrorKind::{AlreadyExists, IsADirectory, NotADirectory, NotFound, PermissionDenied};
    match source.kind() {
        AlreadyExists | IsADirectory | NotADirectory | NotFound | PermissionDenied => Error::Create { path, source },
        _ => write_error(&path.display().to_string(), source),
    }
}
