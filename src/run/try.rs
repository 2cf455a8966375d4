//! Plays the MTA: sends messages to a running milter and prints what came back.

use super::exit::{Exit, Failure};

/// Plays the MTA: sends messages to a running milter and prints what came back.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: Args) -> Result<(), Failure> {
    Err(Failure::new(Exit::Software, "this command is not built yet"))
}
