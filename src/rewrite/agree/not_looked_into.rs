//! A multipart or a message that is encoded itself, has no boundary, or one that never occurs, is not changed either
//! way; when something in it is 8-bit or encoded, that is said.

use crate::message::Part;
use crate::message::irregular::Form;
use crate::rewrite::Reason;
use crate::rewrite::survey::Survey;
use crate::rewrite::survey::reading::hides_something;
use crate::rewrite::wish::{BodyCause, Wishes};

/// Strikes the bodies that are made of parts by their type and could not be looked into.
pub(super) fn bodies<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) {
    wishes.strike_bodies(survey.message, BodyCause::NotLookedInto, |index, part, _| {
        why_not_looked_into(survey, index, part)
    })
}

/// Returns why a part that is made of parts by its type was not looked into, if something 8-bit or encoded is
/// hidden in it. The types are those that reading looks into (`message/structure.rs`).
fn why_not_looked_into(survey: &Survey, index: usize, part: &Part) -> Option<Reason> {
    let ty = &part.content_type;
    let composite =
        ty.main == "multipart" || (ty.main == "message" && matches!(&*ty.sub, "rfc822" | "global" | "news"));
    let has_child = survey.message.parts().get(index + 1).is_some_and(|next| next.parent == Some(index));
    // A limit has been reported with the plan of the body, and what is protected would stay anyway.
    if !composite || has_child || part.limit.is_some() || survey.why_protected(part).is_some() {
        return None;
    }
    let encoded = !part.transfer.is_identity();
    let raw = survey.message.slice(part.body);
    if raw.trim_ascii().is_empty() || !(encoded || hides_something(raw)) {
        return None;
    }
    Some(Reason::Irregular(if encoded { Form::CompositeEncoded } else { Form::BoundaryMissing }))
}
