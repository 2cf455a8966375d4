//! Address lists and other values in which words, quotes and comments stand (RFC 5322 §3.2, §3.4), and their *forms*:
//! ways of writing beside the grammar of the RFCs, each a row of the [`table`](super::table).
//!
//! What parts a list into addresses must stand where everybody sees it: each quote, comment and angle bracket closes,
//! each element is a mailbox, a group or text alone, and no word of the list begins in one token and ends in another.

use super::forms::Forms;
use super::table::Form;
use super::words;
use crate::coding::encoded_word::{EncodedWord, WordPlace, words as words_of};
use crate::message::grammar::lexer::{Grammar, Token, TokenKind, tokens};

/// Returns the forms of a list of addresses.
pub(super) fn list(value: &[u8]) -> Forms {
    let tokens = tokens(value, Grammar::Address);
    tokens_of(value, &tokens).and(elements(value, &tokens))
}

/// Returns the forms of the phrases and comments in a value that is no list of addresses: what separates them is not
/// looked at.
pub(super) fn phrases(value: &[u8]) -> Forms {
    tokens_of(value, &tokens(value, Grammar::Address))
}

/// Returns the forms of the tokens, each by itself, and of the words in them.
fn tokens_of(value: &[u8], tokens: &[Token]) -> Forms {
    let found: Vec<EncodedWord> = words_of(value).collect();
    let mut forms = words::broken(value, &found);
    for token in tokens {
        forms.add_if(token.is(b'"') || token.is(b'(') || token.is(b'['), Form::AddressOpen);
        let is_text = matches!(token.kind, TokenKind::Quoted | TokenKind::Comment);
        let is_loose = token.is(b'\\') || is_text && words::has_doubtful_backslash(&value[token.at.clone()]);
        forms.add_if(is_loose, Form::AddressBackslash);
    }
    forms.and(words_in(value, tokens, &found))
}

/// Returns the forms of the words: those that are tokens, and those within a quoted-string or a comment. One that goes
/// beyond its token is broken.
fn words_in(value: &[u8], tokens: &[Token], found: &[EncodedWord]) -> Forms {
    let (mut phrase, mut quoted, mut comment) = (Vec::new(), Vec::new(), Vec::new());
    let mut forms = Forms::default();
    for word in found {
        let index = tokens.partition_point(|token| token.at.end <= word.at.start);
        let Some(token) = tokens.get(index).filter(|token| word.at.end <= token.at.end) else {
            forms.add(Form::WordBroken);
            continue;
        };
        match token.kind {
            TokenKind::Quoted => quoted.push(word.clone()),
            TokenKind::Comment => comment.push(word.clone()),
            _ => phrase.push(word.clone()),
        }
    }
    forms.add_if(!quoted.is_empty(), Form::WordQuoted);
    forms.add_if(!comment.is_empty(), Form::WordComment);
    for (words, place, edges) in [
        (phrase, WordPlace::Phrase, &b"()<>,;:\""[..]),
        (quoted, WordPlace::Text, b"\""),
        (comment, WordPlace::Comment, b"()"),
    ] {
        forms.extend(words::among(value, &words, place));
        words.iter().for_each(|word| forms.extend(words::touched(value, word, edges)));
    }
    forms
}

/// Splits the list at its commas, semicolons and colons outside of angle brackets, and returns the forms of each
/// element and of what separates them.
fn elements(value: &[u8], tokens: &[Token]) -> Forms {
    let mut forms = Forms::default();
    let (mut in_angle, mut in_group) = (false, false);
    let mut element = Element::default();
    for token in tokens {
        match token.kind {
            TokenKind::Special(b'<') => {
                forms.add_if(in_angle, Form::AddressAngle);
                forms.add_if(element.angles > 0 && !in_angle, Form::AddressText);
                (in_angle, element.angles) = (true, element.angles + 1);
            }
            TokenKind::Special(b'>') => {
                forms.add_if(!in_angle, Form::AddressAngle);
                in_angle = false;
            }
            // A route has commas and colons of its own.
            _ if in_angle => {}
            TokenKind::Special(b':') => {
                forms.add_if(in_group || element.angles > 0, Form::AddressGroup);
                (in_group, element) = (true, Element::default());
            }
            TokenKind::Special(separator @ (b',' | b';')) => {
                forms.add_if(separator == b';' && !in_group, Form::AddressSemicolon);
                in_group &= separator == b',';
                forms.extend(std::mem::take(&mut element).forms());
            }
            _ => element.take(value, token),
        }
    }
    forms.add_if(in_angle, Form::AddressAngle);
    forms.and(element.forms())
}

/// What was seen of an element outside of angle brackets.
#[derive(Default)]
struct Element {
    angles: usize,
    /// Whether an encoded-word stands in it.
    has_word: bool,
    /// How many `@` stand outside of angle brackets; counts only without one.
    ats: usize,
    /// Whether something that is no comment stands behind an angle bracket.
    has_text_behind: bool,
}

impl Element {
    /// Takes a token of the element that stands outside of angle brackets and separates nothing.
    fn take(&mut self, value: &[u8], token: &Token) {
        self.has_text_behind |= self.angles > 0 && !token.is_space();
        self.has_word |= match token.kind {
            TokenKind::Word(_) => true,
            TokenKind::Quoted => words_of(&value[token.at.clone()]).next().is_some(),
            _ => false,
        };
        self.ats += usize::from(token.is(b'@'));
    }

    /// Returns the forms of the element, which must be whole.
    fn forms(self) -> Forms {
        let mut forms = Forms::default();
        forms.add_if(self.has_text_behind || self.angles == 0 && self.ats > 1, Form::AddressText);
        forms.add_if(self.angles == 0 && self.ats == 1 && self.has_word, Form::WordBareAddress);
        forms
    }
}
