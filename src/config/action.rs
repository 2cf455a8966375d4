//! What becomes of a message of which something was left for a reason that an operator should know.
//!
//! A sender may want just that: a part beyond the limit of depth is a part that no filter behind has converted. So each such reason
//! has an action of its own. What is septet's own fault can't be refused for good: the mail would be lost for it.

use std::fmt;

use ::config::Value;
use serde::{Deserialize, Serialize};

use super::keys::Keys;
use super::setting::{Setting, Single, words};

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
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Action::Accept => "accept",
            Action::Tempfail => "tempfail",
            Action::Reject => "reject",
        })
    }
}

/// The place of an [`Action`] for faults of septet's own, which can't be [`Reject`](Action::Reject).
#[derive(Debug)]
pub struct OwnFault<'a>(pub &'a mut Action);

impl Setting for OwnFault<'_> {
    fn read(&mut self, value: &Value, wrong: &mut dyn FnMut(&Value, String)) {
        match Action::from_value(value) {
            Ok(Action::Reject) => wrong(value, REJECT_LOSES.to_owned()),
            Ok(action) => *self.0 = action,
            Err(what) => wrong(value, what.replace("tempfail, reject", "tempfail")),
        }
    }

    fn write(&self) -> Option<toml::Value> {
        Some(self.0.to_toml())
    }
}

const REJECT_LOSES: &str = "\"reject\" would lose mail for a fault of septet's own; write \"accept\" or \"tempfail\"";

/// What becomes of a message that went beyond a limit, or that is not understood as one thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Actions {
    /// It is larger than `message_bytes`.
    pub message_bytes: Action,
    /// A header of it is larger than `header_bytes`.
    pub header_bytes: Action,
    /// A field of it is larger than `field_bytes`.
    pub field_bytes: Action,
    /// It has more parts than `parts`.
    pub parts: Action,
    /// Its parts are nested deeper than `depth`.
    pub depth: Action,
    /// Readers see different parts in it.
    pub irregular: Action,
    /// What septet made of it did not prove to be what was meant: a fault of septet's own.
    pub unproved: Action,
}

impl Actions {
    /// Shows the keys, which stand in `[limits]`.
    pub(super) fn keys(&mut self, keys: &mut dyn Keys) {
        keys.key("on_message_bytes", &mut self.message_bytes);
        keys.key("on_header_bytes", &mut self.header_bytes);
        keys.key("on_field_bytes", &mut self.field_bytes);
        keys.key("on_parts", &mut self.parts);
        keys.key("on_depth", &mut self.depth);
        keys.key("on_irregular", &mut self.irregular);
        keys.key("on_unproved", &mut OwnFault(&mut self.unproved));
    }
}
