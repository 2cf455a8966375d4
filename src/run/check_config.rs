//! Prints the effective settings, or every error with file, line and a hint.

use super::exit::{Exit, Failure};

/// Prints the effective settings, or every error with file, line and a hint.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: Args) -> Result<(), Failure> {
    Err(Failure::new(Exit::Software, "this command is not built yet"))
}
