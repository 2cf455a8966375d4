//! `septet advise`: tries charsets on everything that an archive leaves for want of one, and prints a settings file
//! that helps.
//!
//! What is advised is decided in `process::advice`. The messages that are left are kept in a file without a name and
//! read from there as often as it takes, so that memory is bounded, and standard input will do.

mod measure;
mod print;

use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::path::PathBuf;

use crate::archive::convert::Format;
use crate::archive::convert::visit::{VisitedArchives, visit};
use crate::process::advice::{Advice, AdviceBasis, SpooledMessages, advise};
use crate::process::color;
use crate::process::exit::{Exit, Failure};
use crate::process::ruled_profiles::RuledProfiles;
use crate::process::say::say;
use crate::process::settings::ProfileArgs;
use measure::{Left, MeasuredMessage};

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
#[derive(Debug)]
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

/// What is printed: what was found by the usual profile, and what is advised for it.
#[derive(Debug)]
struct ArchiveAdvice {
    /// The name of the usual profile.
    profile: String,
    found: Collected,
    advice: Advice,
}

/// Runs the command.
pub fn run(args: Args) -> Result<(), Failure> {
    let (settings, profiles) = args.profile.settings_and_profiles()?;
    profiles.passed_over().iter().for_each(|what| say(format_args!("{what}")));
    let mut found = collect(&args.inputs, args.format, &profiles)?;
    let basis = AdviceBasis::new(&settings, &profiles);
    let advice = advise(&mut found.messages, &basis).map_err(|error| Failure::new(Exit::Io, error))?;
    let advice = ArchiveAdvice { profile: profiles.usual().name.clone(), found, advice };
    let text = if args.json { print::as_json(&advice) } else { print::as_text(&advice) };
    color::stdout().write_all(text.as_bytes()).map_err(Failure::of_output)
}

/// Reads the archives, counts what is left in them, and keeps what is left for want of a charset.
fn collect(paths: &[PathBuf], format: Format, profiles: &RuledProfiles) -> Result<Collected, Failure> {
    let messages = SpooledMessages::new().map_err(|error| Failure::new(Exit::CantCreate, error))?;
    let mut all = Collected { count: 0, by_rule: 0, left: Left::default(), messages };
    let archives = VisitedArchives::new(paths, format, profiles.limits());
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
