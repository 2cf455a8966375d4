//! IRIs in running text (draft-ietf-iri-3987bis-06 §7.3; UTS #58, Unicode Link Detection).
//!
//! A link starts with a scheme and `://`, or with `mailto:`, or with any scheme in angle brackets; nothing is guessed
//! without one, unless [`Schemeless`] allows it. Where it ends is decided by classes of characters, never by "not
//! ASCII": `été` goes on, and a full stop belongs to the sentence when nothing of the link follows it. A bracket closes
//! the link when it was opened outside. In Chinese and Japanese the end can't be known without the language; what
//! follows a link without a space is taken for part of it up to the next sentence mark (§7.3 forbids more), unless
//! [`FindOptions::bounded`] says that text is to win where it can't be told from the link (the module `prose`).
//!
//! A link may go on after a line break in two places: after a soft break of `format=flowed; delsp=yes`, and
//! inside angle brackets (RFC 3986 appendix C). The break itself stays and is no part of the link.
//!
//! Limits: time is linear in the text, brackets nest 125 deep (UTS #58), a link has at most 16 lines, and one that
//! would have more is none.

mod authority;
mod bare;
mod class;
mod cut;
mod extent;
mod label;
mod letter;
mod line;
mod plain;
mod prose;
mod start;
mod table;
mod term;
#[cfg(test)]
mod tests;
mod tld;
mod words;

use std::borrow::Cow;
use std::ops::Range;

use super::component::Reference;
use super::edits::Edits;
use super::to_uri::{Mapping, UriError, to_uri_pieces};
use bare::Bare;
use extent::{Ended, Extent};
use line::LineFinder;
use start::Start;

/// A walk that found no link and was no longer than this, in octets, may be walked again from a colon within it.
const SHORT: usize = 1024;

/// How many authorities of the links before it are known for a link, the last ones.
const KNOWN: usize = 4;

/// What kind of text is searched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FindOptions {
    /// `format=flowed` (RFC 3676).
    pub flowed: bool,
    /// `delsp=yes`: a link goes on over a soft line break.
    pub delsp: bool,
    /// End a link where it can't be told from the text that it runs into, and leave out one whose host can't be.
    pub bounded: bool,
    /// Which links are found that have no scheme.
    pub schemeless: Schemeless,
}

/// Which links are found that have no scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Schemeless {
    /// None.
    #[default]
    Keep,
    /// Those whose host starts with `www.` and ends in a top-level domain.
    Www,
    /// These, and hosts that end in a top-level domain before a slash: `例え.jp/パス`.
    Hosts,
}

/// A link in running text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FoundLink {
    /// Octets of the text, from the scheme to the end.
    pub at: Range<usize>,
    /// Octets within `at` that are no part of the link: line breaks and what stands around them.
    pub breaks: Vec<Range<usize>>,
    /// Whether the breaks are those of angle brackets, where each piece stands for itself on its line.
    pub angled: bool,
    /// A scheme that hides what it is (see [`super::scheme_disguise`]); such a link is only to be reported.
    pub disguise: Option<&'static str>,
    /// Whether it ends where text was taken to begin, without a mark that ends links.
    pub prose: bool,
    /// Whether it has no scheme: its host starts it.
    pub schemeless: bool,
}

impl FoundLink {
    /// Returns the link without the line breaks in it.
    pub fn iri<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.breaks.is_empty() {
            true => text.get(self.at.clone()).unwrap_or_default().into(),
            false => self.pieces().map(|piece| text.get(piece).unwrap_or_default()).collect::<String>().into(),
        }
    }

    /// Returns the link as a reference: one without a scheme has `//` before its host.
    pub fn reference<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.schemeless {
            true => format!("//{}", self.iri(text)).into(),
            false => self.iri(text),
        }
    }

    /// Returns the parts of the link between the breaks, as octets of the text.
    pub fn pieces(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = [self.at.start].into_iter().chain(self.breaks.iter().map(|gap| gap.end));
        let ends = self.breaks.iter().map(|gap| gap.start).chain([self.at.end]);
        starts.zip(ends).map(|(start, end)| start..end)
    }

    /// Adds the edits of the text that map the link, its [reference](FoundLink::reference) cut into components, to a
    /// URI; none of them when it is refused.
    pub fn add_uri_edits(&self, iri: &Reference<'_>, mapping: &Mapping<'_>, edits: &mut Edits) -> Result<(), UriError> {
        if self.breaks.is_empty() {
            let done = edits.len();
            to_uri_pieces(iri, mapping, &[], edits)?;
            // The slashes that stand for a scheme are not in the text.
            let slashes = if self.schemeless { 2 } else { 0 };
            let start = self.at.start;
            edits.move_since(done, |range| start + range.start - slashes..start + range.end - slashes);
            return Ok(());
        }
        let pieces = self.pieces().scan(0, |end, piece| {
            *end += piece.len();
            Some(*end)
        });
        let starts: Vec<usize> = pieces.collect();
        let mut in_link = Edits::new();
        to_uri_pieces(iri, mapping, &starts, &mut in_link)?;
        in_link.iter().for_each(|(range, with)| self.place(range, with, edits));
        Ok(())
    }

    /// Adds an edit of the link to those of the text. One across breaks leaves its last octets after them, so that no
    /// piece becomes empty: a line that starts otherwise than before might be read otherwise. Those of one link must
    /// come in order.
    pub fn place(&self, range: Range<usize>, with: &str, edits: &mut Edits) {
        let mut places = Vec::new();
        let mut before = 0;
        for piece in self.pieces() {
            let start = range.start.max(before);
            let end = range.end.min(before + piece.len());
            if start < end {
                places.push(piece.start + start - before..piece.start + end - before);
            }
            before += piece.len();
        }
        // The first place takes all but one character for each of the others.
        let last = places.len().saturating_sub(1);
        let head = with.char_indices().rev().take(last).last().map_or(with.len(), |(at, _)| at);
        let head = if last == 0 { with.len() } else { head };
        let mut tail = with.get(head..).unwrap_or_default().chars();
        for (index, at) in places.into_iter().enumerate() {
            edits.push_written(at, |out| match index {
                0 => out.push_str(with.get(..head).unwrap_or_default()),
                _ => out.extend(tail.next()),
            });
        }
    }
}

/// Finds the links of a text, in order.
///
/// ```
/// use septet_text::iri::find::FindOptions;
/// use septet_text::iri::find;
///
/// let text = "see <http://example.org/é>, or http://example.org/(a).";
/// let found: Vec<_> = find(text, FindOptions::default()).map(|found| found.iri(text)).collect();
/// assert_eq!(found, ["http://example.org/é", "http://example.org/(a)"]);
/// ```
pub fn find(text: &str, options: FindOptions) -> LinkFinder<'_> {
    LinkFinder { text, options, ..LinkFinder::default() }
}

/// The links of a text, in order; see [`find`].
#[derive(Debug, Clone, Default)]
pub struct LinkFinder<'a> {
    text: &'a str,
    options: FindOptions,
    /// Whether links are passed over that need no look.
    only_odd: bool,
    /// Where the search goes on.
    from: usize,
    /// Where the next scheme may begin at the earliest.
    floor: usize,
    lines: LineFinder,
    /// The last authorities that ended before a path and are no ASCII: most links of a text lead to few hosts.
    authorities: [Range<usize>; KNOWN],
    /// How many of them were found, more than are kept perhaps: the next one takes the place `known % KNOWN`.
    known: usize,
    /// The links without a scheme that were found on the way.
    bare: Bare,
}

impl Iterator for LinkFinder<'_> {
    type Item = FoundLink;

    fn next(&mut self) -> Option<FoundLink> {
        match self.options.schemeless {
            Schemeless::Keep => self.next_with_scheme(),
            wanted => self.next_of_any_kind(wanted),
        }
    }
}

impl<'a> LinkFinder<'a> {
    /// Passes over links in which nothing [hides](super::may_hide), where that is plain to see.
    pub fn only_odd(self) -> LinkFinder<'a> {
        // A link over soft breaks does not end with its word, so that none is plain.
        let over_breaks = self.options.flowed && self.options.delsp;
        LinkFinder { only_odd: !over_breaks, ..self }
    }

    /// Returns the next link, one without a scheme when it comes before the next one with a scheme.
    fn next_of_any_kind(&mut self, wanted: Schemeless) -> Option<FoundLink> {
        if self.bare.is_empty() {
            let found = self.next_with_scheme();
            let before = found.as_ref().map_or(self.text.len(), |found| found.at.start);
            self.bare.search(self.text, before, wanted);
            self.bare.put_behind(found);
        }
        self.bare.take()
    }

    /// Returns the next link that has a scheme.
    fn next_with_scheme(&mut self) -> Option<FoundLink> {
        loop {
            let colon = self.from + memchr::memchr(b':', self.text.as_bytes().get(self.from..)?)?;
            let plain = self.only_odd.then(|| plain::word_end(self.text, self.floor, colon));
            if let Some(end) = plain.flatten() {
                (self.from, self.floor) = (end, end);
                continue;
            }
            let start = start::start(self.text, self.floor, colon);
            self.from = colon + 1;
            self.floor = colon + 1;
            if let Some(found) = start.and_then(|start| self.follow_link(start)) {
                self.from = found.at.end;
                self.floor = found.at.end;
                return Some(found);
            }
        }
    }

    /// Follows a link from its start; none where there is no link. The search goes on behind the colon then, or behind
    /// what was walked over, if that was long.
    fn follow_link(&mut self, start: Start) -> Option<FoundLink> {
        let mut found = FoundLink { at: start.at..start.body, disguise: start.disguise, ..FoundLink::default() };
        let angled = line::is_angled(self.text, start.at);
        if start.enclosed {
            found.at.end = line::closing(self.text, start.body)?;
            return Some(found);
        }
        let known = self.authorities.get(..self.known).unwrap_or(&self.authorities);
        let mut extent = Extent::new(self.text, &start).knowing(known);
        if self.options.bounded {
            extent = extent.bounded(angled && line::closing(self.text, start.body).is_some());
        }
        if self.options.flowed && self.options.delsp {
            let line = self.lines.start(self.text, start.at);
            extent = extent.over_soft_breaks(line);
        }
        let Ended { end, mut breaks, prose, authority } = match extent.end() {
            Ok(ended) => ended,
            Err(end) => {
                // What is walked over in vain is walked over once, but for what is short.
                self.floor = if end - start.body > SHORT { end } else { self.floor };
                self.from = self.from.max(self.floor);
                return None;
            }
        };
        (found.at.end, found.prose) = (end, prose);
        if let Some(authority) = authority {
            self.authorities[self.known % KNOWN] = authority;
            self.known += 1;
        }
        if breaks.is_empty() && angled {
            let depth = self.lines.depth(self.text, start.at);
            if let Some((end, gaps)) = line::angled(self.text, depth, start.body) {
                (found.at.end, breaks, found.angled) = (end, gaps, true);
            }
        }
        found.breaks = breaks;
        Some(found)
    }
}
