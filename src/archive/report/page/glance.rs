//! What is to be seen at once: a sentence, a bar, three numbers.

use super::views::{BarPiece, Head, LegendItem};
use super::{Tally, number};
use crate::archive::report::provenance::{Files, Provenance};
use crate::archive::report::sums::sha256_base64;
use crate::process::sample::Run;
use crate::process::shown::Shown;

const STYLE: &str = include_str!("../../../../templates/report/style.css");

/// The page's script.
pub const SCRIPT: &str = include_str!("../../../../templates/report/filter.js");

/// What a bar's piece has at least, in hundredths, so that it can be seen.
pub const LEAST: f64 = 0.5;

/// Makes the page down to the lists.
pub fn head(tally: &Tally, provenance: &Provenance, partly: u64) -> Head<'static> {
    let same = tally.messages.saturating_sub(tally.changed + tally.left + tally.left_out);
    let parts = [("changed", tally.changed), ("left", tally.left), ("unchanged", same)];
    let share = |count: u64| 100.0 * count as f64 / tally.messages.max(1) as f64;
    let label = |(name, count): &(&str, u64)| format!("{} {name}, {}", number(*count), percent(share(*count)));
    Head {
        style_hash: sha256_base64(STYLE.as_bytes()),
        script_hash: sha256_base64(SCRIPT.as_bytes()),
        style: STYLE,
        title: title(&provenance.files),
        dry_run: provenance.dry_run,
        lede: lede(tally, provenance),
        verdict: verdict(tally, partly, provenance.dry_run),
        one_mailbox: matches!(&provenance.files.records[..], [(_, one)] if one.files.is_none()),
        bar: bar(&parts.map(|(name, count)| (class(name), count, label(&(name, count))))),
        bar_label: parts.iter().map(label).collect::<Vec<_>>().join("; "),
        legend: parts
            .map(|(name, count)| LegendItem {
                class: class(name),
                name,
                count: number(count),
                share: percent(share(count)),
            })
            .into(),
        partly,
        partly_said: partly_said(partly),
    }
}

fn class(name: &str) -> &'static str {
    match name {
        "changed" => "changed",
        "left" => "left",
        _ => "same",
    }
}

fn partly_said(partly: u64) -> String {
    match partly {
        1 => "One of the changed messages has something left in it as well; it is in the lists below.".to_owned(),
        more => format!(
            "{} of the changed messages have something left in them as well; they are in the lists below.",
            number(more)
        ),
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

fn title(files: &Files) -> String {
    match &files.records[..] {
        [] => "Nothing was read".to_owned(),
        [(_, one)] => {
            let name = one.input.trim_end_matches('/').rsplit('/').next().filter(|name| !name.is_empty());
            Shown(if one.input == "-" { "standard input" } else { name.unwrap_or(&one.input) }).to_string()
        }
        several => format!("{} archives", number(several.len() as u64 + files.more)),
    }
}

fn lede(tally: &Tally, provenance: &Provenance) -> String {
    let messages = if tally.messages == 1 { "message" } else { "messages" };
    let Provenance { profile, .. } = provenance;
    let (count, size, begun) = (number(tally.messages), octets(tally.bytes), provenance.begun());
    format!("{count} {messages}, {size}, read with profile {profile} on {begun}")
}

/// Makes a stretch of prose.
pub fn run(text: impl Into<String>, marked: bool) -> Run {
    Run { text: text.into(), marked }
}

/// Says in a sentence or two how it went.
fn verdict(tally: &Tally, partly: u64, dry_run: bool) -> Vec<Run> {
    let open = tally.left + partly;
    let were = if dry_run { "would be put right" } else { "were put right" };
    let mut runs = match tally.changed {
        0 => vec![run("Nothing was to be changed. ", false)],
        1 => vec![
            run("One message", true),
            run(format!(" {} put right. ", if dry_run { "would be" } else { "was" }), false),
        ],
        more => vec![run(format!("{} messages", number(more)), true), run(format!(" {were}. "), false)],
    };
    runs.extend(match open {
        0 => vec![run("Nothing is left.", true)],
        1 => vec![run("One", true), run(" has something left that a person may decide about.", false)],
        more => vec![run(number(more), true), run(" have something left that a person may decide about.", false)],
    });
    if tally.faults > 0 {
        runs.push(run(
            format!(" {} stayed for a fault of septet's own: please report it.", number(tally.faults)),
            true,
        ));
    }
    runs
}

/// Lays the pieces of a bar side by side.
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

/// Returns widths that add up to 100, where what is there at all can be seen.
fn widths(counts: &[u64]) -> Vec<f64> {
    let all = counts.iter().sum::<u64>().max(1) as f64;
    let least = |count: &u64| if *count == 0 { 0.0 } else { (100.0 * *count as f64 / all).max(LEAST) };
    let widths: Vec<f64> = counts.iter().map(least).collect();
    let sum: f64 = widths.iter().sum::<f64>().max(LEAST);
    widths.into_iter().map(|width| 100.0 * width / sum).collect()
}

/// Writes a size as people say it.
fn octets(of: u64) -> String {
    match of {
        ..1_000 => format!("{of} octets"),
        1_000..1_000_000 => format!("{:.1} kB", of as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", of as f64 / 1e6),
        _ => format!("{:.2} GB", of as f64 / 1e9),
    }
}
