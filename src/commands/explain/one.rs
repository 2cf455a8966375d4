//! One message: its parts, the plan, and below each line of it what came, what it would be, and what helps.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::diff::{diff, printable};
use super::{ExplainOptions, plan};
use crate::archive::convert::visit::VisitedMessage;
use crate::message::{Defect, DefectKind, LineEnd, Message, Part, named_defects};
use crate::process::color::{BEFORE, BOLD, CHANGED, FAINT, LEFT, paint};
use crate::process::decide::{Decision, strictest};
use crate::process::sample::{MarkedText, Sample, Sampler};
use crate::process::shown::Shown;
use crate::process::why::plain;
use crate::rewrite::{Entry, Explanation, Outcome, Plan, Profile};

/// The lines of a plan below which samples stand; a message may have very many.
const SAMPLES: usize = 100;

/// Explains a message as text, as one JSON object, or as a diff, which is empty where nothing changes.
pub fn explain(asked: &ExplainOptions, found: &VisitedMessage) -> String {
    let content = found.content();
    let profile = asked.profiles.of(&content, found.from_line());
    let planned = plan(found, asked, profile);
    let message = Message::read(&content, &profile.limits);
    let decision = strictest(&asked.settings, &planned.report);
    let after = found.converted(&content, &planned);
    let sampler = Sampler::new(&content, (!planned.edits.is_empty()).then_some(&after), &profile.limits);
    if asked.json {
        format!("{}\n", as_json(&message, &planned, profile, decision, &sampler))
    } else if asked.diff {
        diff(&content, &after, "")
    } else {
        as_text(&message, &planned, profile, decision, &sampler)
    }
}

/// Writes everything for people: parts, defects, the plan with samples for the first [`SAMPLES`] entries, and what the
/// settings make of it.
fn as_text(
    message: &Message,
    planned: &Plan,
    profile: &Profile,
    decision: Option<Decision>,
    sampler: &Sampler,
) -> String {
    let ends = if message.line_end() == LineEnd::CrLf { "CRLF" } else { "LF" };
    let octets = message.raw().len();
    let mut text = format!("message: {octets} octets, {ends}, {} part(s)\n\n", message.parts().len());
    text += &format!("{}\n", paint(BOLD, "parts:"));
    for (index, part) in message.parts().iter().enumerate() {
        let number = message.number(index).to_string();
        let (header, body) = (part.header, part.body);
        let spans = format!("header {}..{} body {}..{}", header.start, header.end, body.start, body.end);
        text += &format!("  {number:<8} {:<44} {}\n", kind(message, part), paint(FAINT, spans));
    }
    let defects = defects(message);
    if !defects.is_empty() {
        text += &format!("\n{}\n", paint(BOLD, "defects:"));
    }
    for defect in defects {
        text += &format!("  octet {}: {}: {}\n", defect.at.start, defect.kind.name(), defect.kind.text());
    }
    let head = format!("plan, profile {}: {}", profile.name, planned.report.result());
    text += &format!("\n{}\n", paint(BOLD, head));
    let entries = &planned.report.entries;
    for (at, entry) in entries.iter().enumerate() {
        text += &format!("  {}\n", painted(entry));
        text += &details(entry, (at < SAMPLES).then(|| sampler.of(entries, at)).flatten());
    }
    if let Some(Decision { action, key, .. }) = decision {
        text += &format!("\naction: {action} (by {key})\n");
    }
    text
}

/// Returns the defects that a message was found to have, whatever the settings say of them.
fn defects(message: &Message) -> Vec<Defect> {
    use DefectKind::{HeaderEndsAtText, RepeatedField};
    let mut found = named_defects(message);
    // What has one of these has the same, or a closer name, in the list of named ones.
    let said = |defect: &&Defect| matches!(defect.kind, HeaderEndsAtText | RepeatedField);
    let is_new = |defect: &&Defect| {
        !(said(defect) && found.iter().any(|it| it.part == defect.part && it.at.start == defect.at.start))
    };
    let others: Vec<Defect> = message.defects().iter().filter(is_new).copied().collect();
    found.extend(others);
    found.sort_by_key(|defect| defect.at.start);
    found
}

/// Paints a line of a report by its outcome: what was left, or changed.
pub fn painted(entry: &Entry) -> String {
    match &entry.outcome {
        Outcome::Left(_) => paint(LEFT, entry),
        Outcome::Done(_) => paint(CHANGED, entry),
        Outcome::Noted(_) => entry.to_string(),
    }
}

/// Writes what stands below a line: a sample, and what is to be known of a reason or note.
fn details(entry: &Entry, sample: Option<Sample>) -> String {
    let mut text = String::new();
    if let Some(Sample { before, after, reads, may_be, .. }) = sample {
        let name = if after.is_some() { "before" } else { "octets" };
        let _ = writeln!(text, "      {}  {}", paint(FAINT, name), runs(&before, BEFORE));
        if let Some(after) = after {
            let _ = writeln!(text, "      {}     {}", paint(FAINT, "now"), runs(&after, CHANGED));
        }
        if let Some(reads) = reads {
            let _ = writeln!(text, "      {}   {}", paint(FAINT, "reads"), Shown(&reads));
        }
        for reading in may_be {
            let _ = writeln!(text, "      {}  {}", paint(FAINT, "may be"), Shown(&reading));
        }
    }
    if let Some(Explanation { says, helps, .. }) = answer(entry) {
        let _ = writeln!(text, "      {}", plain(says));
        let _ = writeln!(text, "      {} {}", paint(FAINT, "what helps:"), plain(helps));
    }
    text
}

/// Returns what is to be known of a reason or note; none for a change, which shows itself.
fn answer(entry: &Entry) -> Option<Explanation> {
    match &entry.outcome {
        Outcome::Left(reason) => Some(reason.explanation()),
        Outcome::Noted(note) => Some(note.explanation()),
        Outcome::Done(_) => None,
    }
}

fn runs(runs: &[MarkedText], style: anstyle::Style) -> String {
    runs.iter().map(|run| if run.marked { paint(style, &run.text) } else { run.text.clone() }).collect()
}

/// Describes a part in a few words: type, charset, transfer encoding, protection.
fn kind(message: &Message, part: &Part) -> String {
    let ty = &part.content_type;
    let mut words = format!("{}/{}", ty.main, ty.sub);
    if let Some(charset) = ty.parameter(message.raw(), "charset") {
        words += &format!("; charset={}", printable(&charset));
    }
    words += &format!(", {}", Shown(part.transfer.name()));
    if let Some(protection) = part.protection {
        words += &format!(", protection: {}", format!("{protection:?}").to_lowercase());
    }
    words
}

/// Writes everything as one object, with samples for the first [`SAMPLES`] entries.
fn as_json(
    message: &Message,
    planned: &Plan,
    profile: &Profile,
    decision: Option<Decision>,
    sampler: &Sampler,
) -> Value {
    let part = |(index, part): (usize, &Part)| {
        let ty = &part.content_type;
        json!({
            "part": message.number(index).to_string(),
            "type": format!("{}/{}", ty.main, ty.sub),
            "charset": ty.parameter(message.raw(), "charset").map(|charset| printable(&charset)),
            "transfer": part.transfer.name(),
            "protection": part.protection.map(|protection| format!("{protection:?}").to_lowercase()),
            "header": [part.header.start, part.header.end],
            "body": [part.body.start, part.body.end],
        })
    };
    let defects = defects(message);
    let defects = defects.iter();
    let defects =
        defects.map(|defect| json!({"octet": defect.at.start, "kind": defect.kind, "text": defect.kind.text()}));
    let entries = &planned.report.entries;
    let samples = (0..entries.len().min(SAMPLES)).map(|at| sample_json(entries, at, sampler));
    json!({
        "octets": message.raw().len(),
        "profile": profile.name,
        "result": planned.report.result(),
        "parts": message.parts().iter().enumerate().map(part).collect::<Vec<_>>(),
        "defects": defects.collect::<Vec<_>>(),
        "entries": entries.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "samples": samples.collect::<Vec<_>>(),
        "action": decision.map(|it| json!({"what": it.action.to_string(), "key": it.key})),
    })
}

/// Makes the object of one entry, with what came, what it would be, and what helps; `null` for what there is not.
fn sample_json(entries: &[Entry], at: usize, sampler: &Sampler) -> Value {
    let text = |runs: &[MarkedText]| runs.iter().map(|run| run.text.as_str()).collect::<String>();
    let entry = &entries[at];
    let sample = sampler.of(entries, at);
    let answer = answer(entry);
    json!({
        "entry": entry.to_string(),
        "before": sample.as_ref().map(|sample| text(&sample.before)),
        "now": sample.as_ref().and_then(|sample| sample.after.as_deref()).map(text),
        "reads": sample.as_ref().and_then(|sample| sample.reads.as_deref()),
        "may_be": sample.as_ref().map(|sample| &sample.may_be[..]).unwrap_or_default(),
        "says": answer.map(|answer| plain(answer.says)),
        "helps": answer.map(|answer| plain(answer.helps)),
    })
}
