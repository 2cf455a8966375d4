//! Where text stands in a field: which ranges of its value are phrases, comments, or text.

use std::ops::Range;

use super::item::Segment;
use super::items::Items;
use crate::coding::encoded_word::WordPlace;
use crate::message::FieldKind;
use crate::message::grammar::lexer::{Grammar, Token, TokenKind, is_open, literal_tokens, tokens};

/// The segments of a value, in order, and whether octets over 127 stand outside of them.
pub struct Segments<'a> {
    /// Where text stands.
    pub segments: Vec<Segment<'a>>,
    /// Whether 8-bit octets stand where no text may: in an address, or between parameters.
    pub stray: bool,
}

/// Finds where text stands in a value; in one of parameters, and where none may stand, all raw octets are stray.
/// `literal` says that no word is read.
pub fn segments<'a>(value: &[u8], kind: FieldKind, items: &Items<'a>, literal: bool) -> Segments<'a> {
    let split = if literal { literal_tokens } else { tokens };
    let texts = match kind {
        FieldKind::Unstructured => {
            return Segments { segments: vec![items.text(0..value.len(), WordPlace::Text)], stray: false };
        }
        FieldKind::Opaque | FieldKind::TypedAddress | FieldKind::Parameters => {
            return Segments { segments: Vec::new(), stray: !value.is_ascii() };
        }
        FieldKind::Addresses => ValueTokens::of(split(value, Grammar::Address), |tokens| {
            phrases_of_addresses(tokens, value, items.may_be_words())
        }),
        FieldKind::Phrases => ValueTokens::of(split(value, Grammar::Address), phrases_between_commas),
        FieldKind::Links => ValueTokens::of(without_comments_in_links(split(value, Grammar::Address)), |_| Vec::new()),
        FieldKind::Comments => ValueTokens::of(split(value, Grammar::Address), |_| Vec::new()),
    };
    let mut found = texts.read(value, items);
    let has_names = matches!(kind, FieldKind::Addresses | FieldKind::Phrases);
    found.segments.iter_mut().for_each(|it| it.name = has_names);
    found
}

/// Returns the pieces of a comment: what stands between its parentheses, nested ones too.
pub fn comment_pieces(value: &[u8], comment: Range<usize>) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = comment.start;
    let mut octets = comment.clone().zip(&value[comment]);
    while let Some((at, octet)) = octets.next() {
        match octet {
            b'\\' => drop(octets.next()),
            b'(' | b')' => {
                pieces.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// A value's tokens, and which of them make phrases.
struct ValueTokens {
    tokens: Vec<Token>,
    phrases: Vec<Range<usize>>,
    open: bool,
}

impl ValueTokens {
    /// Takes tokens, and finds the phrases among them by `phrases`.
    fn of(tokens: Vec<Token>, phrases: impl Fn(&[Token]) -> Vec<Range<usize>>) -> ValueTokens {
        ValueTokens { phrases: phrases(&tokens), open: is_open(&tokens), tokens }
    }

    /// Reads the texts of the phrases, and of the comments between them. The ranges of phrases are of tokens, sorted
    /// and disjoint.
    fn read<'a>(&self, value: &[u8], items: &Items<'a>) -> Segments<'a> {
        let mut found = Segments { segments: Vec::new(), stray: false };
        let mut next = 0;
        for phrase in &self.phrases {
            self.add_comments_between(next..phrase.start, value, items, &mut found);
            self.add_texts_of_phrase(phrase.clone(), value, items, &mut found);
            next = phrase.end;
        }
        self.add_comments_between(next..self.tokens.len(), value, items, &mut found);
        found
    }

    /// Adds the texts of comments among tokens that are no phrase; 8-bit octets of any other token are stray.
    fn add_comments_between<'a>(&self, range: Range<usize>, value: &[u8], items: &Items<'a>, found: &mut Segments<'a>) {
        for token in &self.tokens[range] {
            match token.kind {
                TokenKind::Comment => add_texts_of_comment(token, value, items, found),
                _ => found.stray |= !value[token.at.clone()].is_ascii(),
            }
        }
    }

    /// Adds the texts of a phrase; a comment in it cuts it in two.
    fn add_texts_of_phrase<'a>(&self, range: Range<usize>, value: &[u8], items: &Items<'a>, found: &mut Segments<'a>) {
        for piece in self.tokens[range].chunk_by(|left, right| left.is_comment() == right.is_comment()) {
            match piece {
                [first, ..] if first.is_comment() => {
                    piece.iter().for_each(|it| add_texts_of_comment(it, value, items, found))
                }
                _ => found.segments.push(Segment { open: self.open, ..items.phrase(piece) }),
            }
        }
    }
}

/// Makes atoms of the comments that stand in angle brackets: parentheses are parts of a link there.
fn without_comments_in_links(mut tokens: Vec<Token>) -> Vec<Token> {
    let mut inside = false;
    for token in &mut tokens {
        inside = token.is(b'<') || (inside && !token.is(b'>'));
        if inside && token.kind == TokenKind::Comment {
            token.kind = TokenKind::Atom;
        }
    }
    tokens
}

/// Adds the texts of a comment.
fn add_texts_of_comment<'a>(token: &Token, value: &[u8], items: &Items<'a>, found: &mut Segments<'a>) {
    let pieces = comment_pieces(value, token.at.clone());
    found.segments.extend(pieces.into_iter().map(|piece| items.text(piece, WordPlace::Comment)));
}

/// Finds the phrases of a list with commas: all that stands between these.
fn phrases_between_commas(tokens: &[Token]) -> Vec<Range<usize>> {
    let mut start = 0;
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if token.is(b',') {
            found.push(start..at);
            start = at + 1;
        }
    }
    found.push(start..tokens.len());
    found
}

/// Finds the phrases of an address list (RFC 5322 §3.4): what stands before `<`, a group's name before its
/// colon, and what has no `@` and so is a name without an address; encoded-words before an address without brackets are a
/// name, too. An address itself is never text.
fn phrases_of_addresses(tokens: &[Token], value: &[u8], may_be_words: bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut at = 0;
    let mut is_address = false;
    let name = |mailbox: Range<usize>, is_address: bool| match is_address {
        true => words_before_address(tokens, mailbox, value).filter(|_| may_be_words),
        false => Some(mailbox),
    };
    // The last place at which a `<` may still find its `>`.
    let last_close = tokens.iter().rposition(|token| token.is(b'>'));
    while let Some(token) = tokens.get(at) {
        match token.kind {
            TokenKind::Special(b'<') => {
                // With an `@` it is an address to some readers, and the one that they show.
                if !is_address {
                    found.push(start..at);
                }
                at = match last_close.filter(|close| *close > at) {
                    Some(_) => at + tokens[at..].iter().take_while(|token| !token.is(b'>')).count(),
                    None => at + tokens[at..].iter().take_while(|token| !token.is(b',')).count(),
                };
                (start, is_address) = (at + 1, false);
            }
            TokenKind::Special(b':' | b',' | b';') => {
                found.extend(name(start..at, is_address));
                (start, is_address) = (at + 1, false);
            }
            TokenKind::Special(b'@') => is_address = true,
            _ => {}
        }
        at += 1;
    }
    if start < tokens.len() {
        found.extend(name(start..tokens.len(), is_address));
    }
    found
}

/// Finds the words that stand before the address of a mailbox without brackets; none where anything else stands there,
/// or a second `@`.
fn words_before_address(tokens: &[Token], mailbox: Range<usize>, value: &[u8]) -> Option<Range<usize>> {
    let within = tokens.get(mailbox.clone())?;
    let at = within.iter().position(|token| token.is(b'@'))?;
    let is_one = within.iter().filter(|token| token.is(b'@')).count() == 1;
    let white = within.get(..at)?.iter().rposition(Token::is_space)?;
    let name = mailbox.start..mailbox.start + white;
    let mut solid = tokens.get(name.clone())?.iter().filter(|token| !token.is_space()).peekable();
    (is_one && solid.peek().is_some() && solid.all(|token| looks_like_a_word(value, token))).then_some(name)
}

/// Returns `true` if a token begins and ends as an encoded-word does.
fn looks_like_a_word(value: &[u8], token: &Token) -> bool {
    value.get(token.at.clone()).is_some_and(|it| it.starts_with(b"=?") && it.ends_with(b"?="))
}
