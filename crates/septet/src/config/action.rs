//! What becomes of a message of which something was left for a reason that an operator should know.
//!
//! A sender may want just that: a part beyond the limit of depth is a part that no filter behind has converted. So each
//! such reason has an action of its own. What is septet's own fault can't be refused for good: the mail would be lost
//! for it.

use std::fmt;

use ::config::{Value, ValueKind};
use serde::{Deserialize, Serialize};

use super::keys::Keys;
use super::near::hint;
use super::setting::{Setting, SettingValue, words};

/// What becomes of a message; the stricter, the later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// It passes; what was left stays as it came.
    #[default]
    Accept,
    /// The client is told to come again later (4xx).
    Tempfail,
    /// It is refused for good (5xx).
    Reject,
}

/// What becomes of a field X-Septet that came with a message and says that this host wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Forged {
    /// It is taken out: only septet says what septet did.
    #[default]
    Drop,
    /// It stays, for this host has other septets before this one.
    Keep,
}

words!(Action, Forged);

impl fmt::Display for Action {
    /// Writes the word that the settings have for it, as serde does.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(out)
    }
}

/// The place of an [`Action`] for faults of septet's own, which can't be [`Reject`](Action::Reject).
#[derive(Debug)]
pub struct OwnFault<'a>(pub &'a mut Action);

impl Setting for OwnFault<'_> {
    /// Reads an action; `reject` is refused.
    fn read(&mut self, value: &Value, wrong: &mut dyn FnMut(&Value, String)) {
        match Action::from_value(value) {
            Ok(Action::Reject) => wrong(value, REJECT_LOSES.to_owned()),
            Ok(action) => *self.0 = action,
            // The fault lists all words of the type, and must not offer the one that is refused, nor mean it.
            Err(what) => {
                let what = what.replace("tempfail, reject", "tempfail");
                wrong(value, what.replace("; did you mean \"reject\"?", ""));
            }
        }
    }

    fn write(&self) -> Option<toml::Value> {
        Some(self.0.to_toml())
    }
}

/// What is wrong with `reject` for a fault of septet's own.
const REJECT_LOSES: &str = "\"reject\" would lose mail because of an internal error; write \"accept\" or \"tempfail\"";

/// What becomes of a message that went beyond a limit: one action for all limits, or a table with one for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OnLimit {
    /// It is larger than `message_bytes`.
    pub message_bytes: Action,
    /// A header of it is larger than `header_bytes`.
    pub header_bytes: Action,
    /// A field of it is larger than `field_bytes`.
    pub field_bytes: Action,
    /// It has more fields than `fields`.
    pub fields: Action,
    /// It has more parts than `parts`.
    pub parts: Action,
    /// Its parts are nested deeper than `depth`.
    pub depth: Action,
    /// To plan it would take more work than `plan_work`.
    pub plan_work: Action,
}

impl OnLimit {
    /// Returns the place of each action, by its key.
    fn places(&mut self) -> [(&'static str, &mut Action); 7] {
        [
            ("message_bytes", &mut self.message_bytes),
            ("header_bytes", &mut self.header_bytes),
            ("field_bytes", &mut self.field_bytes),
            ("fields", &mut self.fields),
            ("parts", &mut self.parts),
            ("depth", &mut self.depth),
            ("plan_work", &mut self.plan_work),
        ]
    }

    /// Reads the action of one key of the table; those of the others stay. The error says what is wrong with key or
    /// value.
    fn read_of(&mut self, name: &str, value: &Value) -> Result<(), String> {
        let mut places = self.places();
        let names = places.each_ref().map(|(name, _)| *name);
        let Some((_, place)) = places.iter_mut().find(|(it, _)| *it == name) else {
            return Err(format!("{name}: unknown key; {}", hint(name, names.into_iter())));
        };
        **place = Action::from_value(value).map_err(|what| format!("{name}: {what}"))?;
        Ok(())
    }
}

impl Setting for OnLimit {
    /// Reads one action for all limits, or a table with those of some; what it does not name stays.
    fn read(&mut self, value: &Value, wrong: &mut dyn FnMut(&Value, String)) {
        let ValueKind::Table(table) = &value.kind else {
            return match Action::from_value(value) {
                Ok(action) => self.places().into_iter().for_each(|(_, place)| *place = action),
                Err(what) => wrong(value, what),
            };
        };
        for (name, value) in table {
            self.read_of(name, value).unwrap_or_else(|what| wrong(value, what));
        }
    }

    /// Writes one action where all are the same, or else the whole table.
    fn write(&self) -> Option<toml::Value> {
        let mut all = *self;
        let places = all.places().map(|(name, action)| (name, *action));
        let is_one = places.iter().all(|(_, action)| *action == places[0].1);
        if is_one {
            return Some(places[0].1.to_toml());
        }
        let table = places.iter().map(|(name, action)| ((*name).to_owned(), action.to_toml()));
        Some(toml::Value::Table(table.collect()))
    }
}

/// What becomes of a message that went beyond a limit, or that is not understood as one thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Actions {
    /// It went beyond a limit.
    pub limit: OnLimit,
    /// Readers see different parts in it.
    pub irregular: Action,
    /// What septet made of it did not prove to be what was meant: a fault of septet's own.
    pub unproved: Action,
}

impl Actions {
    /// Shows the keys, which stand in `[limits]`.
    pub(super) fn keys(&mut self, keys: &mut Keys<'_>) {
        keys.key("on_limit", &mut self.limit);
        keys.key("on_irregular", &mut self.irregular);
        keys.key("on_unproved", &mut OwnFault(&mut self.unproved));
    }
}
