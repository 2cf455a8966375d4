//! Mail that is written in another form than it is read in: mailbox files as Maildirs or .eml files, these as mailbox files, and
//! mailbox files in pieces.
//!
//! A message's octets are the same in every form; what stands around it differs. What one form has and another hasn't is kept:
//! [`flags`] says how, of what was done with a message, [`envelope`] of From_ lines, and [`origin`] of all else. Messages are read
//! a few megabytes at a time ([`source`]), planned by all threads ([`letter`]), and written in order: to a folder
//! ([`folder_out`]) or to mailbox files ([`mailbox_out`]), which take their places when all is written, flushed to the disk, and
//! read again if that was asked for ([`verify`]).

mod apple;
mod envelope;
mod flags;
mod folder_out;
mod folder_sum;
mod letter;
mod mailbox_out;
mod mailboxes;
mod mh_marks;
mod origin;
mod pseudo;
mod seams;
mod source;
mod verify;

use std::fs::{self, Permissions};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;

use rayon::prelude::*;

use self::folder_out::FolderOut;
use self::letter::{MigratingMessage, Way};
use self::mailbox_out::MailboxOut;
pub use self::mailboxes::{check_options, part, plan};
pub use self::origin::ORIGIN;
use self::origin::OriginHead;
use self::seams::Seams;
use self::source::{MessageOrigin, MessageSource, SourceMessage};
use self::verify::Again;
use super::error::ConvertError;
use super::job::Job;
use super::packing::OutputFormat;
use super::target::OutputTarget;
use super::task::{Migration, Task};
use crate::archive::replace::TemporaryNames;
use crate::archive::report::MessagePlace;
use crate::process::exit::Failure;
use crate::process::say::say;

/// How the names of passing files start, so that the next migration knows them.
const PASSING: &str = "migrate-";

/// Where messages go.
enum Out {
    Nowhere,
    Folder(FolderOut),
    Mailbox(Box<MailboxOut>),
}

/// Writes a mailbox in another form; nothing takes its place before all is written, and verified where that is asked
/// for.
pub fn run(job: &mut Job, mut migration: Migration) -> Result<(), Failure> {
    for error in std::mem::take(&mut migration.left) {
        job.pass_over(error)?;
    }
    let mut tasks = std::mem::take(&mut migration.tasks);
    let permissions = permissions_of(&tasks);
    let (mut less, hold) = (0, job.most());
    let mut source = MessageSource::open(&mut tasks, hold, migration.form)?;
    let mut found = source.next(hold)?;
    if source.has_pseudo() && !job.rules.quiet {
        let to = migration.to.name();
        job.progress.suspend(|| say(format_args!("{to}: {PSEUDO}")));
    }
    let way = Way::new(job, migration.form, source.head());
    let mut out = Out::begin(job, &migration, &way, permissions)?;
    while !found.is_empty() {
        for letter in plan_all(job, &way, found)? {
            match letter {
                Ok(mut letter) => {
                    less += u64::from(letter.made.is_less);
                    report(job, &mut letter)?;
                    if !letter.made.done.left_out {
                        out.write(job, &letter)?;
                    }
                }
                Err(error) => job.pass_over(error)?,
            }
        }
        found = source.next(hold)?;
    }
    out.flush()?;
    if let Some(what) = out.difference()? {
        name_other(job, &mut tasks, &way, &out)?;
        return Err(ConvertError::Unverified { name: migration.to.name(), what }.into());
    }
    out.put_in_place(job)?;
    if less > 0 && !job.rules.quiet {
        let to = migration.to.name();
        job.progress.suspend(|| say(format_args!("{}", words_of_less(less, &to))));
    }
    Ok(())
}

/// What is said where the pseudo message of a mailbox file is left out.
const PSEUDO: &str = "the first message of the mailbox file is UW IMAP's or Pine's own, and no mail; it is kept in septet-origin.jsonl alone";

fn words_of_less(messages: u64, to: &str) -> String {
    let what = "flags that its form has no place for (forwarded, keywords, or any in a message without a header)";
    let messages = if messages == 1 { "1 message had".to_owned() } else { format!("{messages} messages had") };
    format!("{to}: {messages} {what}; they are in the input alone")
}

/// Returns who may read the first of the files: so the mailbox file that is made of them is no less private. Where that
/// can't be told it is the owner alone.
fn permissions_of(tasks: &[Task]) -> Option<Permissions> {
    let path = tasks.first()?.input.path.as_deref()?;
    Some(fs::metadata(path).map_or(Permissions::from_mode(0o600), |there| there.permissions()))
}

/// Returns the names of a migration's passing files.
pub fn passing_names() -> TemporaryNames {
    TemporaryNames::new(PASSING)
}

/// Plans messages side by side.
fn plan_all(
    job: &Job,
    way: &Way,
    found: Vec<Result<SourceMessage, ConvertError>>,
) -> Result<Vec<Result<MigratingMessage, ConvertError>>, ConvertError> {
    let one =
        |found: Result<SourceMessage, ConvertError>| found.map(|found| MigratingMessage::of(found, way, &job.profiles));
    Ok(job.pool()?.install(|| found.into_par_iter().map(one).collect()))
}

/// Counts a message and reports it.
fn report(job: &mut Job, letter: &mut MigratingMessage) -> Result<(), ConvertError> {
    let MigratingMessage { found, made, id } = letter;
    if let MessageOrigin::File { modified: Err(error), .. } = &found.beside {
        let name = &found.input;
        let words = format!("{name}: when it was changed can't be read ({error}); its time is what the message says");
        job.progress.suspend(|| say(format_args!("{words}")));
    }
    let bytes = found.octets.len() as u64;
    job.tally.bytes += bytes;
    job.progress.inc(bytes);
    job.take_samples(&found.octets, &mut made.done);
    let (input, message_id) = (&*found.input, id.as_deref());
    let place = MessagePlace { input, renamed: None, message: found.message, offset: found.offset, bytes, message_id };
    job.record(place, &made.done)
}

/// Reads both sides again, and fails at the first message that was not written as it should have been.
fn name_other(job: &Job, tasks: &mut [Task], way: &Way, out: &Out) -> Result<(), ConvertError> {
    let Some(mut again) = out.again(way)? else { return Ok(()) };
    let hold = job.most();
    let mut source = MessageSource::open(tasks, hold, way.form)?;
    loop {
        let found = source.next(hold)?;
        if found.is_empty() {
            return Ok(());
        }
        // What could not be read was told before.
        let letters = plan_all(job, way, found)?.into_iter().flatten();
        let mut letters = letters.filter(|letter| !letter.made.done.left_out);
        letters.try_for_each(|letter| again.compare(&letter))?;
    }
}

/// Returns what stands before the first message in a mailbox file: what stood there in the one that it is made of, where it is in
/// the dialect in which that was found.
fn before_first(way: &Way) -> &[u8] {
    let head = way.head.as_ref().filter(|_| way.dialect() == way.origin());
    head.map_or(b"", |head| head.before.0.as_slice())
}

impl Out {
    /// Opens what is written.
    fn begin(
        job: &Job,
        migration: &Migration,
        way: &Way,
        permissions: Option<Permissions>,
    ) -> Result<Out, ConvertError> {
        let is_maildir = way.form == OutputFormat::Maildir;
        match &migration.to {
            OutputTarget::Nowhere => Ok(Out::Nowhere),
            OutputTarget::File { to, .. } if !way.form.is_mailbox() => {
                let head = way.head.clone().unwrap_or_else(|| OriginHead::new(way.origin(), Vec::new()));
                FolderOut::begin(to, is_maildir, &head, job.rules.verify).map(Out::Folder)
            }
            _ => {
                let out = MailboxOut::begin(job, migration, permissions, before_first(way));
                out.map(|out| Out::Mailbox(Box::new(out)))
            }
        }
    }

    fn write(&mut self, job: &Job, letter: &MigratingMessage) -> Result<(), ConvertError> {
        match self {
            Out::Nowhere => Ok(()),
            Out::Folder(folder) => folder.write(letter),
            Out::Mailbox(mailbox) => mailbox.write(letter, job.names()),
        }
    }

    fn flush(&mut self) -> Result<(), ConvertError> {
        match self {
            Out::Nowhere => Ok(()),
            Out::Folder(folder) => folder.flush(),
            Out::Mailbox(mailbox) => mailbox.flush(),
        }
    }

    /// Says how what is read back differs from what was written; none where it doesn't, or nobody verifies.
    fn difference(&self) -> Result<Option<String>, ConvertError> {
        match self {
            Out::Nowhere => Ok(None),
            Out::Folder(folder) => folder.difference(),
            Out::Mailbox(mailbox) => mailbox.difference(),
        }
    }

    /// Reads the messages that were written again; none of a dry run, and of what goes to a device.
    fn again(&self, way: &Way) -> Result<Option<Again>, ConvertError> {
        Ok(match self {
            Out::Nowhere => None,
            Out::Folder(folder) => Some(Again::folder(folder.path(), way)),
            Out::Mailbox(mailbox) => {
                let Some(mut written) = mailbox.read()? else { return Ok(None) };
                let (before, mut seams) = (before_first(way), Seams::default());
                let skipped = io::copy(&mut (&mut written).take(before.len() as u64), &mut io::sink());
                skipped.map_err(|source| ConvertError::Read { name: "what was written".to_owned(), source })?;
                seams.add(before);
                Some(Again::Mailbox { written, seams })
            }
        })
    }

    /// Puts what was written, and flushed, in its place, and notes in the job that something has its place; for a mailbox file
    /// [`Job::carry_out`] does that.
    fn put_in_place(self, job: &mut Job) -> Result<(), ConvertError> {
        match self {
            Out::Nowhere => Ok(()),
            Out::Folder(folder) => {
                folder.place()?;
                job.mark.placed = true;
                job.count_done();
                Ok(())
            }
            Out::Mailbox(mailbox) => mailbox.place(job),
        }
    }
}

#[cfg(test)]
mod tests;
