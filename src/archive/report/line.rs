//! One message of the report as one line of JSON: what the spool holds, and what every form is made of.

use std::borrow::Cow;
use std::io;

use serde::{Deserialize, Serialize};

use super::{MessagePlace, Preview};
use crate::process::shown_json::write_shown_json;
use crate::rewrite::{EntryLine, Report};

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
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
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
    /// Makes that of a message, by what was decided.
    pub fn of(place: MessagePlace<'a>, profile: &'a str, report: &'a Report) -> ReportLine<'a> {
        let MessagePlace { input, renamed, message, offset, bytes, message_id } = place;
        ReportLine {
            input: input.into(),
            renamed: renamed.map(Cow::Borrowed),
            message,
            offset,
            bytes,
            message_id: message_id.map(Cow::Borrowed),
            profile: profile.into(),
            result: report.result().into(),
            entries: report.entries.iter().map(EntryLine::of).collect(),
            text: report.to_string(),
            ..ReportLine::default()
        }
    }

    /// Says that the message is left out of the output, and why; its entries stay.
    pub fn leave_out(&mut self, why: &'a str) {
        (self.result, self.reason, self.text) = ("skipped".into(), Some(why.into()), why.to_owned());
    }

    /// Makes that of a file that was passed over; its `message` is 0, by which it is known.
    pub fn skipped(path: &'a str, reason: &'a str) -> ReportLine<'a> {
        let (result, text) = ("skipped".into(), reason.to_owned());
        ReportLine { input: path.into(), result, reason: Some(reason.into()), text, ..ReportLine::default() }
    }

    /// Writes it as a line, with its end; nothing in it is invisible, whoever prints it.
    pub fn written(&self) -> io::Result<String> {
        let mut line = Vec::new();
        write_shown_json(&mut line, self)?;
        String::from_utf8(line).map_err(io::Error::other)
    }

    /// Returns `true` if it is of a file that was passed over, and of no message.
    pub fn is_of_skipped_file(&self) -> bool {
        self.message == 0
    }
}
