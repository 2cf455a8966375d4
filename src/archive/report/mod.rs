//! What became of every message, written down: a line of JSON, a page, and the summary.
//!
//! The form follows from the file's name. `x.jsonl` has one object for each message, in order, also when nothing was
//! done to it:
//!
//! | key | what |
//! |---|---|
//! | `input` | the file that the message stands in, as it was named; `-` is standard input |
//! | `renamed` | the file's new name, where its name stated a size that changed; absent elsewhere. In a dry run: the name that it would get |
//! | `message` | which message of that file, from 1 |
//! | `offset` | where it starts in that file, in octets; its From_ line is the first thing there |
//! | `bytes` | its octets in that file, From_ line and separator included |
//! | `message_id` | its Message-ID as written, or null; at most 250 octets, ill-formed UTF-8 as U+FFFD |
//! | `profile` | the profile that it got, by rule or by default, as a listener's log line has it |
//! | `result` | `changed`; else `left` when something should have been changed; else `unchanged`. `skipped`: see below |
//! | `reason` | why it was skipped; absent elsewhere |
//! | `deleted` | true where Thunderbird marked the message deleted (X-Mozilla-Status); absent elsewhere |
//! | `entries` | what was decided, in the message's order; each `{"part","place","field"?,"changes"\|"left"\|"note","text"}` |
//! | `text` | the entries as one line: what logs and `septet explain` show |
//!
//! A file that was passed over has a line as well, with the result `skipped`, a `reason`, and `message` 0: one that is
//! no mail in a folder that was walked, or one that could not be read. So has a deleted message that was left out, with
//! its number.
//!
//! In an entry `part` is a number like `1.2`, `place` is `message`, `field` or `body`, and `field` is the field's name.
//! It has one of `changes` (a list of texts such as `charset=utf-7>utf-8`), `left` (the reason's stable name) and
//! `note`; `text` is all of it in one line. `x.html` is a page for people: see [`page`]; `x.csv` is a table, see
//! [`csv`].
//!
//! While a run goes on, the lines of JSON are all that is written: the **spool**. At the end every form is made of it,
//! and takes its place in one step; so the report of a run that is interrupted overwrites no whole one, and a run that
//! is resumed goes on with the spool. Where a page is wanted each line has what it shows besides (key `preview`: day,
//! subject, samples), which no report has; only the report of a shard keeps it, for `join`.

pub mod csv;
pub mod line;
pub mod page;
mod preview;
pub mod provenance;
pub(super) mod raw_field;
pub mod said;
pub mod same_mail;
mod spool;
pub mod stored_sample;
pub mod tally;

use std::path::Path;

pub use preview::{OwnFile, Preview};
pub use provenance::Provenance;
pub use raw_field::message_id;
pub use spool::{Around, Reports};
pub use tally::Tally;

/// Where a message stands, and by what it is known.
#[derive(Debug, Clone, Copy)]
pub struct MessagePlace<'a> {
    /// The file that it stands in.
    pub input: &'a str,
    /// Its file's new name, where a size that the name states was made true.
    pub renamed: Option<&'a str>,
    /// Which message of that file, from 1.
    pub message: u64,
    /// Where it starts in that file.
    pub offset: u64,
    /// Its octets in that file.
    pub bytes: u64,
    /// Its Message-ID.
    pub message_id: Option<&'a str>,
}

/// A report file that can be made of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportFormat {
    /// One JSON object for each message.
    Lines,
    /// A page.
    Page,
    /// A table for spreadsheets.
    Csv,
}

impl ReportFormat {
    /// Tells the form by the file's name: `.jsonl`, `.html` or `.csv`, in small letters; none for any other.
    pub fn of(path: &Path) -> Option<ReportFormat> {
        match path.extension()?.to_str()? {
            "jsonl" => Some(ReportFormat::Lines),
            "html" => Some(ReportFormat::Page),
            "csv" => Some(ReportFormat::Csv),
            _ => None,
        }
    }
}
