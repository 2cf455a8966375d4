//! The report as Markdown: the summary, and a list of what changed or was left, for an issue or a wiki.
//!
//! What senders wrote stands in code spans, so that it is no markup. It has a row for every message that changed or was
//! left and every file that was skipped, and none for the others.

use std::io::{self, Write};

use super::Tally;
use super::line::Line;
use crate::process::shown::is_hidden;

/// Writes the summary and the head of the table.
pub fn write_head(tally: &Tally, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "# septet: report\n\n{} messages, {} octets", tally.messages, tally.bytes)?;
    for (title, rows) in tally.sections() {
        writeln!(out, "\n| {title} | |\n|---|---:|")?;
        rows.iter().try_for_each(|(name, count)| writeln!(out, "| {name} | {count} |"))?;
    }
    writeln!(out, "\n## Messages that changed or were left, and files that were skipped\n")?;
    writeln!(out, "| input | message | offset | Message-ID | result | what, and why |\n|---|---:|---:|---|---|---|")
}

/// Writes the row of one message, if it changed or was left.
pub fn write_row(line: &Line, out: &mut impl Write) -> io::Result<()> {
    if line.result == "unchanged" {
        return Ok(());
    }
    let (input, id, text) = (code(&line.input), code(line.message_id.as_deref().unwrap_or_default()), code(&line.text));
    let Line { message, offset, result, .. } = line;
    if line.is_of_skipped_file() {
        return writeln!(out, "| {input} | | | | {result} | {text} |");
    }
    writeln!(out, "| {input} | {message} | {offset} | {id} | {result} | {text} |")
}

/// Writes a text as a code span in a cell: backticks outnumbered, bars escaped, what can't be seen as U+FFFD.
fn code(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let safe: String = text.chars().map(|c| if is_hidden(c) { '\u{fffd}' } else { c }).collect();
    let pad = if safe.starts_with('`') || safe.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{}{pad}{fence}", safe.replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_senders_write_is_no_markup() {
        for (text, wanted) in [
            ("", ""),
            ("a|b", "`a\\|b`"),
            ("a`b``", "``` a`b`` ```"),
            ("a\n\u{1b}[31m\u{202e}\u{200b}b", "`a\u{fffd}\u{fffd}[31m\u{fffd}\u{fffd}b`"),
        ] {
            assert_eq!(code(text), wanted);
        }
    }
}
