//! What a second run would do.
//!
//! A plan that leaves nothing has read all there is, and what it writes is canonical: a second run finds nothing to do. What
//! a plan leaves may be read by what the rest of the message says; rules see to it that what is left is not read otherwise
//! once the rest has changed ([`agree`](super::agree)). Three kinds have no rule, for it would keep much that may change:
//!
//! - statistics are asked of all texts together that nobody can read, and of fewer once some are converted;
//! - a text that keeps its charset testifies by its letters, and loses some to its links;
//! - a limit counts what is written.
//!
//! Where one of these may be, the result is planned once more, and if that would change anything, nothing changes.
//!
//! Fixes and conversion also ask for each other: a conversion may move the Message-ID that a message must have. So what is
//! still to be fixed in the result is fixed once more, and where even that is not the end, nothing is fixed.
//!
//! The second plan is never proved, so it takes less memory than the first did with its proof: the estimate of what a
//! message takes ([`planning_memory`](super::planning_memory)) stays true.

use super::chosen_places::Choice;
use super::step::StepScope;
use super::survey::Survey;
use super::survey::evidence::Evidence;
use super::{
    Arrival, BodyCharset, Iris, Outcome, Plan, Profile, Reason, Unlabelled, beyond_a_limit, conformance, then_convert,
    write_decided,
};
use crate::message::{Limits, Message};

/// Returns `true` if a second run would change nothing more of the message `raw`. It is tried only where the plan changes
/// something and leaves something, and one of the kinds may be there that no rule covers.
pub(super) fn is_stable(raw: &[u8], plan: &Plan, profile: &Profile) -> bool {
    if plan.edits.is_empty() || !may_read_otherwise(plan, profile) {
        return true;
    }
    let result = plan.edits.apply(raw);
    let result = Message::read(&result, &profile.limits);
    if beyond_a_limit(&result).is_some() {
        return true;
    }
    // Where edits overlap, nothing is carried out.
    let evidence = Evidence::of(&result, profile);
    let survey = Survey::of(&evidence, StepScope::Whole);
    let (again, written) = write_decided(&survey);
    written.is_err() || again.edits.is_empty()
}

/// Returns `true` if what a plan leaves may be read otherwise in its result, for a reason that no rule covers.
fn may_read_otherwise(plan: &Plan, profile: &Profile) -> bool {
    let keeps_charsets = profile.charset == BodyCharset::Keep && profile.iris != Iris::Keep;
    let is_open = keeps_charsets || profile.unlabelled.contains(&Unlabelled::Detect);
    plan.report.entries.iter().any(|entry| match &entry.outcome {
        Outcome::Left(Reason::Limit(_)) => true,
        Outcome::Left(_) => is_open,
        _ => false,
    })
}

/// Makes of a plan one that leaves the message, with what it leaves anyway.
pub(super) fn unstable(mut plan: Plan) -> Plan {
    plan.report.entries.retain(|entry| matches!(entry.outcome, Outcome::Left(_)));
    let mut left = Plan::left(Reason::Unstable);
    left.report.entries.append(&mut plan.report.entries);
    left
}

/// Why nothing is fixed in a message in which every run would change more.
pub(super) const UNSETTLED: &str = "a second run would change more";

/// Adds to a plan the fixes that its own conversion made necessary: one that moves a Message-ID to another name leaves
/// it missing. None where a further run would change the result again.
pub(super) fn fix_once_more(
    planned: Plan,
    raw: &[u8],
    profile: &Profile,
    arrival: &Arrival,
    choice: &Choice,
) -> Option<Plan> {
    let result = planned.edits.apply(raw);
    let mut fixed = plan_fixes_of(&result, profile, arrival);
    if fixed.edits.is_empty() {
        return is_converted(&result, profile, choice).then_some(planned);
    }
    // What can't be fixed was reported by the first run.
    fixed.report.entries.retain(|it| matches!(it.outcome, Outcome::Done(_)));
    let planned = planned.then(&result, fixed);
    let result = planned.edits.apply(raw);
    let is_fixed = plan_fixes_of(&result, profile, arrival).edits.is_empty();
    (is_fixed && is_converted(&result, profile, choice)).then_some(planned)
}

/// Plans the fixes of a result, however long it has become.
fn plan_fixes_of(octets: &[u8], profile: &Profile, arrival: &Arrival) -> Plan {
    let limits = Limits { message_bytes: usize::MAX, ..profile.limits };
    conformance::plan(&Message::read(octets, &limits), profile, arrival).0
}

/// Returns `true` if a conversion of octets would change nothing.
fn is_converted(octets: &[u8], profile: &Profile, choice: &Choice) -> bool {
    then_convert(Plan::default(), octets, profile, choice).edits.is_empty()
}

#[cfg(test)]
mod tests {
    use crate::rewrite::{Profile, plan};

    fn report(raw: &[u8], profile: &str) -> String {
        let plan = plan(raw, &Profile::built_in(profile).expect("it is built in"));
        format!("{} edits; {}", plan.edits.as_slice().len(), plan.report)
    }

    #[test]
    fn what_base64_would_bring_to_life_is_not_put_there() {
        // The mark of UTF-16 is none in a body without a transfer encoding, whose line ends are those of the message.
        let left = "0 edits; part=1 body left=irregular(wide-lines)";
        assert_eq!(report(b"\n\xFF\xFE", "utf7"), left);
    }

    #[test]
    fn what_is_left_beside_a_change_stays_left() {
        let raw = b"Subject: =?koi8-r?Q?=D4?=\nContent-Type: text/plain\n\ncaf\xE9\n";
        let done = "1 edits; field=Subject word=koi8-r>utf-8; part=1 body left=unlabelled";
        assert_eq!(report(raw, "utf8"), done);
    }
}
