//! `[limits]`: how much of a message is read, and how much of the machine the daemon takes.

use std::time::Duration;

use super::action::Actions;
use super::keys::{Keys, SettingsTable};
use super::quantity::{Amount, Size};
use crate::rewrite::Limits;

/// The most octets of a field that a milter may ask for: Postfix cuts a longer one, and says nothing.
const MILTER_FIELD: usize = 59_000;

/// The most connections: Linux gives no process more open files (`fs.nr_open`), unless somebody has raised that.
const DESCRIPTORS: usize = 1 << 20;

/// Returns the place for a number of connections at once, which has a bound.
pub(super) fn connections(place: &mut usize) -> Amount<'_> {
    Amount::count(place).at_most(DESCRIPTORS, "no process has so many open files")
}

/// `[limits]`: how much of a message is read, and how much of the machine the daemon takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitSettings {
    /// The sizes beyond which what a message holds stays as it is.
    pub message: Limits,
    /// Octets that the MTA behind a milter takes, as Postfix's `message_size_limit`: a message that would outgrow them
    /// is left. Next hops say by themselves what they take. None by default.
    pub max_size: Option<Size>,
    /// What becomes of a message that goes beyond one of them, or is not understood; it passes by default.
    pub on: Actions,
    /// Connections at once, over all listeners; further ones wait. 1,000 by default, 1,048,576 at the most.
    pub connections: usize,
    /// Octets that the daemon holds of mail, over all connections, and takes to work on it; 512 MiB by default.
    pub memory: usize,
    /// How long a connection may be silent between commands; 10 minutes by default.
    pub idle_time: Duration,
    /// How long a command that has begun may take to arrive whole; 30 seconds by default.
    pub read_time: Duration,
    /// How long the peer may take to accept a reply; 30 seconds by default.
    pub write_time: Duration,
    /// How long open connections may go on after SIGTERM; 30 seconds by default.
    pub drain_time: Duration,
}

impl Default for LimitSettings {
    fn default() -> LimitSettings {
        LimitSettings {
            message: Limits::default(),
            max_size: None,
            on: Actions::default(),
            connections: 1000,
            memory: 512 << 20,
            idle_time: Duration::from_secs(600),
            read_time: Duration::from_secs(30),
            write_time: Duration::from_secs(30),
            drain_time: Duration::from_secs(30),
        }
    }
}

impl SettingsTable for LimitSettings {
    fn keys(&mut self, keys: &mut Keys<'_>) {
        keys.key("message_bytes", &mut Amount::octets(&mut self.message.message_bytes));
        keys.key("header_bytes", &mut Amount::octets(&mut self.message.header_bytes));
        keys.key("field_bytes", &mut Amount::octets(&mut self.message.field_bytes));
        keys.key("fields", &mut self.message.fields);
        keys.key("parts", &mut self.message.parts);
        keys.key("depth", &mut self.message.depth);
        let mut plan_work = self.message.plan_work.map(Size);
        keys.key("plan_work", &mut plan_work);
        self.message.plan_work = plan_work.map(|Size(octets)| octets);
        keys.key("max_size", &mut self.max_size);
        self.on.keys(keys);
        keys.key("connections", &mut connections(&mut self.connections));
        keys.key("memory", &mut Amount::octets(&mut self.memory));
        keys.key("idle_time", &mut self.idle_time);
        keys.key("read_time", &mut self.read_time);
        keys.key("write_time", &mut self.write_time);
        keys.key("drain_time", &mut self.drain_time);
    }
}

impl LimitSettings {
    /// Returns what is wrong with the limits where mail comes in by a milter; none where nothing is.
    pub(super) fn wrong_for_milter(&self) -> Option<String> {
        let over = self.message.field_bytes > MILTER_FIELD;
        over.then(|| format!("Postfix cuts a milter's field beyond {MILTER_FIELD} octets, and says nothing; write {MILTER_FIELD} or less"))
    }
}
