//! `septet review`: one change after the other, before and after, and whether it is wanted.
//!
//! What is asked and what an answer means is decided in `session`, what is shown in `picture`; `asking` brings messages
//! and answers, and writes the file of the answers after each of them.

mod asking;
mod changed_lines;
mod fit;
mod key;
mod picture;
mod reviewed_message;
mod session;
mod summary;
mod terminal;
mod wording;

use std::ffi::OsString;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

use crate::archive::convert::visit::VisitedArchives;
use crate::archive::convert::{Format, is_maildir};
use crate::archive::decisions::{DecisionsFile, YesNo};
use crate::archive::interrupt;
use crate::archive::replace::folder_of;
use crate::archive::report::said::counted;
use crate::archive::report::same_mail::SameMail;
use crate::process::exit::{Exit, Failure};
use crate::process::say::say;
use crate::process::settings::ProfileArgs;
use crate::process::shown::Shown;
use asking::Review;
use summary::summary;
use terminal::show;

/// Step through an archive: one change after the other, and whether it is wanted
///
/// Nothing is changed: the answers go to a file, and `septet convert --decisions FILE` does what was wanted. Each
/// change is shown before and after; `?` says what can be answered. The file is written after each answer, and the same
/// command goes on where an earlier one ended: what has an answer is not asked again.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  septet review inbox.mbox
      asks about each change, and keeps the answers in inbox.mbox.decisions.jsonl
  septet convert --decisions inbox.mbox.decisions.jsonl -o clean.mbox inbox.mbox
      changes what was wanted, and nothing else
  septet review --profile eai --decisions mine.jsonl Maildir old.mbox
      asks about two archives and another profile")]
pub struct Args {
    #[command(flatten)]
    profile: ProfileArgs,
    /// Keep the answers in FILE; without it they are beside the archive, as ARCHIVE.decisions.jsonl
    #[arg(long, value_name = "FILE")]
    decisions: Option<PathBuf>,
    /// Read the archives as FORMAT; auto detects it
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Auto)]
    format: Format,
    /// Step through these mailbox files, Maildirs, folders or messages, compressed or not
    #[arg(required = true, value_name = "ARCHIVE")]
    archives: Vec<PathBuf>,
}

/// Where the answers to an archive are kept, behind its name.
const SUFFIX: &str = ".decisions.jsonl";

/// Runs the command.
pub fn run(args: Args) -> Result<(), Failure> {
    check_terminal(&args)?;
    let path = args.decisions_path()?;
    interrupt::watch().map_err(|error| Failure::new(Exit::Software, error))?;
    let profiles = args.profile.settings_and_profiles()?.1.of_archive();
    profiles.passed_over().iter().for_each(|what| say(format_args!("{what}")));
    let file = DecisionsFile::go_on(&path, &profiles)?;
    show(&words_of_known(&file, &path))?;
    let archives = VisitedArchives::new(&args.archives, args.format, profiles.limits());
    match Review::new(file, &path).go_through(archives, &profiles)? {
        Some((file, has_ended)) => show(&summary(&file, &path, has_ended, &args.same_mail())),
        None => show("Nothing would change.\n"),
    }
}

/// Says how many answers there are already; nothing of none.
fn words_of_known(file: &DecisionsFile, path: &Path) -> String {
    if file.answers.is_empty() {
        return String::new();
    }
    let answers = counted(file.answers.len() as u64, "answer");
    let was = if file.head.rest == YesNo::Yes { "; what had none was to be changed" } else { "" };
    format!("Going on: {} has {answers}{was}.\n", Shown(&path.display().to_string()))
}

/// Refuses what is no terminal, and standard input as an archive: it is where the answers come from.
fn check_terminal(args: &Args) -> Result<(), Failure> {
    if args.archives.iter().any(|archive| archive.as_os_str() == "-") {
        let refused = "- is standard input, which the answers come from: name a file";
        return Err(Failure::new(Exit::Usage, refused));
    }
    let streams = [(io::stdin().is_terminal(), "input"), (io::stdout().is_terminal(), "output")];
    let Some((_, what)) = streams.into_iter().find(|(is_terminal, _)| !is_terminal) else { return Ok(()) };
    let refused = format!(
        "review asks on a terminal, and standard {what} is none: `septet convert --dry-run --report report.html` shows all \
         that would change"
    );
    Err(Failure::new(Exit::Usage, refused))
}

impl Args {
    /// Returns where the answers are kept; wrong usage without `--decisions` for several archives, for one whose path
    /// ends in no name, and for a message of a Maildir.
    fn decisions_path(&self) -> Result<PathBuf, Failure> {
        if let Some(path) = &self.decisions {
            return Ok(path.clone());
        }
        let name = match &self.archives[..] {
            [archive] => archive.file_name().map(|name| archive.with_file_name(with_suffix(name.to_owned()))),
            _ => None,
        };
        // In a Maildir it would be a message.
        let name = name.filter(|path| !folder_of(path).parent().is_some_and(is_maildir));
        let missing = "there is no name for the file of the answers: name it with --decisions FILE";
        name.ok_or_else(|| Failure::new(Exit::Usage, missing))
    }

    /// Returns what a command needs to read the same mail.
    fn same_mail(&self) -> SameMail {
        let same = SameMail::of(&self.profile, &self.archives).in_format(self.format);
        match self.archives.iter().any(|archive| archive.is_dir() && !is_maildir(archive)) {
            true => same.read_as("-r".to_owned()),
            false => same,
        }
    }
}

/// Puts [`SUFFIX`] behind a name.
fn with_suffix(mut name: OsString) -> OsString {
    name.push(SUFFIX);
    name
}
