//! The body of the fuzz target `proof`: harm is planted in plans, and the proof must refuse it.
//!
//! A plan that is good is taken, and one thing more is done to its edits, of the kind that a fault of a planner could
//! do: a delimiter in a body, an empty line in a header, another charset in a label. The proof is then asked again. What
//! it lets through is a fault of the proof, unless the message that comes of it reads as the good one does
//! ([`reading`]): white space may move in a field, and a comment may go.
//!
//! One thing is not planted: another text in a body that is written anew. That a body reads back as its text is tried
//! where it is written (`rewrite/body`), and the proof takes it from there.

mod plant;
mod reading;

use crate::edit::EditList;
use crate::message::Message;
use crate::rewrite::proof::Claim;
use crate::rewrite::{BUILT_IN, Planner, Profile, Scope};
use plant::{Harm, Planter};

/// A harm that was planted in the plan of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planted {
    /// What was done.
    pub harm: &'static str,
    /// What became of the message, where the proof let it pass and the message reads otherwise than it should.
    pub passed: Option<Vec<u8>>,
}

/// Plants every kind of harm in the plan of a message and panics if the proof lets one pass; for fuzzing and tests.
///
/// The first octet chooses a built-in profile, the second the places, the rest is the message.
pub fn fuzz_proof(input: &[u8]) {
    let [first, choice, raw @ ..] = input else { return };
    let Some(profile) = Profile::built_in(BUILT_IN[usize::from(*first) % BUILT_IN.len()]) else { return };
    for Planted { harm, passed } in plant_harm(raw, &profile, usize::from(*choice)) {
        if let Some(passed) = passed {
            panic!("{}: {harm} passes\n{}\n{}", profile.name, raw.escape_ascii(), passed.escape_ascii());
        }
    }
}

/// Plants each kind of harm once in the plan of a message, at places that `choice` says, and gives what the proof made
/// of it; nothing where there is no place, or no good plan.
pub fn plant_harm(raw: &[u8], profile: &Profile, choice: usize) -> Vec<Planted> {
    let message = Message::read(raw, &profile.limits);
    let mut planner = Planner::new(&message, profile, Scope::Whole);
    if message.limit().is_some() || planner.plan().is_err() {
        return Vec::new();
    }
    let hint = |index: usize| planner.hint(index);
    let claim = |edits: &EditList| {
        let (bodies, proved, fixes) = (&planner.bodies, &planner.proved, &planner.fixes);
        Claim { message: &message, profile, edits, bodies, hint: &hint, proved, fixes }.prove().is_ok()
    };
    if !claim(&planner.edits) {
        return Vec::new();
    }
    let good = planner.edits.apply(raw);
    let planter = Planter { message: &message, edits: &planner.edits, choice };
    let tried = |harm: &Harm| {
        let edits: EditList = (harm.plant)(&planter)?;
        let harmed = edits.apply(raw);
        let passes = harmed != good && claim(&edits) && !reading::is_same(&good, &harmed, profile);
        Some(Planted { harm: harm.name, passed: passes.then_some(harmed) })
    };
    plant::HARMS.iter().filter_map(tried).collect()
}
