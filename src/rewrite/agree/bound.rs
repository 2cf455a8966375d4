//! What is signed, encrypted or covered by DKIM stays, as far as the profile keeps that.

use crate::rewrite::Reason;
use crate::rewrite::dkim2::state::relaxed;
use crate::rewrite::survey::Survey;
use crate::rewrite::wish::field::value_after;
use crate::rewrite::wish::{BodyCause, FieldCause, FieldWish, Wishes};

/// Strikes protected bodies. One is reported only if something was to change or is left anyway.
pub(super) fn bodies<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) {
    wishes.strike_bodies(survey.message, BodyCause::Bound, |_, part, wish| {
        let bound = survey.why_protected(part).or(survey.cover.bodies.then_some(Reason::Dkim));
        bound.filter(|_| wish.wants_or_leaves())
    })
}

/// Strikes protected fields. A From that DKIM2 covers may be folded otherwise.
pub(super) fn fields<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) {
    wishes.strike_fields(survey.message, FieldCause::Bound, |part, wish| {
        let bound = survey.why_field_is_bound(part, wish.field)?;
        let is_hash = matches!(bound, Reason::Dkim2(_)) && !wish.plan.edits.is_empty();
        let is_folded = is_hash && keeps_hashed_value(survey, wish);
        (!is_folded).then_some(bound)
    })
}

/// Returns `true` if what is hashed of a field stays.
fn keeps_hashed_value(survey: &Survey, wish: &FieldWish) -> bool {
    let was = relaxed(survey.message.slice(wish.field.value));
    was == relaxed(&value_after(survey, wish.field, &wish.plan))
}
