//! A text that refers to a part by a name outside ASCII stays, for the name stays, and both must be alike.

use crate::message::irregular::Form;
use crate::rewrite::Reason;
use crate::rewrite::survey::Survey;
use crate::rewrite::wish::{BodyCause, Wishes};

/// Strikes the texts that would change and refer to a part so, or may.
pub(super) fn bodies<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) {
    wishes.strike_bodies(survey.message, BodyCause::Refers, |index, _, wish| {
        let changes = wish.whole.body.is_some() || wish.whole.charset.is_some();
        (changes && survey.references.has_referring(index)).then_some(Reason::Irregular(Form::LinkOctets))
    })
}
