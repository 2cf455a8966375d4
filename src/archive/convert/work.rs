//! One message: planned, and made anew when the plan says so.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::SingleMessage;
use super::deleted::is_deleted;
use crate::archive::decisions::DecidedProfiles;
use crate::archive::report::Preview;
use crate::edit::EditList;
use crate::face::in_file::plan_alone;
use crate::face::in_mailbox::{carry_out, plan_item};
use crate::protocol::mbox::{Dialect, MboxMessage};
use crate::rewrite::{Arrival, Plan, Profile, Reason, Report};

/// What became of one message.
#[derive(Debug, Clone, Default)]
pub struct ConvertedMessage {
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
    /// Whether Thunderbird marked it deleted.
    pub deleted: bool,
    /// Whether it is left out of the output for that.
    pub left_out: bool,
    /// What a page shows of it; none where no page is made.
    pub preview: Option<Preview>,
}

impl ConvertedMessage {
    /// Says which profile the message got.
    pub fn with_profile(self, profile: &Arc<Profile>) -> ConvertedMessage {
        ConvertedMessage { profile: Some(profile.clone()), ..self }
    }

    /// Looks whether the message is marked deleted. One that is to be left out then becomes nothing, and has no report
    /// and no preview, though it was planned. `message` starts with its header, behind any From_ line.
    pub fn looked_at_for_deletion(self, message: &[u8], leave_out: bool) -> ConvertedMessage {
        let deleted = is_deleted(message);
        if !(deleted && leave_out) {
            return ConvertedMessage { deleted, ..self };
        }
        let (profile, new) = (self.profile, Some(Vec::new()));
        ConvertedMessage { profile, new, deleted, left_out: true, ..ConvertedMessage::default() }
    }

    /// Makes that of a message that is not read, and stays as it is, for this reason.
    pub fn left(reason: Reason) -> ConvertedMessage {
        ConvertedMessage { report: Report::whole(reason), ..ConvertedMessage::default() }
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

/// Converts a message of a mailbox file; `new` is the message as it stands in the file, quoted, with its From_ line.
/// In its own dialect it is left where the result would be more messages than one to others; another dialect quotes
/// or counts it anew.
pub fn convert_item(item: &MboxMessage, profiles: &DecidedProfiles, dialects: Dialects) -> ConvertedMessage {
    let Dialects { from, to } = dialects;
    let message = item.message_of(from);
    let stored = Stored { message: &message, from_line: item.from_line, among: Some((item, from)) };
    let Some(to) = to else {
        let done = stored.convert(profiles, |plan| carry_out(plan, item, from, &message));
        return ConvertedMessage { shift: item.from_line.len(), ..done };
    };
    let done = stored.convert(profiles, |plan| changed(plan, |edits| item.in_dialect(to, &message, edits)));
    let new = done.new.unwrap_or_else(|| item.in_dialect(to, &message, &EditList::new()));
    ConvertedMessage { new: Some(new).filter(|new| !item.is(new)), shift: item.from_line.len(), ..done }
}

/// Converts a file that is one message; what stands around it stays, but for the octets that Apple Mail states. `new`
/// and `edits` are those of the whole file. One whose stated octets are wrong is left unread.
pub fn convert_single(raw: &[u8], profiles: &DecidedProfiles) -> ConvertedMessage {
    let single = SingleMessage::of(raw);
    if single.is_miscounted() {
        let profile = profiles.of(single.message, single.from_line);
        return ConvertedMessage::left(Reason::Miscounted).with_profile(profile);
    }
    let done = convert_message(single.message, single.from_line, None, profiles);
    let Some(new) = &done.new else { return done };
    match single.edits(&done.edits) {
        Ok(edits) => ConvertedMessage { new: Some(single.around(new)), edits, ..done },
        Err(_) => {
            let left = ConvertedMessage::left(Reason::Internal("edits of a file overlap"));
            ConvertedMessage { fault: true, profile: done.profile, ..left }
        }
    }
}

/// Converts a message that stood behind a From_ line, without its quoting, and `among` others perhaps; `new` is the
/// message alone.
pub fn convert_message(
    message: &[u8],
    from_line: &[u8],
    among: Option<(&MboxMessage, Dialect)>,
    profiles: &DecidedProfiles,
) -> ConvertedMessage {
    let stored = Stored { message, from_line, among };
    stored.convert(profiles, |plan| changed(plan, |edits| edits.apply(message)))
}

/// Makes a message of a plan's edits; none where there are no edits, so that it stays as it is.
fn changed(plan: &Plan, apply: impl FnOnce(&EditList) -> Vec<u8>) -> Option<Vec<u8>> {
    (!plan.edits.is_empty()).then(|| apply(&plan.edits))
}

/// A message, and where it stands.
struct Stored<'m> {
    message: &'m [u8],
    from_line: &'m [u8],
    /// As it is among others in a mailbox file, and the dialect of that; none of a message by itself.
    among: Option<(&'m MboxMessage<'m>, Dialect)>,
}

impl Stored<'_> {
    /// Plans it, and has `make` make it anew by the plan; none where it stays. A panic, which is a fault of septet,
    /// leaves the message as it is: one message that can't be read must not end the conversion of a million others, nor
    /// be lost.
    fn convert(&self, profiles: &DecidedProfiles, make: impl FnOnce(&mut Plan) -> Option<Vec<u8>>) -> ConvertedMessage {
        let profile = profiles.of(self.message, self.from_line);
        let planned = catch_unwind(AssertUnwindSafe(|| {
            let mut plan = profiles.obey(self.plan(profile), self.message, profile);
            let new = make(&mut plan);
            ConvertedMessage { report: plan.report, new, edits: plan.edits, ..ConvertedMessage::default() }
        }));
        let left = || ConvertedMessage::left(Reason::Internal("the planner panicked"));
        planned.unwrap_or_else(|_| ConvertedMessage { fault: true, ..left() }).with_profile(profile)
    }

    /// Plans it as one message among others, or alone.
    fn plan(&self, profile: &Profile) -> Plan {
        let arrival = Arrival::archived_for(profile, self.from_line);
        match self.among {
            Some((item, dialect)) => plan_item(item, dialect, self.message, profile, &arrival),
            None => plan_alone(self.message, profile, &arrival),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::ruled_profiles::RuledProfiles;

    #[test]
    fn a_fault_of_septet_leaves_the_message() {
        let message = b"Content-Type: text/plain; charset=iso-8859-1\n\ncaf\xe9\n";
        let profiles = RuledProfiles::one(Profile::default()).into();
        let stored = Stored { message, from_line: b"", among: None };
        let done = stored.convert(&profiles, |_| panic!("a fault, for a test"));
        assert!(done.fault && done.new.is_none());
        assert_eq!(done.report.to_string(), "message left=internal(the planner panicked)");
        assert!(convert_single(message, &profiles).new.is_some(), "without the fault it changes");
    }
}
