//! AGREE: what places lose to each other.
//!
//! A rule looks at the survey and at wishes, and strikes entries of their lists; it does nothing else. Its condition
//! may only become truer as entries are struck. So rules that are asked again until none strikes anything end in the
//! same decisions, in whatever order they are asked. What is reported of a place that two rules strike says the order
//! of [`Cause`](super::wish::Cause).

mod alone;
mod choice;
mod contradiction;
mod hint;
mod label;
mod witness;

use super::survey::Survey;
use super::wish::{BodyRank, BodyWish, FieldWish, Strike, Wishes};
use crate::message::Part;

/// What keeps places as they are.
#[derive(Clone, Copy)]
enum Rule {
    /// What keeps a body, by the survey and what is wished for it; it is given the index of the part.
    Body(for<'m> fn(&Survey<'m, '_>, usize, &Part, &BodyWish) -> Option<Strike>),
    /// What keeps a field of a part so.
    Field(for<'m> fn(&Survey<'m, '_>, usize, &Part, &FieldWish<'m>) -> Option<Strike>),
    /// What keeps some places by what is wished for in others; it strikes them itself.
    Several(for<'m> fn(&Survey<'m, '_>, &mut Wishes<'m>)),
}

/// All rules.
const RULES: [Rule; 16] = [
    Rule::Several(choice::places),
    Rule::Body(alone::bound_body),
    Rule::Field(alone::bound_field),
    Rule::Body(alone::irregular_body),
    Rule::Field(alone::irregular_field),
    Rule::Several(label::bodies_whose_label_stays),
    Rule::Several(label::fields_whose_body_stays),
    Rule::Body(contradiction::body),
    Rule::Field(contradiction::field),
    Rule::Body(alone::closed_body),
    Rule::Body(alone::referring_body),
    Rule::Body(alone::widening_body),
    Rule::Field(alone::widening_field),
    Rule::Several(hint::bodies),
    Rule::Several(witness::places),
    Rule::Several(witness::moved_fields),
];

impl Rule {
    /// Strikes what the rule keeps; to strike it again changes nothing.
    fn strike<'m>(self, survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) {
        let parts = survey.message.parts().iter().enumerate();
        match self {
            Rule::Several(strike) => strike(survey, wishes),
            Rule::Body(why) => {
                for ((index, part), wish) in parts.zip(&mut wishes.bodies) {
                    let strike = why(survey, index, part, wish);
                    strike.into_iter().for_each(|strike| wish.strike(BodyRank::Nothing, strike));
                }
            }
            Rule::Field(why) => {
                for ((index, part), fields) in parts.zip(&mut wishes.fields) {
                    for wish in fields {
                        why(survey, index, part, wish).into_iter().for_each(|strike| wish.strike(strike));
                    }
                }
            }
        }
    }
}

/// Has all rules strike until none strikes anything new. That ends, since no rule gives anything back.
pub(super) fn agree<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) {
    agree_by(&RULES, survey, wishes);
}

/// Has these rules strike so; tests have them in other orders.
fn agree_by<'m>(rules: &[Rule], survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) {
    let mut before = wishes.struck();
    loop {
        rules.iter().for_each(|rule| rule.strike(survey, wishes));
        let after = wishes.struck();
        if after == before {
            return;
        }
        before = after;
    }
}

#[cfg(test)]
mod tests;
