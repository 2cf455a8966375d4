//! One message: planned, and made anew when the plan says so.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::archive::report::Glimpse;
use crate::edit::EditList;
use crate::process::arrival::archived;
use crate::process::ruled_profiles::RuledProfiles;
use crate::protocol::mbox::{Dialect, Item};
use crate::rewrite::{Arrival, Change, Outcome, Place, Plan, Profile, Reason, Report, plan_arrived};

/// What became of one message.
#[derive(Debug, Clone, Default)]
pub struct Done {
    /// The profile that the message got; none where the usual one was not looked beyond.
    pub profile: Option<Arc<Profile>>,
    /// What was decided.
    pub report: Report,
    /// The message as it stands in its file now; none when it stays as it is.
    pub new: Option<Vec<u8>>,
    /// The edits that made it, for the way back.
    pub edits: EditList,
    /// Where the edited octets start in what stands in the file.
    pub shift: usize,
    /// Whether planning failed by a fault of septet, so that the message stays as it is.
    pub fault: bool,
    /// What a page shows of it; none where no page is made.
    pub glimpse: Option<Glimpse>,
}

impl Done {
    /// Keeps the edits where they are needed, and gives up their octets else.
    pub fn with_edits(mut self, needed: bool) -> Done {
        if !needed {
            self.edits = EditList::new();
        }
        self
    }

    /// Says which profile the message got.
    pub fn with_profile(self, profile: &Arc<Profile>) -> Done {
        Done { profile: Some(profile.clone()), ..self }
    }

    /// Makes that of a message that is not read, for a reason.
    pub fn left(reason: Reason) -> Done {
        Done { report: Report::whole(reason), ..Done::default() }
    }
}

/// The dialect that a mailbox file is in, and the one that it is to be written in.
#[derive(Debug, Clone, Copy)]
pub struct Dialects {
    /// As it is read.
    pub from: Dialect,
    /// The one that somebody chose for what is written.
    pub to: Option<Dialect>,
}

/// Converts the octets of a mailbox file from one From_ line to the next.
pub fn convert_item(raw: &[u8], profiles: &RuledProfiles, dialects: Dialects) -> Done {
    let Dialects { from, to } = dialects;
    let item = Item::of(raw);
    let (message, arrival) = (item.message_of(from), archived(item.from_line));
    let profile = profiles.of(&message, item.from_line);
    let Some(to) = to else {
        let mut done = convert(&message, profile, &arrival, |plan| item.rewritten_in(from, &message, &plan.edits));
        if done.new.as_deref().is_some_and(|new| gets_apart(&item, new)) {
            return Done::left(Reason::Separator).with_profile(profile);
        }
        if from.counts() {
            tell_of_length(&mut done.report);
        }
        return Done { shift: item.from_line.len(), ..done };
    };
    let done = convert(&message, profile, &arrival, |plan| item.in_dialect(to, &message, &plan.edits));
    let new = done.new.unwrap_or_else(|| item.in_dialect(to, &message, &EditList::new()));
    Done { new: Some(new).filter(|new| new != raw), shift: item.from_line.len(), ..done }
}

/// Tells whether a message that no empty line kept apart from the next would end in one: readers that ask for it before a
/// From_ line would see a message more than before, and others take the last line of the text for it.
fn gets_apart(item: &Item, new: &[u8]) -> bool {
    item.separator.is_empty() && !Item::of(new).separator.is_empty()
}

/// Says that a Content-Length that the plan took out, for it became untrue, was put back with its true value.
fn tell_of_length(report: &mut Report) {
    for entry in &mut report.entries {
        let place = entry.part.is_root() && entry.place == Place::Field("Content-Length".to_owned());
        match &mut entry.outcome {
            Outcome::Done(changes) if place => {
                *changes = vec![Change::Repaired { what: "content-length" }];
            }
            _ => {}
        }
    }
}

/// Converts a file that is one message; a From_ line before it stays.
pub fn convert_single(raw: &[u8], profiles: &RuledProfiles) -> Done {
    let (from_line, message) = Item::split_from_line(raw);
    let (arrival, profile) = (archived(from_line), profiles.of(message, from_line));
    let done = convert(message, profile, &arrival, |plan| [from_line, &plan.edits.apply(message)].concat());
    Done { shift: from_line.len(), ..done }
}

/// Converts a message that stood behind a From_ line; `new` is the message alone.
pub fn convert_message(message: &[u8], from_line: &[u8], profiles: &RuledProfiles) -> Done {
    let profile = profiles.of(message, from_line);
    convert(message, profile, &archived(from_line), |plan| plan.edits.apply(message))
}

/// Plans a message and applies the plan. A panic, which is a fault of septet, leaves the message as it is: one
/// message that can't be read must not end the conversion of a million others, nor be lost.
fn convert(message: &[u8], profile: &Arc<Profile>, arrival: &Arrival, apply: impl FnOnce(&Plan) -> Vec<u8>) -> Done {
    let planned = catch_unwind(AssertUnwindSafe(|| {
        let plan = plan_arrived(message, profile, arrival);
        let new = (!plan.edits.is_empty()).then(|| apply(&plan));
        Done { report: plan.report, new, edits: plan.edits, ..Done::default() }
    }));
    let lost = |_| Done { fault: true, ..Done::left(Reason::Internal("the planner panicked")) };
    planned.unwrap_or_else(lost).with_profile(profile)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_of_septet_leaves_the_message() {
        let message = b"Content-Type: text/plain; charset=iso-8859-1\n\ncaf\xe9\n";
        let done = convert(message, &Arc::default(), &Arrival::default(), |_| panic!("a fault, for a test"));
        assert!(done.fault && done.new.is_none());
        assert_eq!(done.report.to_string(), "message left=internal(the planner panicked)");
        assert!(
            convert_single(message, &RuledProfiles::one(Profile::default())).new.is_some(),
            "without the fault it changes"
        );
    }
}
