//! One message, which is all of standard input.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};

use super::error::FilterError;
use super::pipe::{self, PipeError};
use super::planned::{Planned, over_limit, refused, room_for, room_to_plan, room_to_read};
use crate::config::Settings;
use crate::process::decide::lines_to_look_at;
use crate::process::ruled_profiles::RuledProfiles;
use crate::protocol::mbox::MboxMessage;
use crate::rewrite::{Profile, Report};

/// The octets that are read at once, at first.
const PIECE: usize = 256 << 10;

/// Says on stderr what an operator should look at, and with `verbose` everything; where stderr fails, nobody reads it.
pub fn say(report: &Report, verbose: bool) {
    let lines = if verbose { report.to_string() } else { lines_to_look_at(report).join("; ") };
    if verbose || !lines.is_empty() {
        let between = if lines.is_empty() { "" } else { ": " };
        let _ = writeln!(io::stderr(), "septet: {}{between}{lines}", report.result());
    }
}

/// Passes the message on, and returns the report on it. Any error but one of the pipe comes before an octet is written.
pub fn pass(settings: &Settings, profiles: &RuledProfiles) -> Result<Report, FilterError> {
    let (mut input, mut output) = pipe::open()?;
    let limit = profiles.limits().message_bytes;
    let raw = read(&mut input, limit.saturating_add(1))?;
    let no_memory = |()| FilterError::Memory(raw.len() as u64);
    room_to_read(&raw, profiles.limits()).map_err(no_memory)?;
    let (from_line, message) = MboxMessage::split_from_line(&raw);
    let profile = profiles.of(message, from_line);
    if raw.len() > limit {
        return pass_over_limit(settings, profile, &raw, input, output);
    }
    room_to_plan(message, profile).map_err(no_memory)?;
    let planned = Planned::new(settings, profile, from_line, message);
    check_may_pass(settings, &planned.plan.report)?;
    planned.pieces().try_for_each(|piece| output.write_all(piece)).map_err(PipeError::Write)?;
    Ok(planned.plan.report)
}

/// Reads up to `most` octets, or to the end of the input; an error, with the number of those that were read so far,
/// where the process has no memory for more.
fn read(input: &mut File, most: usize) -> Result<Vec<u8>, FilterError> {
    let mut raw = Vec::new();
    while raw.len() < most {
        let piece = PIECE.max(raw.len()).min(most - raw.len());
        // The new buffer takes what was read and the piece, while the old one is still there.
        room_for(|| 2 * piece)
            .and_then(|()| raw.try_reserve(piece).map_err(drop))
            .map_err(|()| FilterError::MemoryToRead(raw.len() as u64))?;
        let read = Read::take(&mut *input, piece as u64).read_to_end(&mut raw).map_err(PipeError::Read)?;
        if read == 0 {
            break;
        }
    }
    Ok(raw)
}

/// Returns the error that ends the command where the settings do not let the message pass.
fn check_may_pass(settings: &Settings, report: &Report) -> Result<(), FilterError> {
    refused(settings, report).map_or(Ok(()), |decision| Err(FilterError::refused(&decision)))
}

/// Passes on a message that is over the limit, of which `head` was read and `rest` has what follows. One that is
/// refused is read to its end all the same: who writes into a pipe that nobody reads may take that for a failure of its
/// own.
fn pass_over_limit(
    settings: &Settings,
    profile: &Profile,
    head: &[u8],
    mut rest: File,
    mut output: File,
) -> Result<Report, FilterError> {
    let report = over_limit(profile);
    if let Err(refused) = check_may_pass(settings, &report) {
        io::copy(&mut rest, &mut io::sink()).map_err(PipeError::Read)?;
        return Err(refused);
    }
    output.write_all(head).map_err(PipeError::Write)?;
    pipe::copy(BufReader::with_capacity(64 << 10, rest), &mut output)?;
    Ok(report)
}
