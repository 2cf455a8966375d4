//! What the templates of `templates/report` show: text that is safe to see ([`Shown`]); they escape it for HTML. A field is
//! what the template of its struct has under its name.

use askama::Template;

use super::years::Column;
use crate::archive::report::stored_sample::StoredSample;
use crate::process::sample::MarkedText;
use crate::process::shown::Shown;

/// The page down to the lists.
#[derive(Template)]
#[template(path = "report/head.html")]
pub struct PageHead<'a> {
    pub style_hash: String,
    pub script_hash: String,
    pub style: &'a str,
    pub title: String,
    pub dry_run: bool,
    pub lede: String,
    pub verdict: Vec<MarkedText>,
    pub bar: Vec<BarPiece>,
    pub bar_label: String,
    pub legend: Vec<LegendItem>,
    pub next: Next,
    /// How each archive fared, where there are several.
    pub archives: Vec<ArchiveView>,
    pub kinds: Vec<&'static str>,
}

/// What to do now: sentences, and commands to be copied.
pub struct Next {
    pub says: Vec<MarkedText>,
    pub commands: Vec<String>,
}

/// How an archive fared.
pub struct ArchiveView {
    pub name: String,
    pub messages: String,
    pub counts: Vec<String>,
    pub share: String,
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
pub struct ListHead {
    pub id: String,
    /// Its heading; none where what it says is one.
    pub name: Option<&'static str>,
    /// The word that reports have for it.
    pub code: Option<String>,
    pub ours: bool,
    pub count: String,
    pub says: Vec<MarkedText>,
    pub helps: Vec<MarkedText>,
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
    pub may_be: Option<String>,
    pub sender: Option<String>,
    /// Classes and lines of the report.
    pub lines: Vec<(&'static str, String)>,
    /// What explains it; none where its file can't be typed.
    pub command: Option<String>,
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
    pub outcomes: Vec<&'static str>,
    pub most: String,
    pub undated: Option<String>,
}

/// A sample.
pub struct SampleView {
    pub what: String,
    pub before: Vec<MarkedText>,
    pub after: Option<Vec<MarkedText>>,
    pub reads: Option<String>,
    pub may_be: Vec<String>,
}

impl SampleView {
    /// Makes it of what was taken, as text that is safe to see.
    pub fn of(taken: &StoredSample) -> SampleView {
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
    pub says: Vec<MarkedText>,
    pub count: String,
}

/// What was read and written, and the end.
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
