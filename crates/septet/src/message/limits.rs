//! The sizes beyond which a message, or a piece of it, is not read, and so passes untouched.

use std::fmt;

use memchr::memmem;
use serde::{Deserialize, Serialize};

/// How much of a message septet is willing to read.
///
/// Start from the default and set what is to be otherwise; further limits may come.
///
/// ```
/// use septet::{Limits, Message};
///
/// let mut limits = Limits::default();
/// limits.message_bytes = 10;
/// assert!(Message::read(b"Subject: longer than that", &limits).limit().is_some());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Octets of the whole message; 64 MiB by default.
    pub message_bytes: usize,
    /// Octets of the header of one part; 1 MiB by default. The fields beyond it are not read, nor the part's body.
    pub header_bytes: usize,
    /// Octets of one field's value, before and after it is rewritten; 59,000 by default, since Postfix keeps about
    /// 60,000 of a field, and cuts the rest without a word. A line end counts as one octet, LF or CRLF.
    pub field_bytes: usize,
    /// Fields in all parts together; 100,000 by default.
    pub fields: usize,
    /// Parts in all, the message itself counted; 10,000 by default. What comes after them is not read.
    pub parts: usize,
    /// Depth of nesting, the message itself at depth 1; 100 by default. What is nested deeper is one part, unread.
    pub depth: usize,
    /// Octets that all passes over one message may read together while it is planned; 64 times `message_bytes` by
    /// default. What would come after them stays. It needs no clock, so that a message has one plan.
    pub plan_work: Option<usize>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            message_bytes: 64 << 20,
            header_bytes: 1 << 20,
            field_bytes: 59_000,
            fields: 100_000,
            parts: 10_000,
            depth: 100,
            plan_work: None,
        }
    }
}

impl Limits {
    /// Returns the octets that all passes over one message may read together.
    pub fn work(&self) -> usize {
        self.plan_work.unwrap_or(self.message_bytes.saturating_mul(64))
    }

    /// Returns these limits without that of a message's octets: for what was made of a message that is within it, and
    /// may have become longer.
    pub fn of_any_size(self) -> Limits {
        Limits { message_bytes: usize::MAX, ..self }
    }

    /// Returns the limit that a field's value is beyond with `more` octets to come, if it is. A CRLF counts as one
    /// octet.
    pub fn reached_by_field(&self, value: &[u8], more: usize) -> Option<LimitReached> {
        let limit = self.field_bytes;
        // A message is treated the same with LF and with CRLF.
        let is_longer =
            value.len() + more > limit && value.len() + more - memmem::find_iter(value, b"\r\n").count() > limit;
        is_longer.then_some(LimitReached::FieldBytes(limit))
    }
}

/// A limit that a message went beyond, with the limit's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub enum LimitReached {
    MessageBytes(usize),
    HeaderBytes(usize),
    FieldBytes(usize),
    Fields(usize),
    Parts(usize),
    Depth(usize),
    PlanWork(usize),
}

impl fmt::Display for LimitReached {
    /// Writes the key of the limit in [`Limits`] and its value, as reports have it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LimitReached::MessageBytes(limit) => write!(out, "message_bytes {limit}"),
            LimitReached::HeaderBytes(limit) => write!(out, "header_bytes {limit}"),
            LimitReached::FieldBytes(limit) => write!(out, "field_bytes {limit}"),
            LimitReached::Fields(limit) => write!(out, "fields {limit}"),
            LimitReached::Parts(limit) => write!(out, "parts {limit}"),
            LimitReached::Depth(limit) => write!(out, "depth {limit}"),
            LimitReached::PlanWork(limit) => write!(out, "plan_work {limit}"),
        }
    }
}
