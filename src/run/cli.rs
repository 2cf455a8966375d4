//! The command line: a contract. Every command's options stand with the command, in its own module.

use std::ffi::OsString;

use clap::{Parser, Subcommand};

use super::exit::{Exit, Failure};
use super::{check_config, convert, explain, filter, header, iri, manual, serve, text, r#try};

/// Puts the characters of mail right and leaves every other byte alone.
#[derive(Debug, Parser)]
#[command(name = "septet", version, disable_help_subcommand = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
#[allow(missing_docs)]
pub enum Command {
    Serve(serve::Args),
    Convert(convert::Args),
    Filter(filter::Args),
    Explain(explain::Args),
    Try(r#try::Args),
    CheckConfig(check_config::Args),
    Completions(manual::CompletionsArgs),
    Man(manual::ManArgs),
    Text(text::Args),
    Header(header::Args),
    Iri(iri::Args),
}

impl Command {
    /// Runs it.
    pub fn run(self) -> Result<(), Failure> {
        match self {
            Command::Serve(args) => serve::run(args),
            Command::Convert(args) => convert::run(args),
            Command::Filter(args) => filter::run(args),
            Command::Explain(args) => explain::run(args),
            Command::Try(args) => r#try::run(args),
            Command::CheckConfig(args) => check_config::run(args),
            Command::Completions(args) => manual::completions(args),
            Command::Man(args) => manual::man(args),
            Command::Text(args) => text::run(args),
            Command::Header(args) => header::run(args),
            Command::Iri(args) => iri::run(args),
        }
    }
}

/// Gives the exit code of a command line that is wrong: what the command that it names promises.
///
/// `filter` ends with 75 whatever fails, lest an MTA bounce the mail for a misspelt option.
pub fn usage_exit(mut arguments: impl Iterator<Item = OsString>) -> Exit {
    if arguments.nth(1).is_some_and(|command| command == "filter") { Exit::TempFail } else { Exit::Usage }
}
