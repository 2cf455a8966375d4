//! One answer, as a line of the file has it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::rewrite::{DecidedPlace, Place};

/// What was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum YesNo {
    /// It is changed.
    Yes,
    /// It stays.
    No,
}

/// A place of a message, by the words that reports in JSON have.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PlaceName {
    /// The part's number, as 1.2.
    pub part: String,
    /// `message`, `field` or `body`.
    pub place: String,
    /// The field's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// Which of the fields of its name it is, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
}

impl PlaceName {
    /// Names a place.
    pub fn of(at: &DecidedPlace) -> PlaceName {
        let (place, field) = match &at.place {
            Place::Message => ("message", None),
            Place::Field(name) => ("field", Some(name.clone())),
            Place::Body => ("body", None),
        };
        let number = field.is_some().then_some(at.ordinal);
        PlaceName { part: at.part.to_string(), place: place.to_owned(), field, number }
    }
}

impl fmt::Display for PlaceName {
    /// Writes it as a report does, with the number of a field behind it where that is not the first of its name.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "part={} ", self.part)?;
        match (&self.field, self.number) {
            (Some(name), Some(number @ 2..)) => write!(out, "field={name} number={number}"),
            (Some(name), _) => write!(out, "field={name}"),
            (None, _) => out.write_str(&self.place),
        }
    }
}

/// A line of the file behind the first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AnswerLine {
    /// Of one place.
    Place(PlaceAnswer),
    /// Of all changes of a kind.
    Kind {
        /// The kind ([`kind_of`](super::kind_of)).
        kind: String,
        /// The answer.
        answer: YesNo,
    },
    /// Of all changes in mail from one address.
    Sender {
        /// The address, in lower case.
        sender: String,
        /// The answer.
        answer: YesNo,
    },
}

/// The answer to one place of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceAnswer {
    /// The SHA-256 of the message's octets, in hexadecimal.
    pub message: String,
    /// The place.
    #[serde(flatten)]
    pub at: PlaceName,
    /// The answer.
    pub answer: YesNo,
    /// The change, as a report writes it; for people.
    #[serde(default)]
    pub change: String,
    /// The file in which the message was seen; for people.
    #[serde(default)]
    pub input: String,
    /// Which message of that file it was, from 1; for people.
    #[serde(default)]
    pub nth: u64,
}
