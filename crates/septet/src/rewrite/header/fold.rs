//! Turns replacements into edits: counts columns, folds, and keeps lines within their limits.
//!
//! Columns are octets of the line as it will be, the field's name counted. A fold is a line end put before white
//! space that stands there already, so unfolding gives the same text as before. Folds are put
//!
//! * before and between new words, so that no line with a word passes 76 octets (RFC 2047 §2);
//! * at white space after a new word, in the part of the field that stays, for as long as that line goes on;
//! * between the sections of a parameter, and at single spaces of raw text.
//!
//! Lines on which nothing is replaced are never touched, however long they are. A line with a replacement that
//! is over 998 octets (RFC 5322 §2.1.1) refuses the whole field.

use std::ops::Range;

use super::replacement::{NewWords, ReplaceWith, Replacement};
use crate::coding::charset::{Charset, MappingError};
use crate::coding::encoded_word::{
    EncodedWord, Encoding, LINE_LIMIT, LinePosition, WordFormat, encode, fits_one_word, is_cut_better_on_a_new_line,
    words,
};
use crate::coding::transfer::LONGEST_LINE;
use crate::message::LimitReached;
use crate::rewrite::Reason;
use crate::rewrite::canonical::words::ValueEdit;

/// With less room than this on a line, words begin on the next: `=?utf-8?Q?` and two characters of four octets.
const LITTLE: usize = 34;

/// The field that is laid out.
#[derive(Clone, Copy, Default)]
pub struct FoldInput<'a> {
    /// Its value.
    pub value: &'a [u8],
    /// Octets on the line before the value, such as the name and the colon.
    pub indent: usize,
    /// The line end of folds; without it nothing is folded and no line is too long.
    pub fold: Option<&'a str>,
    /// Ranges in which no fold may be put, such as quoted-strings and words; sorted by their starts.
    pub no_fold: &'a [Range<usize>],
    /// The octets that the value may have afterwards, a line end counted as one; none where it may have any.
    pub most: Option<usize>,
}

/// Lays replacements out, which must be sorted and disjoint; returns the edits of the value, in order: one for each
/// replacement, and the folds between. The error is the reason for which the value stays: a line would be over 998
/// octets, the value would have more octets than it may, and what would come after them was not worked out, or the
/// charset lacks a character.
pub fn fold(input: FoldInput<'_>, replacements: &[Replacement]) -> Result<Vec<ValueEdit>, Reason> {
    let (column, blank) = (input.indent, input.indent == 0);
    let room = input.most.map(|most| most.saturating_sub(kept_len(input.value, replacements)));
    let mut folder = FieldFolder { input, column, blank, room, ..FieldFolder::default() };
    for replacement in replacements {
        folder.copy_until(replacement.at.start, replacement.unbreakable_len());
        folder.write_replacement(replacement).map_err(|lost| Reason::Loss(lost.character))?;
        folder.charge_room()?;
    }
    folder.copy_until(input.value.len(), 0);
    let fits = input.fold.is_none() || folder.longest <= LONGEST_LINE;
    if fits { Ok(folder.done) } else { Err(Reason::LongLine) }
}

/// Lays a field out, from its start to its end: what stays is copied, what is replaced is written.
#[derive(Default)]
struct FieldFolder<'a> {
    input: FoldInput<'a>,
    /// Octets on the line so far.
    column: usize,
    /// Whether nothing but white space stands on the line so far.
    blank: bool,
    /// Whether the line has changed so far: something new stands on it, or something is gone from it.
    changed: bool,
    /// The octets of the longest line with something new so far: lines that stay may have any.
    longest: usize,
    /// How far the value is laid out.
    at: usize,
    /// The first of the no_fold ranges that may still matter.
    no_fold: usize,
    /// The octets that may still be written; none where any may.
    room: Option<usize>,
    /// The edits so far, in order.
    done: Vec<ValueEdit>,
}

/// Returns how many octets of a value stay, its CRs not counted, so that a line end is one octet in any message. Those
/// in what is replaced are taken off twice, which refuses no value that could be written.
fn kept_len(value: &[u8], replacements: &[Replacement]) -> usize {
    let replaced: usize = replacements.iter().map(|replacement| replacement.at.len()).sum();
    value.len().saturating_sub(replaced + memchr::memchr_iter(b'\r', value).count())
}

impl<'a> FieldFolder<'a> {
    /// Copies the value up to `end`, where `unbreakable_len` octets more will follow without white space; folds where a
    /// line with something new grows too long. What stays before the first replacement of a line is not folded here.
    fn copy_until(&mut self, end: usize, unbreakable_len: usize) {
        let value = self.input.value;
        while self.at < end {
            let rest = &value[self.at..end];
            let white = rest.iter().take_while(|octet| matches!(octet, b' ' | b'\t')).count();
            let solid = solid_len(&rest[white..]);
            let unbreakable_len = if self.at + white + solid == end { unbreakable_len } else { 0 };
            let too_long = self.column + white + solid + unbreakable_len > LINE_LIMIT;
            if white > 0 && solid > 0 && self.changed && too_long && self.may_fold(self.at) {
                self.put_fold(self.at);
            }
            self.advance(&rest[..white + solid]);
            self.at += white + solid;
            if white + solid == 0 {
                // A line end: the next line is as it was.
                (self.column, self.blank, self.changed) = (0, true, false);
                self.at += 1;
            }
        }
    }

    /// Returns `true` if a fold may be put before the white space at `at`: folds are written, the line so far is not
    /// blank, and no range without folds is open there. Places are asked in their order.
    fn may_fold(&mut self, at: usize) -> bool {
        while self.input.no_fold.get(self.no_fold).is_some_and(|no_fold| no_fold.end <= at) {
            self.no_fold += 1;
        }
        let is_closed = self.input.no_fold.get(self.no_fold).is_some_and(|no_fold| no_fold.start < at);
        self.input.fold.is_some() && !self.blank && !is_closed
    }

    /// Counts octets that the value has afterwards, copied or written, as each of them must be: folds are put by the
    /// column, and the field is refused by the longest line. Behind a line end, which is no octet of a line, begins
    /// another one, blank until more than white space stands on it.
    fn advance(&mut self, octets: &[u8]) {
        for (index, line) in octets.split(|octet| *octet == b'\n').enumerate() {
            if index > 0 {
                (self.column, self.blank) = (0, true);
            }
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            self.column += line.len();
            self.blank &= line.iter().all(|octet| matches!(octet, b' ' | b'\t'));
            self.longest = if self.changed { self.longest.max(self.column) } else { self.longest };
        }
    }

    /// Puts a line end at `at`, before white space that stays. `changed` stays as it is: what follows came on one line
    /// with what was replaced, and is laid out to the end of that line.
    fn put_fold(&mut self, at: usize) {
        if let Some(fold) = self.input.fold {
            self.advance(fold.as_bytes());
            self.done.push((at..at, fold.to_owned()));
        }
    }

    /// Writes what takes the place of octets of the value, and goes on behind them; the error is a character that the
    /// charset of words lacks. The value must have been copied up to there before (`copy_until`), since the column is
    /// the one that its last line has.
    fn write_replacement(&mut self, replacement: &Replacement) -> Result<(), MappingError> {
        let mut out = String::new();
        self.changed = true;
        // The line counts even if nothing is written.
        self.advance(b"");
        match &replacement.with {
            ReplaceWith::Words(words) => self.write_words(words, &replacement.at, &mut out)?,
            ReplaceWith::Raw(text, may_fold) => self.write_raw(text, *may_fold, &mut out),
            ReplaceWith::Sections(sections) => self.write_sections(sections, &mut out),
        }
        self.at = replacement.at.end;
        self.done.push((replacement.at.clone(), out));
        Ok(())
    }

    /// Writes encoded-words in the place `at`, folded between as that needs; where they are better read on a new line,
    /// a fold comes before them, if one may stand there. The error is a character that their charset lacks.
    fn write_words(&mut self, words: &NewWords, at: &Range<usize>, out: &mut String) -> Result<(), MappingError> {
        let NewWords { text, charset, place, spaces: (before, after), frame: (opening, closing) } = words;
        let value = self.input.value;
        let form = WordFormat { charset: *charset, place: *place, quoted: is_beside_base64(value, at, *charset) };
        // A closing parenthesis and a comma are kept on the line; more than a few octets are not.
        let after_it = value[at.end..].iter().take(LITTLE);
        let tail = after_it.take_while(|octet| !octet.is_ascii_whitespace()).count();
        let tail = closing.len() + if *after || tail > LITTLE / 4 { 0 } else { tail };
        let room = LINE_LIMIT.saturating_sub(self.column + usize::from(*before) + opening.len());
        // To leave a field's first line empty is lawful and hurts some readers: only where it must be.
        let may_fold = self.at > first_solid(value) || room < LITTLE;
        // A text that needs several words here begins on a new line if one says it there, if there is little room here,
        // or if its words are cut at better places there.
        let fold = may_fold
            && !fits_one_word(text, form, room.saturating_sub(tail))
            && (fits_one_word(text, form, (LINE_LIMIT - 1).saturating_sub(tail))
                || room < LITTLE
                || is_cut_better_on_a_new_line(text, form, room, tail));
        if *before {
            self.write_space_or_fold(fold && !self.blank, out);
        } else if fold {
            self.fold_before();
        }
        self.put(opening, out);
        let position = LinePosition { column: self.column, fold: self.input.fold, tail, most: self.room };
        let start = out.len();
        encode(text, form, position, out)?;
        self.advance(&out.as_bytes()[start..]);
        self.put(closing, out);
        self.put(if *after { " " } else { "" }, out);
        Ok(())
    }

    /// Takes what was written last from the octets that may be written, once for each replacement; the error is the
    /// limit that it goes beyond. The encoder of words stops behind these (`LinePosition::most`), so that more than
    /// there is room for must be refused here, or a cut text would be written. Folds in what stays are not counted: the
    /// planner of fields measures the whole value again (`plan_field` in `wish/field.rs`).
    fn charge_room(&mut self) -> Result<(), Reason> {
        let (Some(room), Some((_, last))) = (&mut self.room, self.done.last()) else { return Ok(()) };
        let returns = memchr::memchr_iter(b'\r', last.as_bytes()).count();
        let outgrown = Reason::Limit(LimitReached::FieldBytes(self.input.most.unwrap_or_default()));
        *room = room.checked_sub(last.len() - returns).ok_or(outgrown)?;
        Ok(())
    }

    /// Puts a fold before the white space that stands right before here, if some does, was not replaced, and a fold may
    /// be put there.
    fn fold_before(&mut self) {
        let before = &self.input.value[..self.at];
        let white = before.iter().rev().take_while(|octet| matches!(octet, b' ' | b'\t')).count();
        let last = self.done.last().map_or(0, |(range, _)| range.end);
        // The white space was counted on the line before, and stands on the new one.
        if white > 0 && self.at - white >= last && self.may_fold(self.at - white) {
            self.column -= white;
            self.put_fold(self.at - white);
            self.column = white;
        }
    }

    /// Writes a space, on a new line if asked, and if lines are folded at all.
    fn write_space_or_fold(&mut self, fold: bool, out: &mut String) {
        self.put(self.input.fold.filter(|_| fold).unwrap_or(""), out);
        self.put(" ", out);
    }

    /// Appends text to `out`, which takes the place of the replacement at hand, and counts it.
    fn put(&mut self, text: &str, out: &mut String) {
        out.push_str(text);
        self.advance(text.as_bytes());
    }

    /// Writes text as it is, its white space kept. With `may_fold` it is folded, but only before a single space, which
    /// unfolding gives back.
    fn write_raw(&mut self, text: &str, may_fold: bool, out: &mut String) {
        for (index, word) in text.split(' ').enumerate() {
            let too_long = self.column + word.len() + 1 > LINE_LIMIT;
            if index > 0 {
                // White space at a line's ends would make a line of nothing else, or be lost.
                let single = !word.is_empty() && !out.ends_with(' ');
                self.write_space_or_fold(may_fold && too_long && single && !self.blank, out);
            } else if too_long && self.at > first_solid(self.input.value) {
                self.fold_before();
            }
            self.put(word, out);
        }
    }

    /// Writes the sections of one parameter, with `;` between; each stays whole on one line, but for the folds that are
    /// in it.
    fn write_sections(&mut self, sections: &[String], out: &mut String) {
        for (index, section) in sections.iter().enumerate() {
            let more = usize::from(index + 1 < sections.len());
            let first_line = section.find(['\r', '\n']).unwrap_or(section.len());
            let too_long = self.column + first_line + more + 1 > LINE_LIMIT;
            if index > 0 {
                self.put(";", out);
                self.write_space_or_fold(too_long, out);
            } else if too_long {
                self.fold_before();
            }
            self.put(section, out);
        }
    }
}

/// Returns how many octets stand before the next white space or line end; the CR of a line end is none of them, nor is
/// one at the very end, whose LF may follow.
fn solid_len(rest: &[u8]) -> usize {
    let solid = rest.iter().take_while(|octet| !matches!(octet, b' ' | b'\t' | b'\n')).count();
    let has_return = rest[..solid].ends_with(b"\r") && matches!(rest.get(solid), None | Some(b'\n'));
    solid - usize::from(has_return)
}

/// Returns where the text of a value begins, after its leading white space: a fold before that leaves the first line of
/// the field empty.
fn first_solid(value: &[u8]) -> usize {
    value.iter().take_while(|octet| octet.is_ascii_whitespace()).count()
}

/// Returns `true` if an encoded-word of base64 in this charset stands before or behind a place, with nothing but white
/// space between: GMime joins such words, and stops reading at the padding of the first.
fn is_beside_base64(value: &[u8], at: &Range<usize>, charset: Charset) -> bool {
    let (before, behind) = (value[..at.start].trim_ascii_end(), value[at.end..].trim_ascii_start());
    // More than a line is not looked at: many replacements would cost a look at the whole value each.
    let before = &before[before.len().saturating_sub(LONGEST_LINE)..];
    let behind = &behind[..behind.len().min(LONGEST_LINE)];
    let last = if before.ends_with(b"?=") { words(before).last() } else { None };
    if last.is_some_and(|word| word.at.end == before.len() && is_base64_in(charset, before, &word)) {
        return true;
    }
    let next = if behind.starts_with(b"=?") { words(behind).next() } else { None };
    next.is_some_and(|word| word.at.start == 0 && is_base64_in(charset, behind, &word))
}

/// Returns `true` if a word of a text is base64 in this charset, by the name that septet writes.
fn is_base64_in(charset: Charset, text: &[u8], word: &EncodedWord) -> bool {
    let label = &text[word.label.clone()];
    word.encoding == Encoding::B && label.eq_ignore_ascii_case(charset.name().as_bytes())
}
