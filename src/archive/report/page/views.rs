//! What the templates of `templates/report` show: text that is safe to see ([`Shown`]); they escape it for HTML. A field is
//! what the template of its struct has under its name.

use askama::Template;

use super::years::Column;
use crate::archive::report::taken::Taken;
use crate::process::sample::Run;
use crate::process::shown::Shown;

/// The page down to the lists.
#[derive(Template)]
#[template(path = "report/head.html")]
pub struct Head<'a> {
    pub style_hash: String,
    pub script_hash: String,
    pub style: &'a str,
    pub title: String,
    pub dry_run: bool,
    pub lede: String,
    pub verdict: Vec<Run>,
    /// Whether all messages are of one mailbox file, so that its name needn't stand with each.
    pub one_mailbox: bool,
    pub bar: Vec<BarPiece>,
    pub bar_label: String,
    pub legend: Vec<LegendItem>,
    pub partly: u64,
    pub partly_said: String,
}

/// A piece of the bar at the top.
pub struct BarPiece {
    pub class: &'static str,
    pub x: String,
    pub width: String,
    pub label: String,
}

/// What a colour of the bar means.
pub struct LegendItem {
    pub class: &'static str,
    pub name: &'static str,
    pub count: String,
    pub share: String,
}

/// The head of a list of messages.
#[derive(Template)]
#[template(path = "report/group.html")]
pub struct Group {
    pub id: String,
    pub name: String,
    pub is_code: bool,
    pub ours: bool,
    pub count: String,
    pub says: Vec<Run>,
    pub helps: Vec<Run>,
    pub samples: Vec<SampleView>,
    pub open: bool,
    pub summary: String,
}

/// A message in a list.
#[derive(Template)]
#[template(path = "report/row.html")]
pub struct RowView {
    pub message: String,
    pub day: String,
    pub subject: Option<String>,
    /// Classes and lines of the report.
    pub lines: Vec<(&'static str, String)>,
    pub file: String,
    pub whence: String,
}

/// Samples, charsets, kinds of change, years.
#[derive(Template)]
#[template(path = "report/middle.html")]
pub struct Middle {
    pub samples: Vec<SampleView>,
    pub flows: Vec<FlowView>,
    pub more_flows: Vec<FlowView>,
    pub kinds: Vec<KindView>,
    pub years: Vec<Column>,
    pub most: String,
    pub undated: Option<String>,
}

/// A sample.
pub struct SampleView {
    pub what: String,
    pub before: Vec<Run>,
    pub after: Option<Vec<Run>>,
    pub reads: Option<String>,
    pub may_be: Vec<String>,
}

impl SampleView {
    /// Makes it of what was taken.
    pub fn of(taken: &Taken) -> SampleView {
        let sample = taken.sample.clone();
        SampleView {
            what: Shown(&taken.what).to_string(),
            before: sample.before,
            after: sample.after,
            reads: sample.reads.as_deref().map(|text| Shown(text).to_string()),
            may_be: sample.may_be.iter().map(|text| Shown(text).to_string()).collect(),
        }
    }
}

/// A charset and where it went.
pub struct FlowView {
    pub from: String,
    pub to: String,
    pub left: bool,
    pub bodies: String,
    pub fields: String,
    pub width: String,
}

/// A kind of change.
pub struct KindView {
    pub code: String,
    pub says: Vec<Run>,
    pub count: String,
}

/// Provenance, and the end.
#[derive(Template)]
#[template(path = "report/foot.html")]
pub struct Foot<'a> {
    pub version: &'static str,
    pub begun: String,
    pub took: String,
    pub command: String,
    pub profile: String,
    pub settings: &'a [(String, String)],
    pub files: Vec<FileView>,
    pub many: bool,
    pub more_files: u64,
    pub script: &'a str,
}

/// An input and its output.
pub struct FileView {
    pub input: String,
    pub size: String,
    pub sum: Option<String>,
    pub written: bool,
    pub output: String,
    pub new_size: String,
    pub new_sum: Option<String>,
}
