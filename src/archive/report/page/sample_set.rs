//! The samples that a page shows: the first few of each kind of change and of each reason.
//!
//! Which are still wanted is asked while messages are planned, on many threads; they are taken in the order of the
//! messages. So the same archive gives the same page, however many threads there are.

use std::collections::BTreeMap;

use crate::archive::report::stored_sample::StoredSample;
use crate::message::Limits;
use crate::process::sample::{Sample, Sampler};
use crate::rewrite::{Entry, EntryLine, Report, change_code};

/// How many samples are kept of one kind of change, and of one reason.
const OF_CHANGE: usize = 2;
const OF_REASON: usize = 4;

/// Of how many kinds samples are kept: labels are written by senders, and there is no end to them.
const KINDS: usize = 250;

/// Among how many places of a kind its samples are sought: where they are all alike, that must have an end.
const LOOKED_AT: u64 = 1000;

/// How many samples are taken of one message.
const OF_ONE: usize = 8;

/// Samples, by what they are for.
#[derive(Debug, Default)]
pub struct SampleSet {
    kinds: BTreeMap<String, SampleGroup>,
}

#[derive(Debug, Default)]
struct SampleGroup {
    /// How many places there were.
    count: u64,
    taken: Vec<StoredSample>,
}

impl SampleSet {
    /// Takes the samples of a message that are still wanted; `after` is the message as it is now, where it changed.
    /// They count only once they are added ([`SampleSet::add`]).
    pub fn take(&self, report: &Report, before: &[u8], after: Option<&[u8]>, limits: &Limits) -> Vec<StoredSample> {
        let wanted =
            |(at, entry)| kind(&EntryLine::of(entry)).filter(|kind| self.wants(kind)).map(|kind| (kind, at, entry));
        let entries = report.entries.iter().enumerate();
        let wanted: Vec<(String, usize, &Entry)> = entries.filter_map(wanted).take(OF_ONE).collect();
        if wanted.is_empty() {
            return Vec::new();
        }
        let sampler = Sampler::new(before, after, limits);
        let taken = wanted.into_iter().filter_map(|(kind, at, entry)| {
            Some(StoredSample::new(kind, entry, sampler.of(&report.entries, at)?, before))
        });
        taken.collect()
    }

    /// Counts the kinds of a message, and keeps what was taken of it, if it is wanted still.
    pub fn add(&mut self, entries: &[EntryLine], taken: &[StoredSample]) {
        for kind in entries.iter().filter_map(kind) {
            if self.kinds.len() < KINDS || self.kinds.contains_key(&kind) {
                self.kinds.entry(kind).or_default().count += 1;
            }
        }
        for taken in taken {
            let wants = self.wants(&taken.kind);
            let Some(kind) = self.kinds.get_mut(&taken.kind) else { continue };
            if wants && !kind.taken.iter().any(|other| is_alike(&other.sample, &taken.sample)) {
                kind.taken.push(taken.clone());
            }
        }
    }

    /// Returns `true` if samples of a kind are still wanted.
    fn wants(&self, kind: &str) -> bool {
        let most = if kind.starts_with(LEFT) { OF_REASON } else { OF_CHANGE };
        match self.kinds.get(kind) {
            Some(known) => known.taken.len() < most && known.count <= LOOKED_AT,
            None => self.kinds.len() < KINDS,
        }
    }

    /// Returns the samples of changes, those of the most frequent kinds first.
    pub fn of_changes(&self) -> Vec<&StoredSample> {
        let mut kinds: Vec<_> = self.kinds.iter().filter(|(kind, _)| !kind.starts_with(LEFT)).collect();
        kinds.sort_by_key(|(name, kind)| (std::cmp::Reverse(kind.count), *name));
        kinds.into_iter().flat_map(|(_, kind)| &kind.taken).collect()
    }

    /// Returns the samples of what was left for a reason.
    pub fn of_reason(&self, code: &str) -> &[StoredSample] {
        self.kinds.get(&format!("{LEFT}{code}")).map_or(&[], |kind| &kind.taken)
    }
}

/// Returns `true` if two samples show the same text, before, afterwards or as it reads.
fn is_alike(one: &Sample, other: &Sample) -> bool {
    one.before == other.before
        || one.after.is_some() && one.after == other.after
        || one.reads.is_some() && one.reads == other.reads
}

/// How the kind of what was left starts.
const LEFT: &str = "left=";

/// Returns the kind of an entry: its reason, or the change that says most of its place, by its code and text; of one
/// whose text is a count or a name, the code alone. None of an entry that is only a note.
fn kind(entry: &EntryLine) -> Option<String> {
    if let Some(code) = &entry.left {
        return Some(format!("{LEFT}{code}"));
    }
    let changes = entry.changes.iter().flatten().map(|change| (change_code(change), change));
    let (code, change) = changes.min_by_key(|(code, _)| rank(code))?;
    Some(match code {
        "iris" | "unescaped" | "replaced" | "transliterated" | "added" | "removed" | "label" => code.to_owned(),
        _ => change.to_string(),
    })
}

/// Ranks a kind of change by how much it says of a place; the lowest says most.
fn rank(code: &str) -> u8 {
    match code {
        "charset" | "word" => 0,
        "parameter" | "address" | "domain" => 1,
        "iris" | "unescaped" => 2,
        "transfer" | "label" => 4,
        "added" | "removed" => 5,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::{Profile, plan};

    /// Two of one sender and one text stood below each other.
    #[test]
    fn no_two_samples_of_a_kind_show_one_text() {
        let (mut book, limits) = (SampleSet::default(), Limits::default());
        for text in ["caf", "caf", "na", "caf"] {
            let message = [b"Content-Type: text/plain; charset=iso-8859-1\n\n", text.as_bytes(), b"\xe9\n"].concat();
            let planned = plan(&message, &Profile::default());
            let taken = book.take(&planned.report, &message, Some(&planned.edits.apply(&message)), &limits);
            let lines: Vec<EntryLine> = planned.report.entries.iter().map(EntryLine::of).collect();
            book.add(&lines, &taken);
        }
        let of_charset = &book.kinds["charset=iso-8859-1>utf-8"];
        assert_eq!((of_charset.count, of_charset.taken.len()), (4, 2));
    }

    #[test]
    fn samples_that_are_all_alike_are_not_looked_for_without_end() {
        let mut book = SampleSet::default();
        let charset = "charset=iso-8859-1>utf-8";
        let mut count = |count| {
            book.kinds.insert(charset.to_owned(), SampleGroup { count, taken: Vec::new() });
            book.wants(charset)
        };
        assert!(count(LOOKED_AT));
        assert!(!count(LOOKED_AT + 1));
    }
}
