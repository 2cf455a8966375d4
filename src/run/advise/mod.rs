//! `septet advise`: tries charsets on everything that an archive leaves for want of one, and prints the settings that
//! would help.
//!
//! Nearly every text is well-formed in nearly every charset of one octet a character, so that "it can be read" says little. What
//! counts here is how many texts read as statistics (chardetng, what browsers ask) would read them; beside it stand samples, for
//! a person has the last word. What the advice gains is measured and not reckoned: everything that was left is planned
//! anew with the settings that are printed.
//!
//! The messages that are left are kept in a file without a name and read from there as often as it takes, so that
//! memory is bounded, and standard input will do.

mod evidence;
mod measure;
mod print;
mod shelf;
mod trial;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::PathBuf;

use super::color;
use super::convert::Format;
use super::convert::visit::{Archives, Found, visit};
use super::exit::{Exit, Failure};
use super::settings::ProfileArgs;
use crate::config::profile::ProfileTable;
use crate::rewrite::{Labels, Outcome, Profile, Reason};
use evidence::Evidence;
use measure::{Left, measure};
use shelf::Shelf;
use trial::Trial;

/// Try charsets on everything that an archive leaves, and print the settings that would help
///
/// Nothing is changed. Read the samples before you believe the advice: a charset that reads every text may read it
/// wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  septet advise inbox.mbox
      says what helps, and how much
  septet advise --json inbox.mbox | jq -r .toml >> septet.toml
      puts it into the settings
  septet convert --config septet.toml -o clean.mbox inbox.mbox
      and converts by them")]
pub struct Args {
    #[command(flatten)]
    profile: ProfileArgs,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
    /// Read the inputs as FORMAT; auto tells it by what is in them
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Auto)]
    format: Format,
    /// Read these mailbox files, Maildirs, folders or messages, compressed or not; - is standard input
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
}

/// Settings that may help: of one profile the keys that say how texts without a good label are read.
#[derive(Debug, Clone, PartialEq)]
struct Setting {
    unlabelled: Vec<String>,
    aliases: BTreeMap<String, String>,
}

/// What was found out.
#[derive(Debug)]
struct Advice {
    profile: String,
    messages: u64,
    /// What is left as it is, of everything and of what a charset may help.
    left: Left,
    evidence: Evidence,
    /// The lists that were tried, the best first.
    trials: Vec<(Trial, Left)>,
    /// What is advised, and what is left with it; none where nothing helps.
    best: Option<(Setting, Left)>,
}

/// Runs the command.
pub fn run(args: Args) -> Result<(), Failure> {
    let (settings, profile) = args.profile.settings_and_profile()?;
    let table = settings.profile_table(&profile.name).cloned().unwrap_or_default();
    let (mut shelf, messages, left) = collect(&args.inputs, args.format, &profile)?;
    let advice = advise(&mut shelf, &table, &profile, messages, left).map_err(|error| Failure::new(Exit::Io, error))?;
    let text = if args.json { print::as_json(&advice) } else { print::as_text(&advice) };
    color::stdout().write_all(text.as_bytes()).map_err(Failure::of_output)
}

/// Reads the archives, and keeps what is left in them for want of a charset.
fn collect(paths: &[PathBuf], format: Format, profile: &Profile) -> Result<(Shelf, u64, Left), Failure> {
    let mut shelf = Shelf::new().map_err(|error| Failure::new(Exit::CantCreate, error))?;
    let (mut messages, mut left) = (0, Left::default());
    let archives = Archives { paths, format, hold: profile.limits.message_bytes.saturating_add(4096) };
    visit(archives, |found| {
        messages += found.len() as u64;
        for (content, counts) in measure::plan_all(found, profile) {
            left.add(&counts);
            if counts.curable > 0 {
                shelf.add(&content).map_err(|error| Failure::new(Exit::Io, error))?;
            }
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok((shelf, messages, left))
}

fn advise(
    shelf: &mut Shelf,
    table: &ProfileTable,
    profile: &Profile,
    messages: u64,
    left: Left,
) -> std::io::Result<Advice> {
    let evidence = evidence::gather(shelf, profile)?;
    let aliases = evidence.aliases();
    let mut trials = trial::try_all(shelf, profile, &evidence)?;
    trials.truncate(print::TRIALS);
    let mut measured = Vec::new();
    for trial in trials {
        let setting = Setting { unlabelled: trial.unlabelled.clone(), aliases: table.charset_alias.clone() };
        let after = measure(shelf, &with(table, profile, &setting))?;
        measured.push((trial, after));
    }
    let unlabelled = measured.first().filter(|(trial, after)| trial.helps() && after.curable < left.curable);
    let unlabelled = unlabelled.map_or_else(|| profile.unlabelled.clone(), |(trial, _)| trial.unlabelled.clone());
    let mut all = table.charset_alias.clone();
    all.extend(aliases);
    // A label that names a charset helps its own texts alone, a list helps all: the less the better.
    let own = &table.charset_alias;
    let (mut best, mut least) = (None, left.curable);
    for (unlabelled, aliases) in [(&profile.unlabelled, &all), (&unlabelled, own), (&unlabelled, &all)] {
        let setting = Setting { unlabelled: unlabelled.clone(), aliases: aliases.clone() };
        let after = measure(shelf, &with(table, profile, &setting))?;
        if after.curable < least {
            least = after.curable;
            best = Some((setting, after));
        }
    }
    Ok(Advice { profile: profile.name.clone(), messages, left, evidence, trials: measured, best })
}

/// Returns the profile with other settings.
fn with(table: &ProfileTable, profile: &Profile, setting: &Setting) -> Profile {
    let mut profile = profile.clone();
    profile.unlabelled.clone_from(&setting.unlabelled);
    if let Ok(labels) = Labels::new(&setting.aliases, &table.superset, table.built_in_labels) {
        profile.labels = labels;
    }
    profile
}

/// Tells whether another charset may help.
fn is_curable(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Left(Reason::Unlabelled | Reason::UnknownCharset(_) | Reason::Malformed { .. }))
}

/// Returns the message itself, if it was read whole.
fn content(found: &Found) -> Option<Vec<u8>> {
    found.whole.then(|| found.content().into_owned())
}
