//! Converts archives: mbox, Maildir, .eml.

use super::exit::{Exit, Failure};

/// Converts archives: mbox, Maildir, .eml.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: Args) -> Result<(), Failure> {
    Err(Failure::new(Exit::Software, "this command is not built yet"))
}
