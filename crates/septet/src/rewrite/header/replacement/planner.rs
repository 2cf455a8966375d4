//! A segment of which something is replaced, and what planning it in words (`words.rs`) and as raw text (`raw.rs`)
//! share. Rules are numbered as in `mod.rs`.

use std::ops::Range;

use crate::coding::charset::Charset;
use crate::coding::encoded_word::WordPlace;
use crate::rewrite::header::item::{Item, ItemKind, Segment, is_dropped_between_words};
use crate::rewrite::header::target::FieldTarget;
use crate::rewrite::{Change, Reason};

/// A segment whose items are looked at together.
pub struct SegmentPlanner<'a> {
    /// The segment.
    pub segment: &'a Segment<'a>,
    /// Its items.
    pub items: &'a [Item<'a>],
    /// The value that it stands in.
    pub value: &'a [u8],
    /// What is wanted.
    pub target: &'a FieldTarget<'a>,
    /// Of each item whether it is to change for its own sake.
    pub changes: Vec<bool>,
}

impl<'a> SegmentPlanner<'a> {
    /// Asks of each item whether it is fine as it stands.
    pub fn of(segment: &'a Segment<'a>, value: &'a [u8], target: &'a FieldTarget<'a>) -> SegmentPlanner<'a> {
        let changes = segment.items.iter().map(|item| !item.is_fine(target)).collect();
        SegmentPlanner { segment, items: &segment.items, value, target, changes }
    }

    /// Returns where a range of items stands in the value. It must not be empty: it would stand at the start.
    pub fn at(&self, range: &Range<usize>) -> Range<usize> {
        let items = &self.items[range.clone()];
        let start = items.first().map_or(0, |item| item.at.start);
        start..items.last().map_or(start, |item| item.at.end)
    }

    /// Returns what an item says in the text of a range: nothing for white space that no reader shows, and in a phrase
    /// one blank for any other (RFC 5322 §3.2.5). The proof reads texts so, too (`shown` in `meaning.rs`).
    pub fn shown(&self, index: usize) -> &str {
        match &self.items[index] {
            _ if is_dropped_between_words(self.items, index) => "",
            item if item.is_white() && self.segment.place == WordPlace::Phrase => " ",
            item => &item.text,
        }
    }

    /// Returns `true` if all of the segment is to change because some of it does (rule 5): it is a name, and nothing of
    /// it must stay as it is.
    pub fn is_unit(&self, marks: &[bool]) -> bool {
        let mut items = self.items.iter();
        self.segment.is_name && marks.contains(&true) && items.all(|item| item.is_read() && !item.unknown)
    }

    /// Applies rule 2, since what touches a word hides it: of items that touch each other, one of which is marked,
    /// marks all, or unmarks all where one must stay. Returns why these stay. It comes before ranges are made of marks;
    /// what marks more items afterwards calls it again ([`mark_introducers`](Self::mark_introducers)).
    pub fn mark_adjacent(&self, marks: &mut [bool]) -> Vec<Reason> {
        let solid: Vec<bool> = self.items.iter().map(|item| !item.is_white()).collect();
        let mut left = Vec::new();
        for cluster in runs(&solid) {
            if !marks[cluster.clone()].iter().any(|mark| *mark) {
                continue;
            }
            let items = &self.items[cluster.clone()];
            let unreadable = items.iter().find_map(Item::why_it_stays).or_else(|| half_beside(items));
            marks[cluster].fill(unreadable.is_none());
            left.extend(unreadable);
        }
        left
    }

    /// Returns, of the start and of the end of a range of items, whether nothing but white space stands between it and
    /// that end of an unstructured field, where white space is lost. In phrases and comments it is at no end.
    pub fn edges(&self, range: &Range<usize>) -> (bool, bool) {
        let (before, behind) = (&self.items[..range.start], &self.items[range.end..]);
        let is_text = self.segment.place == WordPlace::Text;
        (is_text && before.iter().all(Item::is_white), is_text && behind.iter().all(Item::is_white))
    }

    /// Adds to the changes what the report says of a range of items that is written anew: what each was in, how many
    /// escapes were expanded, and how many faults became U+FFFD. Of `charset` only that is asked whether it is
    /// unknown-8bit: else the report names what the target writes, be it raw text. That a second encoding was undone is
    /// said by [`Change::UNDOUBLED`], which `FieldValue::note_canonical_words` and the writer look for. Changes may
    /// come more than once: `ValuePlan::said_once` says each once and adds counts up, so that a new one with a count
    /// must be known there.
    pub fn add_changes(&self, range: &Range<usize>, charset: Charset, changes: &mut Vec<Change>) {
        let unknown = charset == Charset::UNKNOWN_8BIT;
        let to = if unknown { charset.name().to_owned() } else { self.target.name() };
        let items = &self.items[range.clone()];
        let mut said = None;
        for (index, origin) in range.clone().flat_map(|at| self.items[at].from.iter().map(move |origin| (at, origin))) {
            if origin.is(&to) {
                // It is written anew for its own sake, and not for a name of which more changes.
                let is_repaired = !self.items[index].undoubled && (!self.segment.is_name || self.changes[index]);
                changes.extend(is_repaired.then_some(Change::Repaired { what: "word" }));
            } else if said.replace(origin) != Some(origin) {
                changes.push(Change::Word { from: origin.in_lower_case(), to: to.clone() });
            }
        }
        changes.extend(items.iter().any(|item| item.undoubled).then_some(Change::UNDOUBLED));
        changes.extend(items.iter().filter_map(|item| match &item.kind {
            ItemKind::Words(words) => Some(Change::Untagged { language: words.language.clone()? }),
            _ => None,
        }));
        changes.extend(items.iter().filter_map(|item| item.unescaped).map(|count| Change::Unescaped { count }));
        let replaced = items.iter().map(|item| item.lost).filter(|count| *count > 0);
        changes.extend(replaced.map(|count| Change::Replaced { count }));
    }
}

/// Returns why items stay that touch each other, if any but the last ends in half a character: the half stays in a word
/// of its own, which what follows would touch.
fn half_beside(items: &[Item]) -> Option<Reason> {
    let (_, others) = items.split_last()?;
    others.iter().find_map(Item::why_unread)
}

/// Returns the ranges of consecutive `true`s, in order.
pub fn runs(marks: &[bool]) -> Vec<Range<usize>> {
    let mut end = 0;
    let runs = marks.chunk_by(|left, right| left == right).filter_map(|run| {
        end += run.len();
        run.contains(&true).then_some(end - run.len()..end)
    });
    runs.collect()
}
