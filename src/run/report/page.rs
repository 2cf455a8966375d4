//! The report as a page: the summary, and a table of the messages that changed or were left.
//!
//! One file that needs nothing else, no script and no network. It is for people: of a large archive it shows the first
//! [`ROWS`] messages, and says so; the `.jsonl` report has them all. Memory is bounded by that.

use std::fmt;
use std::io::{self, Write};

use super::Tally;
use super::line::Line;

/// The messages that the table shows.
pub const ROWS: u64 = 5000;

/// The entries that the table shows of one message.
const ENTRIES: usize = 20;

const HEAD: &str = r#"<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>septet: report</title>
<style>
:root { color-scheme: light dark }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem }
table { border-collapse: collapse; margin: 0 0 1.5rem }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #8884 }
th { position: sticky; top: 0; background: Canvas }
caption { text-align: left; font-weight: 600; padding: .5rem 0 }
.n { text-align: right; font-variant-numeric: tabular-nums }
code { display: block; overflow-wrap: anywhere }
.left { color: #b45309 } .changed { color: #15803d }
</style></head><body>
<h1>septet: report</h1>
"#;

const COLUMNS: &str = "<table><caption>Messages that changed or were left</caption>\n\
    <tr><th>input<th class=n>message<th class=n>offset<th>Message-ID<th>result<th>what, and why</tr>\n";

/// The rows of the table so far.
#[derive(Debug, Default)]
pub struct Page {
    rows: String,
    shown: u64,
    more: u64,
}

impl Page {
    /// Adds a message, if it changed or was left.
    pub fn add(&mut self, row: &Line) {
        let result = &*row.result;
        if result == "unchanged" {
            return;
        }
        if self.shown == ROWS {
            self.more += 1;
            return;
        }
        self.shown += 1;
        let (input, id) = (Escaped(&row.input), Escaped(row.message_id.as_deref().unwrap_or_default()));
        let Line { message, offset, .. } = row;
        self.rows += &format!("<tr><td>{input}<td class=n>{message}<td class=n>{offset}<td>{id}");
        self.rows += &format!("<td class={result}>{result}<td>");
        let entries = &row.entries;
        for entry in entries.iter().take(ENTRIES) {
            self.rows += &format!("<code>{}</code>", Escaped(&entry.text));
        }
        if let Some(more @ 1..) = entries.len().checked_sub(ENTRIES) {
            self.rows += &format!("and {more} more");
        }
        self.rows += "</tr>\n";
    }

    /// Writes the page.
    pub fn write(&self, tally: &Tally, out: &mut impl Write) -> io::Result<()> {
        out.write_all(HEAD.as_bytes())?;
        writeln!(out, "<p>{} messages, {} octets</p>", tally.messages, tally.bytes)?;
        for (title, rows) in tally.sections() {
            writeln!(out, "<table><caption>{title}</caption>")?;
            rows.iter().try_for_each(|(name, count)| writeln!(out, "<tr><td>{name}<td class=n>{count}</tr>"))?;
            writeln!(out, "</table>")?;
        }
        writeln!(out, "{COLUMNS}{}</table>", self.rows)?;
        if self.more > 0 {
            writeln!(out, "<p>{} more messages are not shown; a .jsonl report has them all.</p>", self.more)?;
        }
        writeln!(out, "</body></html>")
    }
}

/// Text as it may stand in an element of a page.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => out.write_str("&amp;")?,
                '<' => out.write_str("&lt;")?,
                '>' => out.write_str("&gt;")?,
                '"' => out.write_str("&quot;")?,
                _ if character.is_control() => out.write_str("\u{fffd}")?,
                _ => write!(out, "{character}")?,
            }
        }
        Ok(())
    }
}
