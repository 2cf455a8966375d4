//! What readers take differently stays, as the gate says.

use crate::rewrite::survey::Survey;
use crate::rewrite::wish::{BodyCause, BodyRank, FieldCause, Wishes};

/// Strikes bodies that the gate keeps. It is asked of bodies that change. Behind a doubtful header it is also asked of one
/// that stays, if that is left for another reason or may hold fields of the header: the doubt is then what is reported.
pub(super) fn bodies<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) -> bool {
    let mut struck = false;
    for (part, wish) in survey.message.parts().iter().zip(&mut wishes.bodies) {
        let is_doubtful = part.header_irregularity.is_some();
        let is_asked = wish.whole.changes() || is_doubtful && (wish.is_any() || survey.header_may_go_on(part));
        if let Some(reason) = is_asked.then(|| survey.irregular_body(part)).flatten() {
            struck |= wish.strike(BodyRank::Nothing, BodyCause::Irregular, Some(reason));
        }
    }
    struck
}

/// Strikes fields of headers that the gate keeps.
pub(super) fn fields<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) -> bool {
    let mut struck = false;
    for (part, fields) in survey.message.parts().iter().zip(&mut wishes.fields) {
        for wish in fields {
            if let Some(reason) = survey.irregular_field(part, wish.field) {
                struck |= wish.strike(FieldCause::Irregular, Some(reason));
            }
        }
    }
    struck
}
