//! Filters messages from stdin to stdout: one, for pipe(8), procmail, maildrop and Sieve, or a [`batch`] of them, for
//! programs.
//!
//! An MTA that runs a filter takes most exit codes for a verdict on the mail and bounces it. So **every** failure ends
//! with 75, "try again later": wrong options, bad settings, a stdin that can't be read, a panic. And it ends so having
//! written nothing, because the message is read and planned whole before the first octet goes out; only a stdout that
//! fails in the middle can have taken part of it.
//!
//! One thing more is no failure: the settings may say of a message beyond a limit, or one that reads in different ways,
//! that it is to come again (`on_limit = "tempfail"`: 75) or that it is refused (`"reject"`: 65). Then nothing is
//! written either.
//!
//! Who runs out of memory is ended by the system, and not with 75. So what a message will take is reckoned before, and
//! where the limits of the process (`ulimit -v`) have no room for it, the message is put off.
//!
//! Memory is that of the message, up to the profile's limit. A larger one goes through untouched, without being held. A
//! leading From_ line stays. Nothing is said on stderr but failures and what an operator should look at, unless asked
//! for: MTAs put it in bounces and logs.

mod answer;
mod batch;
mod error;
mod one;
mod panics;
mod pipe;
mod planned;
mod request;

use std::panic::catch_unwind;

use crate::process::allocator;
use crate::process::exit::{Exit, Failure};
use crate::process::say;
use crate::process::settings::ProfileArgs;

/// Filter one message from standard input to standard output
///
/// Every failure ends with exit code 75, so that no mail bounces for it, and with nothing written. A message that the
/// settings refuse (limits.on_limit = "reject") ends with 65.
#[derive(Debug, clap::Args)]
#[command(after_long_help = AFTER_LONG_HELP)]
pub struct Args {
    #[command(flatten)]
    settings: ProfileArgs,

    /// Filter many messages, each behind a line of JSON that says how long it is
    ///
    /// For programs in any language: one process converts one message after another. Where --profile is given, it holds
    /// for messages that name no profile of their own.
    #[arg(long, conflicts_with = "verbose")]
    batch: bool,

    /// Say on standard error what is changed or left, and why, in one line
    #[arg(short, long)]
    verbose: bool,
}

const AFTER_LONG_HELP: &str = "\
Examples:
  septet filter < message.eml > clean.eml
      converts a message
  septet filter --verbose --profile seven-bit < message.eml > clean.eml
      converts it for seven bits, and says what was changed or left

Batches:
  With --batch standard input has requests, and standard output an answer for each, in order:
      {\"id\": 7, \"length\": N, \"profile\": \"utf8\"}
          a line, and N octets behind it
      {\"id\":7,\"length\":N,\"result\":\"changed\",\"report\":[…]}
          a line, and N octets behind it
  Only the length is needed. The id may be any value, and comes back as it was. The result is
  changed, unchanged, left or failed; a failure has an \"error\", and what is left or failed comes
  back as it came. No message ends the batch. A line that is no request ends it with 65, and so
  does an input that ends inside a message.";

/// Runs the command; every failure has exit code 75, but 65 for a message that is refused, and for a line that is no
/// request.
pub fn run(args: Args) -> Result<(), Failure> {
    let ended = catch_unwind(|| filter(&args)).unwrap_or_else(|_| Err(Failure::told(Exit::TempFail)));
    ended.map_err(|failure| {
        let exit = if failure.exit == Exit::BadData { Exit::BadData } else { Exit::TempFail };
        Failure { exit, ..failure }
    })
}

/// Filters one message, or a batch of them. What the profiles pass over is said only with `--verbose`.
fn filter(args: &Args) -> Result<(), Failure> {
    if allocator::is_limited() {
        allocator::live_within_a_limit();
    }
    let (settings, profiles) = args.settings.settings_and_profiles()?;
    if args.batch {
        return Ok(batch::run(&settings, &profiles)?);
    }
    if args.verbose {
        profiles.passed_over().iter().for_each(|what| say::say(format_args!("{what}")));
    }
    one::say(&one::pass(&settings, &profiles)?, args.verbose);
    Ok(())
}
