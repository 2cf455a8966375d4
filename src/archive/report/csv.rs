//! The report as a table for spreadsheets and databases: CSV (RFC 4180) in UTF-8, a row a message.
//!
//! The columns are the keys of a `.jsonl` line but for `entries` and `reason`, whose text is in `text`, and for
//! `deleted`. A cell that a spreadsheet would take for a formula, since a sender wrote it so, gets an apostrophe in
//! front. What can't be seen, such as a control character, is written out ([`Shown`]): `\x1B`.

use std::io::{self, Write};

use super::line::ReportLine;
use crate::process::shown::Shown;

/// The first row.
pub const HEAD: &str = "input,renamed,message,offset,bytes,message_id,profile,result,text\r\n";

/// Writes the row of one message, its cells in the order of [`HEAD`].
pub fn write_row(line: &ReportLine, out: &mut impl Write) -> io::Result<()> {
    let ReportLine { message, offset, bytes, result, .. } = line;
    let [input, profile, text] = [&*line.input, &line.profile, &line.text].map(cell);
    let [renamed, message_id] = [&line.renamed, &line.message_id].map(|it| cell(it.as_deref().unwrap_or_default()));
    write!(out, "{input},{renamed},{message},{offset},{bytes},{message_id},{profile},{result},{text}\r\n")
}

/// Makes a cell, quoted where it must be, with an apostrophe in front where it would be a formula, and what is hidden
/// in it written out.
fn cell(text: &str) -> String {
    let text = Shown(text).to_string();
    let formula = text.starts_with(['=', '+', '-', '@']);
    if !formula && !text.contains([',', '"']) {
        return text;
    }
    format!("\"{}{}\"", if formula { "'" } else { "" }, text.replace('"', "\"\""))
}
