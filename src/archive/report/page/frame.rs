//! What stands around the lists: headings, remedies, tables, what was read and written.

use std::io::{self, Write};

use super::flows::{CharsetPair, Flows, PlaceCount};
use super::glance::{SCRIPT, prose};
use super::number;
use super::outcome::OutcomeStyle;
use super::sample_set::SampleSet;
use super::views::{FileView, FlowView, Foot, KindView, ListHead, Middle, SampleView};
use super::years::Years;
use super::{OPEN, Tally};
use crate::archive::report::provenance::{FileRecord, Provenance};
use crate::archive::report::stored_sample::StoredSample;
use crate::archive::sums::Total;
use crate::process::advice::{AdviceBasis, LeftText, Remedies};
use crate::process::bar::LEAST;
use crate::process::shown::Shown;
use crate::process::why;

/// The samples of changes that are shown.
const SAMPLES: usize = 24;

/// The flows that are shown at once.
const FLOWS: usize = 16;

/// Writes the heading of what was left.
pub fn left_title(groups: usize, out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"<section aria-label=\"What is left\">\n<h2 id=\"left\">What is left, and what helps</h2>\n")?;
    if groups == 0 {
        out.write_all(b"<p class=\"soft\">Nothing: whatever should have been changed was changed.</p>\n")?;
    }
    out.write_all(b"</section>\n")
}

/// Writes the heading of the lists of everything else.
pub fn others_title(out: &mut impl Write) -> io::Result<()> {
    out.write_all(b"<h2 id=\"messages\">Messages</h2>\n")
}

/// Returns `true` if a reason is septet's own fault, which comes first; the same ones as `Reason::is_ours`.
pub fn is_ours(code: &str) -> bool {
    matches!(code, "unproved" | "internal")
}

/// Makes the head of the list of one reason; by the `basis` it is asked what helps with its samples.
pub fn left_group(code: &str, rows: u64, book: &SampleSet, basis: Option<&AdviceBasis>) -> ListHead {
    let answer = why::reason(code);
    let asked = basis.and_then(|basis| helps(book.of_reason(code), basis));
    ListHead {
        id: format!("left-{code}"),
        name: None,
        code: Some(code.to_owned()),
        ours: is_ours(code),
        count: messages(rows),
        says: prose(answer.map_or("", |answer| answer.says)),
        helps: prose(asked.as_deref().or(answer.map(|answer| answer.helps)).unwrap_or_default()),
        samples: book.of_reason(code).iter().map(SampleView::of).collect(),
        open: rows <= OPEN,
        summary: listed(rows),
    }
}

/// Says what helps with the texts that samples show, by what is advised for them; none where nothing can be asked of them.
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

/// Makes the head of the list of the messages that changed.
pub fn changed_group(rows: u64) -> ListHead {
    let says = "every message in which something was changed, in the order of the archive";
    ListHead { id: "changed".to_owned(), name: Some("What changed"), ..group(rows, says) }
}

/// Makes the head of the list of the messages that stayed and of which something is noted.
pub fn noted_group(rows: u64) -> ListHead {
    let says =
        "messages that stay as they are, of which a reader may want to know something: `septet why` has the words";
    ListHead { id: "noted".to_owned(), name: Some("What stays, with a note"), ..group(rows, says) }
}

/// Makes the head of the list of what was skipped.
pub fn skipped_group(rows: u64) -> ListHead {
    let says = "files that are no mail or could not be read, and messages that were left out, each with its reason";
    let count = if rows == 1 { "1 file or message".to_owned() } else { format!("{} files or messages", number(rows)) };
    let summary = if rows == 1 { "Show it".to_owned() } else { format!("All {}", number(rows)) };
    ListHead { id: "skipped".to_owned(), name: Some("What was skipped"), count, summary, ..group(rows, says) }
}

/// Makes the head of a list that is of no reason; whoever calls it gives it an id and a name.
fn group(rows: u64, says: &str) -> ListHead {
    ListHead {
        id: String::new(),
        name: None,
        code: None,
        ours: false,
        count: messages(rows),
        says: prose(says),
        helps: Vec::new(),
        samples: Vec::new(),
        open: rows <= OPEN,
        summary: listed(rows),
    }
}

fn messages(rows: u64) -> String {
    if rows == 1 { "1 message".to_owned() } else { format!("{} messages", number(rows)) }
}

fn listed(rows: u64) -> String {
    if rows == 1 { "The message".to_owned() } else { format!("All {}", messages(rows)) }
}

/// Makes what stands between the lists of what was left and all others: samples, charsets, kinds of change and years.
pub fn middle(
    book: &SampleSet,
    flows: &Flows,
    years: &Years,
    tally: &Tally,
    outcomes: &[&'static OutcomeStyle],
) -> Middle {
    let flows = flows.sorted();
    let most = flows.first().map_or(1, |(_, count)| count.bodies + count.fields);
    let views = |of: &[(&CharsetPair, PlaceCount)]| of.iter().map(|(pair, count)| flow(pair, *count, most)).collect();
    let (first, more) = flows.split_at(flows.len().min(FLOWS));
    let mut kinds: Vec<_> = tally.changes.iter().collect();
    kinds.sort_by_key(|(code, count)| (std::cmp::Reverse(**count), (*code).clone()));
    let undated = years.undated.all();
    Middle {
        samples: book.of_changes().into_iter().take(SAMPLES).map(SampleView::of).collect(),
        flows: views(first),
        more_flows: views(more),
        kinds: kinds.into_iter().map(|(code, count)| kind(code, *count)).collect(),
        years: years.columns(outcomes),
        outcomes: outcomes.iter().map(|kind| kind.name).collect(),
        most: messages(years.most()),
        undated: (undated > 0).then(|| format!("{} without a date that can be read are not shown", messages(undated))),
    }
}

/// Makes the row of two charsets; its bar is as wide as its share of the row with the `most`.
fn flow(pair: &CharsetPair, count: PlaceCount, most: u64) -> FlowView {
    let share = 100.0 * (count.bodies + count.fields) as f64 / most.max(1) as f64;
    let some = |count: u64| if count == 0 { String::new() } else { number(count) };
    FlowView {
        from: Shown(&pair.from).to_string(),
        to: Shown(&pair.to).to_string(),
        left: pair.left,
        bodies: some(count.bodies),
        fields: some(count.fields),
        width: format!("{:.2}", share.max(LEAST)),
    }
}

/// Makes the row of a kind of change.
fn kind(code: &str, count: u64) -> KindView {
    KindView {
        code: code.to_owned(),
        says: prose(why::change(code).map_or("", |answer| answer.says)),
        count: number(count),
    }
}

/// Makes what was read and written, and the end.
pub fn foot(provenance: &Provenance) -> Foot<'_> {
    Foot {
        version: env!("CARGO_PKG_VERSION"),
        begun: provenance.begun(),
        took: format!("{:.1} s", provenance.took.as_secs_f64()),
        command: Shown(&provenance.command).to_string(),
        profile: Shown(&provenance.profile).to_string(),
        settings: &provenance.settings,
        files: provenance.files.records.iter().map(|(_, file)| file_view(file, provenance.dry_run)).collect(),
        many: provenance.files.records.iter().any(|(_, file)| file.files.is_some()),
        more_files: provenance.files.more,
        script: SCRIPT,
    }
}

/// Makes the row of an input and its output; nothing is written in a dry run, or where the output has no name.
fn file_view(file: &FileRecord, dry_run: bool) -> FileView {
    let written = !dry_run && !file.output.is_empty();
    let output = if file.output == "-" { "standard output" } else { &file.output };
    FileView {
        input: Shown(if file.input == "-" { "standard input" } else { &file.input }).to_string(),
        size: size(&file.before, file.files),
        sum: file.before.sha256.clone(),
        written,
        output: if written { Shown(output).to_string() } else { "not written".to_owned() },
        new_size: size(&file.after, file.files),
        new_sum: file.after.sha256.clone(),
    }
}

fn size(total: &Total, files: Option<u64>) -> String {
    let files = files.map(|files| format!(", {} files", number(files))).unwrap_or_default();
    format!("{files}, {} octets", number(total.octets))
}
