//! AGREE: what places lose to each other.
//!
//! A rule looks at the survey and at all wishes, and strikes entries of their lists; it does nothing else. Its
//! condition may only become truer as entries are struck. So rules that are asked again until none strikes anything end
//! in the same decisions, in whatever order they are asked. What is reported of a place that two rules strike says the
//! order of
//! [`BodyCause`](super::wish::BodyCause) and [`FieldCause`](super::wish::FieldCause).

mod around;
mod bound;
mod choice;
mod contradiction;
mod hint;
mod irregular;
mod label;
mod not_looked_into;
mod refers;
mod witness;

use super::survey::Survey;
use super::wish::Wishes;

/// Strikes entries.
type Rule = for<'m> fn(&Survey<'m, '_>, &mut Wishes<'m>);

/// All rules.
const RULES: [Rule; 16] = [
    choice::places,
    bound::bodies,
    bound::fields,
    irregular::bodies,
    irregular::fields,
    label::bodies_whose_label_stays,
    label::fields_whose_body_stays,
    contradiction::bodies,
    contradiction::fields,
    not_looked_into::bodies,
    refers::bodies,
    around::bodies,
    around::fields,
    hint::bodies,
    witness::places,
    witness::moved_fields,
];

/// Has all rules strike until nothing is left to strike.
pub(super) fn agree<'m>(survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) {
    agree_by(&RULES, survey, wishes);
}

fn agree_by<'m>(rules: &[Rule], survey: &Survey<'m, '_>, wishes: &mut Wishes<'m>) {
    loop {
        let before = wishes.struck();
        rules.iter().for_each(|rule| rule(survey, wishes));
        if wishes.struck() == before {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
