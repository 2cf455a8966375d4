//! Links of a decoded text: which of them change, and into what.
//!
//! The text is what a part says after its transfer encoding and its charset are undone. The edits count octets
//! of that text, so they are applied to it before it is encoded again.

mod html;
mod plain;

use std::ops::Range;

use super::{HostForm, Iris, Note};
use crate::coding::charset::Charset;
use crate::coding::iri::find::Options;
use crate::coding::iri::{Mapping, Syntax, suspicious_host};

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
}

/// The settings that decide what becomes of links.
#[derive(Debug, Clone, Copy)]
pub struct LinkSettings {
    /// What becomes of them.
    pub iris: Iris,
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
    pub edits: Vec<(Range<usize>, String)>,
    /// How many links are rewritten; one link may need several edits.
    pub rewritten: usize,
    /// What a reader wants to know; each fact once, at most [`LinkEdits::NOTES`] of them.
    pub notes: Vec<Note>,
}

impl LinkEdits {
    /// The most notes that one text gets.
    pub const NOTES: usize = 16;

    fn note(&mut self, note: Note) {
        if self.notes.len() < LinkEdits::NOTES && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Notes what is odd about a reference, whatever becomes of it.
    fn look_at(&mut self, reference: &str) {
        if let Some(host) = suspicious_host(reference) {
            self.note(Note::Homograph(host));
        }
    }

    /// Takes the edits of one link, in order; tells by the count that it is rewritten.
    fn take(&mut self, edits: impl IntoIterator<Item = (Range<usize>, String)>) {
        let before = self.edits.len();
        self.edits.extend(edits);
        self.rewritten += usize::from(self.edits.len() > before);
    }
}

/// Plans the edits that make a text's links what the settings want; a second run over the result plans none.
///
/// A link that can't be mapped stays whole and gets a note. Time is linear in the text.
pub fn plan_text_links(text: &str, kind: TextKind, settings: LinkSettings) -> LinkEdits {
    match (settings.iris, kind) {
        (Iris::Keep, _) => LinkEdits::default(),
        (_, TextKind::Html) => html::plan(text, settings),
        (_, TextKind::Plain { flowed, delsp }) => {
            plain::plan(text, Options { flowed, delsp, bounded: false }, settings)
        }
    }
}

/// How references of a text are mapped to URIs.
fn mapping<'a>(settings: LinkSettings, syntax: Syntax, base: Option<&'a str>) -> Mapping<'a> {
    Mapping { host: settings.host, document: Some(settings.document), syntax, base }
}
