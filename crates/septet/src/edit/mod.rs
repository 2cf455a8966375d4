//! EDIT: spans of a message and the changes planned for them.
//!
//! Everything septet decides is a list of edits: "these octets of the original become those". The list is
//! sorted and disjoint, so applying it is one pass that copies the slices between edits untouched. That is
//! what makes "bytes that need no change stay identical" true by construction and not by care.
//!
//! Offsets always count octets of the **original** message, whatever was edited before.

mod moved;

use std::ops::Range;

pub(crate) use moved::Moved;
use thiserror::Error;

/// A half-open range of octets in the original message: `start` is in it, `end` is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The first octet.
    pub start: usize,
    /// One past the last octet; never below `start`.
    pub end: usize,
}

impl Span {
    /// Makes the span `start..end`; an `end` below `start` gives the empty span at `start`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start, end: end.max(start) }
    }

    /// Makes the empty span at `at`, the place of an insertion.
    pub fn empty(at: usize) -> Span {
        Span { start: at, end: at }
    }

    /// Returns how many octets it covers.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Returns `true` if it covers no octet.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns `true` if every octet of `inner` lies in this span (an empty `inner` may stand at either end).
    pub fn contains(self, inner: Span) -> bool {
        self.start <= inner.start && inner.end <= self.end
    }

    /// Returns the octets of `of` that it covers; what lies past the end of `of` is left out.
    pub fn slice(self, of: &[u8]) -> &[u8] {
        let end = self.end.min(of.len());
        &of[self.start.min(end)..end]
    }

    /// Returns the span of `of` without the white space at its ends; an empty one at its end for nothing but white
    /// space.
    pub fn trimmed(self, of: &[u8]) -> Span {
        let text = self.slice(of);
        let start = self.start + (text.len() - text.trim_ascii_start().len());
        Span::new(start, start + text.trim_ascii().len())
    }

    /// Moves a range that counts from this span's start to one that counts from the message's start.
    pub fn within(self, inner: Range<usize>) -> Span {
        Span::new(self.start + inner.start, self.start + inner.end)
    }

    /// Returns the span whose ends are where `place` says that these are; an empty one if it swaps them.
    pub fn map(self, place: impl Fn(usize) -> usize) -> Span {
        Span::new(place(self.start), place(self.end))
    }

    /// Returns the same range as the standard library's type.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Span {
        Span::new(range.start, range.end)
    }
}

/// One change: the octets `at` become `with`. An empty span inserts, an empty `with` deletes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced, in the original.
    pub at: Span,
    /// What stands there afterwards.
    pub with: Vec<u8>,
}

impl Edit {
    /// Returns `true` if it stands before an edit of `at`, or is an insertion at the same place, which came first.
    fn precedes(&self, at: Span) -> bool {
        self.at.end <= at.start && self.at <= at
    }
}

/// Two edits that would change the same octets: a fault of the planner, never of the mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("an edit of octets {}..{} overlaps an earlier one of {}..{}", new.start, new.end, old.start, old.end)]
pub struct OverlapError {
    /// The span that was refused.
    pub new: Span,
    /// The span that is in the list already.
    pub old: Span,
}

/// A list of edits of one message, kept sorted and disjoint.
///
/// Two insertions at one place keep the order in which they were pushed. An insertion at the edge of a
/// replacement is allowed on either side; one inside it is an [`OverlapError`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EditList {
    edits: Vec<Edit>,
}

impl EditList {
    /// Makes the empty list, which means "leave it alone, octet for octet".
    pub fn new() -> EditList {
        EditList::default()
    }

    /// Gives back the room that it has for more edits.
    pub fn shrink_to_fit(&mut self) {
        self.edits.shrink_to_fit();
    }

    /// Adds an edit in its place; that takes linear time only where it is pushed out of order. On an [`OverlapError`]
    /// the list stays as it was.
    ///
    /// ```
    /// use septet::{EditList, Span};
    ///
    /// let mut edits = EditList::new();
    /// edits.push(Span::new(6, 11), "mail").unwrap();
    /// edits.push(Span::empty(11), "!").unwrap();
    /// assert_eq!(edits.apply(b"hello world"), b"hello mail!");
    /// assert!(edits.push(Span::new(8, 9), "x").is_err(), "these octets are taken");
    /// ```
    pub fn push(&mut self, at: Span, with: impl Into<Vec<u8>>) -> Result<(), OverlapError> {
        let index = match self.edits.last() {
            Some(last) if !last.precedes(at) => self.edits.partition_point(|edit| edit.precedes(at)),
            _ => self.edits.len(),
        };
        let before = index.checked_sub(1).map(|i| self.edits[i].at);
        let after = self.edits.get(index).map(|edit| edit.at);
        for old in [before, after].into_iter().flatten() {
            if overlap(old, at) {
                return Err(OverlapError { new: at, old });
            }
        }
        self.edits.insert(index, Edit { at, with: with.into() });
        Ok(())
    }

    /// Adds every edit of `other`; stops at the first overlap, with the ones before it added.
    pub fn extend(&mut self, other: EditList) -> Result<(), OverlapError> {
        other.edits.into_iter().try_for_each(|edit| self.push(edit.at, edit.with))
    }

    /// Deletes octets, whatever was planned for them: edits inside are forgotten, insertions at the edges stay.
    /// An edit that reaches beyond these octets is an [`OverlapError`]; those inside are forgotten even then.
    ///
    /// ```
    /// use septet::{EditList, Span};
    ///
    /// let mut edits = EditList::new();
    /// edits.push(Span::new(2, 3), "x").unwrap();
    /// edits.push(Span::empty(4), "y").unwrap();
    /// edits.delete(Span::new(0, 4)).unwrap();
    /// assert_eq!(edits.apply(b"abcdef"), b"yef");
    /// ```
    pub fn delete(&mut self, at: Span) -> Result<(), OverlapError> {
        self.edits.retain(|edit| {
            let is_at_edge = edit.at.is_empty() && (edit.at.start == at.start || edit.at.start == at.end);
            is_at_edge || edit.at.start < at.start || at.end < edit.at.end
        });
        self.push(at, Vec::new())
    }

    /// Returns the octets that a message of so many has after the edits, all of which must lie within it.
    ///
    /// ```
    /// use septet::{EditList, Span};
    ///
    /// let mut edits = EditList::new();
    /// edits.push(Span::new(6, 11), "you").unwrap();
    /// assert_eq!(edits.length_after(11), 9);
    /// ```
    pub fn length_after(&self, length: usize) -> usize {
        let gained: usize = self.edits.iter().map(|edit| edit.with.len()).sum();
        let lost: usize = self.edits.iter().map(|edit| edit.at.len()).sum();
        (length + gained).saturating_sub(lost)
    }

    /// Joins two lists into one for the original. `middle` must be the original after this list, and the offsets of
    /// `next` count in it.
    ///
    /// Edits become one only where they touch the same octets, so that whoever looks at places finds each where it was
    /// planned.
    ///
    /// ```
    /// use septet::{EditList, Span};
    ///
    /// let (mut first, mut next) = (EditList::new(), EditList::new());
    /// first.push(Span::new(6, 11), "mail").unwrap();
    /// next.push(Span::new(6, 7), "M").unwrap();
    /// let middle = first.apply(b"hello world");
    /// let both = first.then(&middle, &next);
    /// assert_eq!(both.apply(b"hello world"), next.apply(&middle));
    /// ```
    pub fn then(&self, middle: &[u8], next: &EditList) -> EditList {
        let mut together = Together { first: &self.edits, next: &next.edits, gained: 0, lost: 0 };
        EditList { edits: std::iter::from_fn(|| together.take_joined(middle)).collect() }
    }

    /// Returns `true` if there is no edit; one that puts in what it takes out, or nothing in an empty span, is one.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Returns the edits in the order of the message.
    pub fn as_slice(&self) -> &[Edit] {
        &self.edits
    }

    /// Returns the edits whose span lies within `span`, in order, insertions at its edges among them.
    pub fn within(&self, span: Span) -> &[Edit] {
        let from = self.edits.partition_point(|edit| edit.at.start < span.start);
        let to = self.edits.partition_point(|edit| edit.at.end <= span.end);
        &self.edits[from..to.max(from)]
    }

    /// Returns the edited message as slices: of the original where nothing changes, of the edits elsewhere.
    pub fn pieces<'a>(&'a self, original: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        pieces(&self.edits, original, Span::new(0, original.len()))
    }

    /// Returns one `span` of the edited message as slices; edits that leave the span are not applied.
    pub fn pieces_within<'a>(&'a self, original: &'a [u8], span: Span) -> impl Iterator<Item = &'a [u8]> {
        pieces(self.within(span), original, span)
    }

    /// Returns the edited octets of one `span` of the original; edits that leave the span are not applied.
    pub fn apply_within(&self, original: &[u8], span: Span) -> Vec<u8> {
        self.pieces_within(original, span).collect::<Vec<_>>().concat()
    }

    /// Returns the edited message. `original` must be the message that was planned, which is not checked here.
    pub fn apply(&self, original: &[u8]) -> Vec<u8> {
        self.apply_within(original, Span::new(0, original.len()))
    }
}

/// What is still to be joined of two lists of edits: `first` of the original, and `next` of the middle, which is the
/// original after `first`.
struct Together<'e> {
    first: &'e [Edit],
    next: &'e [Edit],
    /// How many octets the edits that were taken of `first` put in, and how many they took out.
    gained: usize,
    lost: usize,
}

impl Together<'_> {
    /// Takes the edits that stand next, of both lists, as long as each touches those before it, and returns them as one
    /// edit of the original; none when there are no more.
    fn take_joined(&mut self, middle: &[u8]) -> Option<Edit> {
        let start = self.original(match (self.made(), self.next.first()) {
            (Some(made), Some(next)) => made.start.min(next.at.start),
            (Some(made), None) => made.start,
            (None, next) => next?.at.start,
        });
        let (all, mut at) = (self.next, None);
        let mut changes = 0;
        loop {
            let meets = |span: Span| at.is_none_or(|at| overlap(at, span));
            let next = self.next.first().map(|edit| edit.at).filter(|&span| meets(span));
            let made = self.made().filter(|&span| meets(span));
            let taken = match (made, next) {
                // An edit before what was made comes first; behind a deletion at the same place it comes second.
                (Some(made), Some(next)) if made.end > next.start && next.end <= made.start => self.take_next(next),
                (Some(made), _) => self.take_first(made),
                (None, Some(next)) => self.take_next(next),
                (None, None) => break,
            };
            changes = all.len() - self.next.len();
            at = Some(at.map_or(taken, |at: Span| Span::new(at.start.min(taken.start), at.end.max(taken.end))));
        }
        let (at, changes) = (at?, &all[..changes]);
        let with = pieces(changes, middle, at).collect::<Vec<_>>().concat();
        Some(Edit { at: Span::new(start, self.original(at.end)), with })
    }

    /// Takes the next edit of the second list, and returns `at`, which must be its span.
    fn take_next(&mut self, at: Span) -> Span {
        self.next = self.next.get(1..).unwrap_or_default();
        at
    }

    /// Takes the next edit of the first list and counts its octets; returns `made`, which must be what [`Self::made`]
    /// gave for it.
    fn take_first(&mut self, made: Span) -> Span {
        if let Some((edit, rest)) = self.first.split_first() {
            self.gained += edit.with.len();
            self.lost += edit.at.len();
            self.first = rest;
        }
        made
    }

    /// Returns where the octets that the next edit of the first list puts in stand in the middle; none when all are
    /// taken.
    fn made(&self) -> Option<Span> {
        let edit = self.first.first()?;
        let start = edit.at.start + self.gained - self.lost;
        Some(Span::new(start, start + edit.with.len()))
    }

    /// Maps a place in the middle to the original; it must lie behind the edits taken of the first list and before the
    /// others.
    fn original(&self, at: usize) -> usize {
        (at + self.lost).saturating_sub(self.gained)
    }
}

/// Returns `true` if two edits want the same octets, or one inserts inside the other.
fn overlap(a: Span, b: Span) -> bool {
    a.start < b.end && b.start < a.end
}

/// Returns a span of the original with these edits as slices, empty ones left out. The edits must be sorted, disjoint
/// and within the span.
fn pieces<'a>(edits: &'a [Edit], original: &'a [u8], span: Span) -> impl Iterator<Item = &'a [u8]> {
    let ends = edits.iter().map(|edit| edit.at.start).chain([span.end]);
    let starts = [span.start].into_iter().chain(edits.iter().map(|edit| edit.at.end));
    let kept = starts.zip(ends).map(|(start, end)| Span::new(start, end).slice(original));
    let new = edits.iter().map(|edit| edit.with.as_slice()).chain([&[][..]]);
    kept.zip(new).flat_map(|(kept, new)| [kept, new]).filter(|piece| !piece.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(edits: &[(usize, usize, &str)]) -> EditList {
        let mut list = EditList::new();
        for &(start, end, with) in edits {
            list.push(Span::new(start, end), with).expect("disjoint");
        }
        list
    }

    #[test]
    fn applies_edits_pushed_in_any_order() {
        let list = list(&[(6, 11, "mail"), (0, 5, "goodbye"), (11, 11, "!")]);
        assert_eq!(list.apply(b"hello world"), b"goodbye mail!");
    }

    #[test]
    fn keeps_the_order_of_insertions_at_one_place() {
        assert_eq!(list(&[(1, 1, "b"), (1, 1, "c"), (0, 1, "a")]).apply(b"xd"), b"abcd");
        assert_eq!(list(&[(0, 1, "a"), (1, 1, "b"), (1, 2, "c")]).apply(b"xyd"), b"abcd");
    }

    #[test]
    fn refuses_overlaps_whatever_the_order() {
        for (first, second) in
            [((2, 5), (4, 6)), ((4, 6), (2, 5)), ((2, 5), (3, 3)), ((3, 3), (2, 5)), ((1, 9), (2, 3))]
        {
            let mut list = EditList::new();
            list.push(Span::new(first.0, first.1), "x").expect("the first fits");
            assert!(list.push(Span::new(second.0, second.1), "y").is_err(), "{first:?} {second:?}");
        }
    }

    #[test]
    fn applies_only_what_lies_within_a_span() {
        let list = list(&[(0, 1, "A"), (3, 4, "D"), (5, 6, "F")]);
        assert_eq!(list.apply_within(b"abcdef", Span::new(2, 5)), b"cDe");
    }

    /// All lists of edits of four octets that a small number tells.
    fn some_list(mut seed: u64, length: usize) -> EditList {
        let mut list = EditList::new();
        for _ in 0..3 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (start, size, put) =
                ((seed >> 33) as usize % (length + 1), (seed >> 40) as usize % 3, (seed >> 50) as usize % 3);
            let _ = list.push(Span::new(start, (start + size).min(length)), &b"XYZ"[..put]);
        }
        list
    }

    #[test]
    fn lists_after_one_another_are_one() {
        let original = b"abcdefg";
        for seed in 0..20_000 {
            let first = some_list(seed, original.len());
            let middle = first.apply(original);
            let next = some_list(seed + 1_000_003, middle.len());
            let both = first.then(&middle, &next);
            assert_eq!(both.apply(original), next.apply(&middle), "{first:?} {next:?}");
            let mut again = EditList::new();
            again.extend(both.clone()).unwrap_or_else(|overlap| panic!("{overlap:?}: {first:?} {next:?}"));
            assert_eq!(again, both, "in order");
        }
    }
}
