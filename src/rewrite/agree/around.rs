//! What becomes 8-bit must be said by the parts around it (RFC 2045 §6.4): it stays where one of these can't.

use crate::rewrite::Reason;
use crate::rewrite::survey::Survey;
use crate::rewrite::wish::field::value_after;
use crate::rewrite::wish::{BodyCause, BodyRank, FieldCause, Wishes};

/// Strikes the bodies that would become 8-bit in a part that the gate keeps.
pub(super) fn bodies<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) -> bool {
    let mut struck = false;
    for (part, wish) in survey.message.parts().iter().zip(&mut wishes.bodies) {
        let becomes = wish.whole.body.as_ref().is_some_and(|body| !body.is_ascii());
        let is_news = becomes && survey.message.slice(part.body).is_ascii();
        if let Some(form) = is_news.then(|| survey.gate.form_around_body(survey.message, part)).flatten() {
            struck |= wish.strike(BodyRank::Nothing, BodyCause::Around, Some(Reason::Irregular(form)));
        }
    }
    struck
}

/// Strikes the fields that would become 8-bit in such a part.
pub(super) fn fields<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) -> bool {
    let mut struck = false;
    for (part, fields) in survey.message.parts().iter().zip(&mut wishes.fields) {
        // What moves is in ASCII.
        for wish in fields.iter_mut().filter(|wish| wish.moved.is_none()) {
            let after = value_after(survey, wish.field, &wish.plan);
            let why = survey.why_field_stays_ascii(part, &after);
            drop(after);
            if let Some(reason) = why {
                struck |= wish.strike(FieldCause::Around, Some(reason));
            }
        }
    }
    struck
}
