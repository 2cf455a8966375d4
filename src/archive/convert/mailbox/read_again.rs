//! `--verify`: the output is read again before it takes its place, and held against what was planned.

use std::io::{self, Read};
use std::path::Path;

use super::labels::MailboxTree;
use super::made::MadeMailbox;
use super::plan::{BatchPlanner, PlannedBatch};
use super::planning::Planning;
use super::run::MailboxRun;
use crate::archive::convert::migrate::Way;
use crate::archive::convert::verify::VerifyFaults;
use crate::archive::convert::{Compression, ConvertError, OTHER, WrittenSum, mailbox_file, name_of, open_packed};
use crate::archive::file_error::FileError;

/// Both checks plan the input once more where what was written has not the sum that it should have. So the checksum of
/// the input must be turned off before (`sum_up`), lest it count twice. `way` is what all messages have in common.
impl MailboxRun<'_> {
    /// Compares a mailbox file that was written, one piece behind the other, with what was planned; `made` is none
    /// where some of it was written by a run that was interrupted. Then, and where the sums differ, the input is
    /// planned once more. The messages that differ are named on standard error, but for the last, which the error
    /// names.
    pub fn read_again(&mut self, written: &[&Path], made: Option<MadeMailbox>, way: &Way) -> Result<(), ConvertError> {
        let name = name_of(self.tasks, self.new);
        let back = WrittenSum::of(WrittenFiles::new(written, self.new.compression));
        let back = back.map_err(|source| failed(written, source))?;
        let made = made.filter(|made| made.sum.difference(&back).is_none());
        let mut made = made.map_or_else(|| self.plan_again(written, way), Ok)?;
        // What was left out started messages for others as well.
        if !self.job.rules.skip_deleted {
            made.compare_starts();
        }
        made.faults.end(self.job, &name)
    }

    /// Plans the input once more, beside the mailbox file that was written, and notes which messages differ.
    fn plan_again(&mut self, written: &[&Path], way: &Way) -> Result<MadeMailbox, ConvertError> {
        let (mut made, mut buffer) = (MadeMailbox::new(way, mailbox_file(self.tasks).is_some()), Vec::new());
        let mut back = WrittenFiles::new(written, self.new.compression);
        let unread = |source| failed(written, source);
        if !is_next(&mut back, &mut buffer, way.before_first()).map_err(unread)? {
            made.faults.note(None, 0, OTHER);
        }
        self.each_batch(way, |planned| {
            made.add(planned, |octets| is_next(&mut back, &mut buffer, octets)).map_err(unread)
        })?;
        if io::copy(&mut back.take(1), &mut io::sink()).map_err(unread)? > 0 {
            made.faults.note(None, made.messages, "more octets were written");
        }
        Ok(made)
    }

    /// Compares a folder that was written with what was planned, by its sums where they are known (`is_summed`); where
    /// they differ, and where they are not, by each message.
    pub fn read_tree_again(&mut self, tree: &MailboxTree, is_summed: bool, way: &Way) -> Result<(), ConvertError> {
        let differs = tree.difference()?;
        let unread = FileError::reading(self.new.to.name());
        // What is compressed was written by no other run.
        if (differs.is_some() || !is_summed) && tree.rules().compression.is_none() {
            let (mut again, mut faults, mut before) = (tree.again()?, VerifyFaults::default(), 0);
            self.each_batch(way, |planned| {
                for at in
                    again.take(planned, |mailbox, message, batch| mailbox.differs(message, batch)).map_err(&unread)?
                {
                    let file = planned.messages[at].own.as_ref().map(|own| &*own.input);
                    faults.note(file, before + at as u64 + 1, OTHER);
                }
                before += planned.messages.len() as u64;
                Ok(())
            })?;
            faults.end(self.job, &name_of(self.tasks, self.new))?;
        }
        differs.map_or(Ok(()), |what| Err(ConvertError::Unverified { name: self.new.to.name(), what }))
    }

    /// Plans the input once more.
    fn each_batch(
        &mut self,
        way: &Way,
        mut each: impl FnMut(&PlannedBatch) -> Result<(), ConvertError> + Send,
    ) -> Result<(), ConvertError> {
        let planning = Planning::new(self.job, self.tasks, self.new, self.stretch);
        let source = planning.open(self.tasks, None)?;
        let planner = BatchPlanner::new(self.job, way, self.new.labels);
        planning.run(source, &planner, |planned| each(&planned))
    }
}

/// Files that were written, read one behind the other; one is open at a time, for there may be thousands.
struct WrittenFiles<'w> {
    waiting: std::slice::Iter<'w, &'w Path>,
    how: Option<Compression>,
    open: Box<dyn Read + Send>,
}

impl<'w> WrittenFiles<'w> {
    /// Begins before the first of them; all are compressed as `how` says.
    fn new(written: &'w [&'w Path], how: Option<Compression>) -> WrittenFiles<'w> {
        WrittenFiles { waiting: written.iter(), how, open: Box::new(io::empty()) }
    }
}

impl Read for WrittenFiles<'_> {
    /// Reads on, at the end of one file in the next; 0 at the end of the last.
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.open.read(into)?;
            if read > 0 || into.is_empty() {
                return Ok(read);
            }
            let Some(next) = self.waiting.next() else { return Ok(0) };
            self.open = open_packed(next, self.how)?;
        }
    }
}

/// Makes the error of what can't be read again; it names the first of the files alone.
fn failed(written: &[&Path], source: io::Error) -> ConvertError {
    FileError::reading(written.first().map_or(Path::new(""), |path| path).display())(source).into()
}

/// Reads on, and tells whether these octets come next. The reader stands behind as many octets then, so where some are
/// missing or too many, all that follow differ.
fn is_next(written: &mut impl Read, buffer: &mut Vec<u8>, octets: &[u8]) -> io::Result<bool> {
    buffer.clear();
    written.take(octets.len() as u64).read_to_end(buffer)?;
    Ok(buffer == octets)
}

#[cfg(test)]
mod tests {
    use crate::archive::convert::packing::OutputFormat;
    use std::fs;

    use super::*;
    use crate::archive::convert::input::{Format, Input};
    use crate::archive::convert::job::Job;
    use crate::archive::convert::job::Rules;
    use crate::archive::convert::migrate::origin::OriginHead;
    use crate::archive::convert::target::OutputTarget;
    use crate::archive::convert::task::{ByteRange, MailboxTask};
    use crate::process::ruled_profiles::RuledProfiles;
    use crate::protocol::mbox::Dialect;
    use crate::rewrite::Profile;

    const FILE: &[u8] = b"From a Mon Jan  1 00:00:00 2007\nA: b\n\nx\n\nFrom b Mon Jan  1 00:00:00 2007\n\
        To: a@b.example, c@d.example\nContent-Type: text/plain; charset=iso-8859-1\n\ncaf\xe9\n\n\
        From c Mon Jan  1 00:00:00 2007\nA: b\n\ny\n";

    /// Plans a file; returns what is to be written, and what is known of it.
    fn planned(job: &Job, task: &mut MailboxTask, way: &Way) -> (Vec<u8>, MadeMailbox) {
        let mut octets = Vec::new();
        let mut made = MadeMailbox::new(way, true);
        let planning = Planning::new(job, &task.tasks, &task.new, ByteRange::default());
        let source = planning.open(&mut task.tasks, None).expect("a source");
        let take = |planned: PlannedBatch| {
            planned.pieces().for_each(|piece| octets.extend_from_slice(piece.octets()));
            made.add(&planned, |_| Ok(true))
        };
        planning.run(source, &BatchPlanner::new(job, way, None), take).expect("it is planned");
        (octets, made)
    }

    /// Says what is found wrong where something is done to what was written; none where nothing is.
    fn found(form: OutputFormat, is_resumed: bool, harm: impl Fn(String) -> String) -> Option<String> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [from, to] = ["in", "out"].map(|name| folder.path().join(name));
        fs::write(&from, FILE).expect("a file");
        let mut job = Job::new(RuledProfiles::one(Profile::default()), Some(2), Rules::default());
        let input = Input::look(&from, Format::Mbox).expect("a mailbox file");
        let mut task = MailboxTask::of_file(input, OutputTarget::file(to.clone(), None));
        task.new.form = form;
        let way = Way::new(form, Some(OriginHead::new(Dialect::Mboxrd, Vec::new())));
        let (octets, made) = planned(&job, &mut task, &way);
        fs::write(&to, harm(String::from_utf8(octets).expect("UTF-8"))).expect("a file");
        let made = Some(made).filter(|_| !is_resumed);
        let MailboxTask { tasks, new, .. } = &mut task;
        let mut run = MailboxRun { job: &mut job, tasks, new, stretch: ByteRange::default() };
        match run.read_again(&[&to], made, &way) {
            Ok(()) => None,
            Err(ConvertError::Unverified { what, .. }) => Some(what),
            Err(error) => panic!("{error}"),
        }
    }

    /// An address that moved among `< > ( ) : ; ,` was forgiven.
    #[test]
    fn what_is_not_as_planned_is_found_in_each_dialect() {
        for form in [OutputFormat::Mbox, OutputFormat::Mboxo, OutputFormat::Mboxcl2] {
            for is_resumed in [false, true] {
                let found = |harm: fn(String) -> String| found(form, is_resumed, harm);
                assert_eq!(found(|all| all), None);
                let moved = found(|all| all.replace("a@b.example, c@", "a@b.example; c@"));
                assert_eq!(moved.as_deref(), Some("message 2: other octets were written"));
                let cut = found(|all| all[..all.len() - 1].to_owned());
                assert_eq!(cut.as_deref(), Some("message 3: other octets were written"));
                let doubled = found(|all| all.clone() + &all[all.rfind("From c").expect("a message")..]);
                assert_eq!(doubled.as_deref(), Some("message 3: more octets were written"));
                assert!(
                    found(|all| all[all.rfind("From b").expect("a message")..].to_owned()).is_some(),
                    "one is lost"
                );
                assert!(found(|_| String::new()).is_some());
            }
        }
    }
}
