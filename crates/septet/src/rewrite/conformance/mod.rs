//! Named defects of a message: fixed where that takes no guess, else named, so that the message may be refused.
//!
//! The settings say of each defect what is done about it ([`Conformance`](super::Conformance)). What is fixed is fixed
//! before anything is converted, so that the conversion reads what every reader will read afterwards. It goes in three
//! steps, each of which may change what the next one reads, and each is proved: line ends ([`line_ends`]), then fields
//! and bodies ([`fixer`]), which are written as a conversion is. A step that does not prove right is not done, and says
//! so.
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
mod fields;
mod fixer;
mod line_ends;
mod long_words;

use std::borrow::Cow;

pub use arrival::Arrival;
pub(super) use line_ends::prove as prove_line_ends;

use super::defect_action::{DefectAction, why_not_fixed};
use super::header::each_once;
use super::second_reader;
use super::step::StepScope;
use super::{
    BodyCharset, Change, Entry, HeaderForm, Iris, Limits, Outcome, Place, Plan, Profile, Reason, Report, Transfer,
};
use crate::message::{Defect, DefectKind, Message, NAMED, named_defects};
use crate::rewrite::survey::Survey;
use crate::rewrite::survey::evidence::Evidence;

/// Makes of the report of fixes the plan that fixes nothing: each fix is reported as one that could not be made, for
/// the reason `why`, of the message as a whole, so that equal entries can become one. What was done beside, for the
/// sake of it, needs no word of its own.
pub(super) fn reverted(report: Report, why: &'static str) -> Plan {
    let mut entries = Vec::new();
    for entry in report.entries {
        entries.extend(entry.outcome.changes().iter().filter_map(|change| match *change {
            Change::Fixed { defect } => {
                let outcome = Outcome::Left(Reason::Unfixed { defect, why });
                Some(Entry { place: Place::Message, outcome, ..entry.clone() })
            }
            _ => None,
        }));
        entries.extend(Some(entry).filter(|it| !matches!(it.outcome, Outcome::Done(_))));
    }
    entries.dedup();
    Plan { report: Report { entries }, ..Plan::default() }
}

/// A step, which plans what fixes defects in a survey by a profile that converts nothing, and proves it.
type FixStep = fn(&Survey, &Arrival) -> Plan;

/// Plans what fixes a message's defects, and reports those for which it is to be refused; returns the fixed message
/// too, which is the message itself where nothing is fixed. Where the second reader sees other parts in it, all fixes
/// are taken back.
///
/// The message must be within its limits ([`beyond_a_limit`](super::beyond_a_limit)).
pub(super) fn plan<'a>(message: &Message<'a>, profile: &Profile, arrival: &Arrival) -> (Plan, Cow<'a, [u8]>) {
    let found = named_defects(message);
    let (mut fixes, mut octets) = (Plan::default(), Cow::Borrowed(message.raw()));
    report_refused(&found, profile, &mut fixes.report);
    let plain = without_conversion(profile);
    let mut wanted = found.iter().map(|it| it.kind).filter(|kind| profile.conformance.fixes_kind(*kind));
    let has_bare_ends = wanted.clone().any(|kind| kind == DefectKind::BareLineEnd);
    let steps: [(FixStep, bool); 3] = [(line_ends::plan, has_bare_ends), (fixer::fields, true), (fixer::bodies, true)];
    let is_any = wanted.next().is_some();
    for (step, _) in steps.into_iter().filter(|(_, is_asked)| is_any && *is_asked) {
        let message = Message::read(&octets, &plain.limits);
        let evidence = Evidence::of(&message, &plain);
        let next = step(&Survey::of(&evidence, StepScope::Fixes), arrival);
        let after = (!next.edits.is_empty()).then(|| next.edits.apply(&octets));
        // The offsets of its edits count in the octets so far; joined to the plan so far they count in the message that
        // came.
        fixes = fixes.then(&octets, next);
        octets = after.map_or(octets, Cow::Owned);
    }
    report_unguessable(&found, profile, &mut fixes.report);
    match fixes.edits.is_empty() || shows_the_same_parts(message, &octets, &plain.limits) {
        true => (fixes, octets),
        false => (reverted(fixes.report, second_reader::OTHER_PARTS), message.raw().into()),
    }
}

/// Finds the defects of a message that are to be fixed, in the order of the message; in each step anew, for their
/// places move. A step passes over those of the others.
fn wanted_defects(survey: &Survey) -> Vec<Defect> {
    let found = named_defects(survey.message).into_iter();
    found.filter(|defect| survey.profile.conformance.fixes_kind(defect.kind)).collect()
}

/// Returns `true` if the second reader sees in the fixed octets the parts that it sees in the message. It is asked of
/// all fixes together, when they are planned and when a plan is checked: the proof of a single one lets a message pass
/// that can't be shown.
pub(super) fn shows_the_same_parts(message: &Message, fixed: &[u8], limits: &Limits) -> bool {
    second_reader::sees_the_same_parts(message, &Message::read(fixed, limits))
}

/// Says of each kind of defect once, in the order of the message, that the message is to be refused for it. Doors that
/// can refuse a message do so by this entry.
fn report_refused(found: &[Defect], profile: &Profile, report: &mut Report) {
    for defect in each_once(found.iter().map(|it| it.kind), NAMED.len()) {
        let treatment = profile.conformance.of(defect);
        if matches!(treatment, DefectAction::Reject | DefectAction::Tempfail) {
            report.leave(Reason::Refused { defect, treatment });
        }
    }
}

/// Says of each kind of defect that was to be fixed and that only a guess would fix, once, why it stays. It comes
/// behind what the steps report.
fn report_unguessable(found: &[Defect], profile: &Profile, report: &mut Report) {
    for kind in NAMED {
        let is_asked = profile.conformance.of(kind) == DefectAction::Fix && found.iter().any(|it| it.kind == kind);
        if let Some(why) = why_not_fixed(kind).filter(|_| is_asked) {
            report.leave(Reason::Unfixed { defect: kind, why });
        }
    }
}

/// Returns the profile that converts nothing, and keeps what this one keeps (signatures, DKIM, files): of the keys that
/// `Profile::converts` asks none is set. Its limits are those of this one, but for the octets of a message.
pub(super) fn without_conversion(profile: &Profile) -> Profile {
    Profile {
        headers: HeaderForm::Keep,
        charset: BodyCharset::Keep,
        transfer: Transfer::Keep,
        iris: Iris::Keep,
        unescape: Vec::new(),
        // What is fixed may be a little longer than what came, and costs no more: the work is a multiple of
        // `message_bytes` unless it is set.
        limits: Limits { plan_work: Some(profile.limits.work()), ..profile.limits.of_any_size() },
        ..profile.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::plan_arrived;

    #[test]
    fn every_fix_that_is_taken_back_is_named() {
        let fixed = |defect| Change::Fixed { defect };
        let changes = vec![fixed(DefectKind::LongLine), Change::UNDOUBLED, fixed(DefectKind::Nul)];
        let mut report = Report::default();
        report.push(Default::default(), Place::Body, Outcome::Done(changes));
        let plan = reverted(report, "x");
        assert_eq!(plan.report.to_string(), "message left=unfixed(long-line: x); message left=unfixed(nul: x)");
    }

    #[test]
    fn a_header_that_a_fix_makes_too_long_is_not_converted() {
        let mut profile = Profile::utf8();
        profile.conformance.set(DefectKind::MissingDate, DefectAction::Fix);
        profile.limits.header_bytes = 60;
        let raw = b"Subject: =?iso-8859-1?Q?caf=E9?=\nMessage-ID: <a@b>\n\nx\n";
        let arrival = Arrival { clock: Some(0), ..Arrival::default() };
        let plan = plan_arrived(raw, &profile, &arrival);
        assert_eq!(
            plan.report.to_string(),
            "field=Date fixed=missing-date added=Date; message left=limit(header_bytes 60)"
        );
        let again = plan_arrived(&plan.edits.apply(raw), &profile, &arrival);
        assert!(again.edits.is_empty(), "{}", again.report);
    }
}
