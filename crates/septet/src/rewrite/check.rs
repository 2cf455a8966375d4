//! The check of a plan by whoever has it: each of its steps is done again, and proved as it was when it was planned.

use std::borrow::Cow;
use std::collections::BTreeMap;

use thiserror::Error;

use super::ensure::ensure;
use super::proof::Claim;
use super::step::{Step, StepScope};
use super::survey::Survey;
use super::survey::evidence::Evidence;
use super::survey::gate::Gate;
use super::{Plan, Profile, beyond_a_limit, conformance, dkim2, second_reader};
use crate::edit::EditList;
use crate::message::Message;

/// Checks that the edits of a plan do to a message what the plan says, and no harm.
///
/// `before` is the message as it came, octet for octet, and `profile` the one that it was planned by. The edits are
/// applied, and the result is read by septet, and by mail-parser unless it is one text: it must have the same parts,
/// fields and texts, but for what the plan changes. [`plan`](super::plan()) has every plan proved so before it gives
/// it; this is for those who have changed the edits since, have stored the plan, or trust nobody. It takes as long as
/// planning does, or less. A plan without edits is fine.
///
/// What is checked is harm, not zeal: a plan of which the edits of one field were taken out is still a good one. The
/// report is not looked at.
///
/// ```
/// use septet::{CheckError, Profile, Span, check, plan};
///
/// let profile = Profile::default();
/// let raw = b"Subject: =?iso-8859-1?Q?caf=E9?=\n\nhello\n";
/// let mut plan = plan(raw, &profile);
/// assert!(!plan.edits.is_empty());
/// assert_eq!(check(raw, &plan, &profile), Ok(()));
///
/// let other = b"Subject: another message\n\nhello\n";
/// assert!(check(other, &plan, &profile).is_err());
///
/// plan.edits.push(Span::empty(0), "\n").unwrap();
/// let error = check(raw, &plan, &profile).unwrap_err();
/// assert_eq!(error, CheckError::Unproved("an edit in a header, and in no field"));
/// assert_eq!(error.to_string(), "the edits do not make what was planned: an edit in a header, and in no field");
/// ```
///
/// # Errors
///
/// [`CheckError::Unproved`] where the edits would do something else than the plan says, or stand where none may: they
/// were changed, the plan is another message's, or it was made by another profile.
pub fn check(before: &[u8], plan: &Plan, profile: &Profile) -> Result<(), CheckError> {
    prove(before, plan, profile).map_err(CheckError::Unproved)
}

/// Why a plan must not be carried out: the message stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The edits do not make what was planned: what is another thing than it should be.
    #[error("the edits do not make what was planned: {0}")]
    Unproved(&'static str),
}

/// Proves a plan; the error says what is another thing than it should be. Its steps are proved one after the other,
/// each on what those before it made, and at the end all of them must come to what its edits make at once: else the
/// edits could do what no step does.
fn prove(before: &[u8], plan: &Plan, profile: &Profile) -> Result<(), &'static str> {
    if plan.edits.is_empty() {
        return Ok(());
    }
    let limit = beyond_a_limit(&Message::read(before, &profile.limits));
    ensure(limit.is_none(), "an edit of a message beyond a limit")?;
    // Edits that nobody asked for are proved as such: they may write a field otherwise, and no more.
    let nothing_asked = [Step::default()];
    let steps = if plan.steps.is_empty() { &nothing_asked } else { plan.steps.as_slice() };
    let replay = Replay { profile, plain: conformance::without_conversion(profile) };
    let made = replay.prove_steps(before, steps, &plan.edits)?;
    ensure(made == plan.edits.apply(before), "another message than the steps of the plan make")
}

/// Does the steps of plans by one profile again.
struct Replay<'p> {
    profile: &'p Profile,
    /// The profile that defects are fixed by. Its limits are those for what was fixed so far, which may be longer than
    /// what came.
    plain: Profile,
}

impl Replay<'_> {
    /// Proves all steps, and returns what they make of a message; `edits` are those of a step that has none of its own.
    /// The second reader compares what a run of fixes made with what it started from, as a conversion is compared by
    /// its own proof and a single fix is not. The edits of each step count in what those before it made, so they must
    /// be in the order in which they were planned.
    fn prove_steps<'m>(
        &self,
        before: &'m [u8],
        steps: &[Step],
        edits: &EditList,
    ) -> Result<Cow<'m, [u8]>, &'static str> {
        let mut octets = Cow::Borrowed(before);
        for run in steps.chunk_by(|one, other| one.scope.is_fix() == other.scope.is_fix()) {
            let is_fix = run.iter().any(|step| step.scope.is_fix());
            let came = if is_fix { octets.clone() } else { Cow::Borrowed(before) };
            for step in run {
                let edits = step.edits.as_ref().unwrap_or(edits);
                let after = self.prove_step(before, &octets, step, edits)?;
                octets = Cow::Owned(after);
            }
            let limits = &self.plain.limits;
            let shows_all =
                !is_fix || conformance::shows_the_same_parts(&Message::read(&came, limits), &octets, limits);
            ensure(shows_all, second_reader::OTHER_PARTS)?;
        }
        Ok(octets)
    }

    /// Proves one step, and returns what it makes of a message, which was `came` before the first. Fixes are proved by
    /// the profile that they were planned by, which converts nothing. A step of a new scope is proved as a conversion
    /// unless it gets a branch here.
    fn prove_step(&self, came: &[u8], octets: &[u8], step: &Step, edits: &EditList) -> Result<Vec<u8>, &'static str> {
        let mut places = edits.as_slice().iter().map(|edit| edit.at);
        ensure(places.all(|at| at.start <= at.end && at.end <= octets.len()), "an edit behind the end of the message")?;
        let message = Message::read(octets, &self.plain.limits);
        let profile = if step.scope.is_fix() { &self.plain } else { self.profile };
        // No value is taken for proved: whoever has the plan may have changed it.
        let evidence = Evidence::of(&message, profile);
        let claim = Claim {
            message: &message,
            profile,
            edits,
            step,
            beside: &|index| evidence.beside_header(index),
            gate: &Gate::of(&message),
            proved: &BTreeMap::new(),
        };
        match step.scope {
            StepScope::LineEnds => conformance::prove_line_ends(&Survey::of(&evidence, step.scope), edits)?,
            StepScope::Instance => dkim2::prove(came, octets, edits)?,
            _ => claim.prove()?,
        }
        Ok(edits.apply(octets))
    }
}
