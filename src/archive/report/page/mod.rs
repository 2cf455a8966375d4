//! The report as a page for people: one file that needs nothing else, and no network.
//!
//! It says first how much was changed, left and unchanged, then what was left, grouped by reason with what helps, then
//! samples, charsets, years, the messages that changed, and where the report comes from. Without a script it can be
//! read whole; with the one that it has, its lists can be narrowed to a word. Its policy (CSP) allows that script and
//! nothing else, so that not even a fault in the escaping would run what a message says.
//!
//! **Memory** is bounded whatever the archive: rows go to files without names beside the report ([`spool`]), and kinds,
//! charsets and samples are counted up to a limit each. No row is left out: what a browser doesn't show it doesn't lay
//! out.

mod archives;
mod flows;
mod outcome;
mod row;
mod sample_set;
mod spool;
mod views;
mod years;

use std::cmp::Reverse;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use askama::Template;

pub use sample_set::SampleSet;

use super::Tally;
use super::folders::Folders;
use super::line::ReportLine;
use super::provenance::Provenance;
use super::same_mail::SameMail;
use super::stored_sample::StoredSample;
use crate::process::advice::{AdviceBasis, LeftText, Remedies};
use crate::process::why::{self, is_curable};
use archives::ArchiveCounts;
use flows::Flows;
use outcome::{Counts, OutcomeClass};
use spool::Spool;
use views::{Foot, ListHead, Middle, PageHead, is_ours};
use years::Years;

/// The rows up to which a list stands open.
const OPEN: u64 = 25;

/// The lists behind those of what was left: which each is, its heading, and what it says.
const OTHERS: [(&str, &str, &str); 3] = [
    ("changed", "What changed", "every message in which something was changed, in the order of the archive"),
    (
        "noted",
        "What stays, with a note",
        "messages that stay as they are, of which a reader may want to know something: `septet why` has the words",
    ),
    (
        "skipped",
        "What was skipped",
        "files that are no mail or could not be read, and messages that were left out, each with its reason",
    ),
];

/// What a page is made of, so far.
#[derive(Debug, Default)]
pub struct Page {
    folder: PathBuf,
    /// The messages with something left, by its reason.
    left: BTreeMap<String, Spool>,
    /// The lists of [`OTHERS`].
    others: BTreeMap<&'static str, Spool>,
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
        Page { folder: folder.to_owned(), same_mail, ..Page::default() }
    }

    /// Adds a message, or a file that was skipped, in the order of the report.
    pub fn add(&mut self, row: &ReportLine) -> io::Result<()> {
        if row.result == "skipped" {
            let line = row::render(row, &self.same_mail)?;
            return spool_in(&mut self.others, "skipped", &self.folder)?.add(&line);
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
        let line = row::render(row, &self.same_mail)?;
        for code in row.entries.iter().filter_map(|entry| entry.left.clone()).collect::<BTreeSet<_>>() {
            spool_in(&mut self.left, code.into_owned(), &self.folder)?.add(&line)?;
        }
        let list = match &*row.result {
            "changed" => "changed",
            // It stands in the lists of its reasons.
            "left" => return Ok(()),
            _ => "noted",
        };
        spool_in(&mut self.others, list, &self.folder)?.add(&line)
    }

    /// Writes the page; no row may be added any more.
    pub fn write(mut self, tally: &Tally, provenance: &Provenance, out: &mut impl Write) -> io::Result<()> {
        let provenance = &provenance.with(std::mem::take(&mut self.folders).records());
        let (counts, kinds) = (self.counts, &*self.counts.kinds());
        let archives = std::mem::take(&mut self.archives).of(&provenance.files.records);
        let curable = tally.reasons.keys().any(|code| is_curable(code));
        let commands = curable.then(|| provenance.same_mail.advise_and_convert());
        put(&PageHead { tally, provenance, counts, kinds, archives, commands }, out)?;
        let mut left: Vec<(String, Spool)> = std::mem::take(&mut self.left).into_iter().collect();
        left.sort_by_key(|(code, spool)| (!is_ours(code), Reverse(spool.rows)));
        out.write_all(b"<section aria-label=\"What is left\">\n<h2 id=\"left\">What is left, and what helps</h2>\n")?;
        if left.is_empty() {
            out.write_all(b"<p class=\"soft\">Nothing: whatever should have been changed was changed.</p>\n")?;
        }
        out.write_all(b"</section>\n")?;
        for (code, spool) in left {
            let (answer, samples) = (why::reason(&code), self.book.of_reason(&code));
            let asked = provenance.basis.as_deref().and_then(|basis| helps(samples, basis));
            let helps = asked.or(answer.map(|answer| answer.helps.to_owned())).unwrap_or_default();
            let (id, says, rows) = (format!("left-{code}"), answer.map_or("", |answer| answer.says), spool.rows);
            put(&ListHead { id: &id, name: None, code: Some(&code), rows, says, helps, samples }, out)?;
            end_group(spool, out)?;
        }
        put(&Middle::of(&self.book, &self.flows, &self.years, tally, kinds), out)?;
        if !self.others.is_empty() {
            out.write_all(b"<h2 id=\"messages\">Messages</h2>\n")?;
        }
        for (id, name, says) in OTHERS {
            let Some(spool) = self.others.remove(id) else { continue };
            let (rows, helps) = (spool.rows, String::new());
            put(&ListHead { id, name: Some(name), code: None, rows, says, helps, samples: &[] }, out)?;
            end_group(spool, out)?;
        }
        put(&Foot { provenance }, out)
    }
}

/// Returns the rows of a list, which begins in a folder.
fn spool_in<'l, K: Ord>(lists: &'l mut BTreeMap<K, Spool>, list: K, folder: &Path) -> io::Result<&'l mut Spool> {
    Ok(match lists.entry(list) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(new) => new.insert(Spool::new(folder)?),
    })
}

/// Says what helps with the texts that samples show, by what is advised for them; none where nothing can be asked of
/// them.
fn helps(samples: &[StoredSample], basis: &AdviceBasis) -> Option<String> {
    let asked = |sample: &StoredSample| {
        let message = sample.message()?;
        let entry = basis.entry_of(&message, &sample.what)?;
        Some((message, entry))
    };
    let (messages, entries): (Vec<_>, Vec<_>) = samples.iter().filter_map(asked).unzip();
    let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    let texts: Vec<LeftText> = entries.iter().enumerate().map(|(message, entry)| LeftText { message, entry }).collect();
    // Where there is no room for what is asked, the page says what helps in general.
    let remedies = Remedies::ask(&messages, basis).ok().filter(|_| !texts.is_empty())?;
    Some(remedies.say(&texts))
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
