//! Plans the fields of a message's own header and nothing else, as of a header that came back: all bodies stay, so that
//! nothing around them changes.

use super::Plan;
use super::agree::agree;
use super::body_plan::BodyPlan;
use super::fixes::Fixes;
use super::step::StepScope;
use super::survey::Survey;
use super::survey::evidence::Evidence;
use super::wish::Wishes;
use super::wish::field::wish_for_header;
use super::wish::work::Work;
use super::write::Writer;
use crate::coding::evidence::Neighbours;

/// Plans the fields of a header, and proves the plan; `named` are charsets that are named around it. Bodies beyond a
/// limit are reported. With an error the plan must not be carried out.
pub(super) fn plan_header(evidence: &Evidence, named: Neighbours) -> (Plan, Option<&'static str>) {
    let survey = Survey { around: named, ..Survey::of(evidence, StepScope::TopHeader) };
    let mut wishes = Wishes::default();
    if !survey.message.parts().is_empty() {
        wish_for_header(&survey, 0, None, &mut Work::of(survey.profile), &mut wishes);
    }
    agree(&survey, &mut wishes);
    let mut writer = Writer::new(&survey, vec![BodyPlan::default(); survey.message.parts().len()]);
    writer.write_top_header(wishes.fields.pop().unwrap_or_default(), &wishes.honest);
    writer.finish_and_prove(Fixes::default())
}
