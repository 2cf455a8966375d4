//! What stands in a part that contradicts itself stays, and the report says so of that part alone. Both rules return
//! the strike that keeps a place, its cause and the reason that is reported, if any is; or none.

use crate::coding::transfer::TransferEncoding;
use crate::message::grammar::transfer;
use crate::message::{CONTENT_TRANSFER_ENCODING, Kind, Part};
use crate::rewrite::Reason;
use crate::rewrite::survey::Survey;
use crate::rewrite::survey::reading::{hides_something, is_text};
use crate::rewrite::wish::{BodyWish, Cause, FieldWish, Strike};

/// Keeps the bodies whose header contradicts itself, or that lie in such a part. Reported is the part that does, if a
/// change was planned or left or something is hidden in it ([`reading_matters`]).
pub(super) fn body(survey: &Survey, index: usize, part: &Part, wish: &BodyWish) -> Option<Strike> {
    if survey.contradictions.is_inside_one(index) {
        return Some((Cause::AroundContradicts, None));
    }
    let form = survey.contradictions.of_own_header(index)?;
    Some(match wish.wants_or_leaves() || wish.reason().is_some() || reading_matters(survey, part) {
        true => (Cause::Contradicts, Some(Reason::Irregular(form))),
        false => (Cause::ContradictsInVain, None),
    })
}

/// Keeps the fields of parts that lie in one that contradicts itself, and the two Content-Type fields that differ.
pub(super) fn field(survey: &Survey, index: usize, _: &Part, wish: &FieldWish) -> Option<Strike> {
    if survey.contradictions.is_inside_one(index) {
        return Some((Cause::AroundContradicts, None));
    }
    survey.contradictions.of_field(index, wish.field).map(|reason| (Cause::Contradicts, Some(reason)))
}

/// Returns `true` if readers of a part whose header contradicts itself could show different things: it is a text
/// that is encoded or not ASCII, or is made of parts and holds something 8-bit or encoded.
fn reading_matters(survey: &Survey, part: &Part) -> bool {
    let raw = survey.message.slice(part.body);
    match part.kind {
        Kind::Leaf => is_text(survey.message, part) && (!raw.is_ascii() || is_encoded(survey, part)),
        _ => hides_something(raw),
    }
}

/// Returns `true` if any field of a part says that its body is encoded, whichever of them counts.
fn is_encoded(survey: &Survey, part: &Part) -> bool {
    let fields = survey.message.fields(part).iter();
    let transfers = fields.filter(|field| field.is_one_of(CONTENT_TRANSFER_ENCODING));
    let mut read = transfers.map(|field| transfer::read(survey.message.slice(field.value)));
    read.any(|transfer: TransferEncoding| !transfer.is_identity())
}
