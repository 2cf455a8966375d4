//! A text that refers to a part by a name outside ASCII stays, for the name stays, and both must be alike.

use crate::message::irregular::Form;
use crate::rewrite::Reason;
use crate::rewrite::survey::Survey;
use crate::rewrite::wish::{BodyCause, BodyRank, Wishes};

/// Strikes the texts that would change and refer to a part so, or may.
pub(super) fn bodies<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) -> bool {
    let mut struck = false;
    for (index, wish) in wishes.bodies.iter_mut().enumerate() {
        let changes = wish.whole.body.is_some() || wish.whole.charset.is_some();
        if changes && survey.references.has_referring(index) {
            let reason = Reason::Irregular(Form::LinkOctets);
            struck |= wish.strike(BodyRank::Nothing, BodyCause::Refers, Some(reason));
        }
    }
    struck
}
