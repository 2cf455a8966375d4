//! Prints the effective settings, or every error with file, line and a hint.

use std::io::{Write as _, stdout};

use super::exit::{Exit, Failure};
use super::settings::ConfigArgs;

/// Prints the effective settings, or every error in them
///
/// The settings are printed as TOML that reads back to the same ones, each key that is no default with the
/// place where it was made. Errors go to stderr, one a line, with file, line, key and a hint; the exit code
/// is then 78.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  septet check-config
      shows what holds, and where each key was made
  septet check-config --config septet.toml --set limits.parts=500
      tries another file, and one change")]
pub struct Args {
    #[command(flatten)]
    config: ConfigArgs,
}

/// Runs the command.
pub fn run(args: Args) -> Result<(), Failure> {
    let (settings, origins) = args.config.settings_and_origins()?;
    settings.check_listeners(&origins).map_err(|faults| Failure::new(Exit::BadConfig, faults))?;
    stdout().write_all(settings.to_toml(&origins).as_bytes()).map_err(Failure::of_output)
}
