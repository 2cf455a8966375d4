//! What one run of the command shares over all its inputs: profile, threads, report, counts, progress.

use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::error::Error;
use super::target::write_error;
use super::work::Done;
use crate::message::LimitReached;
use crate::rewrite::{Profile, Reason};
use crate::run::decide::{looks, reasons};
use crate::run::report::{Form, ReportFile, Row, Tally};

/// How many messages are named on stderr because somebody should look at them.
const NAMED: u64 = 20;

/// What is more than a message in a mailbox file: a From_ line and a separator.
const AROUND: usize = 4096;

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
    pub progress: ProgressBar,
    /// How many messages there were that somebody should look at.
    to_look_at: u64,
    report: Option<(PathBuf, ReportFile)>,
}

impl Job {
    /// Makes it; `jobs` is the number of threads that plan, one for each core when none is given.
    pub fn new(profile: Profile, jobs: Option<usize>, report: Option<(PathBuf, Form)>) -> Result<Job, Error> {
        let pool = ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(0)).build();
        let pool = pool.map_err(|error| Error::Usage(format!("can't start so many threads: {error}")))?;
        let report = report.map(|(path, form)| match ReportFile::create(&path, form) {
            Ok(file) => Ok((path, file)),
            Err(source) => Err(Error::Create { path, source }),
        });
        let (tally, progress) = (Tally::default(), ProgressBar::hidden());
        Ok(Job { profile, pool, tally, progress, to_look_at: 0, report: report.transpose()? })
    }

    /// Shows progress on a terminal, out of so many octets; 0 where that is not known.
    pub fn show_progress(&mut self, octets: u64) {
        let known = "{bytes} of {total_bytes} [{bar:30}] {decimal_bytes_per_sec}, {eta} left";
        let (bar, template) = match octets {
            0 => (ProgressBar::new_spinner(), "{bytes}, {decimal_bytes_per_sec}, {elapsed}"),
            _ => (ProgressBar::new(octets), known),
        };
        self.progress = bar;
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.progress.set_style(style.progress_chars("=> "));
        }
    }

    /// Tells whether messages are counted alone, without a line for each.
    pub fn only_counts(&self) -> bool {
        self.profile.is_identity() && self.report.is_none()
    }

    /// Tells whether the report has a line for each message.
    pub fn reports(&self) -> bool {
        self.report.is_some()
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
        self.tally.faults += u64::from(fault || reasons(row.report).any(Reason::is_ours));
        self.warn(row);
        let Some((path, file)) = &mut self.report else { return Ok(()) };
        file.add(row).map_err(|source| write_error(&path.display().to_string(), source))
    }

    /// Names a message that somebody should look at, unless many were named already.
    fn warn(&mut self, row: &Row) {
        let lines = looks(row.report);
        if lines.is_empty() {
            return;
        }
        self.to_look_at += 1;
        if self.to_look_at <= NAMED {
            let (input, message, lines) = (row.input, row.message, lines.join("; "));
            self.progress.suspend(|| super::say(format_args!("warning: {input}, message {message}: {lines}")));
        }
    }

    /// Ends the report.
    pub fn finish(&mut self) -> Result<(), Error> {
        self.progress.finish_and_clear();
        if let more @ 1.. = self.to_look_at.saturating_sub(NAMED) {
            super::say(format_args!("warning: {more} more messages like these; a report names them all"));
        }
        let Some((path, file)) = self.report.take() else { return Ok(()) };
        file.finish(&self.tally).map_err(|source| write_error(&path.display().to_string(), source))
    }
}
