//! The line that answers a request, before the octets.

use serde::Serialize;
use serde_json::value::RawValue;

use super::error::FilterError;
use crate::config::Action;
use crate::process::decide::Decision;
use crate::rewrite::Report;

/// What became of a message, as a client is told.
#[derive(Debug, Serialize)]
pub struct Answer<'a> {
    /// The request's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<&'a RawValue>,
    /// The octets behind the line.
    pub length: u64,
    /// `changed`, `unchanged`, `left` or `failed`.
    pub result: &'static str,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What the settings say is to become of it, where it is not to pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<Action>,
    /// What was decided.
    pub report: &'a Report,
}

/// The report of a message that nothing is known of.
static NOTHING: Report = Report { entries: Vec::new() };

impl<'a> Answer<'a> {
    /// Makes that of a message that was planned, or left for a reason. Whoever writes it adds id and length.
    pub fn of(report: &'a Report) -> Answer<'a> {
        Answer { id: None, length: 0, result: report.result(), error: None, action: None, report }
    }

    /// Makes that of a message that comes back as it came, since septet could not do what was asked.
    pub fn failed(error: String) -> Answer<'a> {
        Answer { result: "failed", error: Some(error), ..Answer::of(&NOTHING) }
    }

    /// Makes that of a message that comes back as it came, since the settings don't let it pass.
    pub fn refused(report: &'a Report, decision: &Decision) -> Answer<'a> {
        let error = FilterError::refused(decision).to_string();
        Answer { result: "failed", error: Some(error), action: Some(decision.action), ..Answer::of(report) }
    }
}
