//! A body and the field that names its charset: both change, or neither.

use crate::coding::encoded_word::LINE_LIMIT;
use crate::coding::transfer::LONGEST_LINE;
use crate::message::Field;
use crate::message::grammar::parameter::sections;
use crate::message::irregular::is_usual_type;
use crate::rewrite::survey::Survey;
use crate::rewrite::wish::field::{value_after, without_untrue_charsets};
use crate::rewrite::wish::{BodyRank, Cause, FieldWish, Wishes};
use crate::rewrite::{Outcome, Reason};

/// Strikes bodies whose Content-Type can't name the charset that they would have: it stays for a reason of its own,
/// within the limits it can't be written, or some reader would find in it what it did not find before.
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

/// Returns why a field can't name the charset that its wish names, if it can't.
fn why_label_stays(survey: &Survey, index: usize, wish: &FieldWish) -> Option<Reason> {
    let charset = wish.charset?;
    if is_surely_written(survey, wish.field, charset) {
        return None;
    }
    let after = value_after(survey, wish.field, &wish.plan);
    let stays_ascii = survey.why_field_stays_ascii(&survey.message.parts()[index], &after);
    let label = sections(&after).value(&after, "charset");
    let is_written = label.is_some_and(|label| label.eq_ignore_ascii_case(charset.as_bytes()));
    let left = || wish.plan.outcomes.iter().find_map(Outcome::reason).cloned();
    let why_left = || left().unwrap_or(Reason::Internal("a label that is not written"));
    stays_ascii.or_else(|| (!is_written).then(why_left))
}

/// Returns `true` if a Content-Type is as most are, which all readers take alike whatever charset is set in it, and no
/// line of it needs a fold for that, which some readers would see.
fn is_surely_written(survey: &Survey, field: &Field, charset: &str) -> bool {
    let value = survey.message.slice(field.value);
    let label = " charset=;".len() + charset.len();
    let is_beyond = survey.profile.limits.reached_by_field(value, label).is_some();
    let mut lines = survey.message.slice(field.line).split(|octet| *octet == b'\n');
    is_usual_type(value)
        && value.len() <= LONGEST_LINE
        && !is_beyond
        && lines.all(|line| line.len() + label <= LINE_LIMIT)
}

/// Strikes the wish of a Content-Type to name a charset where its body does not get that: what is wished for then is
/// what it would be without.
pub(super) fn fields_whose_body_stays<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) {
    for (index, (body, fields)) in wishes.bodies.iter().zip(&mut wishes.fields).enumerate() {
        without_untrue_charsets(survey, index, body.charset(), fields);
    }
}
