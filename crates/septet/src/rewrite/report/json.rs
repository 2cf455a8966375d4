//! One decision as reports in JSON have it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize, Serializer};

use super::{Entry, Outcome, Place};

/// One decision; its fields are the keys in JSON, from which it is read back, too (`archive/report/`): also those that
/// an older septet wrote, so that a new key must have a default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
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

impl<'a> EntryLine<'a> {
    /// Makes the line of an entry: `changes`, `left` or `note` by its outcome, and all of it as `text`. One of the
    /// three, and no other, is there.
    pub fn of(entry: &'a Entry) -> EntryLine<'a> {
        let (place, field) = match &entry.place {
            Place::Message => ("message", None),
            Place::Field(name) => ("field", Some(Cow::Borrowed(name.as_str()))),
            Place::Body => ("body", None),
        };
        let (part, text) = (entry.part.to_string(), entry.to_string());
        let line = EntryLine { part, place: place.into(), field, text, ..EntryLine::default() };
        match &entry.outcome {
            Outcome::Done(done) => EntryLine { changes: Some(done.iter().map(ToString::to_string).collect()), ..line },
            Outcome::Left(reason) => EntryLine { left: Some(reason.code().into()), ..line },
            Outcome::Noted(note) => EntryLine { note: Some(note.to_string()), ..line },
        }
    }
}

impl Serialize for Entry {
    /// Writes it with the keys that reports in JSON have.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        EntryLine::of(self).serialize(serializer)
    }
}

impl EntryLine<'_> {
    /// Returns the kinds of its changes: of `charset=utf-7>utf-8` that is `charset`.
    pub fn change_codes(&self) -> impl Iterator<Item = &str> {
        self.changes.iter().flatten().map(|change| change_code(change))
    }

    /// Returns what the reason says besides its name, as `x-foo` of `unknown-charset(x-foo)`; none where it says no
    /// more, or nothing was left. No name of a field can be taken for ` left=`, since [`Safe`](super::Safe) writes no
    /// blanks.
    pub fn reason_detail(&self) -> Option<&str> {
        let (_, reason) = self.text.split_once(" left=")?;
        reason.split_once('(')?.1.strip_suffix(')')
    }
}

/// Returns the kind of a change, as a report writes it: what stands before its `=` ([`Change`](super::Change)), or all
/// where there is none.
pub fn change_code(change: &str) -> &str {
    change.split_once('=').map_or(change, |(code, _)| code)
}
