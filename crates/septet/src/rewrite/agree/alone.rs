//! What keeps a place by itself, whatever is decided of others. Each rule is given a part by its index and what is
//! wished for one place in it, and returns the strike that keeps this place: its cause, and the reason that is
//! reported, if any is. It returns none where the place may change.
//!
//! Two things in these rules depend on what is struck already: a Content-Type whose charset is struck has another plan,
//! and [`widening_body`] asks whether a body may still change as a whole.

use crate::message::Part;
use crate::message::irregular::Form;
use crate::rewrite::dkim2::state::relaxed;
use crate::rewrite::survey::Survey;
use crate::rewrite::survey::reading::hides_something;
use crate::rewrite::wish::field::value_after;
use crate::rewrite::wish::{BodyRank, BodyWish, Cause, FieldWish, Strike};
use crate::rewrite::{Reason, Transfer};

/// Keeps bodies that are signed, encrypted or covered by DKIM, as far as the profile keeps that. One is reported only
/// if something was to change or is left anyway.
pub(super) fn bound_body(survey: &Survey, _: usize, part: &Part, wish: &BodyWish) -> Option<Strike> {
    let bound = survey.why_protected(part).or(survey.cover.bodies.then_some(Reason::Dkim));
    bound.filter(|_| wish.wants_or_leaves()).map(|reason| (Cause::Bound, Some(reason)))
}

/// Keeps fields that are signed, encrypted or covered by DKIM, as far as the profile keeps that. A From that DKIM2
/// covers may be folded otherwise.
pub(super) fn bound_field(survey: &Survey, _: usize, part: &Part, wish: &FieldWish) -> Option<Strike> {
    let bound = survey.why_field_is_bound(part, wish.field)?;
    let is_hash = matches!(bound, Reason::Dkim2(_)) && !wish.plan.edits.is_empty();
    let is_folded = is_hash && keeps_hashed_value(survey, wish);
    (!is_folded).then_some((Cause::Bound, Some(bound)))
}

/// Returns `true` if what is hashed of a field stays, where its plan is carried out.
fn keeps_hashed_value(survey: &Survey, wish: &FieldWish) -> bool {
    let was = relaxed(survey.message.slice(wish.field.value));
    was == relaxed(value_after(survey, wish.field, &wish.plan))
}

/// Keeps bodies that readers take differently, as the gate says. It is asked of bodies that change. Behind a doubtful
/// header it is also asked of one that stays, if that is left for another reason or may hold fields of the header: the
/// doubt is then what is reported.
pub(super) fn irregular_body(survey: &Survey, _: usize, part: &Part, wish: &BodyWish) -> Option<Strike> {
    let is_doubtful = part.header_irregularity.is_some();
    let is_asked = wish.whole.changes() || is_doubtful && (wish.wants_or_leaves() || survey.header_may_go_on(part));
    let form = is_asked.then(|| survey.gate.form_that_keeps_body(part)).flatten();
    form.map(|form| (Cause::Irregular, Some(Reason::Irregular(form))))
}

/// Keeps fields of headers that the gate keeps, by the header alone: a field's own value was asked when it was planned.
pub(super) fn irregular_field(survey: &Survey, _: usize, part: &Part, wish: &FieldWish) -> Option<Strike> {
    let form = survey.gate.form_that_keeps_field(part, wish.field);
    form.map(|form| (Cause::Irregular, Some(Reason::Irregular(form))))
}

/// Keeps a body that would become 8-bit, whole or by its transfer encoding alone, if the gate keeps a part around its
/// own, which would have to say so (RFC 2045 §6.4). The writer widens parts around what is decided
/// (`widen_parents_of_bodies` in `write/composite.rs`).
pub(super) fn widening_body(survey: &Survey, _: usize, part: &Part, wish: &BodyWish) -> Option<Strike> {
    let becomes = wish.whole.is_eight_bit() || may_be_decoded_alone(survey, part, wish);
    let is_news = becomes && survey.message.slice(part.body).is_ascii();
    let form = is_news.then(|| survey.gate.form_around_body(part)).flatten();
    form.map(|form| (Cause::Around, Some(Reason::Irregular(form))))
}

/// Returns `true` if a body that may not change as a whole might go out in 8 bits without its transfer encoding.
fn may_be_decoded_alone(survey: &Survey, part: &Part, wish: &BodyWish) -> bool {
    wish.rank != BodyRank::Whole && survey.profile.transfer == Transfer::EightBit && !part.transfer.is_identity()
}

/// Keeps a field that would become 8-bit, if the gate keeps a part around its own, which would have to say so.
pub(super) fn widening_field(survey: &Survey, _: usize, part: &Part, wish: &FieldWish) -> Option<Strike> {
    // What moves is in ASCII.
    let stays = wish.moved.is_none().then(|| value_after(survey, wish.field, &wish.plan));
    survey.why_field_stays_ascii(part, stays?).map(|reason| (Cause::Around, Some(reason)))
}

/// Keeps a text that would change and refers to a part by a name outside ASCII, or may: the name stays, and both must
/// be alike.
pub(super) fn referring_body(survey: &Survey, index: usize, _: &Part, wish: &BodyWish) -> Option<Strike> {
    let changes = wish.whole.body.is_some() || wish.whole.charset.is_some();
    let refers = changes && survey.references.has_referring(index);
    refers.then_some((Cause::Refers, Some(Reason::Irregular(Form::LinkOctets))))
}

/// Keeps a part that is made of parts by its type and was not looked into: it is encoded itself, has no boundary, or
/// one that never occurs. It does not change either way; that is said if something 8-bit or encoded is hidden in it.
pub(super) fn closed_body(survey: &Survey, index: usize, part: &Part, _: &BodyWish) -> Option<Strike> {
    // A limit has been reported with the plan of the body, and what is protected would stay anyway.
    if !part.content_type.is_composite()
        || survey.message.has_parts(index)
        || part.limit.is_some()
        || survey.why_protected(part).is_some()
    {
        return None;
    }
    let encoded = !part.transfer.is_identity();
    let raw = survey.message.slice(part.body);
    let form = if encoded { Form::CompositeEncoded } else { Form::BoundaryMissing };
    let is_hidden = !raw.trim_ascii().is_empty() && (encoded || hides_something(raw));
    is_hidden.then_some((Cause::NotLookedInto, Some(Reason::Irregular(form))))
}
