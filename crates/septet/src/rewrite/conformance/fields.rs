//! Fixes fields as they stand: they lose a space or themselves, take in others of their name, or are folded.

use std::collections::BTreeSet;

use super::fixer::{ENDS, Fixed, Fixer};
use crate::coding::transfer::LONGEST_LINE;
use crate::edit::Span;
use crate::message::grammar::lexer::{Grammar, TokenKind, tokens};
use crate::message::irregular;
use crate::message::{Defect, DefectKind, Field, FieldKind, LineEnd, Part, is_mime_field, means_the_same, repeated_by};
use crate::rewrite::Place;
use crate::rewrite::ensure::ensure;
use crate::rewrite::fixes::LISTS;

impl<'m> Fixer<'_, 'm, '_> {
    /// Plans what fixes these defects of fields; those of the bodies of leaves are passed over.
    pub(super) fn fix_fields(&mut self, wanted: &[Defect]) {
        let mut wanted = self.limit_repeats(wanted);
        let repeated: BTreeSet<Span> =
            wanted.iter().filter(|it| it.kind == DefectKind::RepeatedField).map(|it| it.at).collect();
        // Repeated fields come last: whether one may go depends on what was fixed before. What else is to be fixed in
        // it comes behind that, since one that goes must not be changed.
        wanted.sort_by_key(|it| {
            let field = self.field_of(it).filter(|field| repeated.contains(&field.line));
            field.map(|field| (field.line.start, it.kind != DefectKind::RepeatedField))
        });
        for defect in &wanted {
            self.fix_field(defect, &repeated);
        }
        self.write_lists();
    }

    /// Fixes a defect of a field, or reports why it stays; one of a field that another fix has taken out is gone
    /// already. A defect of octets between fields or parts is reported here too, those of the bodies of leaves are not;
    /// other kinds are the next step's. `repeated` are the fields that stand more than once.
    fn fix_field(&mut self, defect: &Defect, repeated: &BTreeSet<Span>) {
        let part = &self.survey.message.parts()[defect.part];
        let field = self.field_of(defect);
        if field.is_some_and(|field| self.fixes.removed.contains(&field.line)) {
            return;
        }
        let is_of_leaf = part.body.contains(defect.at) && self.is_leaf(defect.part);
        let fixed = match (defect.kind, field) {
            // A repeated field that could not go keeps its name as it is; its lines may be folded all the same.
            (DefectKind::SpaceBeforeColon, Some(field)) if repeated.contains(&field.line) => {
                Err("its field stands more than once")
            }
            (DefectKind::SpaceBeforeColon, Some(field)) => self.fix_space(defect, part, field),
            (DefectKind::RepeatedField, Some(field)) => match repeated_by(self.survey.message, part, field) {
                Some(first) => self.fix_repeated(part, first, field),
                None => return,
            },
            (DefectKind::LongLine, Some(field)) => self.fix_long_field(defect, part, field),
            (DefectKind::LongLine | DefectKind::Nul | DefectKind::BareLineEnd, field) if !is_of_leaf => {
                Err(if field.is_some() { "in a field" } else { "between fields or parts" })
            }
            _ => return,
        };
        self.report(defect, field, fixed);
    }

    /// Takes the white space before a colon out, unless some reader would then find a field that it did not see and
    /// that says what the parts are.
    fn fix_space(&mut self, defect: &Defect, part: &Part, field: &Field) -> Fixed {
        let message = self.survey.message;
        ensure(!says_what_parts_are(message.slice(field.name)), "it says what the parts are")?;
        // Some readers end the header here, and would see fields that they never saw.
        let mut behind = message.fields(part).iter().filter(|other| other.line.start > field.line.start);
        let is_followed = behind.any(|other| says_what_parts_are(message.slice(other.name)));
        ensure(!is_followed, "a field behind it says what the parts are")?;
        self.may_change(part, field)?;
        self.writer.edit(defect.at, "");
        self.fixes.spaces.insert(defect.at);
        Ok(Vec::new())
    }

    /// Takes a second field of a name out that may stand once, where it is empty, says what the `first` says, or can be
    /// joined to it (`write_lists` writes those): none may say otherwise.
    fn fix_repeated(&mut self, part: &Part, first: &Field, field: &Field) -> Fixed {
        let message = self.survey.message;
        let (name, value) = (message.slice(field.name), message.slice(field.value));
        let same = value.trim_ascii().is_empty() || means_the_same(name, message.slice(first.value), value);
        let joins = !same && self.may_join(part, first, field);
        ensure(same || joins, "they differ")?;
        ensure(!self.has_ambiguous_lines(part, Some(field)), ENDS)?;
        self.may_change(part, field)?;
        self.fixes.replaced.extend(joins.then_some(first.value));
        self.writer.edit(field.line, "");
        self.fixes.removed.insert(field.line);
        Ok(Vec::new())
    }

    /// Returns `true` if two fields are lists of addresses, regular and in ASCII, that may become one: the first has no
    /// edit yet, does not end in a comma, and is not too long with the other and with what it takes in so far.
    /// `write_lists` writes all of its value, and so nothing else may have an edit in it.
    fn may_join(&self, part: &Part, one: &Field, other: &Field) -> bool {
        let (message, limits) = (self.survey.message, &self.survey.profile.limits);
        let (list, added) = (message.slice(one.value), message.slice(other.value));
        one.is_one_of(LISTS)
            && is_regular_in_ascii(list)
            && is_regular_in_ascii(added)
            && !list.trim_ascii_end().ends_with(b",")
            && self.writer.edits.within(one.value).is_empty()
            && limits.reached_by_field(&self.fixes.joined(message, part, one), other.line.len()).is_none()
    }

    /// Writes the lists of addresses that take in others, as `fix_repeated` has found them. Nothing else stands in
    /// `fixes.replaced` in this step: dates are fixed in the next one, by another fixer.
    fn write_lists(&mut self) {
        let message = self.survey.message;
        for part in message.parts() {
            for field in message.fields(part).iter().filter(|field| self.fixes.replaced.contains(&field.value)) {
                self.writer.edit(field.value, self.fixes.joined(message, part, field));
            }
        }
    }

    /// Folds the lines of a field that are too long, at white space before the limit, behind the commas of a list of
    /// addresses, or between several words in the place of a long one.
    fn fix_long_field(&mut self, defect: &Defect, part: &Part, field: &Field) -> Fixed {
        self.may_change(part, field)?;
        ensure(!says_what_parts_are(self.survey.message.slice(field.name)), "it says what the parts are")?;
        let white = fold_places(self.survey.message.slice(field.line)).map(|places| (places, ""));
        let places = white.or_else(|| self.folds_behind_commas(field).map(|places| (places, " ")));
        let Some((places, blank)) = places else {
            return self.fix_long_words(defect, part, field);
        };
        let end = format!("{}{blank}", self.survey.message.line_end_at(field.line.start).as_str());
        for at in places {
            self.writer.edit(Span::empty(field.line.start + at), end.clone());
        }
        Ok(Vec::new())
    }

    /// Finds where a regular address list that stands on one line can be folded: behind commas, each fold with a blank
    /// to be added. The places count from the start of the field's line, as those of [`fold_places`] do. None for any
    /// other value, and where that leaves a line too long.
    fn folds_behind_commas(&self, field: &Field) -> Option<Vec<usize>> {
        let value = self.survey.message.slice(field.value);
        let is_list = FieldKind::of(self.survey.message.slice(field.name)) == FieldKind::Addresses;
        if !is_list || !irregular::address_list(value).is_regular() || value.contains(&b'\n') {
            return None;
        }
        let before = field.value.start - field.line.start;
        // A line of white space alone would end the header for some readers.
        let solid = value.trim_ascii_end().len();
        let commas = tokens(value, Grammar::Address)
            .into_iter()
            .filter(|token| token.kind == TokenKind::Special(b',') && token.at.end < solid);
        let commas: Vec<usize> = commas.map(|token| before + token.at.end).collect();
        let (mut places, mut start, end) = (Vec::new(), 0, field.value.end - field.line.start);
        // Behind the first one, each line begins with the blank.
        let mut room = LONGEST_LINE;
        while end - start > room {
            let at = *commas[..commas.partition_point(|at| *at <= start + room)].last().filter(|at| **at > start)?;
            places.push(at);
            (start, room) = (at, LONGEST_LINE - 1);
        }
        Some(places)
    }

    /// Returns the defects without repeated fields, or without white space before colons, where there are more than
    /// [`MANY`] of that kind, and reports the kind: nobody wrote that, and each of them costs a look at all fields.
    fn limit_repeats(&mut self, wanted: &[Defect]) -> Vec<Defect> {
        let mut kept = wanted.to_vec();
        for kind in [DefectKind::RepeatedField, DefectKind::SpaceBeforeColon] {
            if wanted.iter().filter(|it| it.kind == kind).count() > MANY {
                kept.retain(|it| it.kind != kind);
                self.report_at(0, Place::Message, kind, Err("too many of them"));
            }
        }
        kept
    }
}

/// The most fields of a message that are fixed for one defect, since each costs a look at all fields of its header.
const MANY: usize = 200;

/// Returns `true` if a value is a regular list of addresses, in ASCII. The lists of two such values may be joined by a
/// comma, and mean the same together.
fn is_regular_in_ascii(value: &[u8]) -> bool {
    value.is_ascii() && irregular::address_list(value).is_regular()
}

/// Returns `true` if a field of this name says what a body is, or that there are such fields. None of these is fixed,
/// nor any before them that readers take for the end of the header: see the second rule of [`conformance`](super).
fn says_what_parts_are(name: &[u8]) -> bool {
    is_mime_field(name) || name.eq_ignore_ascii_case(b"MIME-Version")
}

/// Finds where line ends must come so that no line of a field is too long, as offsets in it: each before white space
/// that has text on both sides, and none before the text of the first line begins. None where a line that is too long
/// has no such place. What is too long is measured as the defect is.
pub(super) fn fold_places(field: &[u8]) -> Option<Vec<usize>> {
    let mut folds = Vec::new();
    let mut start = 0;
    for line in field.split_inclusive(|&octet| octet == b'\n') {
        let end = start + line.len();
        while LineEnd::strip(&field[start..end]).len() > LONGEST_LINE {
            let name = if start == 0 { field.iter().position(|&octet| octet == b':')? + 1 } else { start };
            let text = name + field[name..].iter().take_while(|octet| octet.is_ascii_whitespace()).count();
            let at = (text + 1..=start + LONGEST_LINE).rev().find(|at| is_fold_place(&field[..end], *at))?;
            folds.push(at);
            start = at;
        }
        start = end;
    }
    Some(folds)
}

/// Returns `true` if white space begins at a place of a text, and has text on both sides: a line of white space alone
/// would end the header for some readers. The place must lie in the text.
fn is_fold_place(text: &[u8], at: usize) -> bool {
    let before = text[..at].last().is_some_and(|octet| !octet.is_ascii_whitespace());
    matches!(text[at], b' ' | b'\t') && before && !text[at..].trim_ascii().is_empty()
}
