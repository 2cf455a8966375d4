//! The tokens of structured fields (RFC 5322 §3.2, RFC 2045 §5.1), as ranges of the field's value.
//!
//! Every octet of the value lies in one token, in order. What is never closed (a quote, a comment, a domain
//! literal) opens nothing, nor does another of its kind behind it: its first octet is a special of its own and what
//! follows is read as if it were not there, which is how a person reads `"Müller <h@example.org>`.
//!
//! Encoded-words are tokens too, found before anything else, for real ones hold octets that would end an atom:
//! `=?utf-8?Q?M=C3=BCller, Hans?= <h@example.org>` is one name and one address. A word with white space *and* something
//! of an address in it is not believed: it could swallow one. Nor is, among parameters, one with a semicolon, a quote,
//! a parenthesis or a backslash, for those who know no words there see a parameter.
//!
//! **Limits:** none of its own. One pass, linear, and comments are nested by counting: 100,000 open
//! parentheses cost 100,000 steps and no stack.

use std::ops::Range;

use memchr::{memchr2, memchr3};

use crate::coding::encoded_word::{EncodedWord, EncodedWords, words};

/// Which octets end an atom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Grammar {
    /// `specials` of RFC 5322 §3.2.3: addresses, phrases.
    Address,
    /// `tspecials` of RFC 2045 §5.1: Content-Type, Content-Disposition.
    Mime,
}

/// A token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands in the value.
    pub at: Range<usize>,
}

/// What a token is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenKind {
    /// White space and line ends.
    White,
    /// Octets that mean nothing special, 8-bit ones too.
    Atom,
    /// A quoted-string, with its quotes.
    Quoted,
    /// A comment, with its parentheses and the comments in it.
    Comment,
    /// A domain literal, with its brackets.
    Literal,
    /// An encoded-word; in a box, which keeps tokens small: a value may have one for each of its octets.
    Word(Box<EncodedWord>),
    /// One special octet.
    Special(u8),
}

impl Token {
    /// Returns `true` if it only separates: white space or a comment.
    pub fn is_space(&self) -> bool {
        matches!(self.kind, TokenKind::White | TokenKind::Comment)
    }

    /// Returns `true` if it is a comment.
    pub fn is_comment(&self) -> bool {
        self.kind == TokenKind::Comment
    }

    /// Returns `true` if it is this special.
    pub fn is(&self, special: u8) -> bool {
        self.kind == TokenKind::Special(special)
    }
}

/// Splits a structured field's value into tokens.
pub fn tokens(value: &[u8], grammar: Grammar) -> Vec<Token> {
    Lexer::new(value, grammar).collect()
}

/// Splits a structured value as [`tokens`] does, but takes `=?…?=` for text and not for a word.
pub fn literal_tokens(value: &[u8], grammar: Grammar) -> Vec<Token> {
    Lexer::literal(value, grammar).collect()
}

/// Returns `true` if a quote or a parenthesis opens among tokens and never closes; a bracket is not asked for.
pub fn is_open(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| token.is(b'"') || token.is(b'('))
}

/// Returns `true` if a word may be one token. Among addresses its text has no white space, or nothing of an address;
/// among parameters, where no word should stand at all, it has nothing that ends a parameter or hides the end of one.
fn is_credible(value: &[u8], word: &EncodedWord, grammar: Grammar) -> bool {
    let text = &value[word.text.clone()];
    match grammar {
        Grammar::Address => !text.iter().copied().any(is_white) || !holds(text, b"<>@\""),
        Grammar::Mime => !holds(&value[word.at.clone()], b";\"()\\"),
    }
}

/// Returns `true` if one of these octets stands in a text.
fn holds(text: &[u8], special: &[u8]) -> bool {
    text.iter().any(|octet| special.contains(octet))
}

/// The tokens of a value, one by one: nothing is allocated.
pub struct Lexer<'a> {
    value: &'a [u8],
    grammar: Grammar,
    at: usize,
    /// The encoded-words that are still to come; none where they are text.
    words: Option<EncodedWords<'a>>,
    /// The next of them, found already.
    word: Option<EncodedWord>,
    /// Whether a quote, a parenthesis, a bracket may still open something; none may behind one that never closed.
    quotes: bool,
    comments: bool,
    literals: bool,
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let start = self.at;
        if start >= self.value.len() {
            return None;
        }
        // One that begins within the last token is a part of that.
        while self.word.as_ref().is_some_and(|word| word.at.start < start) {
            self.find_word();
        }
        let kind = match self.word.take_if(|word| word.at.start == start) {
            Some(word) => {
                self.at = word.at.end;
                self.find_word();
                TokenKind::Word(Box::new(word))
            }
            None => self.take_token(self.word.as_ref().map_or(self.value.len(), |word| word.at.start)),
        };
        Some(Token { kind, at: start..self.at })
    }
}

impl<'a> Lexer<'a> {
    /// Starts on a value in which encoded-words count.
    pub fn new(value: &'a [u8], grammar: Grammar) -> Lexer<'a> {
        let mut lexer = Lexer { words: Some(words(value)), ..Lexer::literal(value, grammar) };
        lexer.find_word();
        lexer
    }

    /// Starts on a value in which `=?…?=` is text.
    pub fn literal(value: &'a [u8], grammar: Grammar) -> Lexer<'a> {
        let literals = grammar == Grammar::Address;
        Lexer { value, grammar, at: 0, words: None, word: None, quotes: true, comments: true, literals }
    }

    /// Finds the next encoded-word that may be a token.
    fn find_word(&mut self) {
        let (value, grammar) = (self.value, self.grammar);
        self.word = self.words.as_mut().and_then(|words| words.find(|word| is_credible(value, word, grammar)));
    }

    /// Steps over the token at hand, which is no encoded-word, and returns its kind; an atom ends before `next_word`,
    /// where the next encoded-word begins.
    fn take_token(&mut self, next_word: usize) -> TokenKind {
        let first = self.value[self.at];
        match first {
            _ if is_white(first) => self.take_run(self.value.len(), is_white, TokenKind::White),
            b'"' if self.quotes => self.enclosed(Self::quoted_end, TokenKind::Quoted),
            b'(' if self.comments => self.enclosed(Self::comment_end, TokenKind::Comment),
            b'[' if self.literals => self.enclosed(Self::literal_end, TokenKind::Literal),
            _ if is_special(first, self.grammar) => self.special(first),
            _ => {
                let grammar = self.grammar;
                self.take_run(next_word, |octet| !is_white(octet) && !is_special(octet, grammar), TokenKind::Atom)
            }
        }
    }

    /// Steps over octets as long as `holds` is true of them, up to `end` at most; they are a token of this kind.
    fn take_run(&mut self, end: usize, holds: impl Fn(u8) -> bool, kind: TokenKind) -> TokenKind {
        let rest = &self.value[self.at..end];
        self.at += rest.iter().position(|&octet| !holds(octet)).unwrap_or(rest.len());
        kind
    }

    /// Steps over one octet, which is a token of its own.
    fn special(&mut self, octet: u8) -> TokenKind {
        self.at += 1;
        TokenKind::Special(octet)
    }

    /// Steps over what `end` closes. Where nothing does, the first octet is a special, and no later token of this kind
    /// is looked for in this value, not even a literal that would close: so nothing is looked for in vain twice.
    fn enclosed(&mut self, end: impl Fn(&[u8]) -> Option<usize>, kind: TokenKind) -> TokenKind {
        if let Some(length) = end(&self.value[self.at..]) {
            self.at += length;
            return kind;
        }
        match kind {
            TokenKind::Quoted => self.quotes = false,
            TokenKind::Comment => self.comments = false,
            _ => self.literals = false,
        }
        self.special(self.value[self.at])
    }

    /// Returns the length of the quoted-string at the start of a text, whose quote must be there; none where it does
    /// not close.
    fn quoted_end(rest: &[u8]) -> Option<usize> {
        let mut at = 1;
        loop {
            at += memchr2(b'"', b'\\', rest.get(at..)?)?;
            match rest[at] {
                b'"' => return Some(at + 1),
                _ => at += 2,
            }
        }
    }

    /// Returns the length of the comment at the start of a text, whose parenthesis must be there, with those in it;
    /// none where it does not close.
    fn comment_end(rest: &[u8]) -> Option<usize> {
        let (mut at, mut depth) = (0, 0_usize);
        loop {
            at += memchr3(b'(', b')', b'\\', rest.get(at..)?)?;
            match rest[at] {
                b'(' => depth += 1,
                b')' if depth == 1 => return Some(at + 1),
                b')' => depth -= 1,
                _ => at += 1,
            }
            at += 1;
        }
    }

    /// Returns the length of the domain literal at the start of a text; none where it does not close within 256 octets.
    fn literal_end(rest: &[u8]) -> Option<usize> {
        // A literal is short and holds nothing that ends an address; else its bracket is a stray one.
        let end = rest.iter().take(256).position(|&octet| matches!(octet, b']' | b',' | b';' | b'>' | b'"'))?;
        (rest[end] == b']').then_some(end + 1)
    }
}

/// Returns `true` for a blank, a tab, or an octet of a line end; a form feed is one of an atom.
fn is_white(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t' | b'\r' | b'\n')
}

/// Returns `true` if an octet ends an atom.
fn is_special(octet: u8, grammar: Grammar) -> bool {
    match octet {
        b'(' | b')' | b'<' | b'>' | b'[' | b']' | b':' | b';' | b'@' | b'\\' | b',' | b'"' => true,
        b'.' => grammar == Grammar::Address,
        b'/' | b'?' | b'=' => grammar == Grammar::Mime,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes tokens as one letter and their text each.
    fn shown(value: &str, grammar: Grammar) -> String {
        let tokens = tokens(value.as_bytes(), grammar).into_iter();
        tokens.map(|token| format!("{}[{}]", letter(token.kind), &value[token.at])).collect()
    }

    fn letter(kind: TokenKind) -> char {
        match kind {
            TokenKind::White => 'w',
            TokenKind::Atom => 'a',
            TokenKind::Quoted => 'q',
            TokenKind::Comment => 'c',
            TokenKind::Literal => 'l',
            TokenKind::Word(_) => 'e',
            TokenKind::Special(_) => 's',
        }
    }

    #[test]
    fn splits_addresses() {
        let cases = [
            (r#""a \" b" <x@[1.2]>"#, r#"q["a \" b"]w[ ]s[<]a[x]s[@]l[[1.2]]s[>]"#),
            (r"a(b(c)\)d)e", r"a[a]c[(b(c)\)d)]a[e]"),
            ("\"Müller <h@x>", "s[\"]a[Müller]w[ ]s[<]a[h]s[@]a[x]s[>]"),
            ("a (b", "a[a]w[ ]s[(]a[b]"),
            ("=?utf-8?Q?a,b?= <x>", "e[=?utf-8?Q?a,b?=]w[ ]s[<]a[x]s[>]"),
            ("=?utf-8?Q?a <x>, b?=", "a[=?utf-8?Q?a]w[ ]s[<]a[x]s[>]s[,]w[ ]a[b?=]"),
            ("a=?utf-8?Q?b?=c", "a[a]e[=?utf-8?Q?b?=]a[c]"),
            ("\"=?utf-8?Q?b?=\"", "q[\"=?utf-8?Q?b?=\"]"),
            ("\"\\", "s[\"]s[\\]"),
        ];
        for (value, expected) in cases {
            assert_eq!(shown(value, Grammar::Address), expected, "{value}");
        }
    }

    #[test]
    fn covers_every_octet_once_whatever_is_open() {
        for bomb in ["(", "\"", "\\\"", "[", "=?", "=?a?q?", "(\\", "<\"(", "=?a?q? ,"] {
            let value = bomb.repeat(100_000);
            let tokens = tokens(value.as_bytes(), Grammar::Address);
            let end = tokens.iter().fold(0, |at, token| {
                assert_eq!(token.at.start, at);
                token.at.end
            });
            assert_eq!(end, value.len(), "{bomb}");
        }
    }
}
