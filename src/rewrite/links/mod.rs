//! Links of a decoded text: which of them change, and into what.
//!
//! The text is what a part says after its transfer encoding and its charset are undone. The edits count octets
//! of that text, so they are applied to it before it is encoded again.

mod calendar;
mod html;
mod plain;

use super::{HostForm, InText, Iris, Note, Schemeless};
use crate::coding::charset::Charset;
use crate::coding::iri::find::FindOptions;
use crate::coding::iri::{Edits, KnownHosts, Mapping, Reference, Syntax, UriError, may_hide};

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

/// A decoded text of a message, and what decides about its links.
#[derive(Debug, Clone)]
pub struct LinkText {
    /// The text.
    pub text: String,
    /// What kind of text it is.
    pub kind: TextKind,
    /// What becomes of its links.
    pub settings: LinkSettings,
}

/// The changes to the links of one text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LinkEdits {
    /// Octet ranges of the text and what replaces them; sorted and disjoint.
    pub edits: Edits,
    /// How many links are rewritten; one link may need several edits.
    pub rewritten: usize,
    /// How many links stay as they are, by the reason; only a [survey](survey_text_links) looks at those that surely
    /// stay.
    pub stay: Vec<(&'static str, usize)>,
    /// What a reader wants to know; each fact once, at most [`LinkEdits::NOTES`] of them.
    pub notes: Vec<Note>,
}

impl LinkEdits {
    /// The most notes that one text gets.
    pub const NOTES: usize = 16;

    /// Makes the plan of a text whose links can't be found: no edit, and a note.
    fn unreadable() -> LinkEdits {
        LinkEdits { notes: vec![Note::Link("the markup can't be read")], ..LinkEdits::default() }
    }

    /// Notes a thing once, and not more than [`LinkEdits::NOTES`] things.
    fn note(&mut self, note: Note) {
        if self.notes.len() < LinkEdits::NOTES && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Notes the host of a reference if it mixes scripts or looks like another host.
    fn note_suspicious_host(&mut self, reference: &Reference<'_>, mapping: &Mapping<'_>) {
        if let Some(host) = mapping.suspicious_host(reference) {
            self.note(Note::Homograph(host));
        }
    }

    /// Counts a link: one that changes, whose edits must have been added, or one that stays. Where it was refused a
    /// note says why.
    fn count_link(&mut self, planned: Result<(), Stays>) {
        match planned {
            Ok(()) => self.rewritten += 1,
            Err(stays) => {
                if let Stays::Refused(why) = stays {
                    self.note(Note::Link(why));
                }
                self.count_stay(stays.clause());
            }
        }
    }

    /// Counts a link that stays, by why it does.
    fn count_stay(&mut self, why: &'static str) {
        match self.stay.iter_mut().find(|(known, _)| *known == why) {
            Some((_, count)) => *count += 1,
            None => self.stay.push((why, 1)),
        }
    }
}

/// Why a link stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stays {
    /// It has no character outside ASCII, so nothing has to be mapped; or none that can be shown.
    Good,
    /// It points into the document that it stands in, or into a file system, or nowhere.
    Local,
    /// It is ASCII as far as it is no prose.
    Prose,
    /// It carries code or content, or points into the message.
    Untouched,
    /// It can't be mapped, which gets a note; a clause.
    Refused(&'static str),
}

impl Stays {
    /// Returns it in words. A survey counts links by these, so that two reasons in the same words are one to it.
    fn clause(self) -> &'static str {
        match self {
            Stays::Good => "it needs no change",
            Stays::Local => "it points into the document or into a file system",
            Stays::Prose => "text runs into it",
            Stays::Untouched => "its scheme is never touched",
            Stays::Refused(why) => why,
        }
    }
}

impl From<UriError> for Stays {
    fn from(refused: UriError) -> Stays {
        match refused {
            UriError::Untouched => Stays::Untouched,
            other => Stays::Refused(other.clause()),
        }
    }
}

/// Plans the edits that make a text's links what the settings want; a second run over the result plans none.
///
/// A link that can't be mapped stays whole and gets a note. Time is linear in the text.
pub fn plan_text_links(text: &str, kind: TextKind, settings: LinkSettings) -> LinkEdits {
    plan(text, kind, settings, LinkScope::Odd)
}

/// Plans the same edits as [`plan_text_links`], and counts all links that stay: for surveys, which may take longer.
/// That one counts only those in which [something may hide](may_hide). Not counted by either are values of a calendar
/// in ASCII, and values of HTML with several references, in which nothing may hide.
pub fn survey_text_links(text: &str, kind: TextKind, settings: LinkSettings) -> LinkEdits {
    plan(text, kind, settings, LinkScope::All)
}

/// Plans the links of a text by its kind. [`InText::Keep`] concerns running text alone: HTML and calendars tell links
/// from text by their syntax.
fn plan(text: &str, kind: TextKind, settings: LinkSettings, scope: LinkScope) -> LinkEdits {
    // What is percent-encoded is shown in all links, also in those in which nothing may hide.
    let scope = if settings.iris == Iris::ToIri { LinkScope::All } else { scope };
    match (settings.iris, kind) {
        (Iris::Keep, _) => LinkEdits::default(),
        (_, TextKind::Html) => html::plan(text, settings, scope),
        (_, TextKind::Calendar) => calendar::plan(text, settings),
        (_, TextKind::Plain { .. }) if settings.in_text == InText::Keep => LinkEdits::default(),
        (_, TextKind::Plain { flowed, delsp }) => {
            let bounded = settings.in_text == InText::Bounded;
            let options = FindOptions { flowed, delsp, bounded, schemeless: settings.schemeless };
            plain::plan(text, options, settings, scope)
        }
    }
}

/// Which links of a text are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LinkScope {
    /// Those in which something [may hide](may_hide): the others stay, and nobody is told of them.
    Odd,
    /// Every one.
    All,
}

/// Returns `true` if a link, or a value with links, surely stays, and nothing is to be noted of it, by a look at its
/// octets.
fn is_plain(text: &str, iris: Iris) -> bool {
    !may_hide(text.as_bytes()) && (iris != Iris::ToIri || memchr::memchr(b'%', text.as_bytes()).is_none())
}

/// How references of a text are mapped to URIs.
fn mapping<'a>(settings: LinkSettings, syntax: Syntax, base: Option<&'a str>, hosts: &'a KnownHosts) -> Mapping<'a> {
    Mapping { host: settings.host, document: Some(settings.document), syntax, base, hosts: Some(hosts) }
}
