//! The tags of plain markup, by HTML's tokenizer (§13.2.5) on one pass over the octets.
//!
//! Where a tag ends, and what its attributes are, the tokenizer alone tells; what a text is, and which language an
//! element belongs to, only the tree of elements. Nearly all mail needs no tree: the few elements whose text is no
//! markup are closed by the next tag of their name. So this reads what it can read without doubt, at the speed of
//! a search, and stops without a result at the first thing that only a tree decides: SVG and MathML, a script with a
//! script within its comment, an element of text that is not closed, an end of a comment that readers took otherwise in
//! other years. Then the whole document is read by [`super::tree`].
//!
//! Limits: linear in the markup; it keeps nothing but a tag's attributes that are wanted.

use std::ops::Range;

use super::marks::Marks;
use super::places::{Inner, NameAndValue, Tags, WantedAttributes, is_one_of};

/// Reads the tags of markup; none when only a tree of elements can tell what its tags are.
pub(super) fn read(markup: &[u8], tags: &mut impl Tags) -> Option<()> {
    read_to(markup, markup.len(), tags)
}

/// Reads the tags that start before `end`; none when only a tree of elements can tell what these tags are.
pub(super) fn read_to(markup: &[u8], end: usize, tags: &mut impl Tags) -> Option<()> {
    let mut tokens = Tokens { markup, at: 0, attributes: Vec::new(), marks: Marks::of(markup) };
    while let Some(found) = tokens.marks.next_tag(tokens.at).filter(|at| *at < end) {
        tokens.at = found;
        tokens.token(tags)?;
    }
    Some(())
}

/// Markup, and how far it is read.
struct Tokens<'m> {
    markup: &'m [u8],
    at: usize,
    /// The attributes of the tag that is read.
    attributes: Vec<NameAndValue>,
    marks: Marks<'m>,
}

impl<'m> Tokens<'m> {
    fn rest(&self) -> &'m [u8] {
        self.markup.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<u8> {
        self.markup.get(self.at).copied()
    }

    /// Moves behind what starts with `<`, be it a tag or not; none when only a tree of elements can tell what it is.
    fn token(&mut self, tags: &mut impl Tags) -> Option<()> {
        match self.rest() {
            [_, b'a'..=b'z' | b'A'..=b'Z', ..] => return self.start_tag(tags),
            [_, b'/', b'a'..=b'z' | b'A'..=b'Z', ..] => self.end_tag(),
            [_, b'!', b'-', b'-', inside @ ..] => return self.comment(inside, tags),
            [_, b'!' | b'?' | b'/', ..] => self.skip_behind(b'>'),
            _ => self.at += 1,
        }
        Some(())
    }

    /// Moves behind the next such octet, or to the end.
    fn skip_behind(&mut self, octet: u8) {
        let rest = self.rest();
        self.at += memchr::memchr(octet, rest).map_or(rest.len(), |at| at + 1);
    }

    /// Moves behind a comment (HTML §13.2.5.43 and those that follow); none where readers see its end in different
    /// places.
    fn comment(&mut self, inside: &[u8], tags: &mut impl Tags) -> Option<()> {
        let length = memchr::memmem::find(inside, b"-->");
        let text = inside.get(..length.unwrap_or(inside.len()))?;
        if inside.starts_with(b">") || inside.starts_with(b"->") || memchr::memmem::find(text, b"--!>").is_some() {
            return None;
        }
        let Some(length) = length else {
            self.at = self.markup.len();
            return Some(());
        };
        let start = self.at;
        self.at = start + 4 + length + 3;
        tags.comment(start..self.at);
        Some(())
    }

    /// Moves behind a tag that closes an element.
    fn end_tag(&mut self) {
        match self.marks.next_mark(self.at + 2) {
            // With no `=` before it, it stands in no value.
            Some(end) if self.markup.get(end) == Some(&b'>') => self.at = end + 1,
            _ => {
                self.at += 2;
                self.name();
                self.attributes(WantedAttributes::None);
            }
        }
    }

    /// Reads a tag that opens an element, and the element's text where that is no markup; none when only a tree of
    /// elements can tell what that text is.
    fn start_tag(&mut self, tags: &mut impl Tags) -> Option<()> {
        self.at += 1;
        let name = self.name();
        let name = self.markup.get(name)?;
        let text = ElementText::of(name);
        if text == ElementText::Unknown {
            return None;
        }
        let ended = self.plain_attributes(tags.wanted(name));
        match ended {
            TagEnd::Unfinished => return Some(()),
            // Readers go on otherwise behind `<style a=>`.
            TagEnd::MissingValue if text != ElementText::Markup => return None,
            _ => {}
        }
        // None of its attributes is wanted.
        if text == ElementText::Markup && self.attributes.is_empty() {
            return Some(());
        }
        let inner = tags.element(name, &self.attributes, true);
        match text {
            ElementText::Markup => Some(()),
            _ => self.text(name, text, inner, tags),
        }
    }

    /// Moves over a tag's name (HTML §13.2.5.8).
    fn name(&mut self) -> Range<usize> {
        let start = self.at;
        self.skip_until(TAG_NAME);
        start..self.at
    }

    /// Moves to the first octet of these classes, or to the end.
    fn skip_until(&mut self, classes: u8) {
        let rest = self.rest();
        self.at += rest.iter().position(|octet| CLASS[usize::from(*octet)] & classes != 0).unwrap_or(rest.len());
    }

    /// Does what [`attributes`](Self::attributes) does, by the masks as far as a tag is written as nearly all are:
    /// names, each with `=` and a value right behind it.
    fn plain_attributes(&mut self, wanted: WantedAttributes) -> TagEnd {
        self.attributes.clear();
        let ended = if wanted == WantedAttributes::All { None } else { self.by_masks(wanted) };
        match ended {
            Some(end) => {
                self.at = end;
                TagEnd::Tag
            }
            None => self.attributes(wanted),
        }
    }

    /// Returns the place behind a tag, and keeps those of its attributes that are wanted; none where it is written in
    /// another way. The place where it is read stays, so that [`attributes`](Self::attributes) can begin anew.
    fn by_masks(&mut self, wanted: WantedAttributes) -> Option<usize> {
        let mut at = self.at;
        loop {
            let place = self.marks.next_mark(at)?;
            match self.markup.get(place)? {
                b'>' => return Some(place + 1),
                b'=' if self.ends_name(at, place) => at = self.plain_value(at..place, wanted)?,
                _ => return None,
            }
        }
    }

    /// Returns `true` if a `=` stands right behind a name that begins at `from` or later: it is then no part of one.
    fn ends_name(&self, from: usize, equals: usize) -> bool {
        let before = self.markup.get(from..equals).and_then(<[u8]>::last);
        before.is_some_and(|before| CLASS[usize::from(*before)] & (BLANK | SLASH) == 0)
    }

    /// Reads the value behind the `=` at `before.end`, where a name ends, and keeps both if they are wanted. Returns
    /// the place behind the value; none where it is written in another way.
    fn plain_value(&mut self, before: Range<usize>, wanted: WantedAttributes) -> Option<usize> {
        let start = before.end + 1;
        let first = *self.markup.get(start)?;
        let (value, is_odd, next) = match first {
            b'"' | b'\'' => {
                let (close, is_odd) = self.marks.closing(start + 1, first)?;
                (start + 1..close, is_odd, close + 1)
            }
            first if CLASS[usize::from(first)] & (BLANK | END) != 0 => return None,
            _ => {
                let mut rest = self.markup.get(start..)?.iter();
                let length = rest.position(|octet| CLASS[usize::from(*octet)] & (BLANK | END) != 0)?;
                (start..start + length, true, start + length)
            }
        };
        if is_odd && wanted != WantedAttributes::None {
            self.keep_if(wanted, before, value);
        }
        Some(next)
    }

    /// Keeps an attribute if it is wanted; its name stands at the end of `before`, behind other attributes or blanks.
    fn keep_if(&mut self, wanted: WantedAttributes, before: Range<usize>, value: Range<usize>) {
        let octets = self.markup.get(before.clone()).unwrap_or_default();
        let blank = octets.iter().rposition(|octet| CLASS[usize::from(*octet)] & (BLANK | SLASH) != 0);
        let name = before.start + blank.map_or(0, |blank| blank + 1)..before.end;
        if wanted.holds(&self.markup[name.clone()], &self.markup[value.clone()]) {
            self.attributes.push(NameAndValue { name, value });
        }
    }

    /// Moves behind the end of a tag, and keeps those of its attributes that are wanted (HTML §13.2.5.32 to
    /// §13.2.5.40).
    fn attributes(&mut self, wanted: WantedAttributes) -> TagEnd {
        self.attributes.clear();
        loop {
            self.skip_until(!(BLANK | SLASH));
            let start = self.at;
            match self.peek() {
                None => return TagEnd::Unfinished,
                Some(b'>') => {
                    self.at += 1;
                    return TagEnd::Tag;
                }
                Some(_) => self.at += 1,
            }
            self.skip_until(ATTRIBUTE_NAME);
            let name = start..self.at;
            self.skip_until(!BLANK);
            let value = match self.value() {
                Ok(value) => value,
                Err(end) => return end,
            };
            if wanted.holds(self.octets(&name), self.octets(&value)) {
                self.attributes.push(NameAndValue { name, value });
            }
        }
    }

    /// Returns the octets of a place.
    #[inline]
    fn octets(&self, at: &Range<usize>) -> &[u8] {
        self.markup.get(at.clone()).unwrap_or_default()
    }

    /// Moves behind an attribute's value, if it has one; gives its octets without quotation marks.
    fn value(&mut self) -> Result<Range<usize>, TagEnd> {
        if self.peek() != Some(b'=') {
            return Ok(self.at..self.at);
        }
        self.at += 1;
        self.skip_until(!BLANK);
        match self.peek() {
            None => Err(TagEnd::Unfinished),
            Some(b'>') => {
                self.at += 1;
                Err(TagEnd::MissingValue)
            }
            Some(quote @ (b'"' | b'\'')) => {
                let start = self.at + 1;
                let inside = self.markup.get(start..).unwrap_or_default();
                let Some(length) = memchr::memchr(quote, inside) else {
                    self.at = self.markup.len();
                    return Err(TagEnd::Unfinished);
                };
                self.at = start + length + 1;
                Ok(start..start + length)
            }
            Some(_) => {
                let start = self.at;
                self.skip_until(BLANK | END);
                Ok(start..self.at)
            }
        }
    }

    /// Moves behind the end of an element whose text is no markup, and gives the text to `tags` where `inner` says that
    /// they asked for it. None where the element is not closed, or a script may hold another.
    fn text(&mut self, name: &[u8], text: ElementText, inner: Option<Inner>, tags: &mut impl Tags) -> Option<()> {
        let start = self.at;
        let end = start + end_of(name, self.rest())?;
        let inside = self.markup.get(start..end)?;
        if text == ElementText::Script && may_hold_script(inside) {
            return None;
        }
        if let Some(inner) = inner {
            tags.text(start..end, inner);
        }
        self.at = end + 2 + name.len();
        match self.attributes(WantedAttributes::None) {
            TagEnd::Unfinished => None,
            _ => Some(()),
        }
    }
}

/// The classes of octets within a tag; each octet has one.
const BLANK: u8 = 1;
const SLASH: u8 = 2;
const END: u8 = 4;
const EQUALS: u8 = 8;
const OTHER: u8 = 16;
/// What ends a tag's name, and an attribute's.
const TAG_NAME: u8 = BLANK | SLASH | END;
const ATTRIBUTE_NAME: u8 = TAG_NAME | EQUALS;

const CLASS: [u8; 256] = {
    let mut classes = [0; 256];
    let mut octet = 0;
    while octet < classes.len() {
        classes[octet] = match octet as u8 {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0C => BLANK,
            b'/' => SLASH,
            b'>' => END,
            b'=' => EQUALS,
            _ => OTHER,
        };
        octet += 1;
    }
    classes
};

/// Returns `true` if an octet ends the name of a tag.
pub(super) fn ends_name(octet: u8) -> bool {
    CLASS[usize::from(octet)] & TAG_NAME != 0
}

/// Returns where the tag starts that ends an element of this name; none where it is not closed.
fn end_of(name: &[u8], text: &[u8]) -> Option<usize> {
    memchr::memmem::find_iter(text, b"</").find(|at| {
        let behind = text.get(at + 2..).unwrap_or_default();
        let named = behind.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        named && behind.get(name.len()).is_some_and(|octet| ends_name(*octet))
    })
}

/// Returns `true` if a script may hold another one, in a comment, whose end is not its own (HTML §13.2.5.27).
fn may_hold_script(text: &[u8]) -> bool {
    let Some(comment) = memchr::memmem::find(text, b"<!--").map(|at| &text[at..]) else { return false };
    let mut tags = memchr::memchr_iter(b'<', comment).filter_map(|at| comment.get(at + 1..at + 7));
    tags.any(|name| name.eq_ignore_ascii_case(b"script"))
}

/// How a tag ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TagEnd {
    Tag,
    /// With a `=` and no value.
    MissingValue,
    /// The document ends first: there is no such tag.
    Unfinished,
}

/// What the text of an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ElementText {
    Markup,
    /// All up to the end of the element.
    Raw,
    Script,
    /// The tree of elements tells.
    Unknown,
}

impl ElementText {
    /// Tells what the text of an element of this name is.
    fn of(name: &[u8]) -> ElementText {
        const RAW: [&str; 8] = ["style", "title", "noscript", "textarea", "iframe", "xmp", "noembed", "noframes"];
        match name {
            // No name below is shorter or begins with another letter.
            _ if name.len() < 3 || !b"stnixmp".contains(&name[0].to_ascii_lowercase()) => ElementText::Markup,
            _ if is_one_of(name, RAW) => ElementText::Raw,
            _ if is_one_of(name, ["script"]) => ElementText::Script,
            _ if is_one_of(name, ["svg", "math", "plaintext"]) => ElementText::Unknown,
            _ => ElementText::Markup,
        }
    }
}
