//! `septet advise`: tries charsets on everything that an archive leaves for want of one, and prints a settings file that
//! helps.
//!
//! Nearly every text is well-formed in nearly every charset of one octet a character, so that "it can be read" says little. What
//! counts here is whether texts read as statistics would read them; beside it stand samples, for
//! a person has the last word. It counts by messages: one of which a text reads otherwise than it looks is worse than it
//! was, and nothing is advised that makes a message worse. Where no list is good for all, lists and senders get theirs by
//! rule. What the advice gains is measured and not reckoned: all messages of which something was left are planned anew by the
//! file that is printed.
//!
//! The messages that are left are kept in a file without a name and read from there as often as it takes, so that memory is
//! bounded, and standard input will do.

mod candidate;
mod choice;
mod evidence;
mod groups;
mod measure;
mod print;
mod settings_file;
mod spooled_messages;
mod texts;
mod trial;
mod verdict;

use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::path::PathBuf;

use crate::archive::convert::Format;
use crate::archive::convert::visit::{VisitedArchives, visit};
use crate::coding::charset::Charset;
use crate::config::profile::ProfileTable;
use crate::config::{Settings, SettingsFile};
use crate::process::color;
use crate::process::exit::{Exit, Failure};
use crate::process::ruled_profiles::RuledProfiles;
use crate::process::say::say;
use crate::process::settings::ProfileArgs;
use candidate::Candidate;
use evidence::CharsetEvidence;
use groups::{ComparisonCount, Groups};
use measure::{Left, MeasuredMessage};
use settings_file::Basis;
use spooled_messages::SpooledMessages;
use trial::Trial;

/// The lists that are tried on whole messages: those that read most texts as they look.
const TRIALS: usize = 8;

/// Try charsets on everything left in an archive, and print settings that help
///
/// Nothing is changed. What is printed can be used as it is: all but the settings are comments. Read the samples in it
/// before you believe the advice: a charset that reads every text may read it wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  septet advise inbox.mbox
      says what helps, and how many messages
  septet advise inbox.mbox > septet.toml
      makes a settings file of it
  septet check-config --config septet.toml
      shows what holds then
  septet convert --config septet.toml -o clean.mbox inbox.mbox
      and converts by it")]
pub struct Args {
    #[command(flatten)]
    profile: ProfileArgs,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
    /// Read the inputs as FORMAT; auto detects it
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Auto)]
    format: Format,
    /// Read these mailbox files, Maildirs, folders or messages, compressed or not; - is standard input
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
}

/// What was found in the archives.
struct Collected {
    /// How many messages there are.
    count: u64,
    /// How many of them have another profile by a rule of the settings.
    by_rule: u64,
    /// What is left of the others as it is.
    left: Left,
    /// The messages of which something is left for want of a charset.
    messages: SpooledMessages,
}

/// What was found out.
#[derive(Debug)]
struct Advice {
    profile: String,
    messages: u64,
    by_rule: u64,
    /// What is left as it is, of everything and of what a charset may help.
    left: Left,
    evidence: CharsetEvidence,
    /// The lists that were tried, the best first, with the messages that each alone makes better and worse.
    trials: Vec<(Trial, ComparisonCount)>,
    /// What is advised; none where nothing helps.
    best: Option<Best>,
}

/// Settings that help.
#[derive(Debug)]
struct Best {
    /// The settings.
    toml: String,
    /// The lists that they have.
    lists: Vec<Vec<String>>,
    /// How many messages they make better and worse.
    count: ComparisonCount,
}

/// Runs the command.
pub fn run(args: Args) -> Result<(), Failure> {
    let (settings, profiles) = args.profile.settings_and_profiles()?;
    profiles.passed_over().iter().for_each(|what| say(format_args!("{what}")));
    let table = settings.profile_table(&profiles.usual().name).cloned().unwrap_or_default();
    let found = collect(&args.inputs, args.format, &profiles)?;
    let asked = AdviceSettings { settings: &settings, profiles: &profiles, table: &table };
    let advice = advise(found, asked).map_err(|error| Failure::new(Exit::Io, error))?;
    let text = if args.json { print::as_json(&advice) } else { print::as_text(&advice) };
    color::stdout().write_all(text.as_bytes()).map_err(Failure::of_output)
}

/// Reads the archives, counts what is left in them, and keeps what is left for want of a charset.
fn collect(paths: &[PathBuf], format: Format, profiles: &RuledProfiles) -> Result<Collected, Failure> {
    let messages = SpooledMessages::new().map_err(|error| Failure::new(Exit::CantCreate, error))?;
    let mut all = Collected { count: 0, by_rule: 0, left: Left::default(), messages };
    // A file may have some lines around a message.
    let archives = VisitedArchives { paths, format, hold: profiles.limits().message_bytes.saturating_add(4096) };
    visit(archives, |found| {
        all.count += found.len() as u64;
        let planned = measure::plan_all(found, profiles);
        planned.iter().try_for_each(|planned| all.add(planned)).map_err(|error| Failure::new(Exit::Io, error))?;
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(all)
}

impl Collected {
    /// Counts a message, and keeps it where a charset may help.
    fn add(&mut self, planned: &MeasuredMessage) -> io::Result<()> {
        let Some(left) = &planned.left else {
            self.by_rule += 1;
            return Ok(());
        };
        self.left.add(left);
        if left.curable > 0 { self.messages.add(&planned.content) } else { Ok(()) }
    }
}

/// By which settings it is asked.
#[derive(Clone, Copy)]
struct AdviceSettings<'a> {
    settings: &'a Settings,
    profiles: &'a RuledProfiles,
    /// The usual profile, as the settings have it.
    table: &'a ProfileTable,
}

/// Tries lists on all texts, then the best of them on whole messages, and measures what is chosen.
fn advise(mut found: Collected, asked: AdviceSettings) -> io::Result<Advice> {
    let AdviceSettings { settings, profiles, table } = asked;
    let profile = profiles.usual();
    let evidence = evidence::gather(&mut found.messages, profile)?;
    let (lists, most) = (candidate::lists(&evidence), evidence.likeliest());
    let mut trials = trial::try_all(&mut found.messages, (table, profile), &lists, most)?;
    trials.truncate(TRIALS);
    let lists = trials.iter().map(|trial| trial.added.clone()).collect();
    let candidates = candidate::all(table, evidence.aliases(), lists);
    let groups = measure::compare_by_group(&mut found.messages, (table, profile), &candidates, most)?;
    let basis = Basis { settings, profiles, table, candidates: &candidates };
    let best = best(&mut found.messages, basis, &groups, most)?;
    let alone =
        |trial: &Trial| candidates.iter().position(|it| it.added == trial.added && it.aliases == table.charset_alias);
    let count = |trial: &Trial| alone(trial).map_or_else(ComparisonCount::default, |at| groups.total(at));
    let trials = trials.into_iter().map(|trial| (count(&trial), trial)).map(|(count, trial)| (trial, count)).collect();
    let Collected { count: messages, by_rule, left, .. } = found;
    Ok(Advice { profile: profile.name.clone(), messages, by_rule, left, evidence, trials, best })
}

/// Chooses settings, and measures by the file itself what they make of the messages. Where those with rules make one
/// worse, or none better, those without are tried; none where these do so too.
fn best(
    messages: &mut SpooledMessages,
    basis: Basis,
    groups: &Groups,
    most: Option<Charset>,
) -> io::Result<Option<Best>> {
    let guesses: Vec<bool> = basis.candidates.iter().map(Candidate::guesses).collect();
    for choice in [choice::choose(groups, &guesses), choice::without_rules(groups, &guesses)] {
        let toml = basis.write(&choice);
        let source = SettingsFile { path: "septet.toml".to_owned(), bytes: toml.clone().into_bytes() };
        let (settings, origins) = Settings::read(&[source], [], &[]).map_err(io::Error::other)?;
        let by_rule = RuledProfiles::by_rule(&settings, &origins);
        let count = measure::compare_by_rules(messages, basis.profiles.usual(), &by_rule, most)?;
        if count.better > 0 && count.worse == 0 {
            let chosen = [choice.usual].into_iter().chain(choice.rules.iter().map(|(_, candidate)| *candidate));
            let lists = chosen.map(|at| basis.candidates[at].unlabelled.clone()).collect();
            return Ok(Some(Best { toml, lists, count }));
        }
    }
    Ok(None)
}
