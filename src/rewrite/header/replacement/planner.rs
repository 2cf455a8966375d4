//! A segment of which something is replaced, and what its rules share.

use std::ops::Range;

use crate::coding::charset::Charset;
use crate::rewrite::header::item::{Item, Segment};
use crate::rewrite::header::target::FieldTarget;
use crate::rewrite::{Change, Reason};

/// A segment whose items are looked at together.
pub struct SegmentPlanner<'a> {
    /// The segment.
    pub segment: &'a Segment<'a>,
    /// The value that it stands in.
    pub value: &'a [u8],
    /// What is wanted.
    pub target: &'a FieldTarget<'a>,
}

impl SegmentPlanner<'_> {
    /// Returns the items of the segment.
    pub fn items(&self) -> &[Item<'_>] {
        &self.segment.items
    }

    /// Returns where a range of items stands in the value.
    pub fn at(&self, range: &Range<usize>) -> Range<usize> {
        let items = &self.items()[range.clone()];
        let start = items.first().map_or(0, |item| item.at.start);
        start..items.last().map_or(start, |item| item.at.end)
    }

    /// Returns `true` if an item is white space between words, so that no reader shows it.
    pub fn is_dropped_between_words(&self, index: usize) -> bool {
        let words = |index: Option<usize>| index.and_then(|i| self.items().get(i)).is_some_and(Item::is_words);
        self.items()[index].is_white() && words(index.checked_sub(1)) && words(index.checked_add(1))
    }

    /// Applies rule 2: of items that touch each other, one of which is marked, marks all, or unmarks all where one must
    /// stay. Returns why these stay.
    pub fn mark_adjacent(&self, marks: &mut [bool]) -> Vec<Reason> {
        let solid: Vec<bool> = self.items().iter().map(|item| !item.is_white()).collect();
        let mut left = Vec::new();
        for cluster in runs(&solid) {
            if !marks[cluster.clone()].iter().any(|mark| *mark) {
                continue;
            }
            let items = &self.items()[cluster.clone()];
            let unreadable = items.iter().find_map(Item::why_it_stays).or_else(|| half_beside(items));
            marks[cluster].fill(unreadable.is_none());
            left.extend(unreadable);
        }
        left
    }

    /// Returns `true` if a range of items is nothing but white space.
    pub fn only_white(&self, range: Range<usize>) -> bool {
        let items = self.items();
        items[range.start.min(items.len())..range.end.min(items.len())].iter().all(Item::is_white)
    }

    /// Adds to the changes what the report says of a range of items that is written in a charset: what each was in, how
    /// many escapes were expanded, and how many faults became U+FFFD.
    pub fn add_changes(&self, range: &Range<usize>, charset: Charset, changes: &mut Vec<Change>) {
        let unknown = charset == Charset::UNKNOWN_8BIT;
        let to = if unknown { charset.name().to_owned() } else { self.target.name() };
        let items = || self.items()[range.clone()].iter();
        for (item, origin) in items().flat_map(|item| item.from.iter().map(move |origin| (item, origin))) {
            changes.extend(match origin.is(&to) {
                true => (!item.undoubled).then_some(Change::Repaired { what: "word" }),
                false => Some(Change::Word { from: origin.in_lower_case(), to: to.clone() }),
            });
        }
        changes.extend(items().any(|item| item.undoubled).then_some(Change::Repaired { what: "double-encoded" }));
        if items().any(|item| item.unescaped.is_some()) {
            changes.push(Change::Unescaped { count: items().filter_map(|item| item.unescaped).sum() });
        }
        let count = items().map(|item| item.lost).sum();
        if count > 0 {
            changes.push(Change::Replaced { count });
        }
    }
}

/// Returns why items stay that touch each other, if any but the last ends in half a character: the half stays in a word
/// of its own, which what follows would touch.
fn half_beside(items: &[Item]) -> Option<Reason> {
    let (_, others) = items.split_last()?;
    others.iter().find_map(|item| item.half.as_ref()).map(|half| (&half.left).into())
}

/// Returns the ranges of consecutive `true`s.
pub fn runs(marks: &[bool]) -> Vec<Range<usize>> {
    let mut start = 0;
    let mut found = Vec::new();
    for run in marks.chunk_by(|left, right| left == right) {
        if run.first() == Some(&true) {
            found.push(start..start + run.len());
        }
        start += run.len();
    }
    found
}
