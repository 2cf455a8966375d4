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
use std::time::Instant;

use rayon::prelude::*;

use self::folder_out::FolderOut;
use self::letter::{MigratingMessage, Way};
use self::mailbox_out::MailboxOut;
pub use self::mailbox_out::partial_pieces;
pub use self::mailboxes::{check_options, check_place, part, plan};
pub use self::origin::ORIGIN;
use self::origin::OriginHead;
use self::seams::Seams;
use self::source::{MessageOrigin, MessageSource, SourceMessage};
use self::verify::Again;
use super::checkpoint::Pace;
use super::cursor::{Cursor, SinkCursor, SourceCursor};
use super::error::ConvertError;
use super::job::Job;
use super::journal::Within;
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

/// Writes a mailbox in another form, or goes on where an interrupted run was in it (`job.mark`); nothing takes its place before
/// all is written, and verified where that is asked for.
pub fn run(job: &mut Job, mut migration: Migration) -> Result<(), Failure> {
    let at = match std::mem::take(&mut job.mark.within) {
        // An interrupted run had written all of it.
        Within::Commit { steps, .. } => return Ok(job.carry_out(&steps, |_, error| Err(error))?),
        Within::Migration(at) => Some(*at),
        _ => None,
    };
    let left = std::mem::take(&mut migration.left);
    if at.is_none() {
        left.into_iter().try_for_each(|error| job.pass_over(error))?;
    }
    let mut tasks = std::mem::take(&mut migration.tasks);
    let less = match &at {
        Some(at) if is_placed(&migration, at) => at.less,
        at => write_all(job, &mut tasks, &migration, at.as_ref())?,
    };
    if less > 0 && !job.rules.quiet {
        let to = migration.to.name();
        job.progress.suspend(|| say(format_args!("{}", words_of_less(less, &to))));
    }
    Ok(())
}

/// Returns `true` if an interrupted run had given a folder its place.
fn is_placed(migration: &Migration, at: &Cursor) -> bool {
    match (&at.sink, migration.to.path()) {
        (SinkCursor::Folder { ino, .. }, Some(to)) => FolderOut::is_placed(to, *ino),
        _ => false,
    }
}

/// Writes all messages, from where an interrupted run was if one was, and puts what was written in its place. Returns how many
/// messages had more than their new place can say.
fn write_all(job: &mut Job, tasks: &mut [Task], migration: &Migration, at: Option<&Cursor>) -> Result<u64, Failure> {
    let permissions = permissions_of(tasks);
    let (hold, form) = (job.most(), migration.form);
    // What stands before the first message is read with it.
    let mut source = MessageSource::open(tasks, hold, form, None)?;
    let mut found = source.next(hold)?;
    if source.has_pseudo() && !job.rules.quiet && at.is_none() {
        let to = migration.to.name();
        job.progress.suspend(|| say(format_args!("{to}: {PSEUDO}")));
    }
    let way = Way::new(job, form, source.head());
    let mut out = match at {
        Some(at) => Out::go_on(migration, &way, permissions, at.sink.clone())?,
        None => Out::begin(job, migration, &way, permissions)?,
    };
    if let Some(at) = at {
        if let SourceCursor::Mailbox { read, .. } = at.source {
            job.progress.skip(read);
        }
        source = MessageSource::open(tasks, hold, form, Some(&at.source))?;
        found = source.next(hold)?;
    }
    let (mut less, mut pace) = (at.map_or(0, |at| at.less), Pace::new());
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
        if pace.is_due() {
            let begun = Instant::now();
            write_down(job, source.cursor(), &mut out, less)?;
            pace.written_in(begun.elapsed());
        }
        found = source.next(hold)?;
    }
    let end = source.cursor();
    out.flush()?;
    let differs = out.difference()?;
    if differs.is_some() || job.rules.verify && at.is_some() {
        name_other(job, tasks, &way, &out)?;
    }
    if let Some(what) = differs {
        return Err(ConvertError::Unverified { name: migration.to.name(), what }.into());
    }
    // Whoever is killed once the folder has its place finds all counted.
    write_down(job, end, &mut out, less)?;
    out.put_in_place(job)?;
    Ok(less)
}

/// Writes down how far the run is, where there is a journal and another run could go on from there.
fn write_down(job: &mut Job, source: Option<SourceCursor>, out: &mut Out, less: u64) -> Result<(), ConvertError> {
    let Some(source) = source.filter(|_| job.journal.is_some()) else { return Ok(()) };
    let Some(sink) = out.cursor()? else { return Ok(()) };
    job.write_mark(Within::Migration(Box::new(Cursor { source, sink, less })), true)
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
    let mut source = MessageSource::open(tasks, hold, way.form, None)?;
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
                let is_resumable = job.journal.is_some();
                FolderOut::begin(to, is_maildir, &head, job.rules.verify, is_resumable).map(Out::Folder)
            }
            _ => {
                let out = MailboxOut::begin(job, migration, permissions, before_first(way));
                out.map(|out| Out::Mailbox(Box::new(out)))
            }
        }
    }

    /// Opens what an interrupted run left.
    fn go_on(
        migration: &Migration,
        way: &Way,
        permissions: Option<Permissions>,
        at: SinkCursor,
    ) -> Result<Out, ConvertError> {
        match (at, &migration.to) {
            (SinkCursor::Folder { ino, origin, messages }, OutputTarget::File { to, .. }) => {
                let is_maildir = way.form == OutputFormat::Maildir;
                FolderOut::go_on(to, is_maildir, (ino, origin), messages).map(Out::Folder)
            }
            (SinkCursor::Mailbox { pending, ino, written, seams }, to) if to.path().is_some() => {
                let out = MailboxOut::go_on(migration, permissions, pending, (ino, written), seams);
                out.map(|out| Out::Mailbox(Box::new(out)))
            }
            _ => Ok(Out::Nowhere),
        }
    }

    /// Tells how far it is, with all of that flushed to the disk; none where a run that is killed could not go on from there.
    fn cursor(&mut self) -> Result<Option<SinkCursor>, ConvertError> {
        match self {
            Out::Nowhere => Ok(Some(SinkCursor::Nowhere)),
            Out::Folder(folder) => folder.cursor().map(Some),
            Out::Mailbox(mailbox) => mailbox.cursor(),
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
