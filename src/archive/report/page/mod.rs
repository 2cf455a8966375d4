//! The report as a page for people: one file that needs nothing else, and no network.
//!
//! It says first how much was changed, left and unchanged, then what was left, grouped by reason with what helps, then samples,
//! charsets, years, the messages that changed, and where the report comes from. Without a script it can be read whole; with the
//! one that it has, its lists can be narrowed to a word. Its policy (CSP) allows that script and nothing else, so that not even
//! a fault in the escaping would run what a message says.
//!
//! **Memory** is bounded whatever the archive: rows go to files without names beside the report ([`spool`]), and kinds,
//! charsets and samples are counted up to a limit each. No row is left out: what a browser doesn't show it doesn't lay out.

mod archives;
mod flows;
mod frame;
mod glance;
mod outcome;
mod row;
mod sample_set;
mod spool;
mod views;
mod years;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use askama::Template;

pub use sample_set::SampleSet;

use super::Tally;
use super::folders::Folders;
use super::line::ReportLine;
use super::provenance::Provenance;
use super::same_mail::SameMail;
use archives::ArchiveCounts;
use flows::Flows;
use outcome::{Counts, OutcomeClass};
use spool::Spool;
use years::Years;

/// The rows up to which a list stands open.
const OPEN: u64 = 25;

/// What a page is made of, so far.
#[derive(Debug)]
pub struct Page {
    folder: PathBuf,
    /// The messages with something left, by its reason.
    left: BTreeMap<String, Spool>,
    changed: Option<Spool>,
    noted: Option<Spool>,
    /// The files that were skipped, and the messages that were left out.
    skipped: Option<Spool>,
    book: SampleSet,
    flows: Flows,
    years: Years,
    /// The files that are one message each.
    folders: Folders,
    archives: ArchiveCounts,
    counts: Counts,
    same_mail: SameMail,
}

impl Page {
    /// Starts a page that is to stand in a folder, and tells the commands that read the same mail.
    pub fn new(folder: &Path, same_mail: SameMail) -> Page {
        Page {
            folder: folder.to_owned(),
            left: BTreeMap::new(),
            changed: None,
            noted: None,
            skipped: None,
            book: SampleSet::default(),
            flows: Flows::default(),
            years: Years::default(),
            folders: Folders::default(),
            archives: ArchiveCounts::default(),
            counts: Counts::default(),
            same_mail,
        }
    }

    /// Adds a message, or a file that was skipped, in the order of the report.
    pub fn add(&mut self, row: &ReportLine) -> io::Result<()> {
        if row.result == "skipped" {
            return self.skip(row);
        }
        let preview = row.preview.as_deref();
        let outcome = OutcomeClass::of(row);
        self.years.add(preview.and_then(|preview| preview.day).map(|day| day.year), outcome);
        self.archives.add(row, outcome);
        self.counts.add(outcome);
        self.folders.add(row);
        // Of a message in which nothing was decided there is nothing to show.
        if row.entries.is_empty() {
            return Ok(());
        }
        self.book.add(&row.entries, preview.map_or(&[], |preview| &preview.samples));
        row.entries.iter().for_each(|entry| self.flows.add(entry));
        let codes = reasons(row);
        let line = row::render(row, &self.same_mail)?;
        for code in codes {
            let spool = match self.left.get_mut(code) {
                Some(spool) => spool,
                None => self.left.entry(code.to_owned()).or_insert(Spool::new(&self.folder)?),
            };
            spool.add(&line)?;
        }
        let list = match &*row.result {
            "changed" => &mut self.changed,
            // It stands in the lists of its reasons.
            "left" => return Ok(()),
            _ => &mut self.noted,
        };
        if list.is_none() {
            *list = Some(Spool::new(&self.folder)?);
        }
        list.as_mut().map_or(Ok(()), |list| list.add(&line))
    }

    /// Adds a file that was skipped, or a message that was left out.
    fn skip(&mut self, row: &ReportLine) -> io::Result<()> {
        if self.skipped.is_none() {
            self.skipped = Some(Spool::new(&self.folder)?);
        }
        let line = row::render_skipped(row)?;
        self.skipped.as_mut().map_or(Ok(()), |list| list.add(&line))
    }

    /// Writes the page; no row may be added any more.
    pub fn write(mut self, tally: &Tally, provenance: &Provenance, out: &mut impl Write) -> io::Result<()> {
        let provenance = &provenance.with(std::mem::take(&mut self.folders).records());
        let kinds = self.counts.kinds();
        let middle = frame::middle(&self.book, &self.flows, &self.years, tally, &kinds);
        let archives = std::mem::take(&mut self.archives).of(&provenance.files.records);
        put(&glance::head(tally, provenance, self.counts, archives), out)?;
        let mut left: Vec<(String, Spool)> = std::mem::take(&mut self.left).into_iter().collect();
        left.sort_by_key(|(code, spool)| (!frame::is_ours(code), std::cmp::Reverse(spool.rows)));
        frame::left_title(left.len(), out)?;
        for (code, spool) in left {
            put(&frame::left_group(&code, spool.rows, &self.book, provenance.basis.as_deref()), out)?;
            end_group(spool, out)?;
        }
        put(&middle, out)?;
        if self.changed.is_some() || self.noted.is_some() || self.skipped.is_some() {
            frame::others_title(out)?;
        }
        for (spool, group) in [
            (self.changed, frame::changed_group as fn(u64) -> _),
            (self.noted, frame::noted_group),
            (self.skipped, frame::skipped_group),
        ] {
            let Some(spool) = spool else { continue };
            put(&group(spool.rows), out)?;
            end_group(spool, out)?;
        }
        put(&frame::foot(provenance), out)
    }
}

fn end_group(spool: Spool, out: &mut impl Write) -> io::Result<()> {
    spool.write_to(out)?;
    out.write_all(b"</details></section>\n")
}

/// Writes a template.
fn put(template: &impl Template, out: &mut impl Write) -> io::Result<()> {
    Template::write_into(template, out)?;
    out.write_all(b"\n")
}

/// Returns the reasons of a message, each once.
fn reasons<'l>(row: &'l ReportLine) -> Vec<&'l str> {
    let mut codes: Vec<&str> = row.entries.iter().filter_map(|entry| entry.left.as_deref()).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// Writes a number with commas between thousands.
pub fn number(of: u64) -> String {
    let digits = of.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
