//! The references in a value, and the value with some of them changed.

use std::ops::Range;

use super::{Attribute, DecodedValue, LinkSyntax, Quote, css, decode};
use crate::iri::{Edits, apply};

/// A value of an attribute or the text of a style sheet, ready to be read and changed.
#[derive(Debug, Clone)]
pub struct HtmlValue<'a> {
    source: &'a str,
    quote: Quote,
    decoded: DecodedValue<'a>,
    references: Vec<Range<usize>>,
}

impl<'a> HtmlValue<'a> {
    /// Reads the value at an attribute's place in the text that it was found in.
    pub fn read(text: &'a str, attribute: &Attribute) -> HtmlValue<'a> {
        let source = text.get(attribute.at.clone()).unwrap_or_default();
        let decoded = if attribute.quote == Quote::Raw { DecodedValue::plain(source) } else { decode(source) };
        let references = references(&decoded.text, attribute.kind);
        HtmlValue { source, quote: attribute.quote, decoded, references }
    }

    /// Returns the references in it, with their places in the decoded value.
    pub fn references(&self) -> impl Iterator<Item = (Range<usize>, &str)> {
        self.references.iter().map(|range| (range.clone(), self.decoded.text.get(range.clone()).unwrap_or_default()))
    }

    /// Returns the octets of the value that a range of the decoded value stands in.
    pub fn source_range(&self, range: Range<usize>) -> Range<usize> {
        self.decoded.source(range)
    }

    /// Returns the decoded value.
    pub fn text(&self) -> &str {
        &self.decoded.text
    }

    /// Returns the octets that a range of the decoded value was written with.
    pub fn source(&self, range: Range<usize>) -> &'a str {
        self.source.get(self.decoded.source(range)).unwrap_or_default()
    }

    /// Returns `true` if edits of the octets of a reference, as [`source_range`](HtmlValue::source_range) places them,
    /// make of the decoded value what `wanted` makes of it. A letter that comes may belong to the name of a character
    /// reference that begins before or ends behind: `&am%70;`. So what could be one name with the reference is read
    /// with it, and no more.
    pub fn reads_with(&self, reference: &Range<usize>, edits: &Edits, wanted: &Edits) -> bool {
        if self.quote == Quote::Raw {
            return true;
        }
        let around = self.with_names_around(reference);
        let source = self.source_range(around.clone());
        let was = self.source.get(source.clone()).unwrap_or_default();
        // At its end a name may be read that is none with what follows, in both.
        let now = apply(was, &moved_back(edits, source.start)).into_owned();
        decode(&now).text == apply(&decode(was).text, &moved_back(wanted, around.start))
    }

    /// Returns a range of the decoded value with what may be the beginning and the end of a name around it.
    fn with_names_around(&self, range: &Range<usize>) -> Range<usize> {
        let is_of_name = |one: char| one.is_ascii_alphanumeric() || one == '#';
        let (before, behind) = (&self.text()[..range.start], &self.text()[range.end..]);
        let [name, rest] = [before.trim_end_matches(is_of_name), behind.trim_start_matches(is_of_name)];
        let [mark, end] = [name.chars().next_back(), rest.chars().next()].map(|one| one.map_or(0, char::len_utf8));
        name.len() - mark..self.text().len() - rest.len() + end
    }

    /// Returns `true` if `source`, written in the place of this value, reads as `text`.
    pub fn reads_as(&self, source: &str, text: &str) -> bool {
        if self.quote == Quote::Raw { source == text } else { decode(source).text == text }
    }

    /// Writes text so that it stands in the value, escaping nothing but what the quotes and character references
    /// demand. A value without quotes would end at white space, which the text must not have.
    pub fn escape(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for character in text.chars() {
            match (character, self.quote) {
                (_, Quote::Raw) => out.push(character),
                ('&', _) => out.push_str("&amp;"),
                ('"', Quote::Double | Quote::None) => out.push_str("&quot;"),
                ('\'', Quote::Single | Quote::None) => out.push_str("&#39;"),
                ('<' | '>' | '=' | '`', Quote::None) => out.push_str(&format!("&#{};", u32::from(character))),
                _ => out.push(character),
            }
        }
        out
    }
}

/// Returns edits with their places counted from an offset on.
fn moved_back(edits: &Edits, offset: usize) -> Edits {
    edits.iter().map(|(at, with)| (at.start - offset..at.end - offset, with)).collect()
}

/// Finds the references in a decoded value.
fn references(text: &str, kind: LinkSyntax) -> Vec<Range<usize>> {
    let whole = 0..text.len();
    match kind {
        LinkSyntax::Url => vec![whole],
        LinkSyntax::Style => css::urls(text),
        LinkSyntax::Ping => words(text),
        LinkSyntax::Srcset => srcset(text),
        LinkSyntax::Refresh => refresh(text).into_iter().collect(),
    }
}

/// Finds the words between white space, in the order of the text.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for piece in text.split_inclusive(|c: char| c.is_ascii_whitespace()) {
        let word = piece.trim_ascii_end();
        if !word.is_empty() {
            found.push(start..start + word.len());
        }
        start += piece.len();
    }
    found
}

/// Finds the references of a `srcset` (HTML, "parse a srcset attribute"): a reference is a word; commas at its end
/// belong to the list, and what follows up to a comma outside parentheses describes it.
fn srcset(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..) {
        let start = at + rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',').len();
        let rest = text.get(start..).unwrap_or_default();
        let length = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
        if length == 0 {
            break;
        }
        let word = rest.get(..length).unwrap_or_default().trim_end_matches(',');
        found.push(start..start + word.len());
        at = start + length;
        if word.len() == length {
            at += descriptors(text.get(at..).unwrap_or_default());
        }
    }
    found
}

/// Returns the length of what describes a reference of a `srcset`: up to a comma outside parentheses.
fn descriptors(rest: &str) -> usize {
    let mut inside = false;
    let end = rest.bytes().position(|octet| {
        inside = octet == b'(' || inside && octet != b')';
        octet == b',' && !inside
    });
    end.unwrap_or(rest.len())
}

/// Finds the reference behind the seconds of a refresh (HTML, "shared declarative refresh steps"); none where there are
/// only these.
fn refresh(text: &str) -> Option<Range<usize>> {
    let rest = text.trim_ascii_start().trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let behind = rest.trim_ascii_start();
    let is_apart = behind.len() < rest.len() || behind.starts_with([';', ',']);
    let rest = behind.strip_prefix([';', ',']).unwrap_or(behind).trim_ascii_start();
    let named = rest
        .get(..3)
        .filter(|word| word.eq_ignore_ascii_case("url"))
        .and_then(|_| rest.get(3..)?.trim_ascii_start().strip_prefix('=').map(|rest| rest.trim_ascii_start()));
    let rest = named.unwrap_or(rest);
    let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''));
    let rest = rest.get(usize::from(quote.is_some())..)?;
    let length = quote.and_then(|quote| rest.find(quote)).unwrap_or(rest.len());
    let start = text.len() - rest.len();
    (is_apart && length > 0).then_some(start..start + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_references_of_lists() {
        for (kind, text, found) in [
            (
                LinkSyntax::Srcset,
                "a.png 1x, é.png 2x ,b,c.png,\n ü(,).png 3w (a,b), ",
                &["a.png", "é.png", "b,c.png", "ü(,).png"][..],
            ),
            (LinkSyntax::Srcset, " , ", &[]),
            (LinkSyntax::Ping, " a\tb\n", &["a", "b"]),
            (LinkSyntax::Refresh, " 5; URL = 'é' x", &["é"]),
            (LinkSyntax::Refresh, "0;é", &["é"]),
            (LinkSyntax::Refresh, "5 url=é", &["é"]),
            (LinkSyntax::Refresh, "5é", &[]),
            (LinkSyntax::Refresh, "5 ", &[]),
            (LinkSyntax::Refresh, "5", &[]),
            (LinkSyntax::Refresh, "5; url=\"a", &["a"]),
        ] {
            let links: Vec<_> = references(text, kind).into_iter().map(|range| &text[range]).collect();
            assert_eq!(links, found, "{text}");
        }
    }
}
