//! `septet advise`: tries charsets on everything that an archive leaves for want of one, and prints the settings that
//! would help.
//!
//! Nearly every text is well-formed in nearly every charset of one octet a character, so that "it can be read" says little. What
//! counts here is how many texts read as statistics would read them; beside it stand samples, for
//! a person has the last word. What the advice gains is measured and not reckoned: everything that was left is planned
//! anew with the settings that are printed.
//!
//! The messages that are left, and their texts, are kept in files without a name and read from there as often as it takes,
//! so that memory is bounded, and standard input will do.

mod evidence;
mod measure;
mod print;
mod shelf;
mod texts;
mod trial;

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::path::PathBuf;

use crate::archive::convert::Format;
use crate::archive::convert::visit::{Archives, Found, visit};
use crate::config::profile::ProfileTable;
use crate::process::color;
use crate::process::exit::{Exit, Failure};
use crate::process::settings::ProfileArgs;
use crate::rewrite::{Labels, Profile};
use evidence::Evidence;
use measure::{Left, Measure, Planned};
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
    aliases: Aliases,
}

/// What labels mean, by the settings.
type Aliases = BTreeMap<String, String>;

impl Setting {
    fn new(unlabelled: &[String], aliases: &Aliases) -> Setting {
        Setting { unlabelled: unlabelled.to_owned(), aliases: aliases.clone() }
    }
}

/// What was found in the archives.
struct Collected {
    /// How many messages there are.
    count: u64,
    /// What is left as it is.
    left: Left,
    /// The messages of which something is left for want of a charset.
    messages: Shelf,
    /// The texts of theirs.
    texts: Shelf,
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
    let (settings, profiles) = args.profile.settings_and_profiles()?;
    let profile = profiles.usual();
    let table = settings.profile_table(&profile.name).cloned().unwrap_or_default();
    let found = collect(&args.inputs, args.format, profile)?;
    let advice = advise(found, &table, profile).map_err(|error| Failure::new(Exit::Io, error))?;
    let text = if args.json { print::as_json(&advice) } else { print::as_text(&advice) };
    color::stdout().write_all(text.as_bytes()).map_err(Failure::of_output)
}

/// Reads the archives, and keeps what is left in them for want of a charset.
fn collect(paths: &[PathBuf], format: Format, profile: &Profile) -> Result<Collected, Failure> {
    let shelf = || Shelf::new().map_err(|error| Failure::new(Exit::CantCreate, error));
    let mut all = Collected { count: 0, left: Left::default(), messages: shelf()?, texts: shelf()? };
    let archives = Archives { paths, format, hold: profile.limits.message_bytes.saturating_add(4096) };
    visit(archives, |found| {
        all.count += found.len() as u64;
        let planned = measure::plan_all(found, profile);
        planned.iter().try_for_each(|planned| all.add(planned)).map_err(|error| Failure::new(Exit::Io, error))?;
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(all)
}

impl Collected {
    fn add(&mut self, planned: &Planned) -> io::Result<()> {
        self.left.add(&planned.left);
        if planned.left.curable > 0 {
            self.messages.add(&planned.content)?;
        }
        planned.texts.iter().try_for_each(|text| text.keep(&mut self.texts))
    }
}

fn advise(mut found: Collected, table: &ProfileTable, profile: &Profile) -> io::Result<Advice> {
    let evidence = evidence::gather(&mut found.texts, &profile.labels)?;
    let mut trials = trial::try_all(&mut found.texts, profile, &evidence)?;
    trials.truncate(print::TRIALS);
    let (left, own) = (found.left, &table.charset_alias);
    let known = vec![(Setting::new(&profile.unlabelled, own), left.clone())];
    let mut measure = Measure { messages: &mut found.messages, table, profile, known };
    let mut measured = Vec::new();
    for trial in trials {
        let after = measure.left_with(&Setting::new(&trial.unlabelled, own))?;
        measured.push((trial, after));
    }
    let first = measured.first().filter(|(trial, after)| trial.helps() && after.curable < left.curable);
    let unlabelled = first.map_or(&profile.unlabelled, |(trial, _)| &trial.unlabelled);
    let mut all = own.clone();
    all.extend(evidence.aliases());
    // A label that names a charset helps its own texts alone, a list helps all: the less the better.
    let settings =
        [Setting::new(&profile.unlabelled, &all), Setting::new(unlabelled, own), Setting::new(unlabelled, &all)];
    let best = measure.best_of(settings, left.curable)?;
    Ok(Advice { profile: profile.name.clone(), messages: found.count, left, evidence, trials: measured, best })
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

/// Tells whether another charset may help where something is left for a reason, by its word.
fn is_curable(code: &str) -> bool {
    matches!(code, "unlabelled" | "unknown-charset" | "malformed")
}

/// Returns the message itself, if it was read whole.
fn content(found: &Found) -> Option<Vec<u8>> {
    found.whole.then(|| found.content().into_owned())
}
