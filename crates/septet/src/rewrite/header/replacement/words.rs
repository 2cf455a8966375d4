//! Replacements that are encoded-words: rules 2 to 5, as in [`super`].

use std::ops::Range;

use super::planner::{SegmentPlanner, runs};
use super::replacements::{NewWords, ReplaceWith, Replacement, Replacements};
use crate::coding::charset::Charset;
use crate::coding::encoded_word::WordPlace;
use crate::coding::evidence;
use crate::rewrite::Reason;
use crate::rewrite::header::item::{Item, ItemKind, is_solid};

/// Plain text of at most so many octets between two replacements joins them: a word's `=?utf-8?Q?` and `?=`.
const SHORT: usize = 12;

impl SegmentPlanner<'_> {
    /// Plans the segment in words. A range of which no text comes stays, since no word could be written for it. The
    /// order of the rules counts: what touches is marked first (2), then ranges are joined (3, 5), and only of the
    /// joined ones the charset and the text are found (4). A name of which nothing must stay is one range, all of it
    /// (`is_unit`).
    pub fn plan_words(&self) -> Replacements {
        let mut marks = self.changes.clone();
        let mut found = Replacements { left: self.mark_adjacent(&mut marks), ..Replacements::default() };
        for range in if self.is_unit(&marks) { vec![self.segment.solid()] } else { self.joined(&marks) } {
            let text = self.text_in_words(&range);
            let Some(charset) = self.charset(&range) else {
                found.left.push(Reason::Unlabelled);
                continue;
            };
            if !text.is_empty() {
                let (place, spaces) = (self.segment.place, self.spaces(&range));
                let with = ReplaceWith::Words(NewWords { text, charset, place, spaces, frame: ("", "") });
                self.add_changes(&range, charset, &mut found.changes);
                let at = self.at(&self.with_outer_white(range.clone()));
                let behind = at.end..at.end;
                found.list.push(Replacement { at, with });
                // Behind a range stands, after a space, the word of the half of a character that ends it.
                let half = self.half(&range).map(|half| ReplaceWith::Raw(format!(" {half}"), true));
                found.list.extend(half.map(|with| Replacement { at: behind, with }));
            }
        }
        found
    }

    /// Returns the ranges of marked items that make one replacement each, in order. Where two are joined, what stands
    /// between them is written anew, too, marked or not.
    fn joined(&self, marks: &[bool]) -> Vec<Range<usize>> {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for range in runs(marks) {
            match ranges.last_mut().filter(|last| self.are_one(last, &range)) {
                Some(last) => last.end = range.end,
                None => ranges.push(range),
            }
        }
        ranges
    }

    /// Returns `true` if two ranges of marked items make one replacement (rule 3): white space stands between them, or
    /// a little plain text. After half a character none goes on: its word stays what it is, and stands behind those of
    /// its range.
    fn are_one(&self, one: &Range<usize>, other: &Range<usize>) -> bool {
        let between = one.end..other.start;
        let items = &self.items[between.clone()];
        // A fold counts alike, whatever line ends the message has.
        let length = self.value[self.at(&between)].iter().filter(|&&octet| octet != b'\r').count();
        let joins = items.iter().all(Item::is_white) || is_plain(items) && length <= SHORT;
        self.half(one).is_none() && (joins || self.is_one_unknown(one, other))
    }

    /// Returns the half of a character that ends a range, if one does.
    fn half(&self, range: &Range<usize>) -> Option<&str> {
        self.items[range.clone()].last()?.half.as_deref()
    }

    /// Returns `true` if the octets of a range would be read in some charset, if they stood alone. What was unknown
    /// beside other octets must not become a text by that.
    fn is_guessed(&self, range: &Range<usize>) -> bool {
        let octets = &self.value[self.at(range)];
        // Statistics are asked of whole texts, never of a piece.
        let witnesses = self.target.reader.witnesses.without_statistics();
        !octets.is_ascii() && evidence::judge_raw(octets, &witnesses).is_ok()
    }

    /// Returns `true` if two ranges must make one replacement, since both hold octets that nobody can read, one of
    /// which alone would be read in some charset ([`is_guessed`](Self::is_guessed)). The second is asked first: the
    /// first grows with each range that joins it.
    fn is_one_unknown(&self, one: &Range<usize>, other: &Range<usize>) -> bool {
        is_plain(&self.items[one.end..other.start])
            && has_unknown(&self.items[one.clone()])
            && has_unknown(&self.items[other.clone()])
            && (self.is_guessed(other) || self.is_guessed(one))
    }

    /// Returns the text of the words that take the place of a range: without the white space between words in it (rule
    /// 3), with that between it and words beside it (rule 4), and with what
    /// [`with_outer_white`](Self::with_outer_white) adds. Where the words are canonical nobody proves this text against
    /// the value: it is taken for what was meant (`FieldValue::note_canonical_words`).
    fn text_in_words(&self, range: &Range<usize>) -> String {
        let (items, mut shown) = (self.items, self.with_outer_white(range.clone()));
        if let ([.., words, white], [own, ..]) = items.split_at(shown.start)
            && is_between(own, white, words)
        {
            shown.start -= 1;
        }
        if let ([.., own], [white, words, ..]) = items.split_at(shown.end)
            && is_between(own, white, words)
        {
            shown.end += 1;
        }
        shown.flat_map(|index| [self.shown(index), items[index].line_end]).collect()
    }

    /// Returns a range with the white space at the ends of what a person typed, if it reaches so far: outside of words
    /// nobody would see that. Any other range comes back as it is. Both the place of a replacement and its text ask
    /// here.
    fn with_outer_white(&self, range: Range<usize>) -> Range<usize> {
        if !self.target.literal {
            return range;
        }
        let (at_start, at_end) = self.edges(&range);
        (if at_start { 0 } else { range.start })..(if at_end { self.items.len() } else { range.end })
    }

    /// Returns whether a space must be written before and behind words, so that they touch nothing that stays (RFC 2047
    /// §5).
    fn spaces(&self, range: &Range<usize>) -> (bool, bool) {
        let at = self.at(range);
        let before = self.value.get(..at.start).and_then(<[u8]>::last).is_some_and(is_solid);
        let after = self.value.get(at.end).is_some_and(is_solid);
        // At a comment's ends stand its parentheses, and they may touch a word.
        let is_comment = self.segment.place == WordPlace::Comment;
        (before && !(is_comment && range.start == 0), after && !(is_comment && range.end == self.items.len()))
    }

    /// Returns the charset of the words that a range becomes; none where octets that nobody can read stand beside text
    /// in it, or would be read if they stood alone.
    fn charset(&self, range: &Range<usize>) -> Option<Charset> {
        let items = &self.items[range.clone()];
        if !has_unknown(items) {
            return Some(self.target.charset);
        }
        let are_all = items.iter().all(|item| item.unknown || item.text.is_ascii());
        (are_all && !self.is_guessed(range)).then_some(Charset::UNKNOWN_8BIT)
    }
}

/// Returns `true` if an item is white space between one at an edge of a range, no word itself, and words, which stay,
/// since the white space is outside of the range.
fn is_between(own: &Item, white: &Item, words: &Item) -> bool {
    white.is_white() && words.is_words() && !own.is_words()
}

/// Returns `true` if items are nothing but white space and plain text in ASCII.
fn is_plain(items: &[Item]) -> bool {
    items.iter().all(|it| it.is_white() || matches!(it.kind, ItemKind::Plain) && !it.eight_bit && it.is_read())
}

/// Returns `true` if octets that nobody can read are among items.
fn has_unknown(items: &[Item]) -> bool {
    items.iter().any(|item| item.unknown)
}
