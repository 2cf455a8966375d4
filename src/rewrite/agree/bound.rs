//! What is signed, encrypted or covered by DKIM stays, as far as the profile keeps that.

use crate::rewrite::Reason;
use crate::rewrite::survey::Survey;
use crate::rewrite::wish::{BodyCause, FieldCause, Wishes};

/// Strikes protected bodies. One is reported only if something was to change or is left anyway.
pub(super) fn bodies<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) -> bool {
    wishes.strike_bodies(survey.message, BodyCause::Bound, |_, part, wish| {
        let bound = survey.why_protected(part).or(survey.cover.bodies.then_some(Reason::Dkim));
        bound.filter(|_| wish.wants_or_leaves())
    })
}

/// Strikes protected fields.
pub(super) fn fields<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) -> bool {
    wishes.strike_fields(survey.message, FieldCause::Bound, |part, wish| survey.why_field_is_bound(part, wish.field))
}
