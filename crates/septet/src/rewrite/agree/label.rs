//! A body and the field that names its charset: both change, or neither.

use crate::message::grammar::parameter::sections;
use crate::rewrite::survey::Survey;
use crate::rewrite::wish::field::{WishedHeader, value_after};
use crate::rewrite::wish::{BodyRank, Cause, FieldWish, Wishes};
use crate::rewrite::{Outcome, Reason};

/// Strikes bodies whose Content-Type can't name the charset that they would have: it stays for a reason of its own,
/// within the limits it can't be written, or some reader would find in it what it did not find before. The rule goes by
/// the charset that was planned for the body, struck or not: what is struck meanwhile makes it strike no less.
pub(super) fn bodies_whose_label_stays<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) {
    for (index, body) in wishes.bodies.iter_mut().enumerate() {
        let fields = wishes.fields.get(index).map_or(&[][..], Vec::as_slice);
        let asked = body.whole.charset;
        let mut labels = fields.iter().filter(|wish| wish.charset.is_some() && wish.charset == asked);
        if labels.clone().any(FieldWish::is_struck) {
            body.keep_charset();
        }
        if let Some(reason) = labels.find_map(|wish| why_label_stays(survey, index, wish)) {
            body.strike(BodyRank::Nothing, (Cause::Label, Some(reason)));
        }
    }
}

/// Returns why a field can't name the charset that its wish names, if it can't: it would bring 8-bit octets where they
/// may not be, or the charset can't be read from it afterwards.
fn why_label_stays(survey: &Survey, index: usize, wish: &FieldWish) -> Option<Reason> {
    let charset = wish.charset?;
    let after = value_after(survey, wish.field, &wish.plan);
    let stays_ascii = survey.why_field_stays_ascii(&survey.message.parts()[index], after);
    let label = sections(after).value(after, "charset");
    let is_written = label.is_some_and(|label| label.eq_ignore_ascii_case(charset.as_bytes()));
    let left = || wish.plan.outcomes.iter().find_map(Outcome::reason).cloned();
    let why_left = || left().unwrap_or(Reason::Internal("a label that is not written"));
    stays_ascii.or_else(|| (!is_written).then(why_left))
}

/// Strikes the wish of a Content-Type to name a charset where its body does not get that: what is wished for then is
/// what it would be without.
pub(super) fn fields_whose_body_stays<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) {
    for (index, (body, fields)) in wishes.bodies.iter().zip(&mut wishes.fields).enumerate() {
        let asked = body.charset();
        for wish in fields.iter_mut().filter(|wish| wish.charset.is_some() && wish.charset != asked) {
            wish.strike_charset(WishedHeader::of(survey, index).wish(wish.field, None, None));
        }
    }
}
