//! A message in a list: what it is, what was decided, and where it is to be found.

use std::collections::BTreeMap;
use std::io;

use askama::Template;

use super::number;
use super::views::RowView;
use crate::archive::report::line::ReportLine;
use crate::archive::report::same_mail::SameMail;
use crate::process::shown::Shown;
use crate::rewrite::EntryLine;

/// The entries that are shown of one message; of more it is said how many, and why.
const ENTRIES: usize = 24;

/// Renders a message with its decisions, under the name that its file has now.
pub fn render(row: &ReportLine, same_mail: &SameMail) -> io::Result<String> {
    let preview = row.preview.as_deref();
    let file = row.renamed.as_deref().unwrap_or(&row.input);
    let view = RowView {
        message: number(row.message),
        day: preview.and_then(|preview| preview.day).map(|day| day.to_string()).unwrap_or_default(),
        subject: preview.and_then(|preview| preview.subject.as_deref()).map(|text| Shown(text).to_string()),
        may_be: preview.and_then(|preview| preview.may_be.clone()),
        sender: preview.and_then(|preview| preview.sender.as_deref()).map(|text| Shown(text).to_string()),
        lines: lines(&row.entries),
        command: same_mail.explain(row.message, file),
        file: Shown(file).to_string(),
        whence: whence(row),
    };
    let mut text = view.render().map_err(io::Error::other)?;
    text.push('\n');
    Ok(text)
}

/// Renders a file that was skipped, or a message that was left out.
pub fn render_skipped(row: &ReportLine) -> io::Result<String> {
    let view = RowView {
        message: if row.is_of_skipped_file() { String::new() } else { number(row.message) },
        day: String::new(),
        subject: Some(Shown(row.reason.as_deref().unwrap_or_default()).to_string()),
        may_be: None,
        sender: None,
        lines: Vec::new(),
        command: None,
        file: Shown(&row.input).to_string(),
        whence: whence(row),
    };
    let mut text = view.render().map_err(io::Error::other)?;
    text.push('\n');
    Ok(text)
}

/// Returns the decisions with their classes, what was left first; those beyond [`ENTRIES`] are counted by what became
/// of their places.
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

/// Returns the codes of what became of a place, without the particulars: `left=CODE`, `note=CODE`, or those of the changes.
fn outcome_codes(entry: &EntryLine) -> String {
    match (&entry.left, &entry.note) {
        (Some(code), _) => format!("left={code}"),
        (None, Some(note)) => format!("note={}", note.split('(').next().unwrap_or_default()),
        (None, None) => entry.change_codes().collect::<Vec<_>>().join(" "),
    }
}

/// Says where a message starts in its file, if not at its start, and its Message-ID, if it has one.
fn whence(row: &ReportLine) -> String {
    let octet = format!("from octet {}", number(row.offset));
    let id = row.message_id.as_deref().map(|id| Shown(id).to_string());
    [Some(octet).filter(|_| row.offset > 0), id].into_iter().flatten().collect::<Vec<_>>().join("  ·  ")
}
