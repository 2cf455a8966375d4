//! One message: which profile it gets, what becomes of it, and the edits that do it. Whatever the protocol.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::envelope::{Envelope, ReceivedMessage};
use super::forged;
use super::outcome::{Details, MessageOutcome, Verdict};
use super::own_name::own_name;
use super::settings::DaemonSettings;
use super::transport::Route;
use super::x_septet;
use crate::config::{Forged, Listener, Size};
use crate::edit::{EditList, OverlapError, Span};
use crate::process::arrival;
use crate::rewrite::{
    Entry, Plan, Profile, Reason, Report, most_planning_memory, plan_arrived, planning_memory, reading_memory,
};

/// The octets that an MTA may add to a message before it measures it, such as its Received.
const FIELDS_OF_MTA: usize = 1 << 10;

/// What is said of a message that came by a connection which is older than the settings that want it.
const NOT_SHOWN: &str = "message left=not-allowed(the connection is older than the settings)";

/// What is said of a message that would hold more than the memory that is left.
const OVER_MEMORY_LIMIT: &str = "message left=memory";

/// How a message is to be treated: chosen when it is whole, before it is planned.
#[derive(Debug, Clone)]
pub struct MessagePolicy {
    settings: Arc<DaemonSettings>,
    /// The profile, in the form that the message's route can carry; none for a message that is skipped.
    profile: Option<Arc<Profile>>,
    /// The octets that are taken of it behind us, if that is known.
    max_size: Option<usize>,
    /// Whether there is no memory for it: `on_error` decides then.
    over_memory_limit: bool,
    /// Whether nothing of it was shown to us, since older settings had no use for it.
    not_shown: bool,
    /// The name that septet goes by.
    host: String,
}

/// What becomes of a message, and the edits that do it.
#[derive(Debug)]
pub struct Decided {
    /// What becomes of it once the edits are made.
    pub outcome: MessageOutcome,
    /// The edits, X-Septet among them where it is wanted; none unless the message is taken.
    pub edits: EditList,
}

impl MessagePolicy {
    /// Chooses for a message that is whole, for which there was memory.
    ///
    /// Where the settings treat all messages of a listener alike, the message is not looked at.
    pub fn of(
        settings: &Arc<DaemonSettings>,
        listener: &Listener,
        envelope: &Envelope<'_>,
        message: &impl ReceivedMessage,
        route: Route,
    ) -> MessagePolicy {
        let profile = match settings.is_uniform() {
            true => Some(settings.profile_name(listener)),
            false => envelope.with_context(message, |context| settings.choose(listener, context)),
        };
        let max_size = settings.config.limits.max_size.map(|Size(octets)| match route {
            Route::Mta(_) => octets.saturating_sub(FIELDS_OF_MTA),
            Route::NextHop(_) => octets,
        });
        let host = own_name(&settings.config, listener).to_owned();
        let profile = profile.and_then(|name| settings.config.profile(name));
        let profile = profile.map(|profile| route.fit(profile, &settings.aliases));
        let settings = Arc::clone(settings);
        MessagePolicy { settings, profile, max_size, over_memory_limit: false, not_shown: false, host }
    }

    /// Makes it that of a message of which no more than so many octets are taken behind us, if that is known; the
    /// smaller limit counts.
    pub fn within(self, max_size: Option<u64>) -> MessagePolicy {
        let known = max_size.map(|octets| usize::try_from(octets).unwrap_or(usize::MAX));
        MessagePolicy { max_size: self.max_size.into_iter().chain(known).min(), ..self }
    }

    /// Returns the profile's name; none for a message that is skipped.
    pub fn profile(&self) -> Option<&str> {
        self.profile.as_deref().map(|profile| profile.name.as_str())
    }

    /// Returns `true` if [`MessagePolicy::decide`] would plan the message, as far as can be told without it: it may
    /// still be over a limit.
    pub fn plans(&self) -> bool {
        !self.over_memory_limit && !self.not_shown && self.changing().is_some()
    }

    /// Estimates the octets that planning these takes, beside themselves.
    pub fn planning_memory(&self, raw: &[u8]) -> usize {
        self.changing().map_or(0, |profile| planning_memory(raw, profile))
    }

    /// Returns the octets that planning these takes at the most, whatever is in them.
    pub fn most_planning_memory(&self, raw: &[u8]) -> usize {
        self.changing().map_or(0, |profile| most_planning_memory(raw, &profile.limits))
    }

    /// Estimates the octets that [`planning_memory`](Self::planning_memory) takes itself, which reads the message.
    pub fn weighing_memory(&self, raw: &[u8]) -> usize {
        self.changing().map_or(0, |profile| reading_memory(raw, &profile.limits))
    }

    /// Makes it that of a message of which nothing was shown: the client connected when the settings had no use for it.
    pub fn not_shown(self) -> MessagePolicy {
        MessagePolicy { not_shown: true, ..self }
    }

    /// Makes it that of a message for which there is no memory.
    pub fn without_room(self) -> MessagePolicy {
        MessagePolicy { over_memory_limit: true, ..self }
    }

    /// Returns the profile; none where it changes nothing on this route, or the message is skipped.
    fn changing(&self) -> Option<&Profile> {
        self.profile.as_deref().filter(|profile| !profile.is_identity())
    }

    /// Decides about the message, and plans it where that has to be.
    ///
    /// Where no profile applies, or the profile changes nothing on this way, the message passes unread, as it came:
    /// whatever it says in septet's name, and whether or not it was kept; so that comes first. A panic, which would be
    /// a fault of septet, is caught: the message then goes the way of `on_error`.
    pub fn decide(&self, message: &impl ReceivedMessage) -> Decided {
        let Some(profile) = self.changing() else {
            let result = if self.profile.is_some() { "unchanged" } else { "skipped" };
            return Decided::whole(MessageOutcome::untouched(result));
        };
        if self.not_shown {
            return Decided::whole(self.not_allowed(NOT_SHOWN.to_owned()));
        }
        if self.over_memory_limit {
            let verdict = Verdict::of_fault(self.settings.config.on_error, "no memory for the message now");
            return self.leave(message, MessageOutcome::left(verdict, "memory", OVER_MEMORY_LIMIT.to_owned()));
        }
        if let Some(limit) = message.over() {
            return self.carry_out(message, Plan::left(Reason::Limit(limit)));
        }
        match catch_unwind(AssertUnwindSafe(|| plan_arrived(message.raw(), profile, &arrival::now(&self.host)))) {
            Ok(plan) => self.carry_out(message, plan),
            Err(_) => self.leave(message, self.planner_failed()),
        }
    }

    /// Returns what becomes of a message whose planning failed: a fault of septet.
    pub fn planner_failed(&self) -> MessageOutcome {
        self.failed("the planner failed; please report it".to_owned())
    }

    /// Returns what becomes of a message whose edits can't be handed over: a fault of septet.
    pub fn failed(&self, why: String) -> MessageOutcome {
        MessageOutcome::failed(&self.settings.config, why)
    }

    /// Returns what becomes of a message whose edits the other side does not allow: it is taken as it is. That is a
    /// matter of the MTA's settings, and no fault of septet.
    pub fn not_allowed(&self, why: String) -> MessageOutcome {
        MessageOutcome::left(Verdict::Accept, "not-allowed", why)
    }

    /// Returns what becomes of a message of which something could not be proved before it left: a fault of septet.
    pub fn unproved(&self, what: &'static str) -> MessageOutcome {
        MessageOutcome::of(&self.settings.config, Report::whole(Reason::Unproved(what)))
    }

    /// Leaves a message as it came, but for what it says in septet's name, and adds X-Septet where that is wanted and
    /// the message stays small enough with it. One that is refused gets no edits.
    pub fn leave(&self, message: &impl ReceivedMessage, mut outcome: MessageOutcome) -> Decided {
        let mut edits = EditList::new();
        if !outcome.is_taken() {
            return Decided::whole(outcome);
        }
        match self.take_out_forged(message, &mut edits) {
            Ok(entries) => outcome.add(entries),
            Err(overlap) => return Decided::whole(self.failed(overlap.to_string())),
        }
        // No field is one of no octets.
        let field = self.field(&outcome).unwrap_or_default();
        let fits = self.outgrown(message.size(), edits.length_after(message.size()) + field.len()).is_none();
        if fits && !field.is_empty() {
            // No edit goes over the place that is chosen.
            let _ = edits.push(end_of_fields(message, &edits), field);
        }
        Decided::changed(message, outcome, edits)
    }

    /// Decides about a message by its plan, or by the plan that leaves it.
    fn carry_out(&self, message: &impl ReceivedMessage, mut plan: Plan) -> Decided {
        match self.take_out_forged(message, &mut plan.edits) {
            Ok(entries) => plan.report.entries.extend(entries),
            Err(overlap) => return Decided::whole(self.failed(overlap.to_string())),
        }
        self.add_field(message, MessageOutcome::of(&self.settings.config, plan.report), plan.edits)
    }

    /// Adds edits that take out the fields X-Septet which only septet may write, and returns the decisions. They stay
    /// where it writes none itself, or where `forged_x_septet` says so.
    fn take_out_forged(
        &self,
        message: &impl ReceivedMessage,
        edits: &mut EditList,
    ) -> Result<Vec<Entry>, OverlapError> {
        let config = &self.settings.config;
        match config.x_septet && config.forged_x_septet == Forged::Drop {
            true => forged::take_out(message, &self.host, edits),
            false => Ok(Vec::new()),
        }
    }

    /// Adds the field that says what was done, where it is wanted; a message that its edits make too large is left
    /// instead. One that is refused gets no edits.
    fn add_field(&self, message: &impl ReceivedMessage, outcome: MessageOutcome, mut edits: EditList) -> Decided {
        if !outcome.is_taken() {
            return Decided::whole(outcome);
        }
        let field = self.field(&outcome);
        if let Err(overlap) = field.map_or(Ok(()), |field| edits.push(end_of_fields(message, &edits), field)) {
            return Decided::whole(self.failed(overlap.to_string()));
        }
        let after = edits.length_after(message.size());
        match self.outgrown(message.size(), after) {
            Some(limit) => self.leave(message, left_for_size(after, limit)),
            None => Decided::changed(message, outcome, edits),
        }
    }

    /// Writes the field that says what was done; none where it is not wanted, or nothing was decided.
    fn field(&self, outcome: &MessageOutcome) -> Option<String> {
        let host = &self.host;
        match &outcome.details {
            _ if !self.settings.config.x_septet => None,
            Details::Report(report) => x_septet::field(host, report),
            Details::Left { text, .. } | Details::Failed(text) => Some(x_septet::left(host, text)),
        }
    }

    /// Returns the limit that a message outgrows by its edits; none for one that does not grow, which was too large
    /// before if it is now.
    fn outgrown(&self, before: usize, after: usize) -> Option<usize> {
        self.max_size.filter(|&limit| after > limit && after > before)
    }
}

impl Decided {
    /// Makes these edits.
    fn changed(message: &impl ReceivedMessage, mut outcome: MessageOutcome, edits: EditList) -> Decided {
        outcome.bytes_after = (!edits.is_empty()).then(|| edits.length_after(message.size()));
        Decided { outcome, edits }
    }

    /// Leaves the message as it is.
    fn whole(outcome: MessageOutcome) -> Decided {
        Decided { outcome, edits: EditList::new() }
    }
}

/// Returns where a field of septet's own goes: to the end of the header, or in front of an edit that reaches over that
/// end, as the one that takes a forged field out may.
fn end_of_fields(message: &impl ReceivedMessage, edits: &EditList) -> Span {
    let end = message.header_end();
    let over = edits.as_slice().iter().map(|edit| edit.at).find(|at| at.start < end && end < at.end);
    Span::empty(over.map_or(end, |at| at.start))
}

/// Makes the outcome of a message that is left since it would be refused for its size.
fn left_for_size(after: usize, limit: usize) -> MessageOutcome {
    let text = format!("message left=max-size({after} octets, over {limit})");
    MessageOutcome::left(Verdict::Accept, "max-size", text)
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::*;
    use crate::config::Settings;

    #[test]
    fn what_is_not_proved_is_a_fault_of_our_own() {
        let policy = MessagePolicy {
            settings: Arc::new(DaemonSettings::new(Settings::default())),
            profile: None,
            max_size: None,
            over_memory_limit: false,
            not_shown: false,
            host: "mx.example".to_owned(),
        };
        let outcome = policy.unproved("what the MTA would deliver");
        assert_eq!(outcome.details.to_string(), "message left=unproved(what the MTA would deliver)");
        assert_eq!((outcome.level(), outcome.counted_as()), (Level::ERROR, "left"));
    }
}
