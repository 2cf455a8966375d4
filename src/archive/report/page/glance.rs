//! What is to be seen at once: a sentence, a bar, its numbers, what to do now, and how each archive fared.

use super::outcome::{Counts, OutcomeStyle};
use super::views::{ArchiveView, BarPiece, LegendItem, Next, PageHead};
use super::{Tally, number};
use crate::archive::report::provenance::{FileRecord, FileRecords, Provenance};
use crate::archive::report::said::size;
use crate::archive::sha256::sha256_base64;
use crate::process::bar::widths;
use crate::process::sample::MarkedText;
use crate::process::shown::Shown;
use crate::process::why::is_curable;

const STYLE: &str = include_str!("../../../../templates/report/style.css");

/// The page's script.
pub const SCRIPT: &str = include_str!("../../../../templates/report/filter.js");

/// Makes the page down to the lists.
pub fn head(
    tally: &Tally,
    provenance: &Provenance,
    counts: Counts,
    archives: Vec<(&FileRecord, Counts)>,
) -> PageHead<'static> {
    let kinds = counts.kinds();
    let share = |count: u64| percent(100.0 * count as f64 / tally.messages.max(1) as f64);
    let label = |(kind, count): (&OutcomeStyle, u64)| format!("{} {}, {}", number(count), kind.name, share(count));
    let item = |(kind, count): (&OutcomeStyle, u64)| LegendItem {
        class: kind.class,
        name: kind.name,
        count: number(count),
        share: share(count),
    };
    let several = archives.len() > 1;
    PageHead {
        style_hash: sha256_base64(STYLE.as_bytes()),
        script_hash: sha256_base64(SCRIPT.as_bytes()),
        style: STYLE,
        title: title(&provenance.files),
        dry_run: provenance.dry_run,
        lede: lede(tally, provenance),
        verdict: verdict(tally, counts, provenance.dry_run),
        bar: bar(&counts.shown(&kinds).map(|it| (it.0.class, it.1, label(it))).collect::<Vec<_>>()),
        bar_label: counts.shown(&kinds).map(label).collect::<Vec<_>>().join("; "),
        legend: counts.shown(&kinds).map(item).collect(),
        next: next(tally, counts, provenance),
        archives: archives.into_iter().filter(|_| several).map(|it| archive(it, &kinds)).collect(),
        kinds: kinds.iter().map(|kind| kind.name).collect(),
    }
}

/// Says what to do now, and by which commands.
fn next(tally: &Tally, counts: Counts, provenance: &Provenance) -> Next {
    let curable = tally.reasons.keys().any(|code| is_curable(code));
    let commands = if curable { provenance.same_mail.advise_and_convert() } else { Vec::new() };
    let says = match () {
        () if counts.open() == 0 && provenance.dry_run && tally.changed > 0 => {
            "Nothing was written yet: give the same command without `-n`."
        }
        () if counts.open() == 0 => "Nothing: all that should change did.",
        () if curable && commands.is_empty() => {
            "Ask `septet advise` which settings read what is left, and convert by the file that it prints."
        }
        () if curable => {
            "Ask which settings read what is left, look at the samples in the file that comes of it, and convert by it:"
        }
        () => "No other charset would help. What is left stands below by reason, each with what helps.",
    };
    Next { says: prose(says), commands }
}

/// Makes the row of an archive, with a count for each of `kinds`.
fn archive((record, counts): (&FileRecord, Counts), kinds: &[&'static OutcomeStyle]) -> ArchiveView {
    ArchiveView {
        name: Shown(if record.input == "-" { "standard input" } else { &record.input }).to_string(),
        messages: number(counts.all()),
        counts: counts.shown(kinds).map(|(_, count)| number(count)).collect(),
        share: percent(100.0 * counts.open() as f64 / counts.all().max(1) as f64),
    }
}

/// Writes a share: none, some, or all is never said of what isn't.
fn percent(share: f64) -> String {
    match share {
        0.0 => "0 %".to_owned(),
        small if small < 0.1 => "under 0.1 %".to_owned(),
        most if most > 99.9 && most < 100.0 => "over 99.9 %".to_owned(),
        share => format!("{share:.1} %"),
    }
}

/// Returns the title of the page: the archive's own name, or how many archives there are.
fn title(files: &FileRecords) -> String {
    match &files.records[..] {
        [] => "Nothing was read".to_owned(),
        [(_, one)] => {
            let name = one.input.trim_end_matches('/').rsplit('/').next().filter(|name| !name.is_empty());
            Shown(if one.input == "-" { "standard input" } else { name.unwrap_or(&one.input) }).to_string()
        }
        several => format!("{} archives", number(several.len() as u64 + files.more)),
    }
}

/// Says in a line what was read, how and when.
fn lede(tally: &Tally, provenance: &Provenance) -> String {
    let messages = if tally.messages == 1 { "message" } else { "messages" };
    let Provenance { profile, .. } = provenance;
    let (count, size, begun) = (number(tally.messages), size(tally.bytes), provenance.begun());
    format!("{count} {messages}, {size}, read with profile {profile} on {begun}")
}

/// Makes a stretch of prose.
pub fn run(text: impl Into<String>, marked: bool) -> MarkedText {
    MarkedText { text: text.into(), marked }
}

/// Parts prose at its backticks: what stands in them is marked.
pub fn prose(text: &str) -> Vec<MarkedText> {
    text.replace("**", "").split('`').enumerate().map(|(at, text)| run(text, at % 2 == 1)).collect()
}

/// Says in a sentence or two how it went.
fn verdict(tally: &Tally, counts: Counts, dry_run: bool) -> Vec<MarkedText> {
    let were = if dry_run { "would be put right" } else { "were put right" };
    let mut runs = match tally.changed {
        0 => vec![run("Nothing was to be changed. ", false)],
        1 => vec![
            run("One message", true),
            run(format!(" {} put right. ", if dry_run { "would be" } else { "was" }), false),
        ],
        more => vec![run(format!("{} messages", number(more)), true), run(format!(" {were}. "), false)],
    };
    runs.extend(match counts.open() {
        0 => vec![run("Nothing is left.", true)],
        1 => vec![run("One", true), run(" has something left that a person may decide about.", false)],
        more => vec![run(number(more), true), run(" have something left that a person may decide about.", false)],
    });
    let partly = counts.open() - tally.left.min(counts.open());
    if partly > 0 {
        let were = if dry_run {
            "would be"
        } else if partly == 1 {
            "was"
        } else {
            "were"
        };
        runs.push(run(format!(" Of these, {} {were} changed in other places.", number(partly)), false));
    }
    if tally.faults > 0 {
        runs.push(run(
            format!(" {} stayed for a fault of septet's own: please report it.", number(tally.faults)),
            true,
        ));
    }
    runs
}

/// Lays the pieces of a bar side by side: class, count and label of each; one without messages has none.
fn bar(parts: &[(&'static str, u64, String)]) -> Vec<BarPiece> {
    let widths = widths(&parts.iter().map(|(_, count, _)| *count).collect::<Vec<_>>());
    let mut x = 0.0;
    let mut pieces = Vec::new();
    for ((class, _, label), width) in parts.iter().zip(widths).filter(|(_, width)| *width > 0.0) {
        pieces.push(BarPiece { class, x: format!("{x:.3}"), width: format!("{width:.3}"), label: label.clone() });
        x += width;
    }
    pieces
}
