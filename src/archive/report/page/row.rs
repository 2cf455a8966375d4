//! A message in a list: what it is, what was decided, and where it is to be found.

use std::collections::BTreeMap;
use std::io;

use askama::Template;

use super::views::{RowView, number};
use crate::archive::report::line::ReportLine;
use crate::archive::report::same_mail::SameMail;
use crate::rewrite::EntryLine;

/// How many entries are shown of one message; of more it is said how many, and why.
const ENTRIES: usize = 24;

/// Renders a message with its decisions, under the name that its file has now; of a file that was skipped, or a message
/// that was left out, why.
pub fn render(row: &ReportLine, same_mail: &SameMail) -> io::Result<String> {
    let is_skipped = row.result == "skipped";
    let preview = row.preview.as_deref().filter(|_| !is_skipped);
    let file = row.renamed.as_deref().unwrap_or(&row.input);
    let view = RowView {
        row,
        preview,
        subject: if is_skipped { row.reason.as_deref() } else { preview.and_then(|it| it.subject.as_deref()) },
        lines: if is_skipped { Vec::new() } else { lines(&row.entries) },
        command: same_mail.explain(row.message, file).filter(|_| !is_skipped),
        file,
    };
    Ok(view.render().map_err(io::Error::other)? + "\n")
}

/// Returns the lines of the decisions, each behind its class in the style (`l` for what was left, else none), what was
/// left first; those beyond [`ENTRIES`] are counted by what became of their places.
fn lines(entries: &[EntryLine]) -> Vec<(&'static str, String)> {
    let is_left = |entry: &&EntryLine| entry.left.is_some();
    let left = entries.iter().filter(is_left).map(|entry| ("l", entry));
    let others = entries.iter().filter(|entry| !is_left(entry)).map(|entry| ("", entry));
    let mut all = left.chain(others);
    let mut lines: Vec<_> = all.by_ref().take(ENTRIES).map(|(class, entry)| (class, entry.text.clone())).collect();
    let mut more: BTreeMap<(&'static str, String), u64> = BTreeMap::new();
    for (class, entry) in all {
        *more.entry((class, outcome_codes(entry))).or_default() += 1;
    }
    lines.extend(
        more.into_iter().map(|((class, what), count)| (class, format!("… and {} more: {what}", number(count)))),
    );
    lines
}

/// Returns the codes of what became of a place, without the particulars: `left=CODE`, `note=CODE`, or those of the
/// changes.
fn outcome_codes(entry: &EntryLine) -> String {
    match (&entry.left, &entry.note) {
        (Some(code), _) => format!("left={code}"),
        (None, Some(note)) => format!("note={}", note.split('(').next().unwrap_or_default()),
        (None, None) => entry.change_codes().collect::<Vec<_>>().join(" "),
    }
}
