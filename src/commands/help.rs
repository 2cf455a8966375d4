//! `septet help COMMAND`: what `septet COMMAND --help` prints.

use std::io::Write as _;

use crate::config::near;
use crate::process::color::stdout;
use crate::process::exit::{Exit, Failure};

/// Print the help of a command, as its --help does
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  septet help convert
      says what `septet convert --help` does
  septet help header decode
      is about a command inside another")]
pub struct Args {
    /// Tell of this command, or of one inside another; without any, of septet
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
}

/// Prints what a command of the `program` prints for `--help`; words that name no command are a usage error.
pub fn run(args: Args, program: clap::Command) -> Result<(), Failure> {
    find(&program, &args.command)?;
    let name = program.get_name().to_owned();
    let words = [name].into_iter().chain(args.command).chain(["--help".to_owned()]);
    // clap gives the text as an error.
    let Err(help) = program.try_get_matches_from(words) else { return Ok(()) };
    stdout().write_all(help.render().ansi().to_string().as_bytes()).map_err(Failure::of_output)
}

/// Checks that words name a command, each one inside the command before it; the error names the first that does not.
fn find(program: &clap::Command, words: &[String]) -> Result<(), Failure> {
    let mut command = program;
    for word in words {
        let inner = command.find_subcommand(word);
        command = inner.ok_or_else(|| Failure::new(Exit::Usage, unknown(word, command)))?;
    }
    Ok(())
}

/// Says that a command has none of this name inside it, and which name is near; else all that it has.
fn unknown(word: &str, command: &clap::Command) -> String {
    let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    match names.is_empty() {
        true => format!("{:?} has no commands of its own, so none is named {word:?}", command.get_name()),
        false => format!("no command is named {word:?}; {}", near::hint(word, names)),
    }
}
