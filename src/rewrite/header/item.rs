//! The items of a text: white space, plain pieces, raw 8-bit, quoted-strings, encoded-words.
//!
//! A *segment* is a replacement of a field in which text stands: the whole of an unstructured field, one phrase, one
//! piece of a comment between parentheses. Its items cover it in order.

use std::borrow::Cow;
use std::ops::Range;

use super::target::Target;
use crate::coding::charset::{self, Charset};
use crate::coding::encoded_word::{
    Conformity, Group, Mixed, Place, Text, Undecodable, Word, decode_mixed, decode_raw, groups, is_control,
    is_raw_label, is_white, raw_charset, raw_label, words,
};
use crate::coding::escape;
use crate::message::grammar::lexer::{Token, TokenKind};
use crate::message::grammar::parameter::unquote;
use crate::rewrite::{HeaderForm, Reason};

/// Text without white space of more octets than this can't be folded, but words that say it can.
const ENDLESS: usize = 900;

/// A replacement of a field in which text stands.
pub struct Segment {
    /// The rules for words in it.
    pub place: Place,
    /// Its items; they cover it in order.
    pub items: Vec<Item>,
    /// Whether a quote or parenthesis stands in the field that never closes: new quotes could close it.
    pub open: bool,
}

impl Segment {
    /// Returns where it stands in the field's value, the white space at its ends left out.
    pub fn at(&self) -> Range<usize> {
        let solid = |item: &&Item| !item.is_white();
        let start = self.items.iter().find(solid).or(self.items.first()).map_or(0, |item| item.at.start);
        start..self.items.iter().rfind(solid).map_or(start, |item| item.at.end)
    }
}

/// A piece of a segment.
pub struct Item {
    /// Where it stands in the field's value.
    pub at: Range<usize>,
    /// What it is.
    pub kind: Kind,
    /// What it says: without quotes and backslashes, decoded, unfolded.
    pub text: String,
    /// The labels of what it was decoded from, `8bit` for raw octets; nothing for plain ASCII.
    pub from: Vec<String>,
    /// Whether octets over 127 stand in it.
    pub eight_bit: bool,
    /// Whether it is UTF-8 as it stands, and is read so: beside what is none, it may be read in another charset.
    pub utf8: bool,
    /// How many faults in its text are U+FFFD now.
    pub lost: usize,
    /// Whether escapes in it were expanded, and how many.
    pub unescaped: Option<usize>,
    /// Whether its characters stand for octets that nobody can read, [`Charset::UNKNOWN_8BIT`].
    pub unknown: bool,
}

/// What an item is.
pub enum Kind {
    /// White space, line ends among it.
    White,
    /// Text that stands for itself, ASCII or raw 8-bit.
    Plain,
    /// A quoted-string of a phrase.
    Quoted,
    /// Encoded-words of one charset.
    Words(Words),
    /// Encoded-words that can't be read.
    UndecodableWords(Undecodable),
    /// Text that can't be read.
    UndecodableText(Undecodable),
    /// A parenthesis that never closes: without it, those after it would.
    Stray,
}

/// What is known of encoded-words, their text aside.
pub struct Words {
    /// The charset that they are labelled with.
    pub label: String,
    /// Their language tag.
    pub language: Option<String>,
    /// How well they are written.
    pub conformity: Conformity,
}

impl Item {
    /// Tells whether it is white space.
    pub fn is_white(&self) -> bool {
        matches!(self.kind, Kind::White)
    }

    /// Tells whether it is encoded-words, readable or not.
    pub fn is_words(&self) -> bool {
        matches!(self.kind, Kind::Words(_) | Kind::UndecodableWords(_))
    }

    /// Tells why it must stay, and what touches it too.
    pub fn stays(&self) -> Option<Reason> {
        match &self.kind {
            Kind::Stray => Some(Reason::Unclosed),
            _ => self.left().map(Reason::from),
        }
    }

    /// Tells why it can't be read.
    pub fn left(&self) -> Option<&Undecodable> {
        match &self.kind {
            Kind::UndecodableWords(left) | Kind::UndecodableText(left) => Some(left),
            _ => None,
        }
    }

    /// Tells whether the target asks for something else in its place.
    pub fn wants(&self, target: &Target<'_>) -> bool {
        match &self.kind {
            Kind::White | Kind::UndecodableWords(_) | Kind::UndecodableText(_) | Kind::Stray => false,
            Kind::Words(words) => !self.text.is_empty() && (!words.suit(target) || self.eight_bit),
            Kind::Plain | Kind::Quoted if target.literal => {
                let endless = target.fold.is_some() && self.at.len() > ENDLESS;
                self.eight_bit || endless || self.text.contains("=?")
            }
            Kind::Plain | Kind::Quoted => self.raw_wants(target),
        }
    }

    fn raw_wants(&self, target: &Target<'_>) -> bool {
        let is_unescaped = self.unescaped.is_some();
        let has_words =
            is_unescaped || self.from.iter().any(|label| !is_raw_label(label) && !self.stays_quoted(label, target));
        match target.form {
            HeaderForm::Keep => false,
            HeaderForm::Words => self.eight_bit || is_unescaped,
            HeaderForm::Utf8 => has_words || !self.utf8,
            _ if target.keep_raw => has_words || !self.utf8,
            HeaderForm::Utf8Words | HeaderForm::Utf7Words | HeaderForm::Ascii => self.eight_bit || has_words,
        }
    }

    /// Tells whether a word of this charset may stand in quotes, where no word should: only where nothing is repaired.
    fn stays_quoted(&self, label: &str, target: &Target<'_>) -> bool {
        let fits = target.suits(&label.to_ascii_lowercase());
        matches!(self.kind, Kind::Quoted) && fits && target.tolerates(Conformity::Broken)
    }
}

impl Words {
    fn suit(&self, target: &Target<'_>) -> bool {
        match target.form {
            HeaderForm::Keep | HeaderForm::Words => true,
            _ if target.reader.is_unknown_8bit(self.label.as_bytes()) => true,
            _ => target.tolerates(self.conformity) && target.suits(&self.label.to_ascii_lowercase()),
        }
    }
}

/// Reads the items of one field's value.
pub struct Items<'a> {
    value: &'a [u8],
    target: Target<'a>,
    /// What raw 8-bit is, decided once for the whole field: pieces are too short to tell.
    charset: Option<Charset>,
}

impl<'a> Items<'a> {
    /// Makes a reader for a value.
    pub fn new(value: &'a [u8], target: Target<'a>) -> Items<'a> {
        let charset =
            if value.is_ascii() { Some(Charset::UTF_8) } else { raw_charset(&raw_text(value, &target), target.reader) };
        Items { value, target, charset }
    }

    /// Reads text: an unstructured value, or a piece of a comment.
    pub fn text(&self, range: Range<usize>, place: Place) -> Segment {
        let piece = &self.value[range.clone()];
        let found: Vec<Word> = if self.target.literal { Vec::new() } else { words(piece).collect() };
        let mut items = Vec::new();
        let mut from = 0;
        for run in found.chunk_by(|left, right| is_white(&piece[left.at.end..right.at.start])) {
            for group in groups(piece, run, place, self.target.reader) {
                self.solids(range.start + from..range.start + group.at.start, place, &mut items);
                from = group.at.end;
                items.push(self.words(group, range.start));
            }
        }
        self.solids(range.start + from..range.end, place, &mut items);
        self.unescape(&mut items);
        Segment { place, items, open: false }
    }

    /// Reads a phrase, given as the tokens that make it.
    pub fn phrase(&self, tokens: &[Token]) -> Segment {
        let mut items = Vec::new();
        let mut rest = tokens;
        while let [token, after @ ..] = rest {
            rest = after;
            match &token.kind {
                TokenKind::White => items.push(self.white(token.at.clone())),
                TokenKind::Quoted => items.push(self.quoted(token.at.clone())),
                TokenKind::Special(b'(') => {
                    items.push(self.item(token.at.clone(), Kind::Stray, String::new(), Vec::new()));
                }
                TokenKind::Word(word) => {
                    let mut run = vec![word.clone()];
                    rest = self.rest_of_run(after, &mut run);
                    for group in groups(self.value, &run, Place::Phrase, self.target.reader) {
                        let from = items.last().map_or(group.at.start, |item: &Item| item.at.end);
                        self.solids(from..group.at.start, Place::Phrase, &mut items);
                        items.push(self.words(group, 0));
                    }
                }
                _ => items.push(self.solid(token.at.clone(), Place::Phrase)),
            }
        }
        self.unescape(&mut items);
        Segment { place: Place::Phrase, items, open: false }
    }

    /// Expands the escapes in the plain text of a segment; all stay where what comes out would be no text of a field, or
    /// would stand there raw and hold escapes again. In words none is looked for.
    fn unescape(&self, items: &mut [Item]) {
        let forms = self.target.unescape;
        if forms.is_empty() || self.target.literal {
            return;
        }
        let is_plain = |item: &&Item| matches!(item.kind, Kind::White | Kind::Plain | Kind::Quoted);
        let whole: String = items.iter().filter(is_plain).map(|item| item.text.as_str()).collect();
        let expanded = escape::unescape(&whole, forms);
        let is_once = || self.target.once || escape::unescape(&expanded.text, forms).count == 0;
        let is_text = !expanded.text.chars().any(is_control) && is_once();
        if expanded.count == 0 || !is_text {
            return;
        }
        let pairs = escape::Pairs::of(&whole, forms);
        for item in items.iter_mut().filter(|item| matches!(item.kind, Kind::Plain | Kind::Quoted)) {
            let found = pairs.unescape(&item.text, forms);
            if found.text != item.text {
                let (text, count) = (found.text.into_owned(), found.count);
                (item.text, item.unescaped) = (text, Some(count));
            }
        }
    }

    /// Collects the words that follow with nothing but white space between; gives the tokens after the last.
    fn rest_of_run<'t>(&self, tokens: &'t [Token], run: &mut Vec<Word>) -> &'t [Token] {
        let mut rest = tokens;
        loop {
            let next = match rest {
                [token, after @ ..] if matches!(token.kind, TokenKind::Word(_)) => Some((token, after)),
                [white, token, after @ ..] if white.kind == TokenKind::White => Some((token, after)),
                _ => None,
            };
            match next {
                Some((Token { kind: TokenKind::Word(word), .. }, after)) => {
                    run.push(word.clone());
                    rest = after;
                }
                _ => return rest,
            }
        }
    }

    /// Splits a range without words at its white space.
    fn solids(&self, range: Range<usize>, place: Place, items: &mut Vec<Item>) {
        let mut start = range.start;
        for piece in pieces(&self.value[range]) {
            let at = start..start + piece.len();
            start = at.end;
            items.push(if is_white(piece) { self.white(at) } else { self.solid(at, place) });
        }
    }

    fn white(&self, at: Range<usize>) -> Item {
        let blank = |octet: &&u8| matches!(octet, b' ' | b'\t');
        let text = self.value[at.clone()].iter().filter(blank).copied().map(char::from).collect();
        self.item(at, Kind::White, text, Vec::new())
    }

    fn solid(&self, at: Range<usize>, place: Place) -> Item {
        let octets = &self.value[at.clone()];
        if let Some(text) = self.escaped(octets, place) {
            return self.item(at, Kind::Plain, text, vec![Charset::ISO_2022_JP.name().to_owned()]);
        }
        let plain = if place == Place::Comment { unescaped(octets) } else { octets.to_vec() };
        match decode_raw(&plain, self.charset) {
            Ok(text) if text.chars().any(is_control) => self.left(at, Undecodable::Control),
            Ok(text) => {
                let from = if plain.is_ascii() { Vec::new() } else { vec![raw_label(self.charset)] };
                let utf8 = text.as_bytes() == plain;
                let unknown = !from.is_empty() && self.charset == Some(Charset::UNKNOWN_8BIT);
                Item { utf8, unknown, ..self.item(at, Kind::Plain, text.into_owned(), from) }
            }
            Err(left) => self.left(at, left),
        }
    }

    /// Reads a piece in ISO-2022-JP without a label; none where it is none, or a backslash in it could be a quoted-pair's.
    fn escaped(&self, octets: &[u8], place: Place) -> Option<String> {
        let is_pair = place == Place::Comment && octets.contains(&b'\\');
        let charset = charset::escaped_piece(octets).filter(|_| !self.target.literal && !is_pair)?;
        let text = charset.decode(octets).ok()?.into_owned();
        (!text.chars().any(is_control)).then_some(text)
    }

    fn quoted(&self, at: Range<usize>) -> Item {
        let written = &self.value[at.clone()];
        if written.contains(&0x1B) && written.contains(&b'\\') {
            return self.left(at, Undecodable::Control);
        }
        let octets = unquote(&self.value[at.clone()]);
        if self.target.literal {
            let text = String::from_utf8_lossy(&octets).into_owned();
            return self.item(at, Kind::Quoted, text, Vec::new());
        }
        match decode_mixed(&octets, self.target.reader) {
            Ok(Mixed { text, from, lost, unknown }) => {
                Item { lost, unknown, ..self.item(at, Kind::Quoted, text, from) }
            }
            Err(left) => self.left(at, left),
        }
    }

    fn words(&self, group: Group, base: usize) -> Item {
        let at = base + group.at.start..base + group.at.end;
        match group.outcome {
            Ok(text) => {
                let Group { label, language, conformity, .. } = group;
                let words = Words { label: label.clone(), language, conformity };
                let unknown = text.charset == Charset::UNKNOWN_8BIT;
                let from = vec![self.read_as(label, &text)];
                Item { lost: text.lost, unknown, ..self.item(at, Kind::Words(words), text.text, from) }
            }
            Err(left) => self.item(at, Kind::UndecodableWords(left), String::new(), Vec::new()),
        }
    }

    /// Returns a label as reports show it, with the charset in parentheses that the text was read in if that is another.
    fn read_as(&self, label: String, text: &Text) -> String {
        let known = self.target.reader.labels.find(label.as_bytes());
        let is_other = known != Some(text.charset) && !text.text.is_ascii() && text.charset != Charset::UNKNOWN_8BIT;
        let shown = if label.is_empty() { "none" } else { &label };
        if is_other { format!("{shown}({})", text.charset.name()) } else { label }
    }

    fn left(&self, at: Range<usize>, left: Undecodable) -> Item {
        self.item(at, Kind::UndecodableText(left), String::new(), Vec::new())
    }

    fn item(&self, at: Range<usize>, kind: Kind, text: String, from: Vec<String>) -> Item {
        let octets = &self.value[at.clone()];
        let eight_bit = !octets.is_ascii();
        Item {
            utf8: !eight_bit || std::str::from_utf8(octets).is_ok(),
            at,
            kind,
            text,
            from,
            eight_bit,
            lost: 0,
            unescaped: None,
            unknown: false,
        }
    }
}

/// Leaves out the words that have raw octets in them: these are read as their word says, and tell nothing of the rest.
fn raw_text<'v>(value: &'v [u8], target: &Target<'_>) -> Cow<'v, [u8]> {
    let mut text = Cow::Borrowed(value);
    if !target.literal {
        let raw_words = words(value).map(|word| word.at).filter(|at| !value[at.clone()].is_ascii());
        raw_words.for_each(|at| text.to_mut()[at].fill(b' '));
    }
    text
}

/// Splits octets at their white space, but not within a run of ISO-2022-JP that has some.
fn pieces(octets: &[u8]) -> Vec<&[u8]> {
    let mut found: Vec<&[u8]> = Vec::new();
    let (mut start, mut end, mut is_open) = (0, 0, false);
    for piece in octets.chunk_by(|left, right| is_blank(*left) == is_blank(*right)) {
        end += piece.len();
        is_open = if piece.contains(&0x1B) { !charset::ends_in_ascii(piece) } else { is_open };
        if !is_open || end == octets.len() {
            found.push(&octets[start..end]);
            start = end;
        }
    }
    found
}

fn is_blank(octet: u8) -> bool {
    is_white(&[octet])
}

/// Resolves the quoted-pairs of a comment.
fn unescaped(octets: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(octets.len());
    let mut octets = octets.iter().copied();
    while let Some(octet) = octets.next() {
        plain.push(if octet == b'\\' { octets.next().unwrap_or(octet) } else { octet });
    }
    plain
}
