//! `septet review`: one change after the other, before and after, and whether it is wanted.
//!
//! What is asked and what an answer means is decided in `session`, what is shown in `picture`. Here are the terminal and
//! the file of the answers, which is written after each of them.

mod changed_lines;
mod fit;
mod key;
mod picture;
mod reviewed_message;
mod session;
mod wording;

use std::ffi::OsString;
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use clap::ValueEnum as _;
use rayon::prelude::*;

use crate::archive::convert::Format;
use crate::archive::convert::visit::{VisitedArchives, VisitedMessage, visit};
use crate::archive::decisions::{AnswerLine, DecisionsFile, YesNo};
use crate::archive::interrupt;
use crate::archive::report::same_mail::SameMail;
use crate::process::color::{self, BOLD, Color, paint};
use crate::process::exit::{Exit, Failure};
use crate::process::ruled_profiles::RuledProfiles;
use crate::process::say::say;
use crate::process::screen_size::ScreenSize;
use crate::process::settings::ProfileArgs;
use crate::process::shown::Shown;
use key::ReviewKey;
use picture::ReviewScreen;
use reviewed_message::ReviewedMessage;
use session::{ReviewQuestion, ReviewReply, ReviewSession};

/// Step through an archive: one change after the other, and whether it is wanted
///
/// Nothing is changed: the answers go to a file, and `septet convert --decisions FILE` does what was wanted. Each change is
/// shown before and after; `?` says what can be answered. The file is written after each answer, and the same command
/// goes on where an earlier one ended: what has an answer is not asked again.
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

/// What a file has around a message, at most.
const AROUND: usize = 4096;

/// Runs the command.
pub fn run(args: Args) -> Result<(), Failure> {
    check_terminal(&args)?;
    let path = args.decisions_path()?;
    interrupt::watch().map_err(|error| Failure::new(Exit::Software, error))?;
    let (_, profiles) = args.profile.settings_and_profiles()?;
    profiles.passed_over().iter().for_each(|what| say(format_args!("{what}")));
    let file = DecisionsFile::go_on(&path, &profiles)?;
    let known = file.answers.len();
    // Whoever can't write it should know before the first answer.
    file.write(&path)?;
    let mut review = Review { session: ReviewSession::new(file), path, shown: None, has_ended: false, asked: 0 };
    if known > 0 {
        show(&format!("Going on: {} has {known} answers.\n", Shown(&review.path.display().to_string())))?;
    }
    review.go_through(&args, &profiles)?;
    review.end(&args)
}

/// Refuses what is no terminal, and standard input as an archive: it is where the answers come from.
fn check_terminal(args: &Args) -> Result<(), Failure> {
    let refused = match () {
        () if args.archives.iter().any(|archive| archive.as_os_str() == "-") => {
            "- is standard input, which the answers come from: name a file"
        }
        () if !io::stdin().is_terminal() => {
            "review asks on a terminal, and standard input is none: `septet convert --dry-run --report report.html` shows all that would change"
        }
        () if !io::stdout().is_terminal() => {
            "review asks on a terminal, and standard output is none: `septet convert --dry-run --report report.html` shows all that would change"
        }
        () => return Ok(()),
    };
    Err(Failure::new(Exit::Usage, refused))
}

impl Args {
    /// Returns where the answers are kept.
    fn decisions_path(&self) -> Result<PathBuf, Failure> {
        if let Some(path) = &self.decisions {
            return Ok(path.clone());
        }
        let name = match &self.archives[..] {
            [archive] => archive.file_name().map(|name| archive.with_file_name(with_suffix(name.to_owned()))),
            _ => None,
        };
        let missing = "there is no name for the file of the answers: name it with --decisions FILE";
        name.ok_or_else(|| Failure::new(Exit::Usage, missing))
    }
}

fn with_suffix(mut name: OsString) -> OsString {
    name.push(SUFFIX);
    name
}

/// A review on a terminal.
struct Review {
    session: ReviewSession,
    path: PathBuf,
    /// The message whose head is on the screen.
    shown: Option<Arc<ReviewedMessage>>,
    has_ended: bool,
    /// How many questions there were.
    asked: usize,
}

impl Review {
    /// Goes through the archives, and once more where a rule was taken back.
    fn go_through(&mut self, args: &Args, profiles: &RuledProfiles) -> Result<(), Failure> {
        let hold = profiles.limits().message_bytes.saturating_add(AROUND);
        let archives = VisitedArchives { paths: &args.archives, format: args.format, hold };
        loop {
            visit(archives, |found| self.ask_about(found, profiles))?;
            if self.has_ended || !self.session.goes_again() {
                return Ok(());
            }
        }
    }

    /// Asks about the changes of some messages; `Break` where the review ends.
    fn ask_about(&mut self, found: &[VisitedMessage], profiles: &RuledProfiles) -> Result<ControlFlow<()>, Failure> {
        let planned: Vec<_> = found.par_iter().map(|it| ReviewedMessage::of(it, profiles)).collect();
        planned.into_iter().flatten().for_each(|message| self.session.add(message));
        while let Some(question) = self.session.question() {
            if self.ask(&question)?.is_break() {
                self.has_ended = true;
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Asks one question until it has an answer.
    fn ask(&mut self, question: &ReviewQuestion) -> Result<ControlFlow<()>, Failure> {
        let screen = screen();
        if !self.shown.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, &question.message)) {
            show(&screen.head(&question.message))?;
            self.shown = Some(question.message.clone());
        }
        show(&screen.change(question))?;
        self.asked += 1;
        loop {
            show(&screen.prompt())?;
            // The end of the input is like q.
            let typed = typed()?.unwrap_or_else(|| "q".to_owned());
            let Some(key) = ReviewKey::read(&typed) else {
                show("One of the letters, and Enter; ? says what they mean.\n")?;
                continue;
            };
            match self.session.answer(key, question) {
                ReviewReply::Help => show(&screen.help(question))?,
                ReviewReply::Refused(why) => show(&format!("{why}\n"))?,
                reply => return self.taken(key, question, reply),
            }
        }
    }

    /// Writes an answer down, and says what else it means.
    fn taken(
        &mut self,
        key: ReviewKey,
        question: &ReviewQuestion,
        reply: ReviewReply,
    ) -> Result<ControlFlow<()>, Failure> {
        self.session.file.write(&self.path)?;
        match key {
            ReviewKey::This(YesNo::No) | ReviewKey::Kind(YesNo::No) => {
                show(&screen().also_stays(&question.also_stays))?
            }
            _ => {}
        }
        match (key, &reply) {
            (ReviewKey::Kind(answer), _) => {
                let kind = wording::kind(&question.decision);
                show(&format!("  All of this kind are {}: {kind}.\n", wording::done(answer)))?;
            }
            (ReviewKey::Sender(answer), _) => {
                let sender = question.message.identity.sender.as_deref().unwrap_or("this sender");
                show(&format!("  All in mail from {} is {}.\n", Shown(sender), wording::done(answer)))?;
            }
            (_, ReviewReply::Noted(what)) => show(&format!("  {what}\n"))?,
            _ => {}
        }
        Ok(if reply == ReviewReply::Ended { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Says what was answered, and what comes next.
    fn end(self, args: &Args) -> Result<(), Failure> {
        let Review { session, path, has_ended, asked, .. } = self;
        let file = &session.file;
        if asked == 0 && file.answers.is_empty() {
            // An empty file would say that nothing is to change.
            let _ = std::fs::remove_file(&path);
            return show("Nothing would change.\n");
        }
        let rest = match (has_ended, file.rest()) {
            (false, _) => "All that would change has an answer.",
            (true, YesNo::Yes) => "What has no answer is changed.",
            (true, YesNo::No) => "What has no answer stays; the same command goes on there.",
        };
        let mut same = SameMail::of(&args.profile, &args.archives);
        if let Some(format) = args.format.to_possible_value().filter(|_| args.format != Format::Auto) {
            same = same.read_as(format!("--format {}", format.get_name()));
        }
        let next =
            same.convert_by(&path).map(|command| format!("To convert by it:\n  {command}\n")).unwrap_or_default();
        let path = path.display().to_string();
        let counts = format!("{} in {}.", counts(&file.answers), Shown(&path));
        show(&format!("\n{}\n{rest}\n{next}", paint(BOLD, counts)))
    }
}

/// Counts answers.
fn counts(answers: &[AnswerLine]) -> String {
    let answer = |line: &AnswerLine| match line {
        AnswerLine::Place(line) => Some(line.answer),
        _ => None,
    };
    let count = |wanted: YesNo| answers.iter().filter(|line| answer(line) == Some(wanted)).count();
    let rules = answers.iter().filter(|line| answer(line).is_none()).count();
    let rules = match rules {
        0 => String::new(),
        1 => ", 1 answer for a kind or a sender".to_owned(),
        _ => format!(", {rules} answers for kinds and senders"),
    };
    format!("{} yes, {} no{rules}", count(YesNo::Yes), count(YesNo::No))
}

/// Measures the screen anew: a window may have another size with each question.
fn screen() -> ReviewScreen {
    let ScreenSize { rows, columns } = ScreenSize::now();
    ReviewScreen { rows, columns, is_coloured: Color::is_on(&io::stdout()) }
}

/// Writes to the terminal, at once.
fn show(text: &str) -> Result<(), Failure> {
    let mut out = color::stdout();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::of_output)
}

/// The octets of a line that is typed, at most.
const TYPED: u64 = 4096;

/// Reads a line; none at the end of the input.
fn typed() -> Result<Option<String>, Failure> {
    let mut line = Vec::new();
    let read = io::Read::take(io::stdin().lock(), TYPED).read_until(b'\n', &mut line);
    match read {
        Ok(0) => Ok(None),
        Ok(_) => Ok(Some(String::from_utf8_lossy(&line).into_owned())),
        Err(error) => Err(Failure::new(Exit::Io, error)),
    }
}
