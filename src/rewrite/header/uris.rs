//! Fields that are made of URIs in angle brackets (RFC 2369, RFC 5064): an IRI there is a mistake of its writer, since
//! these formats carry URIs only (draft-ietf-iri-3987bis-06 §1.2 a), and it is mapped to the URI that it means.
//!
//! Whatever the profile, nothing in these fields ever becomes an IRI. Where a header must go to ASCII they are mapped even
//! if other links stay.

use std::borrow::Cow;
use std::ops::Range;

use super::fold::longest_line_behind;
use super::planned::ValuePlan;
use crate::coding::iri::{Edits, Mapping, apply, to_uri};
use crate::message::FieldNames;
use crate::rewrite::{Change, Iris, LONGEST_LINE, Profile, Reason};

/// The fields that are made of URIs.
pub(super) const OF_URIS: FieldNames =
    FieldNames::of("Archived-At List-Archive List-Help List-Owner List-Post List-Subscribe List-Unsubscribe");

/// Plans the IRIs of a field of URIs; none when it is another field, has no IRI that can be mapped, is no UTF-8, or the
/// profile wants IRIs as they are. Comments beside them, and the gate, are for the caller.
pub(super) fn plan(name: &[u8], value: &[u8], indent: usize, profile: &Profile) -> Option<ValuePlan> {
    let wanted = profile.iris == Iris::ToUri || profile.downgrades();
    if !wanted || !OF_URIS.names(name) || value.is_ascii() {
        return None;
    }
    let text = str::from_utf8(value).ok()?;
    let edits = uri_edits(text, profile);
    (!edits.is_empty()).then(|| plan_of_edits(text, indent, edits))
}

/// Returns the edits that map the IRIs of a text; one that can't be mapped stays.
fn uri_edits(text: &str, profile: &Profile) -> Edits {
    let mapping = Mapping { host: profile.iri_host, ..Mapping::default() };
    let mapped = iris_in_brackets(text).filter_map(|at| {
        let uri = to_uri(text.get(at.clone())?, &mapping).ok()?.into_owned();
        Some((at, uri))
    });
    mapped.collect()
}

/// Returns the value of a field of URIs with its IRIs mapped, so that two that name the same resources look alike to the
/// proof; that of any other field comes back as it is.
pub(super) fn with_uris<'v>(name: &[u8], value: &'v [u8], profile: &Profile) -> Cow<'v, [u8]> {
    if !OF_URIS.names(name) {
        return Cow::Borrowed(value);
    }
    match str::from_utf8(value) {
        Ok(text) => Cow::Owned(apply(text, &uri_edits(text, profile)).into_owned().into_bytes()),
        Err(_) => Cow::Borrowed(value),
    }
}

/// Makes the plan of the edits; where a line would grow too long it has none of them but a reason, since a link can't
/// be folded.
fn plan_of_edits(text: &str, indent: usize, edits: Edits) -> ValuePlan {
    let mapped = apply(text, &edits);
    let mut planned = ValuePlan::default();
    if longest_line_behind(indent, mapped.as_bytes()) > LONGEST_LINE {
        planned.left.push(Reason::LongLine);
        return planned;
    }
    planned.changes.push(Change::Iris { count: edits.len() });
    planned.edits = edits.iter().map(|(at, with)| (at, with.to_owned())).collect();
    planned
}

/// Finds what stands between angle brackets and is no ASCII. It is passed over if white space stands in it (a fold):
/// nobody can say then where the IRI ends.
fn iris_in_brackets(text: &str) -> impl Iterator<Item = Range<usize>> {
    let opened = memchr::memchr_iter(b'<', text.as_bytes());
    opened.filter_map(|open| {
        let inside = text.get(open + 1..)?;
        let length = inside.find(|character: char| character.is_whitespace() || matches!(character, '<' | '>'))?;
        let iri = inside.get(..length)?;
        (inside.as_bytes().get(length) == Some(&b'>') && !iri.is_ascii()).then_some(open + 1..open + 1 + length)
    })
}
