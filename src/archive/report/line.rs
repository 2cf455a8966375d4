//! One message of the report as one line of JSON: what the spool holds, and what every form is made of.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{MessagePlace, Preview, ReportRow};
use crate::rewrite::EntryLine;

fn is_false(value: &bool) -> bool {
    !value
}

/// The object of one message; its keys are explained in the [module above](super).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ReportLine<'a> {
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
    /// `changed`, `left`, `unchanged` or `skipped`.
    pub result: Cow<'a, str>,
    /// Why it was skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cow<'a, str>>,
    /// Whether Thunderbird marked it deleted.
    #[serde(default, skip_serializing_if = "is_false")]
    pub deleted: bool,
    /// What was decided.
    pub entries: Vec<EntryLine<'a>>,
    /// The entries as one line; of what was skipped, the reason.
    pub text: String,
    /// What a page shows of it besides: in the spool alone, and in the reports of shards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<Cow<'a, Preview>>,
}

impl<'a> ReportLine<'a> {
    /// Makes the line of a row; that of a message that is left out has no entries.
    pub fn of(row: &ReportRow<'a>) -> ReportLine<'a> {
        let MessagePlace { input, renamed, message, offset, bytes, message_id } = row.place;
        ReportLine {
            input: input.into(),
            renamed: renamed.map(Cow::Borrowed),
            message,
            offset,
            bytes,
            message_id: message_id.map(Cow::Borrowed),
            profile: row.profile.into(),
            result: if row.left_out.is_some() { "skipped" } else { row.report.result() }.into(),
            reason: row.left_out.map(Cow::Borrowed),
            deleted: row.deleted,
            entries: row.report.entries.iter().map(EntryLine::of).collect(),
            text: row.left_out.map_or_else(|| row.report.to_string(), str::to_owned),
            preview: row.preview.map(Cow::Borrowed),
        }
    }

    /// Makes that of a file that was passed over.
    pub fn skipped(path: &'a str, reason: &'a str) -> ReportLine<'a> {
        let (result, text) = ("skipped".into(), reason.to_owned());
        ReportLine { input: path.into(), result, reason: Some(reason.into()), text, ..ReportLine::default() }
    }

    /// Returns `true` if it is of a file that was passed over, and of no message.
    pub fn is_of_skipped_file(&self) -> bool {
        self.message == 0
    }
}
