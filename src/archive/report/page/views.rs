//! What the templates of `templates/report` show, and what they call: text of others is safe to see ([`shown`]), and
//! they escape it for HTML. A field is what the template of its struct has under its name.

use std::borrow::{Borrow, Cow};

use askama::Template;
use indicatif::HumanCount;

use super::flows::{CharsetPair, PlaceCount};
use super::outcome::{Counts, OutcomeClass};
use super::sample_set::SampleSet;
use super::spool::Spool;
use super::{OPEN, Tally};
use crate::archive::report::Preview;
use crate::archive::report::line::ReportLine;
use crate::archive::report::provenance::{FileRecord, Provenance};
use crate::archive::report::said::size;
use crate::archive::report::stored_sample::StoredSample;
use crate::archive::report::tally::by_count;
use crate::archive::sha256::sha256_base64;
use crate::process::advice::{AdviceBasis, LeftText, Remedies};
use crate::process::bar::{LEAST, widths};
use crate::process::sample::MarkedText;
use crate::process::shown::Shown;
use crate::process::why;

const STYLE: &str = include_str!("../../../../templates/report/style.css");

/// The page's script.
const SCRIPT: &str = include_str!("../../../../templates/report/filter.js");

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// How many samples of changes are shown.
const SAMPLES: usize = 24;

/// How many flows are shown at once.
const FLOWS: usize = 16;

/// The page.
#[derive(Template)]
#[template(path = "report/page.html")]
pub struct PageView<'a> {
    pub tally: &'a Tally,
    pub provenance: &'a Provenance,
    pub counts: Counts,
    pub kinds: &'a [OutcomeClass],
    /// How each archive fared.
    pub archives: Vec<(&'a FileRecord, Counts)>,
    /// What to do now: commands to be copied; none where no other charset would help.
    pub commands: Option<Vec<String>>,
    /// What was left, by reason.
    pub left: Vec<ListView<'a>>,
    pub others: Vec<ListView<'a>>,
    pub samples: Vec<&'a StoredSample>,
    pub flows: Vec<(&'a CharsetPair, PlaceCount)>,
}

impl PageView<'_> {
    /// Writes how many of all messages are of a kind.
    fn share(&self, kind: &OutcomeClass) -> String {
        percent(self.counts.of(kind), self.tally.messages)
    }

    /// Lays the pieces of the bar side by side: where each starts, and its width; one without messages has none.
    fn bar(&self) -> Vec<(OutcomeClass, f64, f64)> {
        let widths = widths(&self.kinds.iter().map(|kind| self.counts.of(kind)).collect::<Vec<_>>());
        let mut end = 0.0;
        let pieces = self.kinds.iter().zip(widths).filter(|(_, width)| *width > 0.0).map(|(kind, width)| {
            end += width;
            (*kind, end - width, width)
        });
        pieces.collect()
    }

    /// Returns how wide the bar of a count is, in hundredths of that of the most frequent.
    fn width(&self, count: &PlaceCount) -> f64 {
        let most = self.flows.first().map_or(1, |(_, count)| count.all());
        (100.0 * count.all() as f64 / most.max(1) as f64).max(LEAST)
    }

    /// Returns the archive's own name, or how many archives there are; how many messages, where files are not counted.
    fn title(&self) -> String {
        match &self.provenance.files.records[..] {
            [] if self.tally.messages > 0 => messages(self.tally.messages),
            [] => "Nothing was read".to_owned(),
            [(_, one)] => {
                let name = one.input.trim_end_matches('/').rsplit('/').next().filter(|name| !name.is_empty());
                file_name(name.unwrap_or(&one.input)).to_string()
            }
            several => format!("{} archives", number(several.len() as u64 + self.provenance.files.more)),
        }
    }
}

/// A list of messages.
pub struct ListView<'a> {
    pub id: Cow<'a, str>,
    /// Its heading; none where what it says is one.
    pub name: Option<&'a str>,
    /// The reason for which all of it was left.
    pub code: Option<&'a str>,
    pub rows: &'a Spool,
    pub says: &'a str,
    pub helps: String,
    pub samples: &'a [StoredSample],
}

impl<'a> ListView<'a> {
    /// Makes that of what was left for a reason.
    pub fn of_left(code: &'a str, rows: &'a Spool, samples: &'a SampleSet, provenance: &Provenance) -> ListView<'a> {
        let (answer, samples) = (why::reason(code), samples.of_reason(code));
        let asked = provenance.basis.as_deref().and_then(|basis| helps(samples, basis));
        let helps = asked.or(answer.map(|answer| answer.helps.to_owned())).unwrap_or_default();
        let (id, says) = (format!("left-{code}").into(), answer.map_or("", |answer| answer.says));
        ListView { id, name: None, code: Some(code), rows, says, helps, samples }
    }
}

/// Says what helps with the texts that samples show, by what is advised for them; none where nothing can be asked of
/// them.
fn helps(samples: &[StoredSample], basis: &AdviceBasis) -> Option<String> {
    let asked = |sample: &StoredSample| {
        let message = sample.message()?;
        let entry = basis.entry_of(&message, &sample.what)?;
        Some((message, entry))
    };
    let (messages, entries): (Vec<_>, Vec<_>) = samples.iter().filter_map(asked).unzip();
    let messages: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    let texts: Vec<LeftText> = entries.iter().enumerate().map(|(message, entry)| LeftText { message, entry }).collect();
    // Where there is no room for what is asked, the page says what helps in general.
    let remedies = Remedies::ask(&messages, basis).ok().filter(|_| !texts.is_empty())?;
    Some(remedies.say(&texts))
}

/// A message in a list, a file that was skipped, or a message that was left out.
#[derive(Template)]
#[template(path = "report/row.html")]
pub struct RowView<'a> {
    pub row: &'a ReportLine<'a>,
    /// What else is known of a message.
    pub preview: Option<&'a Preview>,
    pub subject: Option<&'a str>,
    /// Classes and lines of the report.
    pub lines: Vec<(&'static str, String)>,
    /// What explains it; none where its file can't be typed.
    pub command: Option<String>,
    pub file: &'a str,
}

/// Returns text of others as it may be shown.
fn shown(text: &str) -> Shown<'_> {
    Shown(text)
}

/// Returns the name of a file as it may be shown; that of `-` in words.
fn file_name(name: &str) -> Shown<'_> {
    Shown(if name == "-" { "standard input" } else { name })
}

/// Parts prose at its backticks: what stands in them is marked.
fn prose(text: &str) -> Vec<MarkedText> {
    let parts = text.replace("**", "");
    let parts = parts.split('`').enumerate();
    parts.map(|(at, text)| MarkedText { text: text.to_owned(), marked: at % 2 == 1 }).collect()
}

/// Says what a change is, by its code; empty for a code that there is not.
fn says(code: &str) -> &'static str {
    why::change(code).map_or("", |answer| answer.says)
}

/// Returns `true` if a reason is septet's own fault, which comes first; the same ones as `Reason::is_ours`.
pub fn is_ours(code: &str) -> bool {
    matches!(code, "unproved" | "internal")
}

/// Says how many messages, with commas between thousands.
fn messages(count: impl Borrow<u64>) -> String {
    if *count.borrow() == 1 { "1 message".to_owned() } else { format!("{} messages", number(count)) }
}

/// Writes a share of all: none, some, or all is never said of what isn't.
fn percent(some: u64, all: u64) -> String {
    match 100.0 * some as f64 / all.max(1) as f64 {
        0.0 => "0 %".to_owned(),
        small if small < 0.1 => "under 0.1 %".to_owned(),
        most if most > 99.9 && most < 100.0 => "over 99.9 %".to_owned(),
        share => format!("{share:.1} %"),
    }
}

/// Writes a number with commas between thousands.
pub fn number(of: impl Borrow<u64>) -> HumanCount {
    HumanCount(*of.borrow())
}
