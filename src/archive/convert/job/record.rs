//! What is counted, reported and said of a message.

use std::borrow::Cow;

use super::NAMED;
use crate::archive::convert::deleted::LEFT_OUT;
use crate::archive::convert::journal::Told;
use crate::archive::convert::walk::Skipped;
use crate::archive::convert::{ConvertError, ConvertedMessage, Job, OutputTarget, SingleMessage};
use crate::archive::file_error::FileError;
use crate::archive::report::line::ReportLine;
use crate::archive::report::{MessagePlace, Tally};
use crate::process::decide::{lines_to_look_at, reasons};
use crate::process::exit::{Exit, Failure, HasExit};
use crate::process::say::{say, warn};
use crate::rewrite::{Reason, Report};

impl Job {
    /// Takes the samples of a message that a page still wants, where one is made, and says of which piece of work it
    /// is. Which samples are wanted depends on the messages before: where it is asked in their order, the same archive
    /// gives the same ones.
    pub fn take_samples(&self, octets: &[u8], done: &mut ConvertedMessage) {
        let Some(preview) = &mut done.preview else { return };
        preview.piece = self.mark.pieces;
        let message = SingleMessage::head;
        // What the planner failed on is not read once more.
        let new = if done.fault { None } else { done.new.as_deref().map(message) };
        preview.samples = self.book.take(&done.report, message(octets), new, self.profiles.limits());
    }

    /// Counts a message and reports it. Its octets are counted by whoever reads them, since a batch of a mailbox file
    /// has more than messages.
    pub fn record(&mut self, place: MessagePlace, done: &ConvertedMessage) -> Result<(), ConvertError> {
        let told = self.prepare_told(place, done)?;
        self.record_told(&Told { tally: Tally { bytes: 0, ..told.tally }, ..told })
    }

    /// Makes what is to be counted and reported of a message once its file has its place
    /// ([`Job::record_told`]), its octets included; what somebody should look at is said now.
    pub fn prepare_told(&mut self, place: MessagePlace, done: &ConvertedMessage) -> Result<Told, ConvertError> {
        self.warn(&place, &done.report);
        let mut tally = Tally { bytes: place.bytes, faults: u64::from(is_fault(done)), ..Tally::default() };
        tally.add(&done.report);
        (tally.deleted, tally.left_out) = (u64::from(done.deleted), u64::from(done.left_out));
        Ok(Told { tally, line: self.line(place, done)? })
    }

    /// Counts and reports what [`Job::prepare_told`] made.
    pub fn record_told(&mut self, told: &Told) -> Result<(), ConvertError> {
        self.mark.tally.add_all(&told.tally);
        self.progress.inc(told.tally.bytes);
        self.progress.count(told.tally.messages);
        match &mut self.reports {
            Some(reports) if !told.line.is_empty() => Ok(reports.add(&told.line)?),
            _ => Ok(()),
        }
    }

    /// Says an error that concerns one file alone, and keeps its exit code for the end of the run; any other ends the
    /// work.
    pub fn pass_over(&mut self, error: ConvertError) -> Result<(), ConvertError> {
        if !error.is_of_one_file() {
            return Err(error);
        }
        self.mark.worst = Some(error.exit() as u8);
        let failure = Failure::from(error);
        self.progress.suspend(|| say(format_args!("{failure}")));
        Ok(())
    }

    /// Says of something in a folder of messages that it is left alone, or that it is gone by now, and reports it.
    pub fn leave(&mut self, error: ConvertError) -> Result<(), ConvertError> {
        let name = match &error {
            ConvertError::LeftAlone { path, .. } => Some(path.display().to_string()),
            ConvertError::File(FileError::Open { name, .. }) => Some(name.clone()),
            _ => None,
        };
        match name {
            Some(name) => self.pass_over_file(&name, error),
            None => self.pass_over(error),
        }
    }

    /// Says an error by which a file could not be converted ([`pass_over`](Self::pass_over)), and reports it.
    pub fn pass_over_file(&mut self, name: &str, error: ConvertError) -> Result<(), ConvertError> {
        let why = error.to_string();
        self.pass_over(error)?;
        self.skip(name, &why)
    }

    /// An error, told already, where a file was passed over for one: with the exit code of the last.
    pub fn check_failed(&self) -> Result<(), Failure> {
        self.mark.worst.map_or(Ok(()), |code| Err(Failure::told(Exit::of_code(code))))
    }

    /// Counts and reports the files that are passed over; of a run that goes on with another that did they are reported
    /// already.
    pub fn skip_all(&mut self, skipped: &[Skipped]) -> Result<(), ConvertError> {
        if self.mark.tally.skipped > 0 {
            return Ok(());
        }
        skipped.iter().try_for_each(|it| self.skip(&it.path.display().to_string(), &it.reason))
    }

    /// Counts and reports a file that is passed over, and says nothing of it.
    pub fn skip(&mut self, path: &str, reason: &str) -> Result<(), ConvertError> {
        self.mark.tally.skipped += 1;
        let line = ReportLine::skipped(path, reason);
        Ok(self.reports.as_mut().map_or(Ok(()), |reports| reports.add_line(&line))?)
    }

    /// Returns the name that an output has in reports; what is in a folder without its place (`unplaced`) has that
    /// which it will have there.
    pub fn shown_output(&self, target: &OutputTarget) -> String {
        let unplaced = self.unplaced.as_ref().zip(target.path());
        let placed = unplaced.and_then(|((from, to), path)| Some(to.join(path.strip_prefix(from).ok()?)));
        placed.map_or_else(|| target.name(), |path| path.display().to_string())
    }

    /// Makes the line of a message, empty without a report, and keeps its samples for the page; so it is called once
    /// for each message, in their order. That of a message that is left out has no entries.
    fn line(&mut self, place: MessagePlace, done: &ConvertedMessage) -> Result<String, ConvertError> {
        if self.reports.is_none() {
            return Ok(String::new());
        }
        let profile = done.profile.as_ref().unwrap_or(self.profiles.usual());
        let mut line = ReportLine::of(place, &profile.name, &done.report);
        (line.deleted, line.preview) = (done.deleted, done.preview.as_ref().map(Cow::Borrowed));
        if done.left_out {
            line.leave_out(LEFT_OUT);
        }
        if let Some(preview) = &done.preview {
            self.book.add(&line.entries, &preview.samples);
        }
        Ok(line.written().map_err(FileError::writing("the report"))?)
    }

    /// Names a message that somebody should look at, unless many were named already.
    fn warn(&mut self, place: &MessagePlace, report: &Report) {
        let lines = lines_to_look_at(report);
        if lines.is_empty() {
            return;
        }
        self.mark.to_look_at += 1;
        if self.mark.to_look_at <= NAMED && !self.rules.quiet {
            let (input, message, lines) = (place.input, place.message, lines.join("; "));
            self.progress.suspend(|| warn(format_args!("{input}, message {message}: {lines}")));
        }
    }
}

/// Returns `true` if a message stayed by a fault of septet: planning failed, or a reason says so.
fn is_fault(done: &ConvertedMessage) -> bool {
    done.fault || reasons(&done.report).any(Reason::is_ours)
}
