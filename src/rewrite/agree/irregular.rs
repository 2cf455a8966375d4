//! What readers take differently stays, as the gate says.

use crate::rewrite::survey::Survey;
use crate::rewrite::wish::{BodyCause, FieldCause, Wishes};

/// Strikes bodies that the gate keeps. It is asked of bodies that change. Behind a doubtful header it is also asked of
/// one that stays, if that is left for another reason or may hold fields of the header: the doubt is then what is
/// reported.
pub(super) fn bodies<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) {
    wishes.strike_bodies(survey.message, BodyCause::Irregular, |_, part, wish| {
        let is_doubtful = part.header_irregularity.is_some();
        let is_asked = wish.whole.changes() || is_doubtful && (wish.wants_or_leaves() || survey.header_may_go_on(part));
        is_asked.then(|| survey.irregular_body(part)).flatten()
    })
}

/// Strikes fields of headers that the gate keeps.
pub(super) fn fields<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) {
    wishes.strike_fields(survey.message, FieldCause::Irregular, |part, wish| survey.irregular_field(part, wish.field))
}
