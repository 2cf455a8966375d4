//! Which items of a segment are replaced together, and by what.
//!
//! Words are not letters: what stands between two of them vanishes, what is unbreakable_len to one of them hides it. So
//! an item is seldom replaced alone. The rules, in the order in which they are applied:
//!
//! 1. An item that the target wants otherwise is *marked* ([`Item::wants`]).
//! 2. Words need white space around them, so whatever is unbreakable_len to a marked item (no white space between) is
//!    marked with it. Something unreadable unbreakable_len to it leaves all of it alone.
//! 3. Marked neighbours make one *replacement*, the white space between them a part of its text, and so do those
//!    with only a little plain text between: one word is shorter, and easier to read, than two.
//! 4. Where a replacement stands beside a word that stays, the white space between is put into the replacement too,
//!    for a reader will drop what stands between the two words.
//!
//! Raw characters are more patient: only rule 1, and rule 3 for words whose white space vanishes. A text that
//! can't stand raw (it would read as a word, or its white space would be lost at the field's end) makes the
//! segment fall back to words.

use std::ops::Range;

use super::ascii::{Ascii, Downgrade};
use super::item::{Item, Kind, Segment};
use super::target::Target;
use crate::coding::charset::Charset;
use crate::coding::encoded_word::Place;
use crate::rewrite::{Change, HeaderForm, Reason};

/// What stands in a range of the value afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// What is replaced.
    pub at: Range<usize>,
    /// By what.
    pub with: ReplaceWith,
}

impl Replacement {
    /// Tells how many octets of it can't be parted from what stands before it without white space.
    pub fn unbreakable_len(&self) -> usize {
        match &self.with {
            ReplaceWith::Words { .. } | ReplaceWith::Added { .. } => 0,
            ReplaceWith::Raw(text, _) => text.split(' ').next().map_or(0, str::len),
            ReplaceWith::Sections(sections) => sections.first().map_or(0, String::len),
        }
    }
}

/// What a replacement becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplaceWith {
    /// Encoded-words that say a text.
    Words {
        /// The text.
        text: String,
        /// The charset of the words.
        charset: Charset,
        /// The language tag of the words.
        language: Option<String>,
        /// The rules for them.
        place: Place,
        /// Whether a space must be put before and after them.
        spaces: (bool, bool),
        /// What is put right before and right after them.
        frame: (&'static str, &'static str),
    },
    /// Text as it is, which may be folded at single spaces if the flag says so.
    Raw(String, bool),
    /// Sections of parameters, the `;` between them to be added.
    Sections(Vec<String>),
    /// Sections of parameters that were not there, each with a space and, where it is missing, a `;` before it.
    Added {
        /// Whether a `;` stands before the place already.
        separated: bool,
        /// The sections.
        sections: Vec<String>,
    },
}

/// Plain text of at most so many octets between two replacements joins them: a word's `=?utf-8?Q?` and `?=`.
const SHORT: usize = 12;

/// What becomes of a segment.
#[derive(Debug, Default)]
pub struct Found {
    /// What is replaced, in order.
    pub replacements: Vec<Replacement>,
    /// What there is to say of it.
    pub changes: Vec<Change>,
    /// Why something stays that should not have.
    pub left: Vec<Reason>,
}

/// Decides what becomes of a segment.
pub fn replacements(segment: &Segment, value: &[u8], target: &Target<'_>) -> Found {
    if !segment.items.iter().any(|item| item.wants(target)) {
        return Found::default();
    }
    let plan = Planner { segment, value, target };
    let unknown = segment.items.iter().any(|item| item.unknown);
    let found = if target.is_raw() && !unknown { plan.raw() } else { Some(plan.words()) };
    match found {
        Some(found) => found,
        None if target.form == HeaderForm::Ascii || segment.open => {
            Found { left: vec![Reason::Unclosed], ..Found::default() }
        }
        None => {
            let fallback = Target { form: HeaderForm::Utf8Words, keep_raw: true, ..*target };
            Planner { target: &fallback, ..plan }.words()
        }
    }
}

/// Writes what is downgraded.
pub fn of_downgrade(downgrade: &Downgrade, value: &[u8], target: &Target<'_>) -> Vec<Replacement> {
    let at = downgrade.at.clone();
    let raw = |text: String, fold: bool| ReplaceWith::Raw(text, fold);
    let is_ascii = target.form == HeaderForm::Ascii;
    match &downgrade.to {
        Ascii::Same(octets) => vec![Replacement { at, with: raw(octets.clone(), false) }],
        Ascii::Comment(text) if is_ascii => {
            let text = with_backslashes(&target.escaped(text, false), "()\\");
            vec![Replacement { at, with: raw(format!("({text})"), true) }]
        }
        Ascii::Comment(text) => {
            vec![Replacement { at, with: words(text, target.charset, Place::Comment, false, ("(", ")")) }]
        }
        Ascii::Phrase { text, tail } => {
            let is_white = |before: usize| value.get(before).is_some_and(u8::is_ascii_whitespace);
            let space = !at.start.checked_sub(1).is_none_or(is_white);
            let behind = Replacement { at: at.end..at.end, with: raw((*tail).to_owned(), true) };
            let with = match is_ascii {
                true => raw(format!("\"{}\"", with_backslashes(&target.escaped(text, false), "\"\\")), false),
                false => words(text, target.charset, Place::Phrase, space, ("", "")),
            };
            vec![Replacement { at, with }, behind]
        }
    }
}

fn words(text: &str, charset: Charset, place: Place, space: bool, frame: (&'static str, &'static str)) -> ReplaceWith {
    ReplaceWith::Words { text: text.to_owned(), charset, language: None, place, spaces: (space, false), frame }
}

struct Planner<'a> {
    segment: &'a Segment,
    value: &'a [u8],
    target: &'a Target<'a>,
}

impl Planner<'_> {
    fn items(&self) -> &[Item] {
        &self.segment.items
    }

    fn words(&self) -> Found {
        let mut marks: Vec<bool> = self.items().iter().map(|item| item.wants(self.target)).collect();
        let mut found = Found { left: self.spread(&mut marks), ..Found::default() };
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for range in runs(&marks) {
            match ranges.last_mut().filter(|last| self.joins(last.end..range.start)) {
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
                let (language, place, spaces) = (self.language(&range), self.segment.place, self.spaces(&range));
                let with = ReplaceWith::Words { text, charset, language, place, spaces, frame: ("", "") };
                self.report(&range, charset, &mut found.changes);
                let at = self.at(&self.with_edges(range));
                found.replacements.push(Replacement { at, with });
            }
        }
        found
    }

    /// Returns the replacements of raw text; none when one of them can't stand raw.
    fn raw(&self) -> Option<Found> {
        let mut marks: Vec<bool> = self.items().iter().map(|item| item.wants(self.target)).collect();
        let mut found = Found::default();
        if self.segment.place == Place::Phrase {
            found.left = self.spread(&mut marks);
            // What stays would be words beside raw text, and white space between them would come and go.
            if self.target.form == HeaderForm::Utf8 && !found.left.is_empty() {
                return None;
            }
        }
        self.mark_broken(&mut marks);
        self.mark_literals(&mut marks);
        for range in self.with_vanishing_white(&marks) {
            if self.target.form == HeaderForm::Utf8 && self.beside_left_words(&range) {
                return None;
            }
            let text: String =
                self.items()[range.clone()].iter().enumerate().fold(String::new(), |text, (at, item)| {
                    let vanishes = item.is_white() && self.vanishes(range.start + at);
                    if vanishes { text } else { text + &item.text }
                });
            let text = self.raw_text(&range, &text)?;
            let fold = !text.starts_with('"');
            self.report(&range, self.target.charset, &mut found.changes);
            found.replacements.push(Replacement { at: self.at(&range), with: ReplaceWith::Raw(text, fold) });
        }
        Some(found)
    }

    /// Marks words of which no text comes beside marked words: raw text on both sides would show the white space that
    /// no reader shows between words.
    fn mark_broken(&self, marks: &mut [bool]) {
        for index in 0..marks.len() {
            let is_broken = self.items()[index].is_words() && self.items()[index].text.is_empty();
            let is_marked = |other: Option<usize>| {
                other.is_some_and(|other| marks.get(other) == Some(&true) && self.items()[other].is_words())
            };
            let is_beside = is_marked(index.checked_sub(2)) || is_marked(index.checked_add(2));
            if is_broken && is_beside && self.items()[index].left().is_none() {
                marks[index] = true;
            }
        }
    }

    /// Marks what stands beside an escape that is written and would read as one, too.
    fn mark_literals(&self, marks: &mut [bool]) {
        if self.target.form != HeaderForm::Ascii || !marks.contains(&true) {
            return;
        }
        for (mark, item) in marks.iter_mut().zip(self.items()) {
            *mark |= has_introducer(item, self.target);
        }
        if self.segment.place == Place::Phrase {
            self.spread(marks);
        }
    }

    /// Rule 2; gives what leaves marked items alone.
    fn spread(&self, marks: &mut [bool]) -> Vec<Reason> {
        let solid: Vec<bool> = self.items().iter().map(|item| !item.is_white()).collect();
        let mut left = Vec::new();
        for cluster in runs(&solid) {
            if !marks[cluster.clone()].iter().any(|mark| *mark) {
                continue;
            }
            let unreadable = self.items()[cluster.clone()].iter().find_map(Item::stays);
            marks[cluster].fill(unreadable.is_none());
            left.extend(unreadable);
        }
        left
    }

    /// Rule 3, over white space and a little plain text.
    fn joins(&self, between: Range<usize>) -> bool {
        let items = &self.items()[between.clone()];
        let length = self.at(&between).len();
        let white_alone = items.iter().all(Item::is_white);
        let plain = items.iter().all(|item| item.is_white() || matches!(item.kind, Kind::Plain) && !item.eight_bit);
        white_alone || plain && length <= SHORT
    }

    /// Rule 3 for raw text: ranges of marked items, with the white space between two that are words.
    fn with_vanishing_white(&self, marks: &[bool]) -> Vec<Range<usize>> {
        let joined = |index: usize| {
            let marked = |index: Option<usize>| index.and_then(|index| marks.get(index)) == Some(&true);
            marks[index] || self.vanishes(index) && marked(index.checked_sub(1)) && marked(index.checked_add(1))
        };
        runs(&(0..marks.len()).map(joined).collect::<Vec<_>>())
    }

    /// Tells whether white space stands between words, so that no reader shows it.
    fn vanishes(&self, index: usize) -> bool {
        let words = |index: Option<usize>| index.and_then(|i| self.items().get(i)).is_some_and(Item::is_words);
        self.items()[index].is_white() && words(index.checked_sub(1)) && words(index.checked_add(1))
    }

    /// Returns the text of a replacement of words: rules 3 and 4.
    fn text_in_words(&self, range: &Range<usize>) -> String {
        let mut text = String::new();
        if let Some(white) = range.start.checked_sub(1).filter(|&white| self.is_beside_words(white, range.start)) {
            text.push_str(&self.items()[white].text);
        }
        for index in range.clone() {
            if !self.vanishes(index) {
                text.push_str(&self.items()[index].text);
            }
        }
        if self.is_beside_words(range.end, range.end.saturating_sub(1)) {
            text.push_str(&self.items()[range.end].text);
        }
        let edges = self.with_edges(range.clone());
        let before: String = self.items()[edges.start..range.start].iter().map(|item| item.text.as_str()).collect();
        let after: String = self.items()[range.end..edges.end].iter().map(|item| item.text.as_str()).collect();
        before + &text + &after
    }

    /// Takes the white space at the ends of what a person typed into the range: nobody would see it there.
    fn with_edges(&self, range: Range<usize>) -> Range<usize> {
        if !self.target.literal || self.segment.place != Place::Text {
            return range;
        }
        let start = if self.only_white(0..range.start) { 0 } else { range.start };
        let end = if self.only_white(range.end..usize::MAX) { self.items().len() } else { range.end };
        start..end
    }

    /// Tells whether `white` is white space between the item `own`, no word itself, and words that stay.
    fn is_beside_words(&self, white: usize, own: usize) -> bool {
        let other = if white < own { white.checked_sub(1) } else { white.checked_add(1) };
        let other = other.and_then(|other| self.items().get(other));
        self.items().get(white).is_some_and(Item::is_white)
            && self.items().get(own).is_some_and(|own| !own.is_words())
            && other.is_some_and(Item::is_words)
    }

    /// Tells whether words that can't be read stand beside words of the range.
    fn beside_left_words(&self, range: &Range<usize>) -> bool {
        let before = (0..range.start).rev().map(|index| &self.items()[index]).find(|item| !item.is_white());
        let after = self.items()[range.end..].iter().find(|item| !item.is_white());
        let own = self.items()[range.clone()].iter().any(Item::is_words);
        own && [before, after].into_iter().flatten().any(|item| matches!(item.kind, Kind::UndecodableWords(_)))
    }

    fn spaces(&self, range: &Range<usize>) -> (bool, bool) {
        let at = self.at(range);
        let solid = |octet: Option<&u8>| octet.is_some_and(|octet| !matches!(octet, b' ' | b'\t' | b'\r' | b'\n'));
        let before = solid(at.start.checked_sub(1).and_then(|before| self.value.get(before)));
        let after = solid(self.value.get(at.end));
        // At a comment's ends stand its parentheses, and they may touch a word.
        let inner = |edge: bool| !(edge && self.segment.place == Place::Comment);
        (before && inner(range.start == 0), after && inner(range.end == self.items().len()))
    }

    fn language(&self, range: &Range<usize>) -> Option<String> {
        let mut tags =
            self.items()[range.clone()].iter().filter(|item| !item.is_white()).map(|item| match &item.kind {
                Kind::Words(words) => words.language.clone(),
                _ => None,
            });
        let first = tags.next()??;
        tags.all(|tag| tag.as_ref() == Some(&first)).then_some(first)
    }

    /// Returns a text as it may stand raw in its place; none when it can't.
    fn raw_text(&self, range: &Range<usize>, text: &str) -> Option<String> {
        let place = self.segment.place;
        let at_edge =
            place == Place::Text && (self.only_white(0..range.start) || self.only_white(range.end..usize::MAX));
        let text = if self.target.form == HeaderForm::Ascii {
            self.target.escaped(text, at_edge)
        } else if self.reads_as_word(range, text) || self.loses_white(range, text) {
            return None;
        } else {
            text.to_owned()
        };
        let quoted = self.items()[range.clone()].iter().any(|item| matches!(item.kind, Kind::Quoted));
        Some(match place {
            Place::Text => text,
            Place::Comment => with_backslashes(&text, "()\\"),
            Place::Phrase if !quoted && is_atoms(&text) => text,
            Place::Phrase if self.segment.open => return None,
            Place::Phrase => format!("\"{}\"", with_backslashes(&text, "\"\\")),
        })
    }

    /// Tells whether white space of a text would stand at an end of the field, where it is lost.
    fn loses_white(&self, range: &Range<usize>, text: &str) -> bool {
        let white = [' ', '\t'];
        self.segment.place == Place::Text
            && (text.starts_with(white) && self.only_white(0..range.start)
                || text.ends_with(white) && self.only_white(range.end..usize::MAX))
    }

    fn only_white(&self, range: Range<usize>) -> bool {
        let items = self.items();
        items[range.start.min(items.len())..range.end.min(items.len())].iter().all(Item::is_white)
    }

    /// Tells whether `=?` would stand in the text, or come about at its ends.
    fn reads_as_word(&self, range: &Range<usize>, text: &str) -> bool {
        let at = self.at(range);
        let before = at.start.checked_sub(1).and_then(|before| self.value.get(before));
        text.contains("=?")
            || text.starts_with('?') && before == Some(&b'=')
            || text.ends_with('=') && self.value.get(at.end) == Some(&b'?')
    }

    fn at(&self, range: &Range<usize>) -> Range<usize> {
        let items = &self.items()[range.clone()];
        let start = items.first().map_or(0, |item| item.at.start);
        start..items.last().map_or(start, |item| item.at.end)
    }

    /// Returns the charset of the words that a range becomes; none where octets that nobody can read stand beside text.
    fn charset(&self, range: &Range<usize>) -> Option<Charset> {
        let items = || self.items()[range.clone()].iter();
        match items().any(|item| item.unknown) {
            false => Some(self.target.charset),
            true if items().all(|item| item.unknown || item.text.is_ascii()) => Some(Charset::UNKNOWN_8BIT),
            true => None,
        }
    }

    fn report(&self, range: &Range<usize>, charset: Charset, changes: &mut Vec<Change>) {
        let unknown = charset == Charset::UNKNOWN_8BIT;
        let to = if unknown { charset.name().to_owned() } else { self.target.name() };
        for label in self.items()[range.clone()].iter().flat_map(|item| &item.from) {
            let from = label.to_ascii_lowercase();
            let change =
                if from == to { Change::Repaired { what: "word" } } else { Change::Word { from, to: to.clone() } };
            changes.push(change);
        }
        let items = || self.items()[range.clone()].iter();
        if items().any(|item| item.unescaped.is_some()) {
            changes.push(Change::Unescaped { count: items().filter_map(|item| item.unescaped).sum() });
        }
        let count = items().map(|item| item.lost).sum();
        if count > 0 {
            changes.push(Change::Replaced { count });
        }
    }
}

/// Tells whether plain text has what escapes begin with.
fn has_introducer(item: &Item, target: &Target<'_>) -> bool {
    let is_plain = matches!(item.kind, Kind::Plain | Kind::Quoted);
    is_plain && item.text.is_ascii() && target.escaped(&item.text, false) != item.text
}

/// Returns the ranges of consecutive `true`s.
fn runs(marks: &[bool]) -> Vec<Range<usize>> {
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

/// Tells whether a text is atoms with single spaces between, so that a phrase shows it unchanged unquoted.
fn is_atoms(text: &str) -> bool {
    let atext = |c: char| !c.is_ascii() || c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c);
    text.split(' ').all(|atom| !atom.is_empty() && atom.chars().all(atext))
}

fn with_backslashes(text: &str, special: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if special.contains(character) {
            out.push('\\');
        }
        out.push(character);
    }
    out
}
