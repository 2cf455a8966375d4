//! A body whose label is the only hint to raw text in a header that stays keeps its charset ([`Evidence`]).
//!
//! [`Evidence`]: crate::rewrite::survey::evidence::Evidence

use crate::message::{Field, FieldKind};
use crate::rewrite::Reason;
use crate::rewrite::header::is_encapsulable;
use crate::rewrite::survey::Survey;
use crate::rewrite::wish::field::value_after;
use crate::rewrite::wish::{FieldWish, Wishes};

/// Strikes the new charsets of bodies whose label would change and is the only hint to the charset of octets that stay
/// raw in a header; their transfer encoding may still change. Octets that are UTF-8 need no hint, and fields that
/// nobody reads as text hold no body back.
pub(super) fn bodies<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) {
    if !wishes.bodies.iter().any(|wish| wish.charset().is_some()) {
        return;
    }
    for (index, part) in survey.message.parts().iter().enumerate() {
        let is_ascii = survey.message.slice(part.header).is_ascii();
        for field in survey.message.fields(part).iter().filter(|_| !is_ascii) {
            if str::from_utf8(survey.message.slice(field.value)).is_err() && is_read(survey, field) {
                keep_hint(survey, index, field, wishes);
            }
        }
    }
}

/// Strikes the new charset of the body that tells the charset of a field, that of the field's own part, and those of
/// the bodies that contradict each other about it, if the field stays raw. The field's own part is asked first of all,
/// and would be the hint once it has a label; where one side of a contradiction were gone, the other would be believed.
fn keep_hint(survey: &Survey, index: usize, field: &Field, wishes: &mut Wishes) {
    let Some(hinting) = survey.evidence.hinting(index, survey.message.slice(field.value)) else { return };
    let mut changing = vec![hinting, index];
    let outcomes = wishes.of_field(index, field).map_or(&[][..], |wish| &wish.plan.outcomes);
    for outcome in outcomes {
        if let Some(Reason::Ambiguous(one, other)) = outcome.reason() {
            changing.extend(survey.evidence.declaring(index, [one, other]));
        }
    }
    changing.retain(|at| wishes.bodies.get(*at).is_some_and(|wish| wish.charset().is_some()));
    if !changing.is_empty() && stays_raw(survey, field, wishes.of_field(index, field)) {
        changing.into_iter().for_each(|at| wishes.bodies[at].keep_charset());
    }
}

/// Returns `true` if anybody reads a field as text: mail programs show it, or the profile moves it to where they do.
fn is_read(survey: &Survey, field: &Field) -> bool {
    let name = survey.message.slice(field.name);
    !FieldKind::of(name).shows_no_text() || (survey.profile.downgrades() && is_encapsulable(name))
}

/// Returns `true` if a field has raw octets after its plan that are no UTF-8, and does not move to
/// `Downgraded-NAME`. A field that is struck stays raw, whatever its plan.
fn stays_raw(survey: &Survey, field: &Field, wish: Option<&FieldWish>) -> bool {
    // What nothing is wished for stays as it is.
    let Some(wish) = wish.filter(|wish| !wish.is_struck()) else { return true };
    match &wish.moved {
        Some(moved) => moved.is_err(),
        None => str::from_utf8(value_after(survey, field, &wish.plan)).is_err(),
    }
}
