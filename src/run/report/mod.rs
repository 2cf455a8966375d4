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
//! | `result` | `changed`; else `left` when something should have been changed; else `unchanged` |
//! | `entries` | what was decided, in the message's order; each `{"part","place","field"?,"changes"\|"left"\|"note","text"}` |
//! | `text` | the entries as one line: what logs and `septet explain` show |
//!
//! In an entry `part` is a number like `1.2`, `place` is `message`, `field` or `body`, and `field` is the field's name. It
//! has one of `changes` (a list of texts such as `charset=utf-7>utf-8`), `left` (the reason's stable name) and
//! `note`; `text` is all of it in one line. `x.html` is a page for people: see [`page`].

pub mod line;
pub mod message_id;
pub mod page;
pub mod tally;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

pub use message_id::message_id;
pub use tally::Tally;

use crate::rewrite::Report;
use line::Line;
use page::Page;

/// One message, and what became of it.
#[derive(Debug, Clone)]
pub struct Row<'a> {
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
    /// What was decided.
    pub report: &'a Report,
}

/// A report file that can be made of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One JSON object for each message.
    Lines,
    /// A page.
    Page,
}

impl Form {
    /// Tells the form by the file's name: `.jsonl` or `.html`.
    pub fn of(path: &Path) -> Option<Form> {
        match path.extension()?.to_str()? {
            "jsonl" => Some(Form::Lines),
            "html" => Some(Form::Page),
            _ => None,
        }
    }
}

/// A report file that is being written.
#[derive(Debug)]
pub struct ReportFile {
    out: BufWriter<File>,
    page: Option<Page>,
}

impl ReportFile {
    /// Creates the file, empty at first.
    pub fn create(path: &Path, form: Form) -> io::Result<ReportFile> {
        let page = (form == Form::Page).then(Page::default);
        Ok(ReportFile { out: BufWriter::with_capacity(1 << 16, File::create(path)?), page })
    }

    /// Adds a message.
    pub fn add(&mut self, row: &Row) -> io::Result<()> {
        match &mut self.page {
            Some(page) => page.add(row),
            None => {
                serde_json::to_writer(&mut self.out, &Line::of(row))?;
                self.out.write_all(b"\n")?;
            }
        }
        Ok(())
    }

    /// Writes what is left to write.
    pub fn finish(mut self, tally: &Tally) -> io::Result<()> {
        if let Some(page) = &self.page {
            page.write(tally, &mut self.out)?;
        }
        self.out.flush()
    }
}
