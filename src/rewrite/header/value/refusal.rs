//! Why a value stays as it is, whatever would be written in it: readers differ about what stands beside that, or would.

use super::super::downgrade::Downgrades;
use super::super::items::Items;
use super::super::kind::FieldKind;
use super::{Value, ValueEdit, applied, has_only_words_of, written_by};
use crate::coding::encoded_word::{Word, words};
use crate::message::grammar::address::AddressList;
use crate::message::grammar::lexer::{Grammar, Token, TokenKind, is_open, is_same_beside_words, tokens};
use crate::message::grammar::parameter;
use crate::rewrite::Reason;

impl Value<'_> {
    /// Tells why the value stays as it is, whatever would be written in it.
    pub(super) fn refusal(&self, edits: &[ValueEdit]) -> Option<Reason> {
        match () {
            () if edits.is_empty() => None,
            () if self.is_taken_in(edits) || self.is_unclosed() => Some(Reason::Unclosed),
            () if self.stands_behind_half_a_word(edits) => Some(Reason::Unclosed),
            () if self.loses_a_comma_behind_a_semicolon(edits) => {
                Some(Reason::Disputed("semicolons between addresses"))
            }
            () if self.is_disputed() => Some(Reason::Disputed("what an encoded-word hides")),
            () if self.has_quotes_in_words() => Some(Reason::Disputed("quotes in an encoded-word")),
            () => None,
        }
    }

    /// Tells whether the beginning of a word that has no end stands before a word of ours: some readers take ours for its end.
    fn stands_behind_half_a_word(&self, edits: &[ValueEdit]) -> bool {
        let mut kept = edits.iter().scan(0, |end, (at, with)| {
            let before = &self.value[std::mem::replace(end, at.end).min(at.start)..at.start];
            Some((before, with.contains("=?")))
        });
        let mut is_open = false;
        kept.any(|(before, is_word)| {
            is_open |= parameter::cut_word([before].into_iter()).is_some();
            is_open && is_word
        })
    }

    /// Tells whether a comma would go, as one of a quoted name that is written in words, behind a semicolon that ends no
    /// group: a reader that finds one there looks for the next address behind the next comma, whatever that is part of.
    fn loses_a_comma_behind_a_semicolon(&self, edits: &[ValueEdit]) -> bool {
        let commas = |text: &[u8]| memchr::memchr_iter(b',', text).count();
        let mut going = edits.iter().filter(|(at, with)| commas(&self.value[at.clone()]) > commas(with.as_bytes()));
        if FieldKind::of(self.name) != FieldKind::Addresses || going.clone().next().is_none() {
            return false;
        }
        let stray = stray_semicolon(&tokens(self.value, Grammar::Address));
        stray.is_some_and(|stray| going.any(|(at, _)| at.start > stray))
    }

    /// Tells whether a quote or parenthesis of an address list never closes, or a quote has a backslash before it that is
    /// not in quotes: to some readers that hides addresses, which would show beside what is written.
    fn is_unclosed(&self) -> bool {
        if self.target.literal || FieldKind::of(self.name) != FieldKind::Addresses {
            return false;
        }
        let tokens = tokens(self.value, Grammar::Address);
        let is_escaped = |pair: &[Token]| pair[0].is(b'\\') && pair[1].kind == TokenKind::Quoted;
        is_open(&tokens) || tokens.windows(2).any(is_escaped)
    }

    /// Tells whether who knows no encoded-words reads other addresses beside them: no choice is right for both.
    fn is_disputed(&self) -> bool {
        let is_text = FieldKind::of(self.name) == FieldKind::Unstructured;
        !self.target.literal && !is_text && !is_same_beside_words(self.value, Grammar::Address)
    }

    /// Tells whether a word of an address list has quotes in it that are not encoded, where none may be (RFC 2047 §5 (3)): half
    /// of the readers show them, the others take them for those of a quoted-string and show none.
    fn has_quotes_in_words(&self) -> bool {
        let has_quotes = |word: Word| self.value[word.text].contains(&b'"');
        !self.target.literal && FieldKind::of(self.name) == FieldKind::Addresses && words(self.value).any(has_quotes)
    }

    /// Tells whether what opens in the value and never closes would read otherwise beside what is written: half a word
    /// that goes on to the end of one of ours, or a list of addresses that can be read only now.
    fn is_taken_in(&self, edits: &[ValueEdit]) -> bool {
        let Some(after) = applied(edits, self.value) else { return false };
        let written = written_by(edits);
        let is_written = |word: &Word| {
            let place = written.get(written.partition_point(|place| place.end < word.at.end));
            place.is_some_and(|place| place.start <= word.at.start)
        };
        !has_only_words_of(self.value, &after, is_written) || self.shows_addresses(&after)
    }

    /// Tells whether addresses that were none show in a value, which would be written in ASCII.
    fn shows_addresses(&self, after: &[u8]) -> bool {
        let Some(rules) = self.addresses.filter(|_| !after.is_ascii() && AddressList::read(self.value).is_none())
        else {
            return false;
        };
        !Downgrades::of(self.name, after, &Items::new(after, self.target), rules).list.is_empty()
    }
}

/// Finds the first semicolon of an address list that ends no group.
fn stray_semicolon(tokens: &[Token]) -> Option<usize> {
    let mut in_group = false;
    tokens
        .iter()
        .find(|token| {
            let ends = token.is(b';');
            let is_stray = ends && !in_group;
            in_group = token.is(b':') || in_group && !ends;
            is_stray
        })
        .map(|token| token.at.start)
}
