//! Where the inputs go, and the pieces of work that come of that.

use std::path::PathBuf;
use std::time::Duration;

use super::outputs::Output;
use super::packing::compression;
use super::{
    Args, Compress, ConvertError, FileTasks, Format, Input, MailboxTask, NewMailbox, OutputFormat, Rules, TakenPlaces,
    Task, Work, copy_marks, maildir, migrate, refuse,
};
use crate::archive::replace::folder_of;

/// Where everything goes, what the journal is beside (none where the run can't be resumed), and the work.
pub type Planned = (Output, Option<PathBuf>, Vec<Work>);

/// Says where everything goes, and what the journal is beside. What is written in another form, or in pieces, comes
/// last, and with it nothing goes in place: [`migrate::check_options`] refuses that. What is written in another form
/// takes its places first, reports take theirs last: [`TakenPlaces::take_report`] wants all outputs taken.
pub fn plan(args: &Args, rules: &Rules, staying: Vec<Input>, migrating: Vec<Input>) -> Result<Planned, ConvertError> {
    let mut places = TakenPlaces::of(staying.iter().chain(&migrating)).beside(&args.settings, &args.decided);
    let mailboxes = migrate::mailboxes(migrating)?;
    let output = Output::of(args, &staying, mailboxes.len())?;
    let migrations = migrate::plan(args, mailboxes, &output, &mut places)?;
    output.check(rules, &staying, &mut places)?;
    args.report.iter().try_for_each(|report| places.take_report(report))?;
    let journal = output.journal_beside(&staying, &args.report);
    let mut work = plan_work(args, &output, staying)?;
    work.extend(migrations.into_iter().map(|task| Work::Mailbox(Box::new(task))));
    Ok((output, journal, work))
}

/// Says where everything goes; .eml files in a row are one piece of work. Folders of outputs and Maildirs are made now,
/// with what goes beside their messages, so all that refuses an output must come before.
fn plan_work(args: &Args, output: &Output, inputs: Vec<Input>) -> Result<Vec<Work>, ConvertError> {
    let mut work = Vec::new();
    for input in inputs {
        if let (Format::Maildir, Some(folder)) = (input.format, &input.path) {
            if args.compress.is_some_and(|method| method != Compress::None) {
                return refuse(format!("--compress is for files, and {} is a Maildir", input.name));
            }
            let to = output.folder_for(&input)?;
            let files = maildir::all_tasks(folder, to.as_deref(), args.in_place)?;
            work.push(Work::Files(FileTasks { folder: to.map(|to| (folder.clone(), to)), ..files }));
            continue;
        }
        if input.format == Format::Mbox {
            work.push(Work::Mailbox(Box::new(mailbox_task(args, output, input)?)));
            continue;
        }
        let task = file_task(args, output, input)?;
        let is_mail_of_folder = task.input.walked && task.input.format == Format::Eml;
        if let (Output::Folder(_), true, Some(from), Some(to)) =
            (output, is_mail_of_folder, &task.input.path, task.target.folder())
        {
            copy_marks(folder_of(from), to)?;
        }
        match work.last_mut() {
            Some(Work::Files(files)) if files.folder.is_none() => files.tasks.push(task),
            _ => work.push(Work::Files(FileTasks { tasks: vec![task], ..FileTasks::default() })),
        }
    }
    Ok(work)
}

/// Says where a file goes, and how it is packed there; in a folder of outputs its own folder is made.
fn file_task(args: &Args, output: &Output, input: Input) -> Result<Task, ConvertError> {
    let target = output.file_for(&input)?;
    let compression = compression(args.compress, &input, &target)?;
    Ok(Task { compression, ..Task::new(input, target) })
}

/// Says where a mailbox file goes, how it is packed there, and in which dialect it is written.
fn mailbox_task(args: &Args, output: &Output, input: Input) -> Result<MailboxTask, ConvertError> {
    let to = output.file_for(&input)?;
    let compression = compression(args.compress, &input, &to)?;
    let form = args.output_format.filter(|form| form.is_mailbox()).unwrap_or(OutputFormat::Mbox);
    let mut task = MailboxTask::of_file(input, to);
    task.new = NewMailbox { form, compression, lock: Duration::from_secs(args.lock_timeout), ..task.new };
    Ok(task)
}
