//! A sample that was taken of a message, for a page.

use serde::{Deserialize, Serialize};

use crate::process::advice::Remedies;
use crate::process::sample::Sample;
use crate::rewrite::{Entry, Outcome};

/// A sample, and what it is for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredSample {
    /// The kind of change, or the reason.
    pub kind: String,
    /// What the report says of it.
    pub what: String,
    /// The sample.
    pub sample: Sample,
    /// The message that it was taken of, each octet as the character of its number, where it is asked what helps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// How many octets a message may have that is kept.
const LONGEST: usize = 64 << 10;

impl StoredSample {
    /// Makes it of an entry and its sample, and keeps the `message` where the entry was left for a reason for which
    /// something may be advised, if it is not too long.
    pub fn new(kind: String, entry: &Entry, sample: Sample, message: &[u8]) -> StoredSample {
        let is_asked = matches!(&entry.outcome, Outcome::Left(reason) if Remedies::are_for(reason));
        let kept =
            (is_asked && message.len() <= LONGEST).then(|| message.iter().map(|octet| char::from(*octet)).collect());
        StoredSample { kind, what: entry.to_string(), sample, message: kept }
    }

    /// Returns the message that it was taken of, if it was kept.
    pub fn message(&self) -> Option<Vec<u8>> {
        self.message.as_ref()?.chars().map(|character| u8::try_from(character).ok()).collect()
    }
}
