//! Shell completions and man pages, generated from the command line's own definitions.

use super::exit::{Exit, Failure};

/// Prints completions for a shell.
#[derive(Debug, clap::Args)]
pub struct CompletionsArgs {}

/// Prints the man pages, or writes them to a folder.
#[derive(Debug, clap::Args)]
pub struct ManArgs {}

/// Prints completions.
pub fn completions(_args: CompletionsArgs) -> Result<(), Failure> {
    Err(Failure::new(Exit::Software, "this command is not built yet"))
}

/// Writes man pages.
pub fn man(_args: ManArgs) -> Result<(), Failure> {
    Err(Failure::new(Exit::Software, "this command is not built yet"))
}
