//! Filters one message from stdin to stdout.

use super::exit::{Exit, Failure};

/// Filters one message from stdin to stdout.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: Args) -> Result<(), Failure> {
    Err(Failure::new(Exit::Software, "this command is not built yet"))
}
