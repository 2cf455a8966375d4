//! Replacements that are raw text: rule 1, and rule 3 for words whose white space vanishes.

use std::ops::Range;

use super::found::{ReplaceWith, Replacement, SegmentPlan};
use super::planner::{SegmentPlanner, runs};
use crate::coding::encoded_word::{WordPlace, is_line_separator};
use crate::coding::escape::{EscapeForm, escape_into};
use crate::rewrite::HeaderForm;
use crate::rewrite::header::item::{Item, ItemKind};
use crate::rewrite::header::target::FieldTarget;

/// A range of items, and the raw text that is written for it; none where it can't stand raw.
type Written = (Range<usize>, Option<String>);

impl SegmentPlanner<'_> {
    /// Plans the segment in raw text, or in escapes; none when a part of it can't stand so. In ASCII, nothing of the
    /// segment may be unread: the caller has seen to that.
    pub fn plan_raw(&self) -> Option<SegmentPlan> {
        let mut marks = self.changes.clone();
        let mut found = SegmentPlan::default();
        if self.segment.place == WordPlace::Phrase {
            found.left = self.mark_adjacent(&mut marks);
            // Words that stay would then stand beside raw text, and white space between them, which no reader showed,
            // would be shown.
            if self.target.form == HeaderForm::Utf8 && !found.left.is_empty() {
                return None;
            }
        }
        self.mark_broken(&mut marks);
        self.mark_introducers(&mut marks);
        let written = self.with_vanishing_white(&marks).into_iter().map(|range| self.written(range)).collect();
        for (range, text) in self.whole_or(written, &marks) {
            if self.target.form == HeaderForm::Utf8 && self.beside_left_words(&range, &marks) {
                return None;
            }
            let text = text?;
            let fold = !text.starts_with('"');
            self.add_changes(&range, self.target.charset, &mut found.changes);
            found.replacements.push(Replacement { at: self.at(&range), with: ReplaceWith::Raw(text, fold) });
        }
        Some(found)
    }

    /// Returns a range of items with the raw text that is written for it, if it can stand raw.
    fn written(&self, range: Range<usize>) -> Written {
        let text: String = range.clone().map(|index| self.shown(index)).collect();
        let raw = self.raw_text(&range, &text);
        (range, raw)
    }

    /// Returns the ranges that are replaced: those that were found, or where a quoted-string would come to stand beside an
    /// atom of a name, all of the name as one (rule 5).
    fn whole_or(&self, found: Vec<Written>, marks: &[bool]) -> Vec<Written> {
        let is_one = self.segment.place == WordPlace::Phrase && self.is_unit(marks) && self.has_quotes(&found);
        if is_one || !found.is_empty() && self.is_spared() { vec![self.written(self.solid())] } else { found }
    }

    /// Returns `true` if a quoted-string stands in the segment, or would be written.
    fn has_quotes(&self, found: &[Written]) -> bool {
        self.items().iter().any(|item| matches!(item.kind, ItemKind::Quoted))
            || found.iter().any(|(_, text)| text.as_ref().is_some_and(|text| text.starts_with('"')))
    }

    /// Returns `true` if an introducer stands in the segment that is written twice or once by what follows it, so that all
    /// must be written as one.
    fn is_spared(&self) -> bool {
        let is_sparing = self.target.form == HeaderForm::Ascii && self.target.escape == EscapeForm::Xml;
        is_sparing && self.items().iter().any(|item| item.text.contains('&'))
    }

    /// Marks words that say nothing and stand beside marked words: left between raw text, they would no longer hide the
    /// white space that no reader shows between words.
    fn mark_broken(&self, marks: &mut [bool]) {
        // One may stand beside another.
        for index in (0..marks.len()).chain((0..marks.len()).rev()) {
            let item = &self.items()[index];
            if item.is_words() && item.text.is_empty() && item.why_unread().is_none() {
                let mut beside = [self.solid_before(index), self.solid_behind(index + 1)].into_iter().flatten();
                marks[index] |= beside.any(|at| marks[at] && self.items()[at].is_words());
            }
        }
    }

    /// Where anything of the segment is written with escapes, marks all plain text in it that has what escapes begin with:
    /// left alone, it would read as an escape.
    fn mark_introducers(&self, marks: &mut [bool]) {
        if self.target.form != HeaderForm::Ascii || !marks.contains(&true) {
            return;
        }
        for (mark, item) in marks.iter_mut().zip(self.items()) {
            *mark |= has_introducer(item, self.target);
        }
        if self.segment.place == WordPlace::Phrase {
            // It has no reasons to give: in ASCII nothing stays.
            self.mark_adjacent(marks);
        }
    }

    /// Returns the ranges of marked items, each with the white space between two that are words (rule 3 for raw text).
    fn with_vanishing_white(&self, marks: &[bool]) -> Vec<Range<usize>> {
        let mut joined = marks.to_vec();
        for (index, around) in marks.windows(3).enumerate() {
            joined[index + 1] |= around[0] && around[2] && self.is_dropped_between_words(index + 1);
        }
        runs(&joined)
    }

    /// Returns `true` if words that stay stand beside a range that holds words, with nothing but white space between.
    fn beside_left_words(&self, range: &Range<usize>, marks: &[bool]) -> bool {
        let beside = [self.solid_before(range.start), self.solid_behind(range.end)];
        let own = self.items()[range.clone()].iter().any(Item::is_words);
        own && beside.into_iter().flatten().any(|index| self.items()[index].is_words() && !marks[index])
    }

    /// Returns the last item before this one that is no white space.
    fn solid_before(&self, index: usize) -> Option<usize> {
        (0..index).rfind(|&at| !self.items()[at].is_white())
    }

    /// Returns the first item from this one on that is no white space.
    fn solid_behind(&self, index: usize) -> Option<usize> {
        (index..self.items().len()).find(|&at| !self.items()[at].is_white())
    }

    /// Returns a text as it may stand raw in the place of a range, quoted or escaped as that needs; none when it can't.
    fn raw_text(&self, range: &Range<usize>, text: &str) -> Option<String> {
        let place = self.segment.place;
        let at_edge =
            place == WordPlace::Text && (self.only_white(0..range.start) || self.only_white(range.end..usize::MAX));
        let text = if self.target.form == HeaderForm::Ascii {
            let tab = if self.has_words(range) { "\t" } else { "" };
            let escaped = self.target.escaped(text, at_edge, &[quoted_pairs(place), tab].concat());
            self.without_joined_word(range, self.without_separators(range, escaped))
        } else if self.reads_as_word(range, text) || self.loses_white(range, text) || self.hides_structure(range, text)
        {
            return None;
        } else {
            text.to_owned()
        };
        let quoted = self.items()[range.clone()].iter().any(|item| matches!(item.kind, ItemKind::Quoted));
        Some(match place {
            WordPlace::Text => text,
            WordPlace::Comment => with_backslashes(&text, quoted_pairs(place)),
            WordPlace::Phrase if !quoted && is_atoms(&text) => text,
            WordPlace::Phrase if self.segment.open => return None,
            WordPlace::Phrase => format!("\"{}\"", with_backslashes(&text, quoted_pairs(place))),
        })
    }

    /// Escapes what parts addresses in a text that a word of a comment had: bare, it would part them to some readers.
    fn without_separators(&self, range: &Range<usize>, text: String) -> String {
        if self.segment.place != WordPlace::Comment || !self.has_words(range) {
            return text;
        }
        let mut out = String::with_capacity(text.len());
        for character in text.chars() {
            match character {
                ',' | '<' | '>' | '@' => escape_into(&mut out, character, self.target.escape),
                other => out.push(other),
            }
        }
        out
    }

    /// Returns `true` if the text of words, once it is raw, holds what readers would find there: line separators of
    /// Unicode, at which some end a line, a tab, of which some make a blank, and in a comment what parts addresses.
    fn hides_structure(&self, range: &Range<usize>, text: &str) -> bool {
        let special = if self.segment.place == WordPlace::Comment { "()<>@,;:\"\\\t" } else { "\t" };
        self.has_words(range) && text.contains(|one: char| special.contains(one) || is_line_separator(one))
    }

    /// Returns `true` if words stand in a range.
    fn has_words(&self, range: &Range<usize>) -> bool {
        self.items()[range.clone()].iter().any(Item::is_words)
    }

    /// Returns `true` if white space of a text would stand at an end of the field, where it is lost.
    fn loses_white(&self, range: &Range<usize>, text: &str) -> bool {
        let white = [' ', '\t'];
        self.segment.place == WordPlace::Text
            && (text.starts_with(white) && self.only_white(0..range.start)
                || text.ends_with(white) && self.only_white(range.end..usize::MAX))
    }

    /// Returns `true` if `=?`, which begins a word, would stand in the text, or come about at its ends.
    fn reads_as_word(&self, range: &Range<usize>, text: &str) -> bool {
        let (at_start, at_end) = self.begins_words(range, text);
        text.contains("=?") || at_start || at_end
    }

    /// Tells of the start and of the end of a text whether `=?` comes about there, one octet of which stays beside the
    /// range.
    fn begins_words(&self, range: &Range<usize>, text: &str) -> (bool, bool) {
        let at = self.at(range);
        let before = at.start.checked_sub(1).and_then(|before| self.value.get(before));
        let behind = self.value.get(at.end);
        (text.starts_with('?') && before == Some(&b'='), text.ends_with('=') && behind == Some(&b'?'))
    }

    /// Escapes the half of `=?` that would come about at an end of the text.
    fn without_joined_word(&self, range: &Range<usize>, mut text: String) -> String {
        let (at_start, at_end) = self.begins_words(range, &text);
        if at_end {
            text.pop();
            escape_into(&mut text, '=', self.target.escape);
        }
        if at_start {
            let mut question = String::new();
            escape_into(&mut question, '?', self.target.escape);
            text.replace_range(..1, &question);
        }
        text
    }
}

/// Returns `true` if plain text has what escapes begin with.
fn has_introducer(item: &Item, target: &FieldTarget<'_>) -> bool {
    let is_plain = matches!(item.kind, ItemKind::Plain | ItemKind::Quoted);
    is_plain && item.text.is_ascii() && target.escaped(&item.text, false, "") != item.text
}

/// Returns the characters that are written as quoted-pairs (RFC 5322 §3.2.1) in a comment, or in the quoted-string of a
/// phrase; in unstructured text, none.
pub fn quoted_pairs(place: WordPlace) -> &'static str {
    match place {
        WordPlace::Text => "",
        WordPlace::Comment => "()\\",
        WordPlace::Phrase => "\"\\",
    }
}

/// Returns `true` if a text is atoms with single spaces between, so that a phrase shows it unchanged unquoted.
fn is_atoms(text: &str) -> bool {
    text.split(' ').all(|atom| !atom.is_empty() && atom.chars().all(is_atext))
}

/// Returns `true` if a character may stand in an atom (RFC 5322 §3.2.3, RFC 6532 §3.2).
fn is_atext(character: char) -> bool {
    !character.is_ascii() || character.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(character)
}

/// Writes a backslash before each of some characters.
pub fn with_backslashes(text: &str, special: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if special.contains(character) {
            out.push('\\');
        }
        out.push(character);
    }
    out
}
