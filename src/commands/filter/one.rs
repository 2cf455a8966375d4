//! One message, which is all of standard input.

use std::fs::File;
use std::io::{self, Read, Write};

use thiserror::Error;

use super::pipe::{self, PipeError};
use super::planned::{Planned, over_limit, refused, room_for, room_to_plan};
use crate::config::{Action, Settings};
use crate::process::decide::{Decision, looks};
use crate::process::exit::Exit;
use crate::process::ruled_profiles::RuledProfiles;
use crate::protocol::mbox::MboxMessage;
use crate::rewrite::{Profile, Report};

/// The octets that are read at once, at first.
const PIECE: usize = 256 << 10;

/// Why a message does not pass.
#[derive(Debug, Error)]
pub enum FilterError {
    /// The pipe failed.
    #[error(transparent)]
    Pipe(#[from] PipeError),
    /// It is larger than what the process may hold.
    #[error("no memory for a message of {0} octets: the limit of the process's address space (ulimit -v) is too low")]
    Memory(u64),
    /// The settings say so.
    #[error("{what} ({key} = \"{action}\")")]
    Refused {
        /// What they say.
        action: Action,
        /// The key of the settings.
        key: &'static str,
        /// What is wrong with the message.
        what: String,
    },
}

impl FilterError {
    /// Makes the error of a message that the settings do not let pass.
    pub fn refused(decision: &Decision) -> FilterError {
        FilterError::Refused { action: decision.action, key: decision.key, what: decision.what().to_string() }
    }

    /// Returns the exit code that it ends with.
    pub fn exit(&self) -> Exit {
        match self {
            FilterError::Refused { action: Action::Reject, .. } => Exit::BadData,
            _ => Exit::TempFail,
        }
    }
}

/// Says what an operator should look at, and all of it when asked.
pub fn say(report: &Report, verbose: bool) {
    let lines = if verbose { report.to_string() } else { looks(report).join("; ") };
    if verbose || !lines.is_empty() {
        let between = if lines.is_empty() { "" } else { ": " };
        let _ = writeln!(io::stderr(), "septet: {}{between}{lines}", report.result());
    }
}

/// Passes the message on, and returns the report on it.
pub fn pass(settings: &Settings, profiles: &RuledProfiles) -> Result<Report, FilterError> {
    let (mut input, mut output) = pipe::open()?;
    let limit = profiles.limits().message_bytes;
    let raw = read(&mut input, limit.saturating_add(1))?;
    let (from_line, message) = MboxMessage::split_from_line(&raw);
    let profile = profiles.of(message, from_line);
    if raw.len() > limit {
        return pass_on(settings, profile, &raw, input, output);
    }
    room_to_plan(message, profile).map_err(|()| FilterError::Memory(raw.len() as u64))?;
    let planned = Planned::new(settings, profile, from_line, message);
    check(settings, &planned.plan.report)?;
    if planned.plan.edits.is_empty() {
        output.write_all(&raw).map_err(PipeError::Write)?;
    } else {
        planned.pieces().try_for_each(|piece| output.write_all(piece)).map_err(PipeError::Write)?;
    }
    Ok(planned.plan.report)
}

/// Reads so many octets at the most.
fn read(input: &mut File, most: usize) -> Result<Vec<u8>, FilterError> {
    let mut raw = Vec::new();
    while raw.len() < most {
        let piece = PIECE.max(raw.len()).min(most - raw.len());
        room_for(2 * piece)
            .and_then(|()| raw.try_reserve(piece).map_err(drop))
            .map_err(|()| FilterError::Memory(raw.len() as u64))?;
        let read = Read::take(&mut *input, piece as u64).read_to_end(&mut raw).map_err(PipeError::Read)?;
        if read == 0 {
            break;
        }
    }
    Ok(raw)
}

/// Ends the command where the settings do not let the message pass.
fn check(settings: &Settings, report: &Report) -> Result<(), FilterError> {
    refused(settings, report).map_or(Ok(()), |decision| Err(FilterError::refused(&decision)))
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
    let report = over_limit(profile);
    if let Err(refused) = check(settings, &report) {
        io::copy(&mut rest, &mut io::sink()).map_err(PipeError::Read)?;
        return Err(refused);
    }
    output.write_all(head).map_err(PipeError::Write)?;
    io::copy(&mut rest, &mut output).map_err(PipeError::Write)?;
    Ok(report)
}
