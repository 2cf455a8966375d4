//! Filters one message from stdin to stdout, for pipe(8), procmail, maildrop and Sieve.
//!
//! An MTA that runs a filter takes most exit codes for a verdict on the mail and bounces it. So **every** failure ends
//! with 75, "try again later": wrong options, bad settings, a stdin that can't be read, a panic. And it ends so having
//! written nothing, because the message is read and planned whole before the first octet goes out; only a stdout that
//! fails in the middle can have taken part of it.
//!
//! Memory is that of the message, up to the profile's limit. A larger one goes through untouched, without being held. A
//! leading From_ line stays. Nothing is said on stderr but failures, unless asked for: MTAs put it in bounces and logs.

use std::fs::File;
use std::io::{self, Read, Write};
use std::panic::catch_unwind;

use thiserror::Error;

use super::exit::{Exit, Failure};
use super::settings::ProfileArgs;
use super::stdio;
use crate::message::{LimitReached, PartNumber};
use crate::protocol::mbox::Item;
use crate::rewrite::{Outcome, Place, Profile, Reason, Report, plan};

/// Filters one message from stdin to stdout.
///
/// Every failure ends with exit code 75, so that no mail bounces for it, and with nothing written.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    settings: ProfileArgs,

    /// Say on standard error what is changed or left, and why, in one line
    #[arg(short, long)]
    verbose: bool,
}

#[derive(Debug, Error)]
enum Error {
    #[error("can't read standard input")]
    Read(#[source] io::Error),
    #[error("can't write standard output")]
    Write(#[source] io::Error),
}

/// Runs the command; every failure has exit code 75.
pub fn run(args: Args) -> Result<(), Failure> {
    let ended = catch_unwind(|| filter(&args)).unwrap_or_else(|_| Err(Failure::told(Exit::TempFail)));
    ended.map_err(|failure| Failure { exit: Exit::TempFail, ..failure })
}

fn filter(args: &Args) -> Result<(), Failure> {
    let profile = args.settings.profile()?;
    let report = pass(&profile).map_err(|error| Failure::new(Exit::TempFail, error))?;
    if args.verbose {
        let text = if report.entries.is_empty() { String::new() } else { format!(": {report}") };
        let _ = writeln!(io::stderr(), "septet: {}{text}", report.result());
    }
    Ok(())
}

fn pass(profile: &Profile) -> Result<Report, Error> {
    let mut input = stdio::stdin().map_err(Error::Read)?;
    let mut output = stdio::stdout().map_err(Error::Write)?;
    let (limit, mut raw) = (profile.limits.message_bytes, Vec::new());
    (&mut input).take((limit as u64).saturating_add(1)).read_to_end(&mut raw).map_err(Error::Read)?;
    if raw.len() > limit {
        return pass_on(&raw, input, output, limit);
    }
    let (from_line, message) = Item::split_from_line(&raw);
    let plan = plan(message, profile);
    if plan.edits.is_empty() {
        output.write_all(&raw).map_err(Error::Write)?;
    } else {
        output.write_all(&[from_line, &plan.edits.apply(message)].concat()).map_err(Error::Write)?;
    }
    Ok(plan.report)
}

/// Passes on a message that is over the limit.
fn pass_on(head: &[u8], mut rest: File, mut output: File, limit: usize) -> Result<Report, Error> {
    output.write_all(head).map_err(Error::Write)?;
    io::copy(&mut rest, &mut output).map_err(Error::Write)?;
    let mut report = Report::default();
    let reason = Reason::Limit(LimitReached::MessageBytes(limit));
    report.push(PartNumber::root(), Place::Message, Outcome::Left(reason));
    Ok(report)
}
