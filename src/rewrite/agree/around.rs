//! What becomes 8-bit must be said by the parts around it (RFC 2045 §6.4): it stays where one of these can't.

use crate::rewrite::Reason;
use crate::rewrite::survey::Survey;
use crate::rewrite::wish::field::value_after;
use crate::rewrite::wish::{BodyCause, FieldCause, Wishes};

/// Strikes the bodies that would become 8-bit in a part that the gate keeps.
pub(super) fn bodies<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) {
    wishes.strike_bodies(survey.message, BodyCause::Around, |_, part, wish| {
        let becomes = wish.whole.body.as_ref().is_some_and(|body| !body.is_ascii());
        let is_news = becomes && survey.message.slice(part.body).is_ascii();
        let form = is_news.then(|| survey.gate.form_around_body(survey.message, part)).flatten();
        form.map(Reason::Irregular)
    })
}

/// Strikes the fields that would become 8-bit in such a part.
pub(super) fn fields<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) {
    wishes.strike_fields(survey.message, FieldCause::Around, |part, wish| {
        // What moves is in ASCII.
        let stays = wish.moved.is_none().then(|| value_after(survey, wish.field, &wish.plan));
        survey.why_field_stays_ascii(part, &stays?)
    })
}
