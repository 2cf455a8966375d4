//! How files take their places, and how a run ends.

use super::NAMED;
use crate::archive::convert::{ConvertError, Job, Journal, JournalStep, Within};
use crate::archive::interrupt;
use crate::archive::replace::{Existing, sync_folder};
use crate::archive::report::Around;
use crate::archive::untrue::remove_untrue;
use crate::process::say::{say, warn};

impl Job {
    /// Gives files their places and reports them; an error is handed to `failed`, and the others follow if it returns
    /// none, as [`Job::pass_over`] of an error of one file alone. What is untrue beside them then is removed.
    pub fn carry_out(
        &mut self,
        steps: &[JournalStep],
        failed: fn(&mut Job, ConvertError) -> Result<(), ConvertError>,
    ) -> Result<(), ConvertError> {
        for step in steps {
            let placed = step.pending.iter().try_for_each(|pending| pending.carry_out(&self.rules.existing));
            match placed {
                Ok(()) => {
                    self.mark.placed |= !step.pending.is_empty();
                    self.placings += u64::from(!step.pending.is_empty());
                    self.count_done();
                    self.mark.stale += u64::from(step.stale);
                    self.record_told(&step.told)?;
                }
                Err(error) => {
                    let why = error.to_string();
                    failed(self, error.into())?;
                    self.skip(&step.input.0.display().to_string(), &why)?;
                }
            }
        }
        let mut folders: Vec<_> = steps.iter().flat_map(|step| &step.pending).map(|pending| &pending.to).collect();
        folders.dedup_by_key(|path| path.parent());
        folders.into_iter().for_each(|path| sync_folder(path));
        let removed = remove_untrue(steps.iter().flat_map(|step| &step.pending));
        for line in removed {
            // What stands beside many messages is named once.
            if !self.rules.quiet && self.untrue.insert(line.clone()) {
                self.progress.suspend(|| say(format_args!("{line}")));
            }
        }
        Ok(())
    }

    /// Ends a piece of work (a mailbox, or files in a row): a run that goes on later begins behind it.
    pub fn end_piece(&mut self) -> Result<(), ConvertError> {
        self.mark.pieces += 1;
        self.write_mark(Within::Start, false)
    }

    /// Has what is done kept should the work end now, if anything has its place already and a run that starts anew
    /// would find it done: it would have nothing to report, and would be refused for the undo file that is there.
    pub fn keep_what_is_done(&self) {
        if self.mark.placed && self.journal.is_some() && (self.reports.is_some() || self.rules.keep_original) {
            interrupt::keep();
        }
    }

    /// Removes the journal: the run is at its end.
    pub fn end(&mut self) {
        self.journal.take().into_iter().for_each(Journal::remove);
    }

    /// Ends the reports, which take their places. The journal stays until the run is at its end ([`Job::end`]): whoever
    /// is killed before finds all done, and says so.
    pub fn finish(&mut self) -> Result<(), ConvertError> {
        self.progress.finish();
        if let more @ 1.. = self.mark.to_look_at.saturating_sub(NAMED)
            && !self.rules.quiet
        {
            warn(format_args!("{more} more messages like these; a report names them all"));
        }
        if self.reports.is_some() {
            self.keep_what_is_done();
        }
        if let Some(reports) = self.reports.take() {
            self.provenance.took = self.provenance.begun.elapsed().unwrap_or_default();
            self.provenance.files.clone_from(&self.mark.files);
            let around = Around { tally: &self.mark.tally, provenance: &self.provenance };
            let (pending, spool) = reports.finish(around, self.names())?;
            let step = JournalStep { pending, ..JournalStep::default() };
            self.write_mark(Within::Commit { steps: vec![step.clone()], undo: None }, true)?;
            step.pending.iter().try_for_each(|pending| pending.carry_out(&Existing::Replace))?;
            spool.into_iter().for_each(|spool| spool.discard());
        }
        Ok(())
    }
}
