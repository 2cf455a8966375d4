//! Fields that are made of URIs in angle brackets (RFC 2369, RFC 5064): an IRI there is a mistake of its writer, since
//! these formats carry URIs only (draft-ietf-iri-3987bis-06 §1.2 a), and it is mapped to the URI that it means.
//!
//! Whatever the profile, nothing in these fields ever becomes an IRI. Where a header must go to ASCII they are mapped even
//! if other links stay.

use std::borrow::Cow;
use std::ops::Range;

use super::planned::ValuePlan;
use crate::coding::iri::{Edits, Mapping, apply, to_uri};
use crate::message::FieldNames;
use crate::rewrite::{Change, Iris, LONGEST_LINE, Profile, Reason};

/// The fields that are made of URIs.
pub(super) const OF_URIS: FieldNames =
    FieldNames::of("Archived-At List-Archive List-Help List-Owner List-Post List-Subscribe List-Unsubscribe");

/// Plans the IRIs of a field; none when it is another field, has none that can be mapped, is no UTF-8, or the profile
/// wants them as they are. Comments beside them, and the gate, are for the caller.
pub(super) fn plan(name: &[u8], value: &[u8], indent: usize, profile: &Profile) -> Option<ValuePlan> {
    let wanted = profile.iris == Iris::ToUri || profile.downgrades();
    if !wanted || !OF_URIS.names(name) || value.is_ascii() {
        return None;
    }
    let text = str::from_utf8(value).ok()?;
    let edits = mapped(text, profile);
    (!edits.is_empty()).then(|| planned(text, indent, edits))
}

/// Returns the edits that map the IRIs of a text; one that can't be mapped stays.
fn mapped(text: &str, profile: &Profile) -> Edits {
    let mapping = Mapping { host: profile.iri_host, ..Mapping::default() };
    let map = |at: Range<usize>| {
        let uri = to_uri(text.get(at.clone())?, &mapping).ok()?.into_owned();
        Some((at, uri))
    };
    bracketed(text).filter_map(map).collect()
}

/// Returns a value with its IRIs mapped, so that two that name the same resources look alike.
pub(super) fn with_uris<'v>(value: &'v [u8], profile: &Profile) -> Cow<'v, [u8]> {
    match str::from_utf8(value) {
        Ok(text) => Cow::Owned(apply(text, &mapped(text, profile)).into_owned().into_bytes()),
        Err(_) => Cow::Borrowed(value),
    }
}

/// Makes the plan of the edits; none of them where a line would grow too long, since a link can't be folded.
fn planned(text: &str, indent: usize, edits: Edits) -> ValuePlan {
    let mapped = apply(text, &edits);
    let before = |line: usize| if line == 0 { indent } else { 0 };
    let mut planned = ValuePlan::default();
    if mapped.split('\n').enumerate().any(|(line, text)| before(line) + text.len() > LONGEST_LINE) {
        planned.left.push(Reason::LongLine);
        return planned;
    }
    planned.changes.push(Change::Iris { count: edits.len() });
    planned.edits = edits.iter().map(|(at, with)| (at, with.to_owned())).collect();
    planned
}

/// Finds what stands between angle brackets and is no ASCII; white space in it (a fold) hides where it would end.
fn bracketed(text: &str) -> impl Iterator<Item = Range<usize>> {
    let opened = memchr::memchr_iter(b'<', text.as_bytes());
    opened.filter_map(|open| {
        let inside = text.get(open + 1..)?;
        let length = inside.find(|character: char| character.is_whitespace() || matches!(character, '<' | '>'))?;
        let iri = inside.get(..length)?;
        (inside.as_bytes().get(length) == Some(&b'>') && !iri.is_ascii()).then_some(open + 1..open + 1 + length)
    })
}
