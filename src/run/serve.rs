//! Runs every listener of the configuration until SIGTERM.

use super::exit::{Exit, Failure};

/// Runs every listener of the configuration until SIGTERM.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: Args) -> Result<(), Failure> {
    Err(Failure::new(Exit::Software, "this command is not built yet"))
}
