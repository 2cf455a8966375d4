//! The report as a table for spreadsheets and databases: CSV (RFC 4180) in UTF-8, a row a message.
//!
//! The columns are the keys of a `.jsonl` line but for `entries`, whose text is in `text`. A cell that a spreadsheet
//! would take for a formula, since a sender wrote it so, gets an apostrophe in front. What can't be seen, such as a
//! control character, is written out ([`Shown`]): `\x1B`.

use std::io::{self, Write};

use super::line::ReportLine;
use crate::process::shown::Shown;

/// The first row.
pub const HEAD: &str = "input,renamed,message,offset,bytes,message_id,profile,result,text\r\n";

/// Writes the row of one message, its cells in the order of [`HEAD`].
pub fn write_row(line: &ReportLine, out: &mut impl Write) -> io::Result<()> {
    cell(&line.input, out)?;
    out.write_all(b",")?;
    cell(line.renamed.as_deref().unwrap_or_default(), out)?;
    write!(out, ",{},{},{},", line.message, line.offset, line.bytes)?;
    cell(line.message_id.as_deref().unwrap_or_default(), out)?;
    out.write_all(b",")?;
    cell(&line.profile, out)?;
    write!(out, ",{},", line.result)?;
    cell(&line.text, out)?;
    out.write_all(b"\r\n")
}

/// Writes a cell, quoted where it must be, with an apostrophe in front where it would be a formula, and what is hidden
/// in it written out.
fn cell(text: &str, out: &mut impl Write) -> io::Result<()> {
    let text = Shown(text).to_string();
    let formula = text.starts_with(['=', '+', '-', '@']);
    if !formula && !text.contains([',', '"']) {
        return out.write_all(text.as_bytes());
    }
    let text = text.replace('"', "\"\"");
    write!(out, "\"{}{text}\"", if formula { "'" } else { "" })
}
