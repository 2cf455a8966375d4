//! Replacements that are raw text: rule 1, rules 2 and 5 in phrases, and rule 3 for words whose white space vanishes.

use std::ops::Range;

use super::planner::{SegmentPlanner, runs};
use super::replacements::{ReplaceWith, Replacement, Replacements};
use crate::coding::encoded_word::{WordPlace, is_line_separator};
use crate::coding::escape::{EscapeForm, escape_into};
use crate::message::grammar::parameter::quoted;
use crate::rewrite::HeaderForm;
use crate::rewrite::header::item::{Item, ItemKind, is_dropped_between_words};

/// A range of items, and the raw text that is written for it; none where it can't stand raw.
type Written = (Range<usize>, Option<String>);

impl SegmentPlanner<'_> {
    /// Plans the segment in raw text, or in escapes; none when a part of it can't stand so. In ASCII, nothing of the
    /// segment may be unread: the caller has seen to that.
    pub fn plan_raw(&self) -> Option<Replacements> {
        let mut marks = self.changes.clone();
        let mut found = Replacements::default();
        if self.segment.place == WordPlace::Phrase {
            found.left = self.mark_adjacent(&mut marks);
            // Words that stay would then stand beside raw text, and white space between them, which no reader showed,
            // would be shown.
            if self.target.form == HeaderForm::Utf8 && !found.left.is_empty() {
                return None;
            }
        }
        self.mark_empty_words(&mut marks);
        self.mark_introducers(&mut marks);
        let ranges = self.with_vanishing_white(&marks).into_iter();
        let mut written: Vec<Written> = ranges.map(|range| self.written(range)).collect();
        if self.is_one(&written, &marks) {
            written = vec![self.written(self.segment.solid())];
        }
        for (range, text) in written {
            if self.target.form == HeaderForm::Utf8 && self.beside_left_words(&range, &marks) {
                return None;
            }
            let text = text?;
            let fold = !text.starts_with('"');
            self.add_changes(&range, self.target.charset, &mut found.changes);
            found.list.push(Replacement { at: self.at(&range), with: ReplaceWith::Raw(text, fold) });
        }
        Some(found)
    }

    /// Returns a range of items with the raw text that is written for it, or with none if that can't stand raw.
    fn written(&self, range: Range<usize>) -> Written {
        let text: String = range.clone().map(|index| self.shown(index)).collect();
        let raw = self.raw_text(&range, &text);
        (range, raw)
    }

    /// Returns `true` if all of the segment must be written as one: a name in which a quoted-string would come to stand
    /// beside an atom (rule 5), or in [`EscapeForm::Xml`] a text with `&`, of which what follows decides whether it
    /// becomes `&amp;`, so that it must be in the same text.
    fn is_one(&self, found: &[Written], marks: &[bool]) -> bool {
        let mut items = self.items.iter();
        let is_sparing = self.target.form == HeaderForm::Ascii && self.target.profile.escape == EscapeForm::Xml;
        if !found.is_empty() && is_sparing && items.clone().any(|item| item.text.contains('&')) {
            return true;
        }
        let mut texts = found.iter().filter_map(|(_, text)| text.as_ref());
        let is_name = self.segment.place == WordPlace::Phrase && self.is_unit(marks);
        is_name && (items.any(|item| matches!(item.kind, ItemKind::Quoted)) || texts.any(|text| text.starts_with('"')))
    }

    /// Marks words that say nothing and stand beside marked words: left between raw text, they would no longer hide the
    /// white space that no reader shows between words. `Item::is_fine` lets them stay, since for words alone nothing
    /// would be written in their place.
    fn mark_empty_words(&self, marks: &mut [bool]) {
        // One may stand beside another: one pass marks a row behind marked words, the other a row before them.
        for index in (0..marks.len()).chain((0..marks.len()).rev()) {
            let item = &self.items[index];
            if item.is_words() && item.text.is_empty() && item.is_read() {
                let mut beside = self.solid_beside(index..index + 1);
                marks[index] |= beside.any(|at| marks[at] && self.items[at].is_words());
            }
        }
    }

    /// Marks the plain items that have what escapes begin with, if any item of the segment is marked and so written
    /// with escapes: left alone, they would read as escapes.
    fn mark_introducers(&self, marks: &mut [bool]) {
        if self.target.form != HeaderForm::Ascii || !marks.contains(&true) {
            return;
        }
        for (mark, item) in marks.iter_mut().zip(self.items) {
            let is_plain = matches!(item.kind, ItemKind::Plain | ItemKind::Quoted) && item.text.is_ascii();
            *mark |= is_plain && self.target.escaped(&item.text, false, "") != item.text;
        }
        if self.segment.place == WordPlace::Phrase {
            // It returns no reasons: in ASCII `plan_segment` lets no item come here that must stay.
            self.mark_adjacent(marks);
        }
    }

    /// Returns the ranges of marked items, each with the white space between two that are words (rule 3 for raw text).
    fn with_vanishing_white(&self, marks: &[bool]) -> Vec<Range<usize>> {
        let mut joined = marks.to_vec();
        for (index, around) in marks.windows(3).enumerate() {
            joined[index + 1] |= around[0] && around[2] && is_dropped_between_words(self.items, index + 1);
        }
        runs(&joined)
    }

    /// Returns `true` if words that stay stand beside a range that holds words, with nothing but white space between.
    fn beside_left_words(&self, range: &Range<usize>, marks: &[bool]) -> bool {
        let mut beside = self.solid_beside(range.clone());
        self.has_words(range) && beside.any(|index| self.items[index].is_words() && !marks[index])
    }

    /// Returns the indices of the last item before a range and of the first behind it that are no white space, as far
    /// as there are such.
    fn solid_beside(&self, range: Range<usize>) -> impl Iterator<Item = usize> {
        let is_solid = |at: &usize| !self.items[*at].is_white();
        let before = (0..range.start).rfind(is_solid);
        before.into_iter().chain((range.end..self.items.len()).find(is_solid))
    }

    /// Returns a text as it may stand raw in the place of a range, quoted or escaped as that needs; none when it can't.
    /// Escapes come first, and backslashes and quotes around them: what escapes have is quoted like any other text.
    fn raw_text(&self, range: &Range<usize>, text: &str) -> Option<String> {
        let place = self.segment.place;
        let text = if self.target.form == HeaderForm::Ascii {
            self.without_joined_word(range, &self.escaped(range, text))
        } else if self.may_stand_raw(range, text) {
            text.to_owned()
        } else {
            return None;
        };
        let was_quoted = self.items[range.clone()].iter().any(|item| matches!(item.kind, ItemKind::Quoted));
        Some(match place {
            WordPlace::Text => text,
            WordPlace::Comment => with_backslashes(&text, quoted_pairs(place)),
            WordPlace::Phrase if !was_quoted && is_atoms(&text) => text,
            WordPlace::Phrase if self.segment.is_open => return None,
            WordPlace::Phrase => quoted(&text),
        })
    }

    /// Writes the text of a range with escapes. What words say is escaped where it would part addresses in a comment,
    /// and a tab, of which some readers make a blank.
    fn escaped(&self, range: &Range<usize>, text: &str) -> String {
        let place = self.segment.place;
        let at_edge = self.edges(range) != (false, false);
        let of_words = match place {
            _ if !self.has_words(range) => "",
            WordPlace::Comment => "\t,<>@",
            _ => "\t",
        };
        self.target.escaped(text, at_edge, &[quoted_pairs(place), of_words].concat())
    }

    /// Returns `true` if a text may stand raw: its white space is not lost at an end of the field, `=?`, which begins a
    /// word, neither stands in it nor comes about at its ends, and what words said holds nothing that readers would
    /// find there: line separators of Unicode, at which some end a line, a tab, of which some make a blank, and in a
    /// comment what parts addresses.
    fn may_stand_raw(&self, range: &Range<usize>, text: &str) -> bool {
        let (white, (at_start, at_end)) = ([' ', '\t'], self.edges(range));
        let loses_white = at_start && text.starts_with(white) || at_end && text.ends_with(white);
        let reads_as_word = text.contains("=?") || self.begins_words(range, text) != (false, false);
        let special = if self.segment.place == WordPlace::Comment { "()<>@,;:\"\\\t" } else { "\t" };
        let is_special = text.contains(|one| special.contains(one) || is_line_separator(one));
        !(loses_white || reads_as_word || self.has_words(range) && is_special)
    }

    /// Returns `true` if words stand in a range.
    fn has_words(&self, range: &Range<usize>) -> bool {
        self.items[range.clone()].iter().any(Item::is_words)
    }

    /// Returns, of the start and of the end of a text that is put in the place of a range, whether `=?` comes about
    /// there, one octet of which stays beside the range.
    fn begins_words(&self, range: &Range<usize>, text: &str) -> (bool, bool) {
        let at = self.at(range);
        let before = at.start.checked_sub(1).and_then(|before| self.value.get(before));
        let behind = self.value.get(at.end);
        (text.starts_with('?') && before == Some(&b'='), text.ends_with('=') && behind == Some(&b'?'))
    }

    /// Returns a text that is put in the place of a range with an escape for the half of `=?` that would come about at
    /// an end of it. Within the text [`FieldTarget::escaped`](crate::rewrite::header::target::FieldTarget::escaped) has
    /// left none.
    fn without_joined_word(&self, range: &Range<usize>, text: &str) -> String {
        let ((at_start, at_end), form) = (self.begins_words(range, text), self.target.profile.escape);
        let mut out = String::with_capacity(text.len());
        if at_start {
            escape_into(&mut out, '?', form);
        }
        out.push_str(&text[usize::from(at_start)..text.len() - usize::from(at_end)]);
        if at_end {
            escape_into(&mut out, '=', form);
        }
        out
    }
}

/// Returns the characters that are written as quoted-pairs (RFC 5322 §3.2.1) in a comment, or in the quoted-string of a
/// phrase; in unstructured text, none. Those of a phrase are what
/// [`quoted`](crate::message::grammar::parameter::quoted) puts a backslash before.
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

/// Writes a backslash before each of the characters in `special`, the backslash among them or not.
pub fn with_backslashes(text: &str, special: &str) -> String {
    text.chars().flat_map(|one| special.contains(one).then_some('\\').into_iter().chain([one])).collect()
}
