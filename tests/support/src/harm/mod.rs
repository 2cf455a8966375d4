//! The body of the fuzz target `proof`: harm is planted in plans, and the check must refuse it.
//!
//! A plan that is good is taken, and one thing more is done to its edits, of the kind that a fault of a planner could
//! do: a delimiter in a body, an empty line in a header, another charset in a label. [`septet::check`] is then asked.
//! What it lets through is a fault of the check, unless the message that comes of it reads as the good one does
//! (`reading.rs`): white space may move in a field, and a comment may go.
//!
//! One thing is not planted: another text in a body that is written anew. That a body reads back as its text is tried
//! where it is written (`crates/septet/src/rewrite/body`), and the check takes it from there.

mod plant;
mod reading;

use septet::message::Message;
use septet::{EditList, Outcome, Place, Plan, Profile, Reason, Span, check, plan};

use plant::{Harm, Planter};

/// A harm that was planted in the plan of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planted {
    /// What was done.
    pub harm: &'static str,
    /// What became of the message, where the check let it pass and the message reads otherwise than it should.
    pub passed: Option<Vec<u8>>,
}

/// Plants every kind of harm in the plan of a message and panics if the check lets one pass.
///
/// The first octet chooses a built-in profile, the second the places, the rest is the message.
pub fn fuzz_proof(input: &[u8]) {
    let [first, choice, raw @ ..] = input else { return };
    let Some(profile) = Profile::built_in(Profile::BUILT_IN[usize::from(*first) % Profile::BUILT_IN.len()]) else {
        return;
    };
    for Planted { harm, passed } in plant_harm(raw, &profile, usize::from(*choice)) {
        if let Some(passed) = passed {
            panic!("{}: {harm} passes\n{}\n{}", profile.name, raw.escape_ascii(), passed.escape_ascii());
        }
    }
}

/// Plants each kind of harm once in the plan of a message, at places that `choice` says, and gives what the check made
/// of it; nothing where there is no place, or no good plan. Panics where the check refuses the plan as it was made.
pub fn plant_harm(raw: &[u8], profile: &Profile, choice: usize) -> Vec<Planted> {
    let message = Message::read(raw, &profile.limits);
    let planned = plan(raw, profile);
    if !is_whole(&message, &planned, profile) {
        return Vec::new();
    }
    assert_eq!(check(raw, &planned, profile), Ok(()), "{}: {}", profile.name, raw.escape_ascii());
    let good = planned.edits.apply(raw);
    let planter = Planter { message: &message, edits: &planned.edits, choice };
    let tried = |harm: &Harm| {
        let edits: EditList = (harm.plant)(&planter)?;
        let harmed = edits.apply(raw);
        let passes = harmed != good && is_let_through(raw, &planned, edits, profile);
        let passes = passes && !reading::is_same(&good, &harmed, profile);
        Some(Planted { harm: harm.name, passed: passes.then_some(harmed) })
    };
    plant::HARMS.iter().filter_map(tried).collect()
}

/// Returns `true` if the plan of a message is one of all of it: it stays whole for no reason, be it changed or not.
fn is_whole(message: &Message, planned: &Plan, profile: &Profile) -> bool {
    use Reason::{Internal, Irregular, Limit, Unproved};
    let stays =
        |outcome: &Outcome| matches!(outcome, Outcome::Left(Irregular(_) | Internal(_) | Limit(_) | Unproved(_)));
    let mut whole = planned.report.entries.iter().filter(|entry| entry.place == Place::Message);
    !whole.any(|entry| stays(&entry.outcome)) && (!planned.edits.is_empty() || may_change(message, profile))
}

/// How many places are tried in a message that needs no change.
const TRIED: usize = 8;

/// Returns `true` if a message that needs no change might have one: nothing is put in somewhere, which the check allows
/// where readers agree on the message.
fn may_change(message: &Message, profile: &Profile) -> bool {
    let parts = message.parts().iter();
    let ends = parts.clone().filter(|part| part.header_irregularity.is_none()).map(|part| part.header.end).take(1);
    let values = parts.flat_map(|part| message.fields(part)).map(|field| field.value.start);
    let nothing_at = |at: usize| {
        let mut edits = EditList::new();
        edits.push(Span::empty(at), "").is_ok() && is_let_through(message.raw(), &Plan::default(), edits, profile)
    };
    ends.chain(values).take(TRIED).any(nothing_at)
}

/// Returns `true` if the check lets a plan pass whose edits are others now.
fn is_let_through(raw: &[u8], planned: &Plan, edits: EditList, profile: &Profile) -> bool {
    let mut harmed = planned.clone();
    harmed.edits = edits;
    check(raw, &harmed, profile).is_ok()
}
