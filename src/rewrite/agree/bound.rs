//! What is signed, encrypted or covered by DKIM stays, as far as the profile keeps that.

use crate::rewrite::Reason;
use crate::rewrite::survey::Survey;
use crate::rewrite::wish::{BodyCause, BodyRank, FieldCause, Wishes};

/// Strikes protected bodies. One is reported only if something was to change or is left anyway.
pub(super) fn bodies<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) -> bool {
    let mut struck = false;
    for (part, wish) in survey.message.parts().iter().zip(&mut wishes.bodies) {
        let bound = survey.why_protected(part).or(survey.cover.bodies.then_some(Reason::Dkim));
        if let Some(reason) = bound.filter(|_| wish.is_any()) {
            struck |= wish.strike(BodyRank::Nothing, BodyCause::Bound, Some(reason));
        }
    }
    struck
}

/// Strikes protected fields.
pub(super) fn fields<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) -> bool {
    let mut struck = false;
    for (part, fields) in survey.message.parts().iter().zip(&mut wishes.fields) {
        for wish in fields {
            if let Some(reason) = survey.why_field_is_bound(part, wish.field) {
                struck |= wish.strike(FieldCause::Bound, Some(reason));
            }
        }
    }
    struck
}
