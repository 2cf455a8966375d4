//! Prints the effective settings, or every error with file, line and a hint.
//!
//! It finds fault with all that `serve` would refuse, so that nobody learns of it at a restart: also with users and
//! groups that there are not and with folders of sockets ([`host`]), and with the log filter of the environment. Root
//! is told what the packaged daemon can't do ([`service`]).

mod host;
mod service;

use std::io::{Write as _, stdout};

use crate::config::{SettingError, SettingErrors, SettingOrigin, Settings};
use crate::process::exit::{Exit, Failure};
use crate::process::logging;
use crate::process::say::{self, say};
use crate::process::settings::ConfigArgs;
use crate::serve::own_name::short_name;
use crate::serve::texts_that_fit;

/// The sample file of settings: every key with its default, and what it means.
pub(super) const EXAMPLE: &str = include_str!("../../../config/septet.toml");

/// Print the effective settings, or every error in them
///
/// The settings are printed as TOML that reads back to the same ones, each key that is no default with the place where
/// it was made. Errors go to stderr, one a line, with file, line, key and a hint; the exit code is then 78. Root is
/// also told, without an error, what the user of septet.service could not do: open a port, give a socket away, read a
/// file.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  septet check-config
      shows what holds, and where each key was made
  septet check-config --config septet.toml --set limits.parts=500
      tries another file, and one change
  septet check-config --example > septet.toml
      makes a file to start from
  septet check-config --json | jq .limits.parts.value
      tells a script what holds")]
pub struct Args {
    /// Print the commented file with every key and its default, whatever the settings are
    #[arg(long, conflicts_with_all = ["json", "any_host", "config", "set"])]
    example: bool,
    /// Print one JSON object: for each key its value and its origin, in tables as the settings have them
    #[arg(long)]
    json: bool,
    /// Check for any host: leave out whether this one has the users, the groups and the folders of sockets
    #[arg(long)]
    any_host: bool,
    #[command(flatten)]
    config: ConfigArgs,
}

/// Runs the command.
pub fn run(args: Args) -> Result<(), Failure> {
    let text = if args.example { EXAMPLE.to_owned() } else { effective(&args)? };
    stdout().write_all(text.as_bytes()).map_err(Failure::of_output)
}

/// Returns the settings as text; the failure has every fault of them.
///
/// What is no fault, but may be wrong on this host, goes to stderr; with `--any-host` nothing of this host is looked
/// at.
fn effective(args: &Args) -> Result<String, Failure> {
    let (settings, mut found) = args.config.examine()?;
    settings.find_listener_faults(&mut found);
    if !args.any_host {
        host::check(&settings, &mut found);
    }
    if let Err(what) = logging::filter_from_env() {
        let origin = SettingOrigin::Variable(logging::VARIABLE.to_owned());
        found.faults.push(SettingError { origin, key: String::new(), what });
    }
    SettingErrors::check(found.faults).map_err(|faults| Failure::new(Exit::BadConfig, faults))?;
    if !args.any_host {
        short_name(&settings).iter().for_each(|what| say::warn(format_args!("{what}")));
        service::notes(&settings, &found.origins).iter().for_each(|note| say(format_args!("note: {note}")));
    }
    Ok(match args.json {
        true => format!("{:#}\n", settings.to_json(&found.origins)),
        false => settings.to_toml(&found.origins) + &what_fits(&settings),
    })
}

/// Returns a comment of TOML that says how large a text fits into the memory of a daemon with these settings; empty
/// where there are no listeners, or [`texts_that_fit`] has nothing to say.
fn what_fits(settings: &Settings) -> String {
    let fits = texts_that_fit(&settings.limits, &settings.default_profile());
    let fits = fits.filter(|_| !settings.listeners.is_empty());
    fits.map_or_else(String::new, |fits| format!("\n# {fits}\n"))
}
