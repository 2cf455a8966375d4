//! Named defects of a message: fixed where that takes no guess, else named, so that the message may be refused.
//!
//! The settings say of each defect what is done about it ([`Conformance`](super::Conformance)). What is fixed is fixed
//! before anything is converted, so that the conversion reads what every reader will read afterwards. It goes in three
//! steps, each of which may change what the next one reads, and each is proved: line ends ([`line_ends`]), then fields
//! and bodies ([`fixer`]), which are written as a conversion is. A step that
//! does not prove right is not done, and says so.
//!
//! Four rules hold for all of them:
//!
//! - Where only a guess would fix it, nothing is fixed ([`why_not_fixed`](super::why_not_fixed)): a missing colon, a
//!   missing empty line, text behind base64. Such a message may be refused.
//! - What the parts of a message are is never fixed: not the name of a Content-Type, not a boundary. A scanner before
//!   septet may have read it otherwise, and would not see what it never saw.
//! - No octet that a reader sees is lost: of two fields one goes only where both say the same, a line that is too long
//!   or an octet 0 goes into a transfer encoding, which means the same.
//! - A second run finds nothing to fix, and what is made up (a Date, a Message-ID) is made of facts ([`Arrival`]).

mod arrival;
mod body;
mod fields;
mod fixer;
mod line_ends;
mod long_words;

use std::borrow::Cow;

pub use arrival::{Arrival, MONTHS};

use super::defect_action::{DefectAction, why_not_fixed};
use super::second_reader;
use super::step::{Step, StepScope};
use super::{
    BodyCharset, Change, CheckError, HeaderForm, Iris, Limits, Outcome, Place, Plan, Profile, Reason, Report, Transfer,
};
use crate::edit::EditList;
use crate::message::{Defect, DefectKind, Message, NAMED, Part, PartNumber, named_defects};
use crate::rewrite::survey::Survey;
use crate::rewrite::survey::evidence::Evidence;

/// What one step does is a plan of its own.
impl Plan {
    /// Says that something was fixed.
    fn report_fixed(&mut self, place: Place, change: Change) {
        self.report.push(PartNumber::root(), place, Outcome::Done(vec![change]));
    }

    /// Says that a defect was not fixed, and why.
    fn report_unfixed(&mut self, defect: DefectKind, why: &'static str) {
        let left = Outcome::Left(Reason::Unfixed { defect, why });
        self.report.push(PartNumber::root(), Place::Message, left);
    }

    /// Takes back all that was done: no edit and no step stays, and each change is reported as one that could not be
    /// made, for the reason `why`.
    fn revert(self, why: &'static str) -> Plan {
        let mut report = self.report;
        report.entries.iter_mut().for_each(|it| rewrite_as_reverted(&mut it.place, &mut it.outcome, why));
        report.entries.dedup();
        Plan { report, ..Plan::default() }
    }
}

/// Makes of the report of fixes the plan that fixes nothing, and says of each defect that it was not fixed, and why.
pub(super) fn reverted(report: Report, why: &'static str) -> Plan {
    let mut fixes = Plan { report, ..Plan::default() };
    // What was done beside, for the sake of it, needs no word of its own.
    fixes.report.entries.retain(|it| !matches!(&it.outcome, Outcome::Done(changes) if fixed_defect(changes).is_none()));
    fixes.revert(why)
}

/// Turns an entry of something done into one that says why it was not, of the message as a whole, so that equal entries
/// can become one; any other outcome stays. A change that fixes no defect becomes a fault of septet's own.
fn rewrite_as_reverted(place: &mut Place, outcome: &mut Outcome, why: &'static str) {
    let Outcome::Done(changes) = outcome else { return };
    let reason = fixed_defect(changes).map_or(Reason::Unproved(why), |defect| Reason::Unfixed { defect, why });
    *place = Place::Message;
    *outcome = Outcome::Left(reason);
}

/// Returns the first defect that changes fix, if they fix any.
fn fixed_defect(changes: &[Change]) -> Option<DefectKind> {
    changes.iter().find_map(|change| match change {
        Change::Fixed { defect } => Some(*defect),
        _ => None,
    })
}

/// A message that is fixed step by step.
struct Fixed<'a> {
    octets: Cow<'a, [u8]>,
    plan: Plan,
}

impl Fixed<'_> {
    /// Applies the plan of the next step. The offsets of its edits count in the octets so far; joined to the plan so
    /// far they count in the message that came.
    fn apply_next(&mut self, next: Plan) {
        let after = (!next.edits.is_empty()).then(|| next.edits.apply(&self.octets));
        self.plan = std::mem::take(&mut self.plan).then(&self.octets, next);
        if let Some(after) = after {
            self.octets = Cow::Owned(after);
        }
    }
}

/// Plans what fixes a message's defects, and reports those for which it is to be refused; returns the fixed message
/// too, which is the message itself where nothing is fixed. Where the second reader sees other parts in it, all fixes
/// are taken back.
///
/// The message must be within its limits ([`beyond_a_limit`](super::beyond_a_limit)).
pub(super) fn plan<'a>(message: &Message<'a>, profile: &Profile, arrival: &Arrival) -> (Plan, Cow<'a, [u8]>) {
    let found = named_defects(message);
    let mut fixed = Fixed { octets: message.raw().into(), plan: Plan::default() };
    report_refused(&found, profile, &mut fixed.plan.report);
    let plain = without_conversion(profile);
    if found.iter().any(|it| it.kind == DefectKind::BareLineEnd && is_wanted(it, profile)) {
        let step = with_survey(&fixed.octets, &plain, |survey| prove_or_revert(line_ends::plan(survey), survey));
        fixed.apply_next(step);
    }
    if found.iter().any(|it| is_wanted(it, profile)) {
        let step = with_survey(&fixed.octets, &plain, |survey| {
            let wanted = wanted_defects(survey.message, profile);
            fixer::fields(survey, &wanted)
        });
        fixed.apply_next(step);
        let step = with_survey(&fixed.octets, &plain, |survey| {
            let wanted = wanted_defects(survey.message, profile);
            fixer::bodies(survey, &wanted, arrival)
        });
        fixed.apply_next(step);
    }
    report_unguessable(&found, profile, &mut fixed.plan);
    let Fixed { octets, plan: fixes } = fixed;
    match fixes.edits.is_empty() || shows_the_same_parts(message, &octets, &plain.limits) {
        true => (fixes, octets),
        false => (reverted(fixes.report, second_reader::OTHER_PARTS), message.raw().into()),
    }
}

/// Returns `true` if the second reader sees in the fixed octets the parts that it sees in the message.
pub(super) fn shows_the_same_parts(message: &Message, fixed: &[u8], limits: &Limits) -> bool {
    second_reader::sees_the_same_parts(message, &Message::read(fixed, limits))
}

/// Says of each kind of defect once that the message is to be refused for it.
fn report_refused(found: &[Defect], profile: &Profile, report: &mut Report) {
    let mut said: Vec<DefectKind> = Vec::new();
    for defect in found {
        let treatment = profile.conformance.of(defect.kind);
        let is_refusal = matches!(treatment, DefectAction::Reject | DefectAction::Tempfail);
        if is_refusal && !said.contains(&defect.kind) {
            said.push(defect.kind);
            let refused = Reason::Refused { defect: defect.kind, treatment };
            report.push(PartNumber::root(), Place::Message, Outcome::Left(refused));
        }
    }
}

/// Says of each kind of defect that was to be fixed and that only a guess would fix, once, why it stays.
fn report_unguessable(found: &[Defect], profile: &Profile, plan: &mut Plan) {
    for kind in NAMED {
        let is_asked = profile.conformance.of(kind) == DefectAction::Fix && found.iter().any(|it| it.kind == kind);
        if let Some(why) = why_not_fixed(kind).filter(|_| is_asked) {
            plan.report_unfixed(kind, why);
        }
    }
}

/// Returns `true` if a defect is to be fixed, and can be without a guess.
fn is_wanted(defect: &Defect, profile: &Profile) -> bool {
    profile.conformance.fixes_kind(defect.kind)
}

/// Finds the defects of a message that are to be fixed; after each step anew, for their places move.
fn wanted_defects(message: &Message, profile: &Profile) -> Vec<Defect> {
    named_defects(message).into_iter().filter(|defect| is_wanted(defect, profile)).collect()
}

/// Returns the profile that converts nothing, and keeps what this one keeps (signatures, DKIM, files). Its limits are
/// those of this one, but for the octets of a message.
pub(super) fn without_conversion(profile: &Profile) -> Profile {
    Profile {
        headers: HeaderForm::Keep,
        charset: BodyCharset::Keep,
        transfer: Transfer::Keep,
        iris: Iris::Keep,
        unescape: Vec::new(),
        // What is fixed may be a little longer than what came.
        limits: Limits { message_bytes: usize::MAX, plan_work: Some(profile.limits.work()), ..profile.limits },
        ..profile.clone()
    }
}

/// Has `plan` plan a step that fixes these octets. The profile must be one that converts nothing
/// ([`without_conversion`]).
fn with_survey(octets: &[u8], profile: &Profile, plan: impl FnOnce(&Survey) -> Plan) -> Plan {
    let message = Message::read(octets, &profile.limits);
    let evidence = Evidence::of(&message, profile);
    plan(&Survey::of(&evidence, StepScope::Fixes))
}

/// Proves what the step of line ends makes of a message, and takes it back where that fails. The survey must be that
/// of a profile that converts nothing.
fn prove_or_revert(mut plan: Plan, survey: &Survey) -> Plan {
    if plan.edits.is_empty() {
        return plan;
    }
    match prove_line_ends(survey.message, &plan.edits, survey.profile) {
        Err(CheckError::Unproved(why)) => plan.revert(why),
        Ok(()) => {
            plan.steps.push(Step::new(StepScope::LineEnds));
            plan
        }
    }
}

/// Proves a step that fixes line ends, by the profile that converts nothing ([`without_conversion`]).
pub(super) fn prove_line_ends(message: &Message, edits: &EditList, profile: &Profile) -> Result<(), CheckError> {
    let result = edits.apply(message.raw());
    let after = Message::read(&result, &profile.limits);
    line_ends::prove(message, &after, edits).map_err(CheckError::Unproved)
}

/// Returns `true` if a part stands where it stood in the tree and its header says the same of it, wherever it lies in
/// the octets; its body is not compared.
fn same_part(old: &Part, new: &Part) -> bool {
    let (was, is) = (&old.content_type, &new.content_type);
    (old.parent, old.ordinal, old.depth, old.kind) == (new.parent, new.ordinal, new.depth, new.kind)
        && (&was.main, &was.sub, was.validity) == (&is.main, &is.sub, is.validity)
        && (&old.boundary, &old.transfer) == (&new.boundary, &new.transfer)
        && old.protection == new.protection
}
