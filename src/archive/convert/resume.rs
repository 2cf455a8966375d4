//! Where a run begins: at its start, or where an interrupted one stopped.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::mailbox::partials;
use super::{
    Args, ConvertError, Job, Journal, Mark, NewMailbox, OutputTarget, UndoFolder, Within, Work, check, mailbox_file,
};
use crate::archive::file_error::FileError;
use crate::archive::sha256::Sha256;

use super::journal::JournalOf;
use super::undo_file::undo_partial;
use crate::archive::decisions::DecidedProfiles;
use crate::archive::interrupt;
use crate::archive::mailbox_lock::remove_dead;
use crate::archive::replace::{Existing, folder_of, with_suffix};
use crate::archive::report::{ReportFormat, Reports};

/// What is put behind the name of the output beside which a journal is. `is_own` of `walk.rs` knows it.
const SUFFIX: &str = ".resume";

/// Begins a run, or goes on with one that was interrupted; its journal is beside the path `beside`, or there is none.
/// Returns `true` if that one had nothing left to do but to give its reports their places, which is done then.
pub fn begin(job: &mut Job, args: &Args, beside: Option<PathBuf>, work: &[Work]) -> Result<bool, ConvertError> {
    let files = args.reports()?;
    let mut mark = beside.map_or(Ok(None), |beside| open_journal(job, args, beside, work, &files))?;
    let is_done = |mark: &mut Mark| mark.pieces >= work.len() && matches!(mark.within, Within::Commit { .. });
    if let Some(mark) = mark.take_if(is_done) {
        end_reports(job, mark, &files)?;
        return Ok(true);
    }
    let reports = match mark.as_ref().and_then(|mark| mark.spool) {
        Some(at) => {
            let path = job.journal.as_ref().map(|journal| journal.path().to_owned()).unwrap_or_default();
            Some(Reports::go_on(files, at)?.ok_or(ConvertError::PartialChanged { path })?)
        }
        None if files.is_empty() => None,
        None => {
            // An interrupted run had not come so far as to write one down, or perhaps to make it.
            let left = Reports::spool_path(&files).filter(|_| mark.is_some());
            left.into_iter().for_each(|spool| _ = fs::remove_file(spool));
            Some(Reports::begin(files)?)
        }
    };
    if let Some(mark) = mark {
        // In a mailbox file the mark names the output that is gone on with, and in a commit the files that wait for
        // their places.
        if matches!(mark.within, Within::Start | Within::Files { .. }) {
            remove_partials(work);
        }
        job.mark = mark;
    }
    job.reports = reports;
    Ok(false)
}

/// Removes outputs that an interrupted run had begun and not come so far as to write down.
fn remove_partials(work: &[Work]) {
    // Each may be there or not.
    work.iter()
        .filter_map(Work::mailbox)
        .flat_map(|mailbox| all_partials(&mailbox.new))
        .for_each(|left| _ = fs::remove_file(left));
}

/// Returns where what can be gone on with of a mailbox stands: its outputs, and the undo file.
fn all_partials(new: &NewMailbox) -> Vec<PathBuf> {
    let undo = new.to.path().filter(|_| new.stays).map(undo_partial);
    partials(new).into_iter().chain(undo).collect()
}

/// Opens the journal of a run, beside the output `beside`, with what an interrupted run may have left ([`JournalOf`]),
/// and gives it to the job; from then on a signal keeps what can be gone on with, where that is worth it. Returns how
/// far an interrupted run was, where this one goes on with it.
fn open_journal(
    job: &mut Job,
    args: &Args,
    beside: PathBuf,
    work: &[Work],
    files: &[(PathBuf, ReportFormat)],
) -> Result<Option<Mark>, ConvertError> {
    let tasks = || work.iter().flat_map(Work::tasks);
    let mailboxes = || work.iter().filter_map(Work::mailbox);
    let path = with_suffix(&beside, SUFFIX);
    let folders = tasks().map(|task| &task.target).chain(mailboxes().map(|mailbox| &mailbox.new.to));
    let folders = folders.filter_map(OutputTarget::folder);
    let folders = folders.chain(files.iter().map(|(path, _)| folder_of(path))).chain([folder_of(&path)]);
    let folders: BTreeSet<PathBuf> = folders.map(Path::to_owned).collect();
    let mut partials: Vec<PathBuf> = mailboxes().flat_map(|mailbox| all_partials(&mailbox.new)).collect();
    partials.extend(Reports::spool_path(files));
    let anew = work.iter().filter_map(|work| match work {
        Work::Mailbox(_) => None,
        Work::Files(files) => UndoFolder::elsewhere(job, files),
    });
    let anew: Vec<_> = anew.collect();
    let locked: Vec<PathBuf> =
        mailboxes().filter_map(|mailbox| mailbox.new.to.replaced()).map(Path::to_owned).collect();
    // Deliveries wait for the lock of a septet that is dead, whatever becomes of this run.
    locked.iter().for_each(|mailbox| _ = remove_dead(mailbox));
    let of = JournalOf { path, command: known_by(args, work, &job.profiles), folders, partials, anew, locked };
    interrupt::resumable(args.resume);
    let (journal, mark) = Journal::open(of, args.resume, |interrupted| {
        check::refuse_new_run(job, work, interrupted)?;
        Ok(make_folders(work)?)
    })?;
    job.journal = Some(journal);
    Ok(mark)
}

/// Makes the folders for what is written in another form, beside or in which the journal stands.
fn make_folders(work: &[Work]) -> Result<(), FileError> {
    let moved = work.iter().filter_map(Work::mailbox).filter(|mailbox| !mailbox.new.stays);
    moved
        .filter_map(|mailbox| mailbox.new.to.folder())
        .try_for_each(|folder| fs::create_dir_all(folder).map_err(FileError::creating(folder.display())))
}

/// Gives reports their places that an interrupted run had made, and removes their spool.
fn end_reports(job: &mut Job, mark: Mark, files: &[(PathBuf, ReportFormat)]) -> Result<(), ConvertError> {
    if let Within::Commit { steps, .. } = &mark.within {
        let mut pending = steps.iter().flat_map(|step| &step.pending);
        pending.try_for_each(|pending| pending.carry_out(&Existing::Replace))?;
    }
    if let Some(spool) = Reports::spool_path(files) {
        // It may be gone.
        let _ = fs::remove_file(spool);
    }
    job.mark = mark;
    Ok(())
}

/// Returns what a command is known by: all that output and report depend on, but for how it is done (`--jobs`,
/// `--verify`) and what is said meanwhile. A run goes on only with one of the same.
fn known_by(args: &Args, work: &[Work], profiles: &DecidedProfiles) -> String {
    let Args { output, in_place, keep_original, backup, no_clobber, dry_run, report, inputs, .. } = args;
    let Args { format, output_format, split, split_by, labels, compress, recursive, skip_deleted, .. } = args;
    let options = format!(
        "{output:?} {in_place} {keep_original} {backup:?} {no_clobber} {dry_run} {report:?} {inputs:?} {format:?} \
         {output_format:?} {split:?} {split_by:?} {labels:?} {compress:?} {recursive} {skip_deleted} {:?}",
        std::env::current_dir().ok()
    );
    // What was found in a folder, a Maildir or an archive may be other mailboxes the next time.
    let mut found = Sha256::default();
    for piece in work {
        found.update(match piece {
            Work::Mailbox(mailbox) => {
                format!("{}\n{}\n", mailbox_file(&mailbox.tasks).map_or("", |file| &file.name), mailbox.new.to.name())
            }
            Work::Files(files) => format!("{:?}\n", files.folder),
        });
    }
    Sha256::default().with(profiles.fingerprint()).with(options).with(found.octets()).hex()
}

#[cfg(test)]
mod tests {
    use clap::{Args as _, FromArgMatches as _};

    use super::*;
    use crate::archive::convert::{Input, MailboxTask};
    use crate::process::ruled_profiles::RuledProfiles;
    use crate::rewrite::Profile;

    /// Without `-r` too: a subfolder of a Maildir, or a file in an archive.
    #[test]
    fn a_mailbox_that_came_in_since_makes_another_run() {
        let command = Args::augment_args(clap::Command::new("convert"));
        let args = Args::from_arg_matches(&command.get_matches_from(["convert", "box"])).expect("options");
        let profiles = RuledProfiles::one(Profile::default()).into();
        let known = |names: &[&str]| {
            let target = |name: &&str| OutputTarget::file(PathBuf::from(name), None);
            let tasks = names.iter().map(|name| MailboxTask::of_file(Input::default(), target(name)));
            known_by(&args, &tasks.map(|task| Work::Mailbox(Box::new(task))).collect::<Vec<_>>(), &profiles)
        };
        assert_eq!(known(&["INBOX.mbox", "Sent.mbox"]), known(&["INBOX.mbox", "Sent.mbox"]));
        assert_ne!(known(&["INBOX.mbox", "Sent.mbox"]), known(&["Drafts.mbox", "INBOX.mbox", "Sent.mbox"]));
    }
}
