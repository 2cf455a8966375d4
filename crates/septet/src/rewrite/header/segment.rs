//! Where text stands in a field: which ranges of its value are phrases, comments, or text. Such a range is a *segment*.

use std::ops::Range;

use super::item::Segment;
use super::items::Items;
use crate::coding::encoded_word::WordPlace;
use crate::message::FieldKind;
use crate::message::grammar::lexer::{self, Grammar, Token, TokenKind, literal_tokens, tokens};

/// Finds where text stands in a value: in phrases, each of which a comment cuts in two, and in comments; all of an
/// unstructured value is one segment. They come in the order of the value and don't overlap, by which
/// `FieldValue::has_stray` and the proof look for places. Planner and proof both ask here.
pub fn segments<'a>(value: &[u8], kind: FieldKind, items: &Items<'a>) -> Vec<Segment<'a>> {
    match kind {
        FieldKind::Unstructured => return vec![items.text(0..value.len(), WordPlace::Text)],
        FieldKind::Opaque | FieldKind::TypedAddress | FieldKind::Parameters => return Vec::new(),
        FieldKind::Addresses | FieldKind::Phrases | FieldKind::Links | FieldKind::Comments => {}
    }
    let mut tokens = if items.target.literal { literal_tokens } else { tokens }(value, Grammar::Address);
    let phrases = match kind {
        FieldKind::Addresses => phrases_of_addresses(&tokens, value, !items.target.is_raw()),
        FieldKind::Phrases => phrases_between_commas(&tokens),
        _ => Vec::new(),
    };
    if kind == FieldKind::Links {
        undo_comments_in_links(&mut tokens);
    }
    let (is_name, is_open) = (matches!(kind, FieldKind::Addresses | FieldKind::Phrases), lexer::is_open(&tokens));
    let comments = tokens.iter().filter(|token| token.is_comment());
    let texts = comments.flat_map(|token| comment_pieces(value, token.at.clone()));
    let mut found: Vec<Segment> = texts.map(|at| Segment { is_name, ..items.text(at, WordPlace::Comment) }).collect();
    for phrase in phrases {
        let pieces = tokens[phrase].split(Token::is_comment).filter(|piece| !piece.is_empty());
        found.extend(pieces.map(|piece| Segment { is_open, ..items.phrase(piece) }));
    }
    found.sort_by_key(|segment| segment.at().start);
    found
}

/// Returns the pieces of a comment, which `comment` covers with its parentheses: what stands between parentheses,
/// nested ones too; no piece is empty. A quoted-pair is never taken apart.
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

/// Makes atoms of the comments that stand in angle brackets: parentheses are parts of a link there, and no text.
fn undo_comments_in_links(tokens: &mut [Token]) {
    let mut inside = false;
    for token in tokens {
        inside = token.is(b'<') || (inside && !token.is(b'>'));
        if inside && token.kind == TokenKind::Comment {
            token.kind = TokenKind::Atom;
        }
    }
}

/// Finds the phrases of a list with commas, as ranges of tokens: all that stands between these, be it nothing.
fn phrases_between_commas(tokens: &[Token]) -> Vec<Range<usize>> {
    let mut start = 0;
    let commas = tokens.iter().enumerate().filter(|(_, token)| token.is(b','));
    let ends = commas.map(|(at, _)| at).chain([tokens.len()]);
    ends.map(|end| std::mem::replace(&mut start, end + 1)..end).collect()
}

/// Finds the phrases of an address list (RFC 5322 §3.4), as ranges of tokens: what stands before `<`, a group's name
/// before its colon, and what has no `@` and so is a name without an address; with `may_be_words`, which is not set
/// where text is written raw or in escapes, encoded-words before an address without brackets are a name, too. An
/// address itself is never text, and what stands behind a `<` that never closes is in no phrase, up to the next comma.
fn phrases_of_addresses(tokens: &[Token], value: &[u8], may_be_words: bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut start, mut at) = (0, 0);
    // The last place at which a `<` may still find its `>`.
    let last_close = tokens.iter().rposition(|token| token.is(b'>'));
    while at <= tokens.len() {
        match tokens.get(at).map(|token| &token.kind) {
            Some(TokenKind::Special(b'<')) => {
                // With an `@` it is an address to some readers, and the one that they show.
                let is_address = tokens[start..at].iter().any(|token| token.is(b'@'));
                found.extend((!is_address).then_some(start..at));
                let end = if last_close.is_some_and(|close| close > at) { b'>' } else { b',' };
                at += tokens[at..].iter().take_while(|token| !token.is(end)).count();
                start = at + 1;
            }
            Some(TokenKind::Special(b':' | b',' | b';')) | None => {
                found.extend(bare_name(tokens, start..at, value, may_be_words));
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// Returns the name in a mailbox without brackets: all of it where it has no `@`, and else the words before its
/// address, if these may be one; none where anything else stands there, or a second `@`.
fn bare_name(tokens: &[Token], mailbox: Range<usize>, value: &[u8], may_be_words: bool) -> Option<Range<usize>> {
    let within = &tokens[mailbox.clone()];
    let Some(at) = within.iter().position(|token| token.is(b'@')) else { return Some(mailbox) };
    let is_one = may_be_words && !within[at + 1..].iter().any(|token| token.is(b'@'));
    let white = within[..at].iter().rposition(Token::is_space)?;
    let mut solid = within[..white].iter().filter(|token| !token.is_space()).map(|it| &value[it.at.clone()]);
    let are_words = solid.clone().next().is_some() && solid.all(|it| it.starts_with(b"=?") && it.ends_with(b"?="));
    (is_one && are_words).then_some(mailbox.start..mailbox.start + white)
}
