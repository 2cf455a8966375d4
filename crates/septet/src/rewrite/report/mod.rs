//! What was done to a message and what was left, and why: one entry has one stable line of text.
//!
//! The same line is the log line, the line of `septet explain` and the golden file of the tests:
//!
//! ```text
//! part=1.2 body charset=utf-7>utf-8 transfer=7bit>quoted-printable
//! field=Subject word=iso-2022-jp>utf-8
//! part=1.1 body left=protected(signed)
//! ```
//!
//! A line holds printable ASCII alone: what comes from the mail (labels, names) is cut to 56 characters and anything
//! else in it becomes `?`, so that a report can't be forged by a message.

mod change;
mod explanation;
mod json;
mod note;
mod reason;
mod safe;

use std::fmt;

pub use change::{BodyLabel, Change, label_and_charset};
pub use explanation::Explanation;
pub use json::{EntryLine, change_code};
pub use note::Note;
pub use reason::Reason;
pub use safe::Safe;

use serde::Serialize;

use crate::message::PartNumber;

/// Everything that was decided about one message; serde writes it as the list of its entries. They stand step by step,
/// fixes before the conversion, and within a step part by part.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(transparent)]
pub struct Report {
    /// The decisions; empty when there was nothing to decide.
    pub entries: Vec<Entry>,
}

impl Report {
    /// Makes the report of a message that stays whole, for one reason.
    ///
    /// ```
    /// use septet::rewrite::{Reason, Report};
    ///
    /// assert_eq!(Report::whole(Reason::Unlabelled).to_string(), "message left=unlabelled");
    /// ```
    pub fn whole(reason: Reason) -> Report {
        let mut report = Report::default();
        report.leave(reason);
        report
    }

    /// Says why the message as a whole stays.
    pub fn leave(&mut self, reason: Reason) {
        self.push(PartNumber::root(), Place::Message, Outcome::Left(reason));
    }

    /// Adds an entry; of several fields of a name in one part it is about the first. Entries of later fields are made
    /// with their ordinal (`write/mod.rs`), or nobody could take them out of a plan.
    pub fn push(&mut self, part: PartNumber, place: Place, outcome: Outcome) {
        self.entries.push(Entry { part, place, ordinal: 1, outcome });
    }

    /// Returns `true` if anything was changed.
    pub fn changes(&self) -> bool {
        self.entries.iter().any(|entry| matches!(entry.outcome, Outcome::Done(_)))
    }

    /// Returns `true` if something that should have been changed was left. A defect for which a message is refused
    /// counts as that.
    pub fn leaves(&self) -> bool {
        self.entries.iter().any(|entry| entry.outcome.is_left())
    }

    /// Sums the report up in one word: `changed` if anything was, else `left` if anything should have been, else
    /// `unchanged`. Reports, metrics and the status page go by these words.
    pub fn result(&self) -> &'static str {
        match (self.changes(), self.leaves()) {
            (true, _) => "changed",
            (false, true) => "left",
            (false, false) => "unchanged",
        }
    }
}

impl fmt::Display for Report {
    /// Writes the entries on one line, `; ` between them.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut entries = self.entries.iter().enumerate();
        entries.try_for_each(|(index, entry)| write!(out, "{}{entry}", if index == 0 { "" } else { "; " }))
    }
}

/// One decision: where, and what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The part it concerns; 1 is the message itself.
    pub part: PartNumber,
    /// The place in that part.
    pub place: Place,
    /// Which of the fields of its name it is in that part, from 1, as the step that made the entry found them; 1 of any
    /// other place, of a field that was added, and of one of whose defect this tells.
    pub ordinal: usize,
    /// What was done, or why not.
    pub outcome: Outcome,
}

impl fmt::Display for Entry {
    /// Writes its place and its outcome in one line: `change=…` for each change, or `left=…`, or `note=…`, which
    /// [`EntryLine`] and whoever reads logs look for. Several fields of a name are not told apart in it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_place(out, &self.part, &self.place)?;
        match &self.outcome {
            Outcome::Left(reason) => write!(out, " left={reason}"),
            Outcome::Noted(note) => write!(out, " note={note}"),
            Outcome::Done(changes) => changes.iter().try_for_each(|change| write!(out, " {change}")),
        }
    }
}

/// Writes a place in a part; the number of the message itself goes without saying, but for its body. A line of a report
/// and a place that somebody names by hand ([`DecidedPlace`](super::DecidedPlace)) begin with this alike.
pub(super) fn write_place(out: &mut fmt::Formatter<'_>, part: &PartNumber, place: &Place) -> fmt::Result {
    match place {
        Place::Field(name) if part.is_root() => write!(out, "field={}", Safe(name)),
        Place::Field(name) => write!(out, "part={part} field={}", Safe(name)),
        Place::Body => write!(out, "part={part} body"),
        Place::Message => write!(out, "message"),
    }
}

/// The place in a part that an entry concerns.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The message as a whole.
    Message,
    /// A header field, by its name as the message writes it.
    Field(String),
    /// The part's body.
    Body,
}

/// What became of a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It was changed, in these ways.
    Done(Vec<Change>),
    /// It should have been changed, and was not.
    Left(Reason),
    /// Nothing was to be done, but a reader wants to know this.
    Noted(Note),
}

impl Outcome {
    /// Returns the ways in which a place was changed; none where it was not.
    pub fn changes(&self) -> &[Change] {
        if let Outcome::Done(changes) = self { changes } else { &[] }
    }

    /// Returns why a place was left, if it was.
    pub fn reason(&self) -> Option<&Reason> {
        if let Outcome::Left(reason) = self { Some(reason) } else { None }
    }

    /// Returns `true` if a place was left.
    pub fn is_left(&self) -> bool {
        self.reason().is_some()
    }
}
