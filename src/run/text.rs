//! Converts text from one charset to another, like iconv.

use super::exit::{Exit, Failure};

/// Converts text from one charset to another, like iconv.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: Args) -> Result<(), Failure> {
    Err(Failure::new(Exit::Software, "this command is not built yet"))
}
