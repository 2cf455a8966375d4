//! Decodes and encodes header fields, one a line.

use super::exit::{Exit, Failure};

/// Decodes and encodes header fields, one a line.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: Args) -> Result<(), Failure> {
    Err(Failure::new(Exit::Software, "this command is not built yet"))
}
