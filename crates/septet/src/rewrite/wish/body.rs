//! What could be done with the body of a part.

use super::work::Work;
use super::{BodyRank, BodyWish, Cause};
use crate::message::{Kind, Part};
use crate::rewrite::body_plan::BodyPlan;
use crate::rewrite::survey::Survey;
use crate::rewrite::survey::body::Body;

/// Wishes for what the profile wants of each body of a message; one whose octets are too many stays.
pub(in crate::rewrite) fn of_message(survey: &Survey, work: &mut Work) -> Vec<BodyWish> {
    survey.message.parts().iter().map(|part| of_part(survey, part, work)).collect()
}

/// Wishes so for the body of one part; `work` counts it whether or not it is too much.
fn of_part(survey: &Survey, part: &Part, work: &mut Work) -> BodyWish {
    // The bodies of other parts are not rewritten, and many envelopes around a large text are no work.
    let is_charged = part.kind == Kind::Leaf && !part.body.is_empty();
    if let Some(reason) = is_charged.then(|| work.charge(part, part.body.len())).flatten() {
        let mut wish = BodyWish::of(BodyPlan::default());
        wish.strike(BodyRank::Nothing, (Cause::Work, Some(reason)));
        return wish;
    }
    BodyWish::of(survey.evidence.body(part).plan())
}

/// Returns the plan of the best that is left of a wish for the body of a part, once all rules have struck. It reports
/// nothing where what struck the wish is reported of another place.
pub(in crate::rewrite) fn decided(survey: &Survey, part: &Part, wish: BodyWish) -> BodyPlan {
    match (wish.rank, wish.reason()) {
        (BodyRank::Whole, _) => wish.whole,
        (BodyRank::TransferAlone, Some(reason)) => {
            // What stands beside it is not asked, since a text whose charset stays is not read.
            Body::of(survey.message, part, survey.profile).plan_with_charset_kept(reason)
        }
        (BodyRank::Nothing, Some(reason)) => BodyPlan::left(reason),
        (_, None) => BodyPlan::default(),
    }
}
