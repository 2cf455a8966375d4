//! Shows the parts of one message, the plan, and why each thing is changed or left.

use super::exit::{Exit, Failure};

/// Shows the parts of one message, the plan, and why each thing is changed or left.
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_args: Args) -> Result<(), Failure> {
    Err(Failure::new(Exit::Software, "this command is not built yet"))
}
