//! Filters one message from stdin to stdout, for pipe(8), procmail, maildrop and Sieve.
//!
//! An MTA that runs a filter takes most exit codes for a verdict on the mail and bounces it. So **every** failure ends
//! with 75, "try again later": wrong options, bad settings, a stdin that can't be read, a panic. And it ends so having
//! written nothing, because the message is read and planned whole before the first octet goes out; only a stdout that
//! fails in the middle can have taken part of it.
//!
//! One thing more is no failure: the settings may say of a message beyond a limit, or one that readers read in different ways, that
//! it is to come again (`on_limit = "tempfail"`: 75) or that it is refused (`"reject"`: 65). Then nothing is written either.
//!
//! Who runs out of memory is ended by the system, and not with 75. So what a message will take is reckoned before, and
//! where the limits of the process (`ulimit -v`) have no room for it, the message is put off.
//!
//! Memory is that of the message, up to the profile's limit. A larger one goes through untouched, without being held. A
//! leading From_ line stays. Nothing is said on stderr but failures and what an operator should look at, unless asked
//! for: MTAs put it in bounces and logs.

use std::fs::File;
use std::io::{self, Read, Write};
use std::panic::catch_unwind;

use thiserror::Error;

use crate::config::{Action, Settings};
use crate::message::LimitReached;
use crate::process::arrival;
use crate::process::decide::{Decision, looks, strictest};
use crate::process::exit::{Exit, Failure};
use crate::process::ruled_profiles::RuledProfiles;
use crate::process::settings::ProfileArgs;
use crate::process::{say, stdio};
use crate::protocol::mbox::MboxMessage;
use crate::rewrite::{Arrival, Profile, Reason, Report, plan_arrived, planning_memory};

/// The octets that are read at once, at first.
const PIECE: usize = 256 << 10;

/// The octets that the process keeps for itself.
const SPARE: usize = 2 << 20;

/// Filter one message from standard input to standard output
///
/// Every failure ends with exit code 75, so that no mail bounces for it, and with nothing written. A message that the
/// settings refuse (limits.on_limit = "reject") ends with 65.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    settings: ProfileArgs,

    /// Say on standard error what is changed or left, and why, in one line
    #[arg(short, long)]
    verbose: bool,
}

#[derive(Debug, Error)]
enum FilterError {
    #[error("can't read standard input")]
    Read(#[source] io::Error),
    #[error("can't write standard output")]
    Write(#[source] io::Error),
    #[error("standard input is closed: there is no message")]
    NoInput,
    #[error("standard output is closed: the message would be lost")]
    Closed,
    #[error("no memory for a message of {0} octets: the limit of the process's address space (ulimit -v) is too low")]
    Memory(usize),
    #[error("{what} ({key} = \"{action}\")")]
    Refused { action: Action, key: &'static str, what: String },
}

impl FilterError {
    fn exit(&self) -> Exit {
        match self {
            FilterError::Refused { action: Action::Reject, .. } => Exit::BadData,
            _ => Exit::TempFail,
        }
    }
}

/// Runs the command; every failure has exit code 75, and a message that is refused 65.
pub fn run(args: Args) -> Result<(), Failure> {
    let ended = catch_unwind(|| filter(&args)).unwrap_or_else(|_| Err(Failure::told(Exit::TempFail)));
    ended.and_then(|passed| passed.map_err(|error| Failure::new(error.exit(), error))).map_err(|failure| {
        let exit = if failure.exit == Exit::BadData { Exit::BadData } else { Exit::TempFail };
        Failure { exit, ..failure }
    })
}

/// Filters the message; the inner error is what became of it, the outer one is that nothing did.
fn filter(args: &Args) -> Result<Result<(), FilterError>, Failure> {
    let (settings, profiles) = args.settings.settings_and_profiles()?;
    if args.verbose {
        profiles.passed_over().iter().for_each(|what| say::say(format_args!("{what}")));
    }
    Ok(pass(&settings, &profiles).map(|report| say(&report, args.verbose)))
}

/// Says what an operator should look at, and all of it when asked.
fn say(report: &Report, verbose: bool) {
    let lines = if verbose { report.to_string() } else { looks(report).join("; ") };
    if verbose || !lines.is_empty() {
        let between = if lines.is_empty() { "" } else { ": " };
        let _ = writeln!(io::stderr(), "septet: {}{between}{lines}", report.result());
    }
}

fn pass(settings: &Settings, profiles: &RuledProfiles) -> Result<Report, FilterError> {
    let mut input = stdio::stdin().map_err(FilterError::Read)?;
    let mut output = stdio::stdout().map_err(FilterError::Write)?;
    if stdio::is_input_closed(&input) {
        return Err(FilterError::NoInput);
    }
    if stdio::is_output_closed(&output) {
        return Err(FilterError::Closed);
    }
    let limit = profiles.limits().message_bytes;
    let raw = read(&mut input, limit.saturating_add(1))?;
    let (from_line, message) = MboxMessage::split_from_line(&raw);
    let profile = profiles.of(message, from_line);
    if raw.len() > limit {
        return pass_on(settings, profile, &raw, input, output);
    }
    room_for(planning_memory(message, profile)).map_err(|()| FilterError::Memory(raw.len()))?;
    let host = arrival::name_for(settings.hostname.as_deref(), profile);
    let arrival = Arrival { from_line: arrival::archived(from_line).from_line, ..arrival::now(host) };
    let plan = plan_arrived(message, profile, &arrival);
    check(settings, &plan.report)?;
    if plan.edits.is_empty() {
        output.write_all(&raw).map_err(FilterError::Write)?;
    } else {
        let mut pieces = std::iter::once(from_line).chain(plan.edits.pieces(message));
        pieces.try_for_each(|piece| output.write_all(piece)).map_err(FilterError::Write)?;
    }
    Ok(plan.report)
}

/// Reads so many octets at the most.
fn read(input: &mut File, most: usize) -> Result<Vec<u8>, FilterError> {
    let mut raw = Vec::new();
    while raw.len() < most {
        let piece = PIECE.max(raw.len()).min(most - raw.len());
        room_for(2 * piece)
            .and_then(|()| raw.try_reserve(piece).map_err(drop))
            .map_err(|()| FilterError::Memory(raw.len()))?;
        let read = Read::take(&mut *input, piece as u64).read_to_end(&mut raw).map_err(FilterError::Read)?;
        if read == 0 {
            break;
        }
    }
    Ok(raw)
}

/// Returns `true` if the process may have so many octets more, as far as it has a limit of its own.
fn room_for(octets: usize) -> Result<(), ()> {
    match stdio::address_space_left() {
        Some(left) if left < octets.saturating_add(SPARE) => Err(()),
        _ => Ok(()),
    }
}

/// Ends the command where the settings do not let the message pass.
fn check(settings: &Settings, report: &Report) -> Result<(), FilterError> {
    match strictest(settings, report) {
        None | Some(Decision { action: Action::Accept, .. }) => Ok(()),
        Some(it) => Err(FilterError::Refused { action: it.action, key: it.key, what: it.what().to_string() }),
    }
}

/// Passes on a message that is over the limit. One that is refused is read to its end all the same: who writes into a
/// pipe that nobody reads may take that for a failure of its own.
fn pass_on(
    settings: &Settings,
    profile: &Profile,
    head: &[u8],
    mut rest: File,
    mut output: File,
) -> Result<Report, FilterError> {
    let limit = Reason::Limit(LimitReached::MessageBytes(profile.limits.message_bytes));
    let report = if profile.is_identity() { Report::default() } else { Report::whole(limit) };
    if let Err(refused) = check(settings, &report) {
        io::copy(&mut rest, &mut io::sink()).map_err(FilterError::Read)?;
        return Err(refused);
    }
    output.write_all(head).map_err(FilterError::Write)?;
    io::copy(&mut rest, &mut output).map_err(FilterError::Write)?;
    Ok(report)
}
