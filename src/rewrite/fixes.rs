//! What the planner may do beside what a conversion does, so that a defect is mended; the proof holds it to that.

use std::collections::{BTreeMap, BTreeSet};

use crate::edit::Span;

/// What may come, go or shrink in a message since it mends a defect.
#[derive(Debug, Clone, Default)]
pub(super) struct Fixes {
    /// White space before a colon that goes.
    pub spaces: BTreeSet<Span>,
    /// The lines of fields that go, since another one says the same.
    pub removed: BTreeSet<Span>,
    /// The values that others take the place of: an unreadable date, and the first of several lists of addresses, which
    /// takes in the rest.
    pub replaced: BTreeMap<Span, String>,
    /// The fields that come: name and value.
    pub added: Vec<(&'static str, String)>,
}
