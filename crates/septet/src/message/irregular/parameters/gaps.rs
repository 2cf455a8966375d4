//! What stands between the sections of a field: semicolons, white space, comments, and nothing else. For anything else,
//! and where these are out of place, a form is noted, a row of the table in `irregular/table`.

use super::{Form, Forms, ValueReading, label};
use crate::message::grammar::lexer::{Grammar, Token, TokenKind, tokens};
use crate::message::grammar::parameter::{Flaw, is_machine};

/// Where a token stands.
enum TokenPlace {
    /// Before the parameters, or within a value.
    Elsewhere,
    /// Between the name of a section and its value.
    Equals,
    /// Behind the section at this index and before the next name; `None` is behind the field's head.
    Behind(Option<usize>),
}

impl<'v> ValueReading<'v> {
    /// Adds the forms of every token outside of names and values, and of a semicolon with nothing between it and the
    /// next one, or behind it. The tokens must be split as those that the sections were read of.
    pub(super) fn find_gap_forms(&mut self) {
        let mut semicolons = 0;
        let all = tokens(self.value, Grammar::Mime);
        let ended = ended(&all);
        for (token, is_ended) in all.iter().zip(ended) {
            match self.place(token) {
                TokenPlace::Elsewhere => semicolons = 0,
                TokenPlace::Equals => self.in_equals(token),
                TokenPlace::Behind(section) => {
                    semicolons += usize::from(token.is(b';'));
                    self.found.spread.add_if(semicolons > 1, Form::ParameterEmptyPiece);
                    self.in_gap(token, section, is_ended);
                }
            }
        }
        let is_at_end = self.value.trim_ascii_end().ends_with(b";");
        self.found.spread.add_if(semicolons == 1 && is_at_end, Form::ParameterEmptyPiece);
    }

    /// Finds where a token stands among the sections.
    fn place(&self, token: &Token) -> TokenPlace {
        let list = &self.sections.list;
        let next =
            list.partition_point(|section| section.value.end <= token.at.start && section.name.end <= token.at.start);
        match list.get(next) {
            Some(section) if section.value.start <= token.at.start && !section.value.is_empty() => {
                TokenPlace::Elsewhere
            }
            Some(section) if section.name.end <= token.at.start => TokenPlace::Equals,
            Some(section) if section.name.start <= token.at.start => TokenPlace::Elsewhere,
            _ if token.at.start < self.head_end => TokenPlace::Elsewhere,
            _ => TokenPlace::Behind(next.checked_sub(1)),
        }
    }

    /// Adds the form of a token between a name and its value.
    fn in_equals(&mut self, token: &Token) {
        match token.kind {
            TokenKind::White => self.found.spread.add(Form::EqualsWhite),
            TokenKind::Comment => self.found.spread.add(Form::CommentWithin),
            // The `=` itself: with anything else before it there would be no section.
            _ => {}
        }
    }

    /// Adds the form of a token behind a section, or behind the head (`None`); `is_ended` says that only white space
    /// and comments stand between it and the next semicolon or the end.
    fn in_gap(&mut self, token: &Token, section: Option<usize>, is_ended: bool) {
        let flaw = section.and_then(|index| self.sections.list[index].flaw);
        let is_comma_of_type = section.is_none() && self.begins_with_type && token.is(b',');
        let form = match token.kind {
            TokenKind::White | TokenKind::Special(b';') => return,
            // `ValueReading::note_flaw` adds its form.
            TokenKind::Comment if flaw == Some(Flaw::Comment) => return,
            TokenKind::Comment if !is_ended && self.is_before_numbered(section) => Form::CommentWithin,
            TokenKind::Comment => match self.named_before(section) {
                // To many it belongs to the name of a file, once that is written without quotes.
                Some(base) => return self.add(base, Forms::of(Form::CommentWithin)),
                None => Form::ParameterComment,
            },
            // These have a form of their own already: text behind a value, an unseparated or invalid type, a label.
            _ if flaw == Some(Flaw::Behind) || is_comma_of_type || self.found.spread.has(Form::TypeInvalid) => return,
            _ if section.is_some_and(|index| self.is_encoded_label(index)) => return,
            _ => Form::ParameterStray,
        };
        self.found.spread.add(form);
    }

    /// Returns the name of the section before a gap, but for one whose values machines compare; none before the first.
    fn named_before(&self, section: Option<usize>) -> Option<&'v [u8]> {
        let base = self.taken_apart(section?).0.base;
        (!is_machine(base)).then_some(base)
    }

    /// Returns `true` if the section behind a gap has a number, or may get one once it is rewritten, since people read
    /// its value; `before` is the index of the section before the gap, if there is one.
    fn is_before_numbered(&self, before: Option<usize>) -> bool {
        let next = before.map_or(0, |index| index + 1);
        if next >= self.sections.list.len() {
            return false;
        }
        let mark = self.taken_apart(next).0;
        mark.number.is_some() || !is_machine(mark.base)
    }

    /// Returns `true` if a section is the first half of a charset in `&quot;`, the semicolon of which ends its value.
    pub(super) fn is_encoded_label(&self, index: usize) -> bool {
        let (mark, written) = self.taken_apart(index);
        let behind = &self.value[self.sections.list[index].value.end..];
        mark.is_of("charset") && label::is_half_encoded(written, behind)
    }
}

/// Tells of each token whether its piece ends there: the next one that is neither white space nor a comment is a
/// semicolon, or there is none.
fn ended(tokens: &[Token]) -> Vec<bool> {
    let mut found = vec![true; tokens.len()];
    let mut is_ended = true;
    for (token, found) in tokens.iter().zip(&mut found).rev() {
        *found = is_ended;
        is_ended = if token.is_space() { is_ended } else { token.is(b';') };
    }
    found
}
