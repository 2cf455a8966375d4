//! One message of the report as one line of JSON: what the spool holds, and what every form is made of.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::Row;
use crate::rewrite::{Entry, Outcome, Place};

/// The object of one message; its keys are explained in the [module above](super).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line<'a> {
    /// The file that it stands in.
    pub input: Cow<'a, str>,
    /// Its file's new name, where a size that the name states was made true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renamed: Option<Cow<'a, str>>,
    /// Which message of that file, from 1.
    pub message: u64,
    /// Where it starts in that file.
    pub offset: u64,
    /// Its octets in that file.
    pub bytes: u64,
    /// Its Message-ID.
    pub message_id: Option<Cow<'a, str>>,
    /// `changed`, `left` or `unchanged`.
    pub result: Cow<'a, str>,
    /// What was decided.
    pub entries: Vec<EntryLine<'a>>,
    /// The entries as one line.
    pub text: String,
}

/// One decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntryLine<'a> {
    /// The part's number, as 1.2.
    pub part: String,
    /// `message`, `field` or `body`.
    pub place: Cow<'a, str>,
    /// The field's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<Cow<'a, str>>,
    /// What was changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<Vec<String>>,
    /// Why it was left: the reason's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<Cow<'a, str>>,
    /// What is to be known of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// All of it in one line.
    pub text: String,
}

impl<'a> Line<'a> {
    /// Makes it of a row.
    pub fn of(row: &Row<'a>) -> Line<'a> {
        Line {
            input: row.input.into(),
            renamed: row.renamed.map(Cow::Borrowed),
            message: row.message,
            offset: row.offset,
            bytes: row.bytes,
            message_id: row.message_id.map(Cow::Borrowed),
            result: row.report.result().into(),
            entries: row.report.entries.iter().map(EntryLine::of).collect(),
            text: row.report.to_string(),
        }
    }
}

impl<'a> EntryLine<'a> {
    fn of(entry: &'a Entry) -> EntryLine<'a> {
        let (place, field) = match &entry.place {
            Place::Message => ("message", None),
            Place::Field(name) => ("field", Some(Cow::Borrowed(name.as_str()))),
            Place::Body => ("body", None),
        };
        let (mut changes, mut left, mut note) = (None, None, None);
        match &entry.outcome {
            Outcome::Done(done) => changes = Some(done.iter().map(ToString::to_string).collect()),
            Outcome::Left(reason) => left = Some(reason.code().into()),
            Outcome::Noted(noted) => note = Some(noted.to_string()),
        }
        EntryLine {
            part: entry.part.to_string(),
            place: place.into(),
            field,
            changes,
            left,
            note,
            text: entry.to_string(),
        }
    }
}
