//! Links of a decoded text: which of them change, and into what.
//!
//! The text is what a part says after its transfer encoding and its charset are undone. The edits count octets
//! of that text, so they are applied to it before it is encoded again.

mod calendar;
mod html;
mod plain;

use std::ops::Range;

use super::{HostForm, InText, Iris, Note, Schemeless};
use crate::coding::charset::Charset;
use crate::coding::iri::find::FindOptions;
use crate::coding::iri::{
    Ampersands, Edits, KnownHosts, Mapping, Reference, Syntax, UriError, add_usual_edits, may_hide,
};

/// What kind of text holds the links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    /// text/plain (RFC 3676 for the two parameters).
    Plain {
        /// `format=flowed`.
        flowed: bool,
        /// `delsp=yes`.
        delsp: bool,
    },
    /// text/html: links stand in attributes and style sheets, never in running text.
    Html,
    /// text/calendar: links are the values of properties (RFC 5545 §3.3.13).
    Calendar,
}

/// The settings that decide what becomes of links.
#[derive(Debug, Clone, Copy)]
pub struct LinkSettings {
    /// What becomes of them.
    pub iris: Iris,
    /// What becomes of those of running text.
    pub in_text: InText,
    /// Which of those count that have no scheme.
    pub schemeless: Schemeless,
    /// How a host is mapped.
    pub host: HostForm,
    /// The part's charset before any conversion: the one in which a query is meant.
    pub document: Charset,
    /// The charset that the text goes out in: what it lacks can't be shown in it.
    pub target: Charset,
}

/// The changes to the links of one text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LinkEdits {
    /// Octet ranges of the text and what replaces them; sorted and disjoint.
    pub edits: Edits,
    /// How many links are rewritten; one link may need several edits.
    pub rewritten: usize,
    /// What a reader wants to know; each fact once, at most [`LinkEdits::NOTES`] of them.
    pub notes: Vec<Note>,
}

impl LinkEdits {
    /// The most notes that one text gets.
    pub const NOTES: usize = 16;

    /// Notes a thing once, and not more than [`LinkEdits::NOTES`] things.
    fn note(&mut self, note: Note) {
        if self.notes.len() < LinkEdits::NOTES && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Counts a link that changes, whose edits must have been added, or notes why one was refused. It is called once
    /// for each link that is looked at.
    fn count_link(&mut self, planned: Result<(), Stays>) {
        match planned {
            Ok(()) => self.rewritten += 1,
            Err(Stays(why)) => why.into_iter().for_each(|why| self.note(Note::Link(why))),
        }
    }
}

/// A link stays as it is: nothing has to be done, or it can't be mapped, which gets a note; a clause says why.
#[derive(Debug, Clone, Copy)]
struct Stays(Option<&'static str>);

/// Nothing has to be done: the link has nothing that can be mapped, or none that can be shown; or it points into the
/// document that it stands in, or into a file system, or nowhere.
const GOOD: Stays = Stays(None);

impl From<UriError> for Stays {
    /// Returns that a link that can't be mapped stays; a note says why, but of a kind that is never mapped.
    fn from(refused: UriError) -> Stays {
        // What is untouched carries code or content, or points into the message.
        Stays((refused != UriError::Untouched).then(|| refused.clause()))
    }
}

/// Plans the edits that make a text's links what the settings want, by the text's kind; a second run over the result
/// plans none. [`InText::Keep`] concerns running text alone: HTML and calendars tell links from text by their syntax.
///
/// A link that can't be mapped stays whole and gets a note. Time is linear in the text. Both scopes plan the same
/// edits: tests compare them.
pub fn plan_text_links(text: &str, kind: TextKind, settings: LinkSettings, scope: LinkScope) -> LinkEdits {
    // What is percent-encoded is shown in all links, also in those in which nothing may hide.
    let scope = if settings.iris == Iris::ToIri { LinkScope::All } else { scope };
    let hosts = KnownHosts::default();
    let syntax = if kind == TextKind::Html { Syntax::Href } else { Syntax::Iri };
    let (host, document) = (settings.host, Some(settings.document));
    let mapping = Mapping { host, document, syntax, base: None, hosts: Some(&hosts) };
    let planner = LinkPlanner { text, settings, mapping, plan: LinkEdits::default() };
    match (settings.iris, kind) {
        (Iris::Keep, _) => planner.plan,
        (_, TextKind::Html) => planner.plan_html(scope),
        (_, TextKind::Calendar) => planner.plan_calendar(),
        (_, TextKind::Plain { .. }) if settings.in_text == InText::Keep => planner.plan,
        (_, TextKind::Plain { flowed, delsp }) => {
            let bounded = settings.in_text == InText::Bounded;
            planner.plan_plain(FindOptions { flowed, delsp, bounded, schemeless: settings.schemeless }, scope)
        }
    }
}

/// Plans the links of one text, in their order.
struct LinkPlanner<'t> {
    text: &'t str,
    settings: LinkSettings,
    /// How its references are mapped to URIs.
    mapping: Mapping<'t>,
    /// What was planned so far; edits are added in the order of the text.
    plan: LinkEdits,
}

impl LinkPlanner<'_> {
    /// Notes the host of a reference if it mixes scripts or looks like another host.
    fn note_suspicious_host(&mut self, reference: &Reference<'_>) {
        if let Some(host) = self.mapping.suspicious_host(reference) {
            self.plan.note(Note::Homograph(host));
        }
    }

    /// Adds the edits that map a link to a URI, if that is what is wanted and it is a usual web address, as most are,
    /// and returns `true`; where it returns `false` no edit is added, and the link must be planned as any other.
    fn add_edits_if_usual(&mut self, at: Range<usize>, ampersands: Ampersands) -> bool {
        let iri = self.text.get(at.clone()).filter(|_| self.settings.iris == Iris::ToUri);
        iri.is_some_and(|iri| add_usual_edits(iri, at.start, ampersands, &self.mapping, &mut self.plan.edits))
    }
}

/// Which links of a text are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkScope {
    /// Those in which something [may hide](may_hide): the others stay, and nobody is told of them.
    Odd,
    /// Every one.
    All,
}

/// Returns `true` if a link, or a value with links, surely stays, and nothing is to be noted of it, by a look at its
/// octets. [`LinkScope::Odd`] passes over links by the same look.
fn is_plain(text: &str, iris: Iris) -> bool {
    !may_hide(text.as_bytes()) && (iris != Iris::ToIri || memchr::memchr(b'%', text.as_bytes()).is_none())
}
