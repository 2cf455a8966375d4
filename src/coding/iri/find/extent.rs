//! Where a link ends (UTS #58 §3, with the differences for mail in [`class`](super::class)).

use std::ops::Range;

use super::super::host::is_ideographic_stop;
use super::class::{Classes, is_sentence_mark, opening};
use super::start::Start;
use super::term::Class;
use super::{line, tld};

/// How deep brackets may nest; one more ends the link.
const DEPTH: usize = 125;

/// How long an authority may be in which labels are looked for, in octets.
const LONGEST_HOST: usize = 1024;

/// A walk over a link's characters.
#[derive(Debug)]
pub(super) struct Extent<'a> {
    text: &'a str,
    start: Start,
    /// Where the line starts, when the link may go on over soft breaks.
    line: Option<usize>,
    classes: &'a mut Classes,
    open: Vec<char>,
    /// The next character.
    next: usize,
    /// The end of the link so far; what comes between is in doubt.
    end: usize,
    breaks: Vec<Range<usize>>,
}

impl<'a> Extent<'a> {
    pub(super) fn new(text: &'a str, start: &Start, classes: &'a mut Classes) -> Extent<'a> {
        let next = start.body;
        Extent { text, start: start.clone(), line: None, classes, open: Vec::new(), next, end: next, breaks: vec![] }
    }

    /// Lets the link go on over the soft breaks of `delsp=yes`; its line starts at `line`.
    pub(super) fn over_soft_breaks(mut self, line: usize) -> Extent<'a> {
        self.line = Some(line);
        self
    }

    /// Returns the link's end and the breaks in it; none when there is no link.
    pub(super) fn end(mut self) -> Option<(usize, Vec<Range<usize>>)> {
        while self.step() {}
        let body = self.text.get(self.start.body..self.end)?;
        let link = match body.chars().next()? {
            _ if !self.start.authority => body.contains(['@', '?']),
            '/' => self.start.hostless && body.len() > 1,
            first => !matches!(first, '?' | '#' | '&' | '=' | ':' | '.' | '(' | '{'),
        };
        self.breaks.retain(|gap| gap.end < self.end);
        link.then_some((self.end, self.breaks))
    }

    /// Takes a run of plain octets or one other character; tells whether to go on.
    fn step(&mut self) -> bool {
        let Some(rest) = self.text.as_bytes().get(self.next..) else { return false };
        let plain = rest.iter().take_while(|&&octet| Class::of_ascii(octet) == Class::Include).count();
        if plain > 0 {
            self.next += plain;
            self.end = self.next;
        }
        let Some(character) = self.text.get(self.next..).and_then(|rest| rest.chars().next()) else { return false };
        let class = self.classes.of(character);
        self.take(character, class)
    }

    fn take(&mut self, character: char, class: Class) -> bool {
        let after = self.next + character.len_utf8();
        match class {
            Class::Include => self.end = after,
            Class::Soft => {}
            Class::Open if self.open.len() < DEPTH => self.open.push(character),
            Class::Close if self.open.pop() == opening(character) => self.end = after,
            Class::Open | Class::Close => return false,
            Class::Hard => return self.go_on(character),
        }
        self.next = after;
        true
    }

    /// Tells whether the authority goes on; asked only for characters that end the link anywhere else.
    fn is_in_host(&self) -> bool {
        let body = self.text.as_bytes().get(self.start.body..self.next).unwrap_or_default();
        self.start.authority && body.len() < LONGEST_HOST && memchr::memchr3(b'/', b'?', b'#', body).is_none()
    }

    /// Goes on after a character that ends most links.
    fn go_on(&mut self, character: char) -> bool {
        if is_ideographic_stop(character) && self.is_in_host() {
            let end = tld::labels_after(self.text, self.next);
            (self.next, self.end) = (end.unwrap_or(self.next), end.unwrap_or(self.end));
            return end.is_some();
        }
        let piece = self.breaks.last().map_or(self.start.body, |gap| gap.end);
        let Some(start) = self.line.filter(|_| character == ' ' && self.next > piece) else { return false };
        match line::after_soft_break(self.text, start, self.next) {
            Some((line, next)) => {
                self.breaks.push(self.next..next);
                (self.line, self.next) = (Some(line), next);
                true
            }
            None => false,
        }
    }
}

/// Tells whether a link touches nothing but white space, brackets and quotation marks.
pub(super) fn is_bounded(text: &str, at: &Range<usize>) -> bool {
    let before = text.get(..at.start).and_then(|text| text.chars().next_back());
    let after = text.get(at.end..).and_then(|text| text.chars().next());
    let edge = |character: char| !character.is_alphanumeric() && !is_sentence_mark(character);
    before.is_none_or(edge) && after.is_none_or(edge)
}
