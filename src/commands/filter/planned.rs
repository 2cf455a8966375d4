//! What becomes of a message that came by the pipe, whether alone or in a batch.

use std::iter;

use crate::config::{Action, Settings};
use crate::face::in_file::plan_alone;
use crate::message::{LimitReached, Limits};
use crate::process::allocator::{has_room, is_limited};
use crate::process::arrival;
use crate::process::decide::{Decision, strictest};
use crate::rewrite::{Arrival, Plan, Profile, Reason, Report, planning_memory, reading_memory};

/// The octets that the process keeps for itself.
const SPARE: usize = 2 << 20;

/// A message, split from its From_ line, and its plan.
pub struct Planned<'m> {
    from_line: &'m [u8],
    message: &'m [u8],
    /// What is done to it.
    pub plan: Plan,
}

impl<'m> Planned<'m> {
    /// Plans what a profile makes of a message that arrives now, by this host; of the From_ line before it counts what
    /// it says.
    pub fn new(settings: &Settings, profile: &Profile, from_line: &'m [u8], message: &'m [u8]) -> Planned<'m> {
        let host = arrival::name_for(settings.hostname.as_deref(), profile);
        let arrival = Arrival { from_line: Arrival::archived(from_line).from_line, ..arrival::now(host) };
        Planned { from_line, message, plan: plan_alone(message, profile, &arrival) }
    }

    /// Returns the pieces of what it is afterwards, in order, the From_ line first.
    pub fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        iter::once(self.from_line).chain(self.plan.edits.pieces(self.message))
    }

    /// Returns how many octets it has afterwards: as many as [`pieces`](Planned::pieces) gives.
    pub fn length(&self) -> usize {
        self.from_line.len() + self.plan.edits.length_after(self.message.len())
    }
}

/// Returns the profile's report on a message over the limit, which goes through untouched; a profile that changes
/// nothing reports nothing.
pub fn over_limit(profile: &Profile) -> Report {
    let limit = Reason::Limit(LimitReached::MessageBytes(profile.limits.message_bytes));
    if profile.is_identity() { Report::default() } else { Report::whole(limit) }
}

/// Returns why the settings do not let a message pass, if they don't.
pub fn refused<'r>(settings: &Settings, report: &'r Report) -> Option<Decision<'r>> {
    strictest(settings, report).filter(|decision| decision.action != Action::Accept)
}

/// Succeeds if the process has room to read a message, as far as it has a limit of its own: to find its profile, or
/// what planning it takes.
pub fn room_to_read(message: &[u8], limits: &Limits) -> Result<(), ()> {
    room_for(|| reading_memory(message, limits))
}

/// Succeeds if the process has room to plan a message, as far as it has a limit of its own.
pub fn room_to_plan(message: &[u8], profile: &Profile) -> Result<(), ()> {
    room_for(|| planning_memory(message, profile))
}

/// Succeeds if the process may have so many octets more, as far as it has a limit of its own; without one they are not
/// asked for.
pub fn room_for(octets: impl FnOnce() -> usize) -> Result<(), ()> {
    if !is_limited() || has_room(octets().saturating_add(SPARE)) { Ok(()) } else { Err(()) }
}
