//! One message of the report as one line of JSON.

use serde::Serialize;

use super::Row;
use crate::rewrite::{Entry, Outcome, Place};

/// The object of one message; its keys are explained in the [module above](super).
#[derive(Debug, Serialize)]
pub struct Line<'a> {
    input: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    renamed: Option<&'a str>,
    message: u64,
    offset: u64,
    bytes: u64,
    message_id: Option<&'a str>,
    result: &'static str,
    entries: Vec<EntryLine<'a>>,
    text: String,
}

impl<'a> Line<'a> {
    /// Makes it of a row.
    pub fn of(row: &Row<'a>) -> Line<'a> {
        Line {
            input: row.input,
            renamed: row.renamed,
            message: row.message,
            offset: row.offset,
            bytes: row.bytes,
            message_id: row.message_id,
            result: row.report.result(),
            entries: row.report.entries.iter().map(EntryLine::of).collect(),
            text: row.report.to_string(),
        }
    }
}

#[derive(Debug, Serialize)]
struct EntryLine<'a> {
    part: String,
    place: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'a str>,
    #[serde(flatten)]
    outcome: OutcomeLine,
    text: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum OutcomeLine {
    Changes(Vec<String>),
    Left(&'static str),
    Note(String),
}

impl<'a> EntryLine<'a> {
    fn of(entry: &'a Entry) -> EntryLine<'a> {
        let (place, field) = match &entry.place {
            Place::Message => ("message", None),
            Place::Field(name) => ("field", Some(name.as_str())),
            Place::Body => ("body", None),
        };
        EntryLine {
            part: entry.part.to_string(),
            place,
            field,
            outcome: OutcomeLine::of(&entry.outcome),
            text: entry.to_string(),
        }
    }
}

impl OutcomeLine {
    fn of(outcome: &Outcome) -> OutcomeLine {
        match outcome {
            Outcome::Done(changes) => OutcomeLine::Changes(changes.iter().map(ToString::to_string).collect()),
            Outcome::Left(reason) => OutcomeLine::Left(reason.code()),
            Outcome::Noted(note) => OutcomeLine::Note(note.to_string()),
        }
    }
}
