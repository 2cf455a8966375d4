//! Reads the items of a value: pieces of text, phrases, and what stands in quotes.

use std::borrow::Cow;
use std::ops::Range;

use super::item::{Item, ItemKind, Segment, WordLabel};
use super::target::FieldTarget;
use crate::coding::charset::Charset;
use crate::coding::encoded_word::{
    EncodedWord, ReadText, TextError, WordGroup, WordPlace, decode_mixed, decode_raw, groups, is_control, is_white,
    raw_charset, raw_text, words,
};
use crate::coding::escape;
use crate::coding::evidence::{self, Because, Origin, RawReading};
use crate::message::grammar::lexer::{Token, TokenKind};
use crate::message::grammar::parameter::unquote;
use crate::rewrite::HeaderForm;

/// The items for which there is room at once: most texts have fewer.
const FEW: usize = 16;

/// Reads the items of one field's value.
pub struct Items<'a> {
    value: &'a [u8],
    /// What is wanted of the field.
    pub target: FieldTarget<'a>,
    /// What raw 8-bit is, decided once for the whole field: pieces are too short to tell.
    raw: RawReading,
}

impl<'a> Items<'a> {
    /// Makes a reader for a value, and decides by the whole of it what its raw octets are. Statistics are made of the
    /// values that nobody can read so (`texts_of_header` in `evidence/doubtful.rs`), which must be found there in the
    /// same way.
    pub fn new(value: &'a [u8], target: FieldTarget<'a>) -> Items<'a> {
        let raw = match value.is_ascii() {
            true => Ok((Charset::UTF_8, Because::Octets)),
            false if target.literal => raw_charset(value, target.reader),
            false => raw_charset(&raw_text(value), target.reader),
        };
        Items { value, target, raw }
    }

    /// Reads text in which encoded-words may stand: an unstructured value, a piece of a comment, or what else is to be
    /// read so.
    pub fn text(&self, range: Range<usize>, place: WordPlace) -> Segment<'a> {
        let piece = &self.value[range.clone()];
        let found: Vec<EncodedWord> = if self.target.literal { Vec::new() } else { words(piece).collect() };
        self.segment(&found, range, place, |gap, items| self.split_at_white(gap, place, items))
    }

    /// Reads a phrase, given as the tokens of the value that make it, in order; there must be no comment among them,
    /// and in literal text no word ([`literal_tokens`](crate::message::grammar::lexer::literal_tokens)).
    pub fn phrase(&self, tokens: &[Token]) -> Segment<'a> {
        let found = tokens.iter().filter_map(|token| match &token.kind {
            TokenKind::Word(word) => Some((**word).clone()),
            _ => None,
        });
        let found: Vec<EncodedWord> = found.collect();
        self.segment(&found, 0..self.value.len(), WordPlace::Phrase, |gap, items| {
            let first = tokens.partition_point(|token| token.at.start < gap.start);
            let within = tokens[first..].iter().take_while(|token| token.at.end <= gap.end);
            items.extend(within.map(|token| self.of_token(token)));
        })
    }

    /// Reads the item of a token of a phrase that is no word. A `(` that is a token never closes: a comment is one
    /// token, and none of a phrase.
    fn of_token(&self, token: &Token) -> Item<'a> {
        let at = token.at.clone();
        match token.kind {
            TokenKind::White => self.white(at),
            TokenKind::Quoted => self.quoted(at),
            TokenKind::Special(b'(') => self.item(at, ItemKind::Stray, "".into(), Vec::new()),
            _ => self.solid(at, WordPlace::Phrase),
        }
    }

    /// Reads the segment of a range. `found` are its words, whose places count from the start of the range; those with
    /// nothing but white space between are read together. `add_gap` adds the items of what stands before, between and
    /// behind them. The text is then looked at as a whole. Line ends come first: words that they leave unread keep a
    /// second encoding from being undone. What `is_name` and `is_open` are in the field, the caller says
    /// (`segment.rs`).
    fn segment(
        &self,
        found: &[EncodedWord],
        range: Range<usize>,
        place: WordPlace,
        add_gap: impl Fn(Range<usize>, &mut Vec<Item<'a>>),
    ) -> Segment<'a> {
        let (piece, mut from) = (&self.value[range.clone()], range.start);
        let mut items = Vec::with_capacity(FEW);
        for run in found.chunk_by(|left, right| is_white(&piece[left.at.end..right.at.start])) {
            for group in groups(piece, run, place, self.target.reader) {
                add_gap(from..range.start + group.at.start, &mut items);
                from = range.start + group.at.end;
                items.push(self.words(group, range.start));
            }
        }
        add_gap(from..range.end, &mut items);
        self.leave_inner_line_ends(&mut items);
        self.undo_double_encoding(&mut items);
        self.unescape(&mut items);
        Segment { place, items, is_name: place == WordPlace::Phrase, is_open: false }
    }

    /// Makes words with a line end behind their text unread, so that they stay, unless they stand last in their segment
    /// and words can be written in their place: among other text it would be a line end of the field to some.
    fn leave_inner_line_ends(&self, items: &mut [Item<'a>]) {
        let last = items.iter().rposition(|item| !item.is_white());
        for (at, item) in items.iter_mut().enumerate().filter(|(_, item)| !item.line_end.is_empty()) {
            if Some(at) != last || self.target.form == HeaderForm::Ascii {
                *item = self.unread(item.at.clone(), item.kind.clone(), TextError::Control);
            }
        }
    }

    /// Undoes the second encoding of a segment's text, which is judged as a whole, where that is to be fixed. All of it
    /// stays where some can't be read, and in literal text, which is meant as it is.
    fn undo_double_encoding(&self, items: &mut [Item]) {
        if !self.target.profile.undoes_double_in_headers() || self.target.literal {
            return;
        }
        if items.iter().any(|item| !item.is_read() || item.unknown) {
            return;
        }
        let texts: Vec<&str> = items.iter().map(|item| &*item.text).collect();
        let Some(meant) = evidence::pieces_encoded_once(&texts) else { return };
        for (item, meant) in items.iter_mut().zip(meant).filter(|(item, meant)| item.text != *meant) {
            (item.text, item.undoubled) = (meant.into(), true);
        }
    }

    /// Expands the escapes in the plain text of a segment. All of them stay where a control character would come out,
    /// or where what comes out stands raw and holds escapes again, so that a second run would expand more. In
    /// words none is looked for, nor in literal text, which is meant as it is.
    fn unescape(&self, items: &mut [Item]) {
        let profile = self.target.profile;
        let forms = profile.unescape_in_headers();
        if forms.is_empty() || self.target.literal {
            return;
        }
        let plain = items.iter().filter(|it| matches!(it.kind, ItemKind::White | ItemKind::Plain | ItemKind::Quoted));
        let whole: String = plain.map(|item| &*item.text).collect();
        let expanded = escape::unescape(&whole, forms);
        // The profile is asked, and not the target's form: the proof, which must read the same, has the form `Keep`.
        let is_text = !expanded.text.chars().any(is_control)
            && (profile.headers != HeaderForm::Utf8 || escape::unescape(&expanded.text, forms).count == 0);
        if expanded.count == 0 || !is_text {
            return;
        }
        let pairs = escape::Pairs::of(&whole, forms);
        for item in items.iter_mut().filter(|item| matches!(item.kind, ItemKind::Plain | ItemKind::Quoted)) {
            let found = pairs.unescape(&item.text, forms);
            if found.text != item.text {
                let (text, count) = (found.text.into_owned(), found.count);
                (item.text, item.unescaped) = (text.into(), Some(count));
            }
        }
    }

    /// Splits a range without words at its white space, and adds an item for each piece, white or not.
    fn split_at_white(&self, range: Range<usize>, place: WordPlace, items: &mut Vec<Item<'a>>) {
        let pieces = pieces(self.value, range).into_iter();
        items.extend(pieces.map(|at| match is_white(&self.value[at.clone()]) {
            true => self.white(at),
            false => self.solid(at, place),
        }));
    }

    /// Makes the item of a range that is all white space: its text is what unfolding leaves of it.
    fn white(&self, at: Range<usize>) -> Item<'a> {
        let text = match str::from_utf8(&self.value[at.clone()]).unwrap_or_default() {
            text if text.contains(['\r', '\n']) => text.replace(['\r', '\n'], "").into(),
            text => text.into(),
        };
        self.item(at, ItemKind::White, text, Vec::new())
    }

    /// Reads a piece that has no words in it: ISO-2022-JP, or raw text in the charset that was found for the whole
    /// value, so that one piece is not read in another charset than the next. Quoted-pairs of comments are undone.
    fn solid(&self, at: Range<usize>, place: WordPlace) -> Item<'a> {
        let octets = &self.value[at.clone()];
        if let Some(text) = self.iso_2022_text(octets, place) {
            return self.item(at, ItemKind::Plain, text.into(), vec![Origin::label(Charset::ISO_2022_JP.name())]);
        }
        let plain = if place == WordPlace::Comment { without_quoted_pairs(octets) } else { octets.into() };
        let text = match &plain {
            Cow::Borrowed(plain) => decode_raw(plain, self.raw),
            Cow::Owned(plain) => decode_raw(plain, self.raw).map(|text| text.into_owned().into()),
        };
        match text {
            Ok(text) if text.chars().any(is_control) => self.unread(at, ItemKind::Plain, TextError::Control),
            Ok(text) => {
                let from = if plain.is_ascii() { Vec::new() } else { vec![Origin::raw(self.raw.ok())] };
                let utf8 = text.as_bytes() == &*plain;
                let unknown = !from.is_empty() && self.raw.is_ok_and(|(charset, _)| charset == Charset::UNKNOWN_8BIT);
                Item { utf8, unknown, ..self.item(at, ItemKind::Plain, text, from) }
            }
            Err(left) => self.unread(at, ItemKind::Plain, left),
        }
    }

    /// Reads a piece in ISO-2022-JP without a label; none where it isn't that, a control character comes out, a
    /// backslash in it could be one of a quoted-pair, or the text is literal.
    fn iso_2022_text(&self, octets: &[u8], place: WordPlace) -> Option<String> {
        let is_pair = place == WordPlace::Comment && octets.contains(&b'\\');
        let charset = evidence::escaped_piece(octets).filter(|_| !self.target.literal && !is_pair)?;
        let text = charset.decode(octets).ok()?.into_owned();
        (!text.chars().any(is_control)).then_some(text)
    }

    /// Reads a quoted string, its quotes included in the range; words in it are read as words, as many readers do.
    fn quoted(&self, at: Range<usize>) -> Item<'a> {
        let written = &self.value[at.clone()];
        // In ISO-2022-JP a backslash may be half a character, and none of a quoted-pair.
        if written.contains(&0x1B) && written.contains(&b'\\') {
            return self.unread(at, ItemKind::Plain, TextError::Control);
        }
        let octets = unquote(written);
        if self.target.literal {
            // Nothing but what a person typed has phrases that are literal, and that is UTF-8.
            let text = String::from_utf8_lossy(&octets).into_owned();
            return self.item(at, ItemKind::Quoted, text.into(), Vec::new());
        }
        match decode_mixed(&octets, self.raw, self.target.reader) {
            Ok(ReadText { text, from, lost, unknown }) => {
                Item { lost, unknown, ..self.item(at, ItemKind::Quoted, text.into(), from) }
            }
            Err(left) => self.unread(at, ItemKind::Plain, left),
        }
    }

    /// Makes the item of words that were read together, readable or not; of words that end in half a character, the
    /// text before that, and the half. `base` is where the text that they were found in starts in the value.
    fn words(&self, group: WordGroup, base: usize) -> Item<'a> {
        let at = base + group.at.start..base + group.at.end;
        let WordGroup { label, language, conformity, outcome, cut, .. } = group;
        let kind = ItemKind::Words(Box::new(WordLabel { label: label.clone(), language, conformity }));
        let (text, half, unread) = match (outcome, cut) {
            (Ok(text), _) => (text, None, None),
            (Err(left), Some(cut)) => (cut.text, Some(cut.half.into()), Some(Box::new(left))),
            (Err(left), None) => return self.unread(at, kind, left),
        };
        let (unknown, from) = (text.charset == Charset::UNKNOWN_8BIT, vec![text.origin(&label)]);
        let (lost, line_end) = (text.lost, text.line_end);
        Item { lost, unknown, unread, half, line_end, ..self.item(at, kind, text.text.into(), from) }
    }

    /// Makes the item of a range that can't be read, and so stays. Its text is empty, and tells nothing of it.
    fn unread(&self, at: Range<usize>, kind: ItemKind, left: TextError) -> Item<'a> {
        Item { unread: Some(Box::new(left)), ..self.item(at, kind, "".into(), Vec::new()) }
    }

    /// Makes an item of a range; what is rarely true of one is for the caller to set.
    fn item(&self, at: Range<usize>, kind: ItemKind, text: Cow<'a, str>, from: Vec<Origin>) -> Item<'a> {
        let octets = &self.value[at.clone()];
        let eight_bit = !octets.is_ascii();
        let utf8 = !eight_bit || str::from_utf8(octets).is_ok();
        Item { at, kind, text, from, eight_bit, utf8, ..Item::default() }
    }
}

/// Splits a range of a value at its white space, but not within a run of ISO-2022-JP that has some. The pieces cover it
/// in order, and each is all white space or begins and ends with none, but for such runs.
fn pieces(value: &[u8], range: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::with_capacity(FEW);
    let (mut start, mut end, mut is_open) = (range.start, range.start, false);
    for piece in value[range.clone()].chunk_by(|left, right| is_white(&[*left]) == is_white(&[*right])) {
        end += piece.len();
        is_open = if piece.contains(&0x1B) { !evidence::ends_in_ascii(piece) } else { is_open };
        if !is_open || end == range.end {
            found.push(start..end);
            start = end;
        }
    }
    found
}

/// Returns the octets of a comment with each quoted-pair replaced by the octet that it quotes; a backslash at the end
/// quotes nothing, and stays.
fn without_quoted_pairs(octets: &[u8]) -> Cow<'_, [u8]> {
    if !octets.contains(&b'\\') {
        return octets.into();
    }
    let mut octets = octets.iter().copied();
    let mut plain = Vec::with_capacity(octets.len());
    while let Some(octet) = octets.next() {
        plain.push(if octet == b'\\' { octets.next().unwrap_or(octet) } else { octet });
    }
    plain.into()
}
