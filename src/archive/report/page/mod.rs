//! The report as a page for people: one file that needs nothing else, and no network.
//!
//! It says first how much was changed, left and unchanged, then what was left, grouped by reason with what helps, then
//! samples, charsets, the messages that changed, and where the report comes from. Without a script it can be read
//! whole; with the one that it has, its lists can be narrowed to a word. Its policy (CSP) allows that script and
//! nothing else, so that not even a fault in the escaping would run what a message says.
//!
//! **Memory** is bounded whatever the messages: rows go to files without names beside the report ([`spool`]), kinds,
//! charsets and samples are counted up to a limit each, and archives are as many as the pieces of work. No row is left
//! out: what a browser doesn't show it doesn't lay out.

mod archives;
mod flows;
mod outcome;
mod row;
mod sample_set;
mod spool;
mod views;

use std::cmp::Reverse;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use askama::Template;

pub use sample_set::SampleSet;

use super::Tally;
use super::line::ReportLine;
use super::provenance::Provenance;
use super::same_mail::SameMail;
use crate::process::why::is_curable;
use archives::Archives;
use flows::Flows;
use outcome::{Counts, OutcomeClass};
use spool::Spool;
use views::{ListView, PageView, is_ours};

/// How many rows a list has at most that stands open; a longer one is folded.
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
    samples: SampleSet,
    flows: Flows,
    archives: Archives,
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
        self.archives.add(row, outcome);
        self.counts.add(outcome);
        // Of a message in which nothing was decided there is nothing to show.
        if row.entries.is_empty() {
            return Ok(());
        }
        self.samples.add(&row.entries, preview.map_or(&[], |preview| &preview.samples));
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
        let provenance = &provenance.with(self.archives.folders());
        let curable = tally.reasons.keys().any(|code| is_curable(code));
        self.left.values_mut().chain(self.others.values_mut()).try_for_each(Spool::end)?;
        let left = self.left.iter().map(|(code, rows)| ListView::of_left(code, rows, &self.samples, provenance));
        let mut left: Vec<_> = left.collect();
        left.sort_by_key(|list| (!list.code.is_some_and(is_ours), Reverse(list.rows.rows)));
        let others = OTHERS.iter().filter_map(|(id, name, says)| {
            let (name, rows) = (Some(*name), self.others.get(id)?);
            Some(ListView { id: (*id).into(), name, code: None, rows, says, helps: String::new(), samples: &[] })
        });
        let page = PageView {
            tally,
            provenance,
            counts: self.counts,
            kinds: &self.counts.kinds(),
            archives: self.archives.counts(&provenance.files.records),
            commands: curable.then(|| provenance.same_mail.advise_and_convert()),
            left,
            others: others.collect(),
            samples: self.samples.of_changes(),
            flows: self.flows.sorted(),
        };
        page.write_into(out)?;
        out.write_all(b"\n")
    }
}

/// Returns the rows of a list, which begins in a folder.
fn spool_in<'l, K: Ord>(lists: &'l mut BTreeMap<K, Spool>, list: K, folder: &Path) -> io::Result<&'l mut Spool> {
    Ok(match lists.entry(list) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(new) => new.insert(Spool::new(folder)?),
    })
}
