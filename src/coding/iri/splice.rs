//! Changes to one reference: sorted, disjoint ranges of octets and what replaces them.

use std::borrow::Cow;
use std::ops::Range;

/// Octet ranges of a text and what replaces them; sorted and disjoint.
pub type Edits = Vec<(Range<usize>, String)>;

/// Returns the text with the edits done; edits out of order or out of range are skipped.
pub fn apply<'a>(text: &'a str, edits: &Edits) -> Cow<'a, str> {
    if edits.is_empty() {
        return text.into();
    }
    let grown: usize = edits.iter().map(|(_, with)| with.len()).sum();
    let mut out = String::with_capacity(text.len() + grown);
    let mut done = 0;
    for (at, with) in edits {
        let Some(kept) = text.get(done..at.start) else { continue };
        out.push_str(kept);
        out.push_str(with);
        done = at.end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out.into()
}

/// Appends an edit; one that starts where the last one ends becomes part of it.
pub(super) fn push(edits: &mut Edits, at: Range<usize>, with: String) {
    match edits.last_mut() {
        Some((last, text)) if last.end == at.start => {
            last.end = at.end;
            text.push_str(&with);
        }
        _ => edits.push((at, with)),
    }
}
