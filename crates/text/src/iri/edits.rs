//! Changes to references, and to the texts that they stand in: ranges of octets and what replaces them.
//!
//! A text may have a link on every line, so what is written stands in one buffer, one behind the other: an edit costs
//! three numbers beside its octets.

use std::borrow::Cow;
use std::ops::Range;

/// Octet ranges of a text and what replaces them; sorted and disjoint where one text is changed.
///
/// ```
/// use septet_text::iri::{Edits, apply};
///
/// let edits: Edits = [(0..1, "A"), (2..2, "-")].into_iter().collect();
/// assert_eq!(apply("abc", &edits), "Ab-c");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edits {
    places: Vec<EditedRange>,
    written: String,
}

/// One range, and where what replaces it ends in what is written.
#[derive(Debug, Clone, PartialEq, Eq)]
struct EditedRange {
    at: Range<usize>,
    end: usize,
}

impl Edits {
    /// Makes the empty list.
    pub fn new() -> Edits {
        Edits::default()
    }

    /// Returns `true` if nothing is changed.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Returns the number of ranges.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Adds an edit behind the last one.
    pub fn push(&mut self, at: Range<usize>, with: &str) {
        self.push_written(at, |out| out.push_str(with));
    }

    /// Adds an edit behind the last one; `write` appends what is written to the text that it gets, and must leave the
    /// rest of that as it is.
    pub(super) fn push_written(&mut self, at: Range<usize>, write: impl FnOnce(&mut String)) {
        write(&mut self.written);
        self.places.push(EditedRange { at, end: self.written.len() });
    }

    /// Adds an edit; one that starts where the last one ends becomes part of it.
    pub(super) fn join(&mut self, at: Range<usize>, with: &str) {
        self.join_since(0, at, with);
    }

    /// Adds an edit behind the first `done`; one that starts where the last one of these ends becomes part of it. Those
    /// before count octets of something else.
    pub(super) fn join_since(&mut self, done: usize, at: Range<usize>, with: &str) {
        match self.places.get_mut(done..).and_then(<[EditedRange]>::last_mut) {
            Some(last) if last.at.end == at.start => {
                self.written.push_str(with);
                (last.at.end, last.end) = (at.end, self.written.len());
            }
            _ => self.push(at, with),
        }
    }

    /// Returns the edits, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Range<usize>, &str)> + Clone {
        self.since(0)
    }

    /// Returns the edits behind the first `done`, in order.
    pub fn since(&self, done: usize) -> impl Iterator<Item = (Range<usize>, &str)> + Clone {
        let places = self.places.get(done..).unwrap_or_default();
        let starts = [self.end_of(done)].into_iter().chain(places.iter().map(|place| place.end));
        starts
            .zip(places)
            .map(|(start, place)| (place.at.clone(), self.written.get(start..place.end).unwrap_or_default()))
    }

    /// Moves the ranges of the edits behind the first `done` to where `to` says.
    pub fn move_since(&mut self, done: usize, to: impl Fn(Range<usize>) -> Range<usize>) {
        for place in self.places.get_mut(done..).unwrap_or_default() {
            place.at = to(place.at.clone());
        }
    }

    /// Forgets the edits behind the first `kept`.
    pub fn truncate(&mut self, kept: usize) {
        self.written.truncate(self.end_of(kept));
        self.places.truncate(kept);
    }

    /// Returns the edits by the order of their ranges.
    pub fn sorted(self) -> Edits {
        if self.places.is_sorted_by_key(|place| place.at.start) {
            return self;
        }
        let mut edits: Vec<_> = self.iter().collect();
        edits.sort_by_key(|(at, _)| at.start);
        edits.into_iter().collect()
    }

    /// Returns where what the first `edits` have written ends; where there are fewer, all that is written.
    fn end_of(&self, edits: usize) -> usize {
        edits.checked_sub(1).map_or(0, |last| self.places.get(last).map_or(self.written.len(), |place| place.end))
    }
}

impl<S: AsRef<str>> Extend<(Range<usize>, S)> for Edits {
    fn extend<I: IntoIterator<Item = (Range<usize>, S)>>(&mut self, edits: I) {
        edits.into_iter().for_each(|(at, with)| self.push(at, with.as_ref()));
    }
}

impl<S: AsRef<str>> FromIterator<(Range<usize>, S)> for Edits {
    fn from_iter<I: IntoIterator<Item = (Range<usize>, S)>>(edits: I) -> Edits {
        let mut list = Edits::new();
        list.extend(edits);
        list
    }
}

/// Returns the text with the edits done; one that starts before the last one ends, or behind the text, is skipped.
pub fn apply<'a>(text: &'a str, edits: &Edits) -> Cow<'a, str> {
    if edits.is_empty() { text.into() } else { spliced(text, edits.iter(), edits.written.len()).into() }
}

/// Does what [`apply`] does, with edits that write about `grown` octets.
pub(super) fn spliced<'e>(text: &str, edits: impl Iterator<Item = (Range<usize>, &'e str)>, grown: usize) -> String {
    let mut out = String::with_capacity(text.len() + grown);
    let mut done = 0;
    for (at, with) in edits {
        let Some(kept) = text.get(done..at.start) else { continue };
        out.push_str(kept);
        out.push_str(with);
        done = at.end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_each_edit_writes() {
        let mut edits: Edits = [(1..2, "one"), (4..4, ""), (5..6, "two")].into_iter().collect();
        edits.join(6..7, "three");
        assert_eq!(edits.iter().collect::<Vec<_>>(), [(1..2, "one"), (4..4, ""), (5..7, "twothree")]);
        edits.join_since(3, 7..8, "four");
        assert_eq!(edits.since(2).collect::<Vec<_>>(), [(5..7, "twothree"), (7..8, "four")]);
        edits.truncate(3);
        edits.move_since(2, |at| at.start - 5..at.end - 5);
        assert_eq!(edits.since(1).collect::<Vec<_>>(), [(4..4, ""), (0..2, "twothree")]);
        assert_eq!(edits.clone().sorted().iter().next(), Some((0..2, "twothree")));
        edits.truncate(1);
        assert_eq!(edits.iter().collect::<Vec<_>>(), [(1..2, "one")]);
        edits.push(3..4, "more");
        assert_eq!((apply("abcdef", &edits), edits.len()), ("aonecmoreef".into(), 2));
        edits.truncate(0);
        assert!(edits.is_empty() && edits == Edits::new());
    }
}
