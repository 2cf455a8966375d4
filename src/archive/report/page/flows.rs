//! The charsets that texts were found in, and where they went.

use std::collections::HashMap;

use crate::rewrite::{EntryLine, label_and_charset};

/// How many pairs are counted by name: labels are written by senders, and there is no end to them.
const PAIRS: usize = 1000;

/// How often texts went from one charset to another.
#[derive(Debug, Default)]
pub struct Flows {
    counts: HashMap<CharsetPair, PlaceCount>,
}

/// A charset that was found, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CharsetPair {
    /// What was found, as reports say it.
    pub from: String,
    /// The charset that it is in now, or the reason for which it was left.
    pub to: String,
    /// Whether it was left.
    pub left: bool,
}

/// How many places.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PlaceCount {
    /// Bodies.
    pub bodies: u64,
    /// Header fields.
    pub fields: u64,
}

impl PlaceCount {
    /// Returns all of them.
    pub fn all(&self) -> u64 {
        self.bodies + self.fields
    }
}

impl Flows {
    /// Counts the charsets of an entry, from its changes and from the reason for which it was left.
    pub fn add(&mut self, entry: &EntryLine) {
        let is_body = entry.place == "body";
        let changed = entry.changes.iter().flatten().filter_map(|change| pair_of_change(change));
        changed.chain(pair_of_left(entry)).for_each(|pair| self.count(pair, is_body));
    }

    /// Counts a pair; one more than [`PAIRS`] goes to `others`.
    fn count(&mut self, pair: CharsetPair, is_body: bool) {
        let full = self.counts.len() >= PAIRS && !self.counts.contains_key(&pair);
        let pair = if full { CharsetPair { from: "others".to_owned(), ..pair } } else { pair };
        let count = self.counts.entry(pair).or_default();
        *(if is_body { &mut count.bodies } else { &mut count.fields }) += 1;
    }

    /// Returns them, the most frequent first.
    pub fn sorted(&self) -> Vec<(&CharsetPair, PlaceCount)> {
        let mut all: Vec<_> = self.counts.iter().map(|(pair, count)| (pair, *count)).collect();
        all.sort_by_key(|(pair, count)| (std::cmp::Reverse(count.all()), &pair.from, &pair.to));
        all
    }
}

/// Returns the charsets of a change: `charset=utf-7>utf-8`, `word=8bit>utf-8` or `parameter=name:koi8-r>utf-8`; none
/// of any other. The last `>` parts them, for what stands before it is the sender's word.
fn pair_of_change(change: &str) -> Option<CharsetPair> {
    let (code, what) = change.split_once('=')?;
    let (from, to) = what.rsplit_once('>')?;
    let from = match code {
        "charset" | "word" => from,
        "parameter" => from.split_once(':').map_or(from, |(_, from)| from),
        _ => return None,
    };
    Some(CharsetPair { from: said(from), to: to.to_owned(), left: false })
}

/// Returns the charset of an entry that was left for it, and why; none where the reason is no charset.
fn pair_of_left(entry: &EntryLine) -> Option<CharsetPair> {
    let detail = entry.reason_detail().unwrap_or_default();
    let (from, to) = match entry.left.as_deref()? {
        "unlabelled" => ("no label".to_owned(), "stays: nobody knows it"),
        "unknown-charset" => (said(detail), "stays: nobody knows it"),
        "malformed" => {
            (said(detail.rsplit_once(", offset ").map_or(detail, |(charset, _)| charset)), "stays: it is ill-formed")
        }
        _ => return None,
    };
    Some(CharsetPair { from, to: to.to_owned(), left: true })
}

/// Says a charset as reports have it in words: `none(windows-1252)` had no label and was read as windows-1252. Of a
/// long label it has the first 60 characters.
fn said(from: &str) -> String {
    let cut: String = from.chars().take(60).collect();
    match label_and_charset(&cut) {
        ("none", Some(real)) => format!("no label, read as {real}"),
        ("8bit", Some(real)) => format!("raw 8-bit, read as {real}"),
        (label, Some(real)) => format!("{label}, really {real}"),
        ("none" | "", None) => "no label".to_owned(),
        ("8bit", None) => "raw 8-bit".to_owned(),
        ("raw", None) => "raw UTF-8".to_owned(),
        (_, None) => cut,
    }
}
