//! One message: its parts, the plan, and below each line of it what came, what it would be, and what helps.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::diff::diff;
use super::{ExplainOptions, plan};
use crate::archive::convert::visit::VisitedMessage;
use crate::message::{Defect, DefectKind, LineEnd, Message, Part, named_defects};
use crate::process::advice::{AdviceBasis, LeftText, Remedies};
use crate::process::color::{BEFORE, BOLD, CHANGED, FAINT, LEFT, paint};
use crate::process::decide::{Decision, reasons, strictest};
use crate::process::ruled_profiles::RuledProfiles;
use crate::process::sample::{Sample, Sampler, mark};
use crate::process::shown::{Shown, printable};
use crate::process::shown_json::shown_json;
use crate::process::why::plain;
use crate::rewrite::{Change, Entry, Explanation, Outcome, Plan, Profile};

/// Below how many lines of a plan stand samples, what a reason means and what helps; a message may have very many
/// lines, and to find a sample or a remedy takes a look at all of the others.
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
    if asked.diff {
        return diff(&content, &after, "");
    }
    let basis = AdviceBasis::new(&asked.settings, &RuledProfiles::one(profile.clone()));
    let shown = ShownPlan { planned: &planned, sampler: &sampler, remedies: remedies(&content, &planned, &basis) };
    match asked.json {
        true => shown_json(&as_json(&message, &shown, profile, decision)) + "\n",
        false => as_text(&message, &shown, profile, decision),
    }
}

/// A plan, and what is shown below its lines.
struct ShownPlan<'a> {
    planned: &'a Plan,
    sampler: &'a Sampler<'a>,
    /// What is advised for the message; none where nothing may be.
    remedies: Option<Remedies<'a>>,
}

/// Asks what is advised for a message, where something is left of it that another charset may help; none elsewhere, and
/// where there is no room for what is asked.
fn remedies<'a>(message: &'a [u8], planned: &Plan, basis: &'a AdviceBasis) -> Option<Remedies<'a>> {
    let is_asked = reasons(&planned.report).any(Remedies::are_for);
    // Where there is no room for what is asked, it is said what helps in general.
    is_asked.then(|| Remedies::ask(&[message], basis).ok()).flatten()
}

impl ShownPlan<'_> {
    /// Says what is to be known of a reason or note, and what helps there; none for a change, which shows itself.
    fn answer(&self, entry: &Entry) -> Option<(&'static str, String)> {
        let Explanation { says, helps, .. } = match &entry.outcome {
            Outcome::Left(reason) => reason.particulars(),
            Outcome::Noted(note) => note.explanation(),
            Outcome::Done(_) => return None,
        };
        let is_asked = matches!(&entry.outcome, Outcome::Left(reason) if Remedies::are_for(reason));
        let asked = self.remedies.as_ref().filter(|_| is_asked);
        let text = LeftText { message: 0, entry };
        Some((says, asked.map_or_else(|| helps.to_owned(), |remedies| remedies.say(&[text]))))
    }
}

/// Writes everything for people: parts, defects, the plan with samples, meanings and what helps for the
/// first [`SAMPLES`] entries, and what the settings make of it.
fn as_text(message: &Message, shown: &ShownPlan, profile: &Profile, decision: Option<Decision>) -> String {
    let ShownPlan { planned, sampler, .. } = shown;
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
        text += &details((at < SAMPLES).then(|| sampler.of(entries, at)).flatten());
        if let Some(octets) = instance_octets(entry) {
            let _ = writeln!(text, "      {}", undoable(octets));
        }
        if let Some((says, helps)) = (at < SAMPLES).then(|| shown.answer(entry)).flatten() {
            let _ = writeln!(text, "      {}", plain(says));
            let _ = writeln!(text, "      {} {}", paint(FAINT, "what helps:"), Shown(&plain(&helps)));
        }
    }
    if let Some(Decision { action, key, .. }) = decision {
        text += &format!("\naction: {action} (by {key})\n");
    }
    text
}

/// Returns how many octets the instance has that an entry reports, if it reports one.
fn instance_octets(entry: &Entry) -> Option<usize> {
    let Outcome::Done(changes) = &entry.outcome else { return None };
    changes.iter().find_map(|change| match change {
        Change::Instance { octets, .. } => Some(*octets),
        _ => None,
    })
}

/// Says what an instance of so many octets is good for.
fn undoable(octets: usize) -> String {
    format!(
        "the sender's DKIM2 signature can still be verified, once a signer behind septet has signed this: what was changed \
         is recorded ({octets} octets)"
    )
}

/// Returns the defects that a message was found to have, whatever the settings say of them, in the order of their
/// places.
fn defects(message: &Message) -> Vec<Defect> {
    use DefectKind::{HeaderEndsAtText, RepeatedField};
    let mut found = named_defects(message);
    // What has one of these has the same, or a closer name, in the list of named ones.
    let named = found.len();
    for defect in message.defects() {
        let may_be_named = matches!(defect.kind, HeaderEndsAtText | RepeatedField);
        let mut same_place = found[..named].iter().filter(|it| it.part == defect.part);
        if !may_be_named || !same_place.any(|it| it.at.start == defect.at.start) {
            found.push(*defect);
        }
    }
    found.sort_by_key(|defect| defect.at.start);
    found
}

/// Paints a line of a report by its outcome: what was left, or changed; a note stays.
pub fn painted(entry: &Entry) -> String {
    match &entry.outcome {
        Outcome::Left(_) => paint(LEFT, entry),
        Outcome::Done(_) => paint(CHANGED, entry),
        Outcome::Noted(_) => entry.to_string(),
    }
}

/// Writes the sample that stands below a line, a line each for what it has; empty without one.
fn details(sample: Option<Sample>) -> String {
    let mut text = String::new();
    if let Some(Sample { before, after, reads, may_be, .. }) = sample {
        let name = if after.is_some() { "before" } else { "octets" };
        let _ = writeln!(text, "      {}  {}", paint(FAINT, name), mark::painted(&before, BEFORE));
        if let Some(after) = after {
            let _ = writeln!(text, "      {}     {}", paint(FAINT, "now"), mark::painted(&after, CHANGED));
        }
        if let Some(reads) = reads {
            let _ = writeln!(text, "      {}   {}", paint(FAINT, "reads"), Shown(&reads));
        }
        for reading in may_be {
            let _ = writeln!(text, "      {}  {}", paint(FAINT, "may be"), Shown(&reading));
        }
    }
    text
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
fn as_json(message: &Message, shown: &ShownPlan, profile: &Profile, decision: Option<Decision>) -> Value {
    let parts = message.parts().iter().enumerate().map(|(index, part)| part_json(message, index, part));
    let defects = defects(message);
    let defects = defects.iter();
    let defects =
        defects.map(|defect| json!({"octet": defect.at.start, "kind": defect.kind, "text": defect.kind.text()}));
    let planned = shown.planned;
    let entries = &planned.report.entries;
    let samples = (0..entries.len().min(SAMPLES)).map(|at| sample_json(at, shown));
    json!({
        "octets": message.raw().len(),
        "profile": profile.name,
        "result": planned.report.result(),
        "parts": parts.collect::<Vec<_>>(),
        "defects": defects.collect::<Vec<_>>(),
        "entries": entries.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "samples": samples.collect::<Vec<_>>(),
        "action": decision.map(|it| json!({"what": it.action.to_string(), "key": it.key})),
    })
}

/// Makes the object of a part; its spans are offsets into the message.
fn part_json(message: &Message, index: usize, part: &Part) -> Value {
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
}

/// Makes the object of the entry `at` of the report, with what came, what it would be, and what helps; `null` for what
/// there is not.
fn sample_json(at: usize, shown: &ShownPlan) -> Value {
    let entries = &shown.planned.report.entries;
    let entry = &entries[at];
    let sample = shown.sampler.of(entries, at);
    let answer = shown.answer(entry);
    json!({
        "entry": entry.to_string(),
        "before": sample.as_ref().map(|sample| mark::text(&sample.before)),
        "now": sample.as_ref().and_then(|sample| sample.after.as_deref()).map(mark::text),
        "reads": sample.as_ref().and_then(|sample| sample.reads.as_deref()),
        "may_be": sample.as_ref().map_or(&[][..], |sample| &sample.may_be),
        "says": answer.as_ref().map(|(says, _)| plain(says)).or_else(|| instance_octets(entry).map(undoable)),
        "helps": answer.as_ref().map(|(_, helps)| plain(helps)),
    })
}
