//! `--verify` of a mailbox file: the output is read again before it takes its place.

use std::io::{self, Read};
use std::path::Path;

use super::in_order::SpareBuffers;
use super::made::MadeMailbox;
use super::plan::PlannedBatch;
use super::planning::MailboxPlanning;
use crate::archive::convert::byte_range::ByteRange;
use crate::archive::convert::compression::open_packed;
use crate::archive::convert::error::ConvertError;
use crate::archive::convert::job::Job;
use crate::archive::convert::target::write_error;
use crate::archive::convert::task::Task;
use crate::archive::convert::verify::WrittenSum;
use crate::archive::convert::verify::plain_starts::{CountedStarts, StartCounter};
use crate::archive::convert::work::Dialects;

/// Compares what was written of a `stretch` of the input with what was planned; `made` is none where some of it was written by
/// a run that was interrupted. Then, and where the sums differ, the input is planned once more, so its checksum must have been
/// taken or turned off before. The messages that differ are named on standard error, but for the last, which the error names.
pub fn check(
    job: &Job,
    task: &mut Task,
    stretch: ByteRange,
    written: &Path,
    made: Option<MadeMailbox>,
) -> Result<(), ConvertError> {
    let starts = CountedStarts::default();
    let back = StartCounter::new(open_written(task, written)?, starts.clone());
    let back = WrittenSum::of(back).map_err(|source| failed(written, source))?;
    let made = made.filter(|made| made.sum.difference(&back).is_none());
    let mut made = made.map_or_else(|| plan_again(job, task, stretch, written), Ok)?;
    // What was left out started messages for others as well.
    if !job.rules.skip_deleted {
        made.compare_starts(starts.get());
    }
    made.faults.end(job, &task.input.name)
}

/// Plans the input once more, beside what was written, and notes which messages differ.
fn plan_again(job: &Job, task: &mut Task, stretch: ByteRange, written: &Path) -> Result<MadeMailbox, ConvertError> {
    let dialects = Dialects { from: task.input.mailbox.dialect, to: task.dialect };
    let source = task.input.open_range(stretch.start, stretch.end)?;
    let made = MadeMailbox::new(dialects);
    let source = made.counting(source);
    let mut beside = Beside { made, written: open_written(task, written)?, buffer: Vec::new() };
    let planning = MailboxPlanning::new(job, &task.input, dialects);
    let take = |planned: PlannedBatch| beside.take(&planned).map_err(|source| failed(written, source));
    planning.run(source, stretch.start, &SpareBuffers::default(), take)?;
    beside.end().map_err(|source| failed(written, source))
}

fn open_written(task: &Task, written: &Path) -> Result<Box<dyn Read + Send>, ConvertError> {
    open_packed(written, task.compression).map_err(|source| failed(written, source))
}

fn failed(written: &Path, source: io::Error) -> ConvertError {
    write_error(&written.display().to_string(), source)
}

/// What was written, beside what is planned once more.
struct Beside {
    made: MadeMailbox,
    written: Box<dyn Read + Send>,
    buffer: Vec<u8>,
}

impl Beside {
    /// Compares the next batch, message by message.
    fn take(&mut self, planned: &PlannedBatch) -> io::Result<()> {
        let before = self.made.messages();
        for piece in planned.pieces() {
            self.buffer.clear();
            (&mut self.written).take(piece.octets().len() as u64).read_to_end(&mut self.buffer)?;
            if self.buffer != piece.octets() {
                self.made.faults.note(before + piece.message, "other octets were written");
            }
        }
        self.made.add(planned);
        Ok(())
    }

    /// Looks whether anything stands behind what was planned.
    fn end(mut self) -> io::Result<MadeMailbox> {
        if io::copy(&mut self.written.by_ref().take(1), &mut io::sink())? > 0 {
            self.made.faults.note(self.made.messages(), "more octets were written");
        }
        Ok(self.made)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::archive::convert::input::{Format, Input};
    use crate::archive::convert::job::Rules;
    use crate::archive::convert::target::OutputTarget;
    use crate::process::ruled_profiles::RuledProfiles;
    use crate::protocol::mbox::Dialect;
    use crate::rewrite::Profile;

    const FILE: &[u8] = b"From a Mon Jan  1 00:00:00 2007\nA: b\n\nx\n\nFrom b Mon Jan  1 00:00:00 2007\n\
        To: a@b.example, c@d.example\nContent-Type: text/plain; charset=iso-8859-1\n\ncaf\xe9\n\n\
        From c Mon Jan  1 00:00:00 2007\nA: b\n\ny\n";

    /// Plans a file; returns what is to be written, and what is known of it.
    fn planned(job: &Job, task: &mut Task) -> (Vec<u8>, MadeMailbox) {
        let dialects = Dialects { from: task.input.mailbox.dialect, to: task.dialect };
        let (mut octets, mut made) = (Vec::new(), MadeMailbox::new(dialects));
        let source = made.counting(task.input.open_range(0, None).expect("a reader"));
        let planning = MailboxPlanning::new(job, &task.input, dialects);
        let take = |planned: PlannedBatch| {
            planned.pieces().for_each(|piece| octets.extend_from_slice(piece.octets()));
            made.add(&planned);
            Ok(())
        };
        planning.run(source, 0, &SpareBuffers::default(), take).expect("it is planned");
        (octets, made)
    }

    /// Says what is found wrong where something is done to what was written; none where nothing is.
    fn found(dialect: Option<Dialect>, is_resumed: bool, harm: impl Fn(String) -> String) -> Option<String> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [from, to] = ["in", "out"].map(|name| folder.path().join(name));
        fs::write(&from, FILE).expect("a file");
        let job = Job::new(RuledProfiles::one(Profile::default()), Some(2), Rules::default());
        let input = Input::look(&from, Format::Mbox).expect("a mailbox file");
        let mut task = Task { dialect, ..Task::new(input, OutputTarget::file(to.clone(), None)) };
        let (octets, made) = planned(&job, &mut task);
        fs::write(&to, harm(String::from_utf8(octets).expect("UTF-8"))).expect("a file");
        let made = Some(made).filter(|_| !is_resumed);
        match check(&job, &mut task, ByteRange::default(), &to, made) {
            Ok(()) => None,
            Err(ConvertError::Unverified { what, .. }) => Some(what),
            Err(error) => panic!("{error}"),
        }
    }

    /// An address that moved among `< > ( ) : ; ,` was forgiven.
    #[test]
    fn what_is_not_as_planned_is_found_in_each_dialect() {
        for dialect in [None, Some(Dialect::Mboxo), Some(Dialect::Mboxcl2)] {
            for is_resumed in [false, true] {
                let found = |harm: fn(String) -> String| found(dialect, is_resumed, harm);
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
