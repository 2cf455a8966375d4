//! Replacements that are encoded-words: rules 2 to 4.

use std::ops::Range;

use super::found::{ReplaceWith, Replacement, SegmentPlan};
use super::planner::{SegmentPlanner, runs};
use crate::coding::charset::Charset;
use crate::coding::encoded_word::WordPlace;
use crate::coding::evidence;
use crate::rewrite::Reason;
use crate::rewrite::header::item::{Item, ItemKind};

/// Plain text of at most so many octets between two replacements joins them: a word's `=?utf-8?Q?` and `?=`.
const SHORT: usize = 12;

impl SegmentPlanner<'_> {
    /// Plans the segment in words. A range of which no text comes stays, since no word could be written for it.
    pub fn plan_words(&self) -> SegmentPlan {
        let mut marks = self.changes.clone();
        let mut found = SegmentPlan { left: self.mark_adjacent(&mut marks), ..SegmentPlan::default() };
        if self.is_unit(&marks) {
            self.mark_all(&mut marks);
        }
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for range in runs(&marks) {
            match ranges.last_mut().filter(|last| self.are_one(last, &range)) {
                Some(last) => last.end = range.end,
                None => ranges.push(range),
            }
        }
        for range in ranges {
            let text = self.text_in_words(&range);
            let Some(charset) = self.charset(&range) else {
                found.left.push(Reason::Unlabelled);
                continue;
            };
            if !text.is_empty() {
                let (place, spaces) = (self.segment.place, self.spaces(&range));
                let with = ReplaceWith::Words { text, charset, place, spaces, frame: ("", "") };
                self.add_changes(&range, charset, &mut found.changes);
                let half = self.half(&range);
                let at = self.at(&self.with_outer_white(range));
                let behind = at.end..at.end;
                found.replacements.push(Replacement { at, with });
                found.replacements.extend(half.map(|with| Replacement { at: behind, with }));
            }
        }
        found
    }

    /// Returns `true` if two ranges of marked items make one replacement. After half a character none goes on: its word
    /// stays what it is, and stands behind those of its range.
    fn are_one(&self, one: &Range<usize>, other: &Range<usize>) -> bool {
        self.half(one).is_none() && (self.joins(one.end..other.start) || self.is_one_unknown(one, other))
    }

    /// Returns what is written behind a range for the half of a character that ends it, if one does: a space and its
    /// word.
    fn half(&self, range: &Range<usize>) -> Option<ReplaceWith> {
        let last = self.items().get(range.clone())?.last()?;
        last.half.as_ref().map(|half| ReplaceWith::Raw(format!(" {}", half.word), true))
    }

    /// Returns `true` if marked items on both sides of a range make one replacement (rule 3): white space stands
    /// between them, or a little plain text.
    fn joins(&self, between: Range<usize>) -> bool {
        let items = &self.items()[between.clone()];
        // A fold counts alike, whatever line ends the message has.
        let length = self.value[self.at(&between)].iter().filter(|&&octet| octet != b'\r').count();
        let white_alone = items.iter().all(Item::is_white);
        white_alone || is_plain(items) && length <= SHORT
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
    /// which alone would be read in some charset ([`is_guessed`](Self::is_guessed)).
    fn is_one_unknown(&self, one: &Range<usize>, other: &Range<usize>) -> bool {
        is_plain(&self.items()[one.end..other.start])
            && has_unknown(&self.items()[one.clone()])
            && has_unknown(&self.items()[other.clone()])
            && (self.is_guessed(one) || self.is_guessed(other))
    }

    /// Returns the text of the words that take the place of a range: without the white space between words in it (rule
    /// 3), with that between it and words beside it (rule 4), and with what
    /// [`with_outer_white`](Self::with_outer_white) adds.
    fn text_in_words(&self, range: &Range<usize>) -> String {
        let mut text = String::new();
        if let Some(white) = range.start.checked_sub(1).filter(|&white| self.is_beside_words(white, range.start)) {
            text.push_str(&self.items()[white].text);
        }
        for index in range.clone() {
            text.push_str(self.shown(index));
            text.push_str(self.items()[index].line_end);
        }
        if self.is_beside_words(range.end, range.end.saturating_sub(1)) {
            text.push_str(&self.items()[range.end].text);
        }
        let edges = self.with_outer_white(range.clone());
        let before: String = self.items()[edges.start..range.start].iter().map(|item| &*item.text).collect();
        let after: String = self.items()[range.end..edges.end].iter().map(|item| &*item.text).collect();
        before + &text + &after
    }

    /// Returns a range with the white space at the ends of what a person typed, if it reaches so far: outside of words
    /// nobody would see that. Any other range comes back as it is.
    fn with_outer_white(&self, range: Range<usize>) -> Range<usize> {
        if !self.target.literal || self.segment.place != WordPlace::Text {
            return range;
        }
        let start = if self.only_white(0..range.start) { 0 } else { range.start };
        let end = if self.only_white(range.end..usize::MAX) { self.items().len() } else { range.end };
        start..end
    }

    /// Returns `true` if `white` is white space between the item `own`, at an edge of a range and no word itself, and
    /// words, which stay, since `white` is outside the range.
    fn is_beside_words(&self, white: usize, own: usize) -> bool {
        let other = if white < own { white.checked_sub(1) } else { white.checked_add(1) };
        let other = other.and_then(|other| self.items().get(other));
        self.items().get(white).is_some_and(Item::is_white)
            && self.items().get(own).is_some_and(|own| !own.is_words())
            && other.is_some_and(Item::is_words)
    }

    /// Returns whether a space must be written before and behind words, so that they touch nothing that stays (RFC 2047
    /// §5).
    fn spaces(&self, range: &Range<usize>) -> (bool, bool) {
        let at = self.at(range);
        let before = self.value.get(..at.start).and_then(<[u8]>::last).is_some_and(is_solid);
        let after = self.value.get(at.end).is_some_and(is_solid);
        // At a comment's ends stand its parentheses, and they may touch a word.
        let is_comment = self.segment.place == WordPlace::Comment;
        let (at_start, at_end) = (is_comment && range.start == 0, is_comment && range.end == self.items().len());
        (before && !at_start, after && !at_end)
    }

    /// Returns the charset of the words that a range becomes; none where octets that nobody can read stand beside text
    /// in it, or would be read if they stood alone.
    fn charset(&self, range: &Range<usize>) -> Option<Charset> {
        let items = &self.items()[range.clone()];
        match has_unknown(items) {
            false => Some(self.target.charset),
            true if items.iter().all(|item| item.unknown || item.text.is_ascii()) && !self.is_guessed(range) => {
                Some(Charset::UNKNOWN_8BIT)
            }
            true => None,
        }
    }
}

/// Returns `true` if items are nothing but white space and plain text in ASCII.
fn is_plain(items: &[Item]) -> bool {
    items.iter().all(|item| item.is_white() || matches!(item.kind, ItemKind::Plain) && !item.eight_bit)
}

fn is_solid(octet: &u8) -> bool {
    !matches!(octet, b' ' | b'\t' | b'\r' | b'\n')
}

/// Returns `true` if octets that nobody can read are among items.
fn has_unknown(items: &[Item]) -> bool {
    items.iter().any(|item| item.unknown)
}
