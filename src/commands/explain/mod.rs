//! `septet explain`: the parts of one message, the plan, and why each thing is changed or left; of an archive the list
//! of the messages that would change, or stay with something left.

mod diff;
mod list;
mod one;

use std::ops::ControlFlow;
use std::path::PathBuf;

use crate::archive::convert::Format;
use crate::archive::convert::visit::{VisitedArchives, VisitedMessage, visit};
use crate::archive::report::said::messages;
use crate::archive::report::same_mail::SameMail;
use crate::config::Settings;
use crate::face::in_file::plan_alone;
use crate::message::LimitReached;
use crate::process::arrival;
use crate::process::exit::{Exit, Failure};
use crate::process::pager::PagedOutput;
use crate::process::ruled_profiles::RuledProfiles;
use crate::process::say::say;
use crate::process::settings::ProfileArgs;
use crate::rewrite::{Plan, Profile, Reason};
use list::List;

/// Show the parts of one message, the plan, and why each thing is changed or left
///
/// Nothing is changed. The lines of the plan are those of the log and of the reports; below each stands what came and
/// what it would be, and what helps where something is left. Of an archive with several messages
/// those are listed that would change, or of which something is left.
///
/// A FILE that is one message is taken for mail that arrives now, as `septet filter` takes it: a Date that it lacks
/// would be today's. What stands in an archive (a mailbox file, a Maildir, a folder) is taken as `septet convert` takes
/// it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  septet explain message.eml
      shows one message
  septet explain inbox.mbox
      lists what would change or is left, with reasons
  septet explain --message 12 inbox.mbox
      shows the twelfth message of it
  septet explain --diff --message 12 inbox.mbox
      shows what would change in it, line by line")]
pub struct Args {
    #[command(flatten)]
    profile: ProfileArgs,
    /// Show what would change as a unified diff; octets that are not UTF-8 are written \xNN
    #[arg(long)]
    diff: bool,
    /// Write one JSON object; of an archive one a line, as in a report
    #[arg(long, conflicts_with = "diff")]
    json: bool,
    /// Explain the N-th message of an archive, from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    message: Option<u64>,
    /// Read FILE as FORMAT; auto tells it by what is in it
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Auto)]
    format: Format,
    /// Don't start a pager on a terminal; else SEPTET_PAGER, PAGER or less shows what is longer than the screen
    #[arg(long)]
    no_pager: bool,
    /// Explain the message in FILE, or list those of a mailbox file, a Maildir or a folder; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// What is asked, and by which settings.
struct ExplainOptions {
    diff: bool,
    json: bool,
    /// Whether what is no mailbox file is taken for mail that arrives now: it stands in no folder that is asked about.
    arrives: bool,
    settings: Settings,
    profiles: RuledProfiles,
    /// What another command needs to read the same mail.
    same_mail: SameMail,
}

/// Runs the command.
pub fn run(args: Args) -> Result<(), Failure> {
    let (settings, profiles) = args.profile.settings_and_profiles()?;
    profiles.passed_over().iter().for_each(|what| say(format_args!("{what}")));
    let asked = ExplainOptions {
        diff: args.diff,
        json: args.json,
        arrives: !args.file.is_dir(),
        same_mail: SameMail::of(&args.profile, std::slice::from_ref(&args.file)).in_format(args.format),
        settings,
        profiles,
    };
    let paths = std::slice::from_ref(&args.file);
    let archives = VisitedArchives::new(paths, args.format, asked.profiles.limits());
    let mut output = PagedOutput::open(!args.no_pager);
    let explained = match args.message {
        Some(number) => explain_nth(&asked, archives, number, &mut output),
        None => explain_all(&asked, archives, &mut output),
    };
    let shown = output.finish().map_err(Failure::of_output);
    explained.and(shown)
}

/// Explains the message with this number, from 1; that there is none is a failure.
fn explain_nth(
    asked: &ExplainOptions,
    archives: VisitedArchives,
    number: u64,
    output: &mut PagedOutput,
) -> Result<(), Failure> {
    let (mut before, mut explained) = (0, None);
    visit(archives, |found| {
        if let Some(found) = usize::try_from(number - before - 1).ok().and_then(|at| found.get(at)) {
            explained = Some(one::explain(asked, found));
            return Ok(ControlFlow::Break(()));
        }
        before += found.len() as u64;
        Ok(ControlFlow::Continue(()))
    })?;
    let Some(text) = explained else {
        let (file, all) = (archives.paths[0].display(), messages(before));
        let text = format!("{file}: there is no message {number}, only {all}");
        return Err(Failure::new(Exit::NoInput, text));
    };
    write(output, &text).map(|_| ())
}

/// Explains a message that is alone, and lists several; no message at all is an empty list. The first one waits until a
/// second shows that it is not alone.
fn explain_all(asked: &ExplainOptions, archives: VisitedArchives, output: &mut PagedOutput) -> Result<(), Failure> {
    let mut first: Option<String> = None;
    let mut list = List::new(asked);
    visit(archives, |found| {
        if let ([only], 0) = (found, list.messages()) {
            first = Some(one::explain(asked, only));
            list.hold(found);
            return Ok(ControlFlow::Continue(()));
        }
        first = None;
        write(output, &list.add(found))
    })?;
    let rest = first.unwrap_or_else(|| list.end(&archives.paths[0]));
    write(output, &rest).map(|_| ())
}

/// Writes some lines; `Break` where nobody wants more.
fn write(output: &mut PagedOutput, text: &str) -> Result<ControlFlow<()>, Failure> {
    output.write(text).map_err(Failure::of_output)
}

/// Plans a message by its profile, as mail that arrives now or as one of an archive. One that is not held whole is not
/// read, and left as over the limit.
fn plan(found: &VisitedMessage, asked: &ExplainOptions, profile: &Profile) -> Plan {
    if !found.whole {
        return Plan::left(Reason::Limit(LimitReached::MessageBytes(profile.limits.message_bytes)));
    }
    if !asked.arrives || found.mailbox.is_some() {
        return found.plan(&found.content(), profile);
    }
    let host = arrival::name_for(asked.settings.hostname.as_deref(), profile);
    plan_alone(&found.content(), profile, &arrival::now(host))
}
