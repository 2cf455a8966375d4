//! Tells the messages of an MH folder from mailbox files, where a file whose name is a number starts with a From_ line.
//!
//! procmail leaves that line in an MH folder, and quotes none in a body; but a mailbox file may be called `2007`. So a
//! file with one From_ line is a message. One with more is one where nmh or Sylpheed keep marks, for which each number
//! is a message. It is one also if ten times as many files with numbers beside it are, and it can only cite its other
//! From_ lines, since they are all from days before its first: a mailbox file grows at its end.

use std::path::Path;

use super::mh::{is_marked, is_number};
use super::{Batches, ConvertError, Format, Input};
use crate::archive::file_error::FileError;
use crate::protocol::mbox::Dialect;
use crate::rewrite::Arrival;

/// How many messages must be beside each file that cites a From_ line.
const BESIDE: usize = 10;

/// The seconds by which clocks of two zones may differ, and more.
const DAY: i64 = 24 * 60 * 60;

/// What the From_ lines of a file say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FromLines {
    /// There is one, or the file is known for a message without.
    One,
    /// Those behind the first are older by more than a day.
    Older,
    /// They are those of messages.
    Many,
}

/// Takes mailbox files of a folder for the messages that they are; `found` are all inputs of that folder and no other,
/// for they are counted.
pub fn take_for_messages(found: &mut [Input], folder: &Path) -> Result<(), ConvertError> {
    let mut numbered = Vec::new();
    for input in found.iter_mut().filter(|input| has_number(input)) {
        numbered.push((from_lines(input)?, input));
    }
    let count = |wanted| numbered.iter().filter(|(lines, _)| *lines == wanted).count();
    let is_mh = is_marked(folder);
    let may_cite = is_mh || count(FromLines::One) >= BESIDE * (count(FromLines::Older) + count(FromLines::Many));
    for (lines, input) in numbered {
        let is_message = match lines {
            FromLines::One => true,
            FromLines::Older => may_cite,
            FromLines::Many => is_mh,
        };
        if is_message {
            input.format = Format::Eml;
        }
    }
    Ok(())
}

/// Returns `true` if a file may be one of MH: its name is a number, and it is a message or a mailbox file that can be
/// read again.
fn has_number(input: &Input) -> bool {
    let is_number = input.path_alone().and_then(Path::file_name).is_some_and(is_number);
    let is_file = input.size > 0 && input.compression.is_none() && input.mailbox.dialect != Dialect::Mmdf;
    is_number && is_file && matches!(input.format, Format::Mbox | Format::Eml)
}

/// Reads the From_ lines of a file, as far as they tell what it is: [`Many`](FromLines::Many) also where the first does
/// not stand at the start, and where one of several has no date that can be read.
fn from_lines(input: &Input) -> Result<FromLines, ConvertError> {
    let Some(file) = input.open_file()?.filter(|_| input.format == Format::Mbox) else { return Ok(FromLines::One) };
    let (mut batches, mut first, mut lines) = (Batches::new(file, 0, input.mailbox), None, FromLines::Many);
    while let Some(batch) = batches.next(Vec::new()).map_err(FileError::reading(&input.name))? {
        for span in batch.spans() {
            let time = Arrival::archived(batch.item(&span).from_line).from_line;
            lines = match (first, time) {
                (None, _) if batch.at + span.start as u64 == 0 => FromLines::One,
                (Some(Some(first)), Some(time)) if time < first - DAY => FromLines::Older,
                _ => return Ok(FromLines::Many),
            };
            first.get_or_insert(time);
        }
    }
    Ok(lines)
}
