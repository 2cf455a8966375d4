//! What a message of DKIM2 says of itself: its states, back to the author's, and the one before the last change.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Subcommand;
use thiserror::Error;

use super::input::read_input;
use crate::archive::report::said::counted;
use crate::process::color::stdout;
use crate::process::exit::{Exit, Failure};
use crate::process::say::say;
use crate::process::stdio;
use crate::protocol::mbox::MboxMessage;
use crate::rewrite::dkim2::instance::{DRAFT, Instance, InstanceChain};
use crate::rewrite::dkim2::state::MessageState;
use crate::rewrite::dkim2::undo::undone;

/// Check or undo what a message says of its changes (DKIM2)
#[derive(Debug, clap::Args)]
#[command(arg_required_else_help = true)]
#[command(after_help = "Examples:
  septet dkim2 check message.eml
      compares the hashes of each state, back to the author's
  septet dkim2 undo message.eml
      prints the message as it was before the last change")]
pub struct Args {
    /// Check or undo
    #[command(subcommand)]
    task: Dkim2Task,
}

#[derive(Debug, Subcommand)]
enum Dkim2Task {
    /// Undo the changes one after the other, and compare each state with the hashes of its Message-Instance
    ///
    /// Each state is a line, the present one first. Signatures are not verified: that takes keys and DNS. The exit code
    /// is 65 where a hash is not right, or a state can't be made.
    Check(Dkim2Input),
    /// Print the message as it was before the topmost Message-Instance
    ///
    /// Standard error says whether both hashes are those of the instance before, and the exit code is 65 where they are
    /// not. It is no forensic copy: the body is exact but for the end of its last line, and so are the values of header
    /// fields, but folds and the order of changed fields are not recorded.
    Undo(Dkim2Input),
}

#[derive(Debug, clap::Args)]
struct Dkim2Input {
    /// Read one message; - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Why a message has no states to show.
#[derive(Debug, Error)]
enum Dkim2Error {
    #[error("a header line is no field, or has a CR or LF alone")]
    Header,
    #[error("the fields of DKIM2 break their grammar, or their numbers have gaps")]
    Malformed,
    #[error("there is no Message-Instance")]
    None,
    #[error("the state before m={number} cannot be made: {why}")]
    Before { number: usize, why: String },
}

impl From<Dkim2Error> for Failure {
    fn from(error: Dkim2Error) -> Failure {
        Failure::new(Exit::BadData, error)
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<(), Failure> {
    let (Dkim2Task::Check(Dkim2Input { file }) | Dkim2Task::Undo(Dkim2Input { file })) = &args.task;
    let octets = read_input(file)?;
    let (_, message) = MboxMessage::split_from_line(&octets);
    match args.task {
        Dkim2Task::Check(_) => check(message),
        Dkim2Task::Undo(_) => undo(message),
    }
}

/// Reads the state that a message is in, and its instances, the topmost last; an error where there is none.
fn chain_of<'m>(octets: &'m [u8]) -> Result<(MessageState<'m>, InstanceChain), Dkim2Error> {
    let state = MessageState::read(octets).map_err(|_| Dkim2Error::Header)?;
    let chain = InstanceChain::read(&state).map_err(|_| Dkim2Error::Malformed)?;
    if chain.instances.is_empty() { Err(Dkim2Error::None) } else { Ok((state, chain)) }
}

/// Prints a line for each state, the present one first; the failure is exit 65 where a hash is wrong or not known.
fn check(octets: &[u8]) -> Result<(), Failure> {
    let (mut state, mut chain) = chain_of(octets)?;
    let (signatures, mut is_right) = (chain.signatures, true);
    let mut out = stdout();
    while let Some(top) = chain.instances.last() {
        let (number, agreement) = (top.number, top.agreement(&state.hashes()));
        is_right &= agreement == Some([true; 2]);
        let [header, body] = agreement.map_or([None; 2], |parts| parts.map(Some)).map(verdict);
        let line = format!("m={number}: header {header}, body {body}{}\n", recipe_of(top));
        out.write_all(line.as_bytes()).map_err(Failure::of_output)?;
        if number > 1 {
            state = undone(&state, &chain).map_err(|why| Dkim2Error::Before { number, why })?;
        }
        chain.instances.pop();
    }
    let signatures = counted(signatures as u64, "signature");
    let end = format!("hashes only, by draft -{DRAFT}; {signatures}, not verified\n");
    out.write_all(end.as_bytes()).map_err(Failure::of_output)?;
    if is_right { Ok(()) } else { Err(Failure::told(Exit::BadData)) }
}

/// Says whether a hash is right, if there is one.
fn verdict(is_right: Option<bool>) -> &'static str {
    match is_right {
        Some(true) => "right",
        Some(false) => "WRONG",
        None => "not known (no sha256)",
    }
}

/// Says what the recipe of an instance takes; empty where it has none.
fn recipe_of(instance: &Instance) -> String {
    instance.recipe.as_ref().map_or(String::new(), |recipe| format!(", recipe of {} octets", recipe.len()))
}

/// Prints the state before the last change, and says on stderr whether its hashes are those of the instance before; the
/// failure is exit 65 where they are not, or where that is not known.
fn undo(octets: &[u8]) -> Result<(), Failure> {
    let (state, mut chain) = chain_of(octets)?;
    let number = chain.instances.len();
    let before = undone(&state, &chain).map_err(|why| Dkim2Error::Before { number, why })?;
    // Not by way of the paint, which takes control characters out.
    let printed = stdio::open_stdout().and_then(|mut out| out.write_all(&before.to_octets()));
    printed.map_err(Failure::of_output)?;
    chain.instances.pop();
    let agrees = chain.instances.last().and_then(|top| top.agrees(&before.hashes()));
    let before = number - 1;
    match agrees {
        Some(true) => say(format_args!("both hashes are those of m={before}")),
        Some(false) => say(format_args!("the hashes are not those of m={before}")),
        None => say(format_args!("m={before} has no sha256 to compare with")),
    }
    if agrees == Some(true) { Ok(()) } else { Err(Failure::told(Exit::BadData)) }
}
