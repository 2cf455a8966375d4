//! A sample that was taken of a message, for a page.

use serde::{Deserialize, Serialize};

use crate::process::sample::Sample;

/// A sample, and what it is for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredSample {
    /// The kind of change, or the reason.
    pub kind: String,
    /// What the report says of it.
    pub what: String,
    /// The sample.
    pub sample: Sample,
}
