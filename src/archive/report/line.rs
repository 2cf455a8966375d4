//! One message of the report as one line of JSON: what the spool holds, and what every form is made of.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::entry_line::EntryLine;
use super::{Glimpse, Row};

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
    /// The profile that it got.
    pub profile: Cow<'a, str>,
    /// `changed`, `left` or `unchanged`.
    pub result: Cow<'a, str>,
    /// What was decided.
    pub entries: Vec<EntryLine<'a>>,
    /// The entries as one line.
    pub text: String,
    /// What a page shows of it besides: in the spool alone, and in the reports of shards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub glimpse: Option<Cow<'a, Glimpse>>,
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
            profile: row.profile.into(),
            result: row.report.result().into(),
            entries: row.report.entries.iter().map(EntryLine::of).collect(),
            text: row.report.to_string(),
            glimpse: row.glimpse.map(Cow::Borrowed),
        }
    }
}
