//! What a second run would do.
//!
//! A plan that leaves nothing has read all there is, and what it writes is canonical: a second run finds nothing to do.
//! What a plan leaves may be read by what the rest of the message says; rules see to it that what is left is not read
//! otherwise once the rest has changed ([`agree`](mod@super::agree)). Three kinds have no rule, for it would keep much
//! that may change:
//!
//! - statistics are asked of all texts together that nobody can read, and of fewer once some are converted;
//! - a text that keeps its charset testifies by its letters, and loses some to its links;
//! - a limit counts what is written.
//!
//! Where one of these may be, the result is planned once more, and if that would change anything, nothing changes.
//!
//! Fixes and conversion also ask for each other: a conversion may move the Message-ID that a message must have. So what
//! is still to be fixed in the result is fixed and converted once more, a few times; where even that is not the end,
//! nothing is fixed.
//!
//! The second plan is never proved, so it takes less memory than the first did with its proof: the estimate of what a
//! message takes ([`planning_memory`](super::planning_memory)) stays true.

use super::chosen_places::Choice;
use super::step::StepScope;
use super::survey::Survey;
use super::survey::evidence::Evidence;
use super::{
    Arrival, BodyCharset, Change, Entry, Iris, Outcome, Plan, Profile, Reason, Unlabelled, beyond_a_limit, conformance,
    then_convert, write_decided,
};
use crate::message::Message;

/// Returns `true` if a second run would change nothing more of the message `raw`. It is tried only where the plan
/// changes something and leaves something, and one of the kinds may be there that no rule covers; of a plan of some
/// places alone it must not be asked, for a second run would change the others.
pub(super) fn is_stable(raw: &[u8], plan: &Plan, profile: &Profile) -> bool {
    if plan.edits.is_empty() || !may_read_otherwise(plan, profile) {
        return true;
    }
    let result = plan.edits.apply(raw);
    let result = Message::read(&result, &profile.limits);
    if beyond_a_limit(&result).is_some() {
        return true;
    }
    let evidence = Evidence::of(&result, profile);
    let survey = Survey::of(&evidence, StepScope::Whole);
    let again = write_decided(&survey);
    // Where edits overlap, nothing is carried out.
    again.overlaps || again.edits.is_empty()
}

/// Returns `true` if what a plan leaves may be read otherwise in its result, for a reason that no rule covers: each of
/// the three kinds of this file's head must be asked about here.
fn may_read_otherwise(plan: &Plan, profile: &Profile) -> bool {
    let keeps_charsets = profile.charset == BodyCharset::Keep && profile.iris != Iris::Keep;
    let is_open = keeps_charsets || profile.unlabelled.contains(&Unlabelled::Detect);
    let mut left = plan.report.entries.iter().filter_map(|entry| entry.outcome.reason());
    left.any(|reason| is_open || matches!(reason, Reason::Limit(_)))
}

/// Why nothing is fixed in a message in which every run would change more.
pub(super) const UNSETTLED: &str = "a second run would change more";

/// How often fixes and conversion may ask for each other; the last time nothing may be found any more. Each round is in
/// the estimate of what planning takes (`cost.rs`).
const ROUNDS: usize = 3;

/// Adds to a plan what its own conversion made necessary, fixes and what is to be converted of these: one that moves a
/// Message-ID to another name leaves it missing, and two lists of addresses may become one once both are in ASCII. None
/// where the last of [`ROUNDS`] would still change something. `planned` must be the plan of `raw`, by the same profile,
/// arrival and choice.
pub(super) fn fix_once_more(
    mut planned: Plan,
    raw: &[u8],
    profile: &Profile,
    arrival: &Arrival,
    choice: &Choice,
) -> Option<Plan> {
    // However long it has become.
    let limits = profile.limits.of_any_size();
    for _ in 0..ROUNDS {
        let result = planned.edits.apply(raw);
        let (fixes, fixed) = conformance::plan(&Message::read(&result, &limits), profile, arrival);
        let mut next = then_convert(fixes, &fixed, profile, choice);
        if next.edits.is_empty() {
            return Some(planned);
        }
        // What can't be fixed, and what is left, was reported by the first run.
        next.report.entries.retain(|it| matches!(it.outcome, Outcome::Done(_)));
        planned.report.entries.retain(|left| !next.report.entries.iter().any(|done| is_fixed_now(left, done)));
        planned = planned.then(&result, next);
    }
    None
}

/// Returns `true` if what was left unfixed of a place is `done` there now. Places of several fields of a name are not
/// told apart.
fn is_fixed_now(left: &Entry, done: &Entry) -> bool {
    let Outcome::Left(Reason::Unfixed { defect, .. }) = left.outcome else { return false };
    let is_same = (&left.part, &left.place) == (&done.part, &done.place);
    is_same && done.outcome.changes().contains(&Change::Fixed { defect })
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
