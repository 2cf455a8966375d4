//! `septet explain`: the parts of one message, the plan, and why each thing is changed or left.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use similar::TextDiff;

use super::arrival;
use super::decide::{Decision, strictest};
use super::exit::{Exit, Failure};
use super::settings::ProfileArgs;
use crate::message::{Defect, DefectKind, LineEnd, Message, Part, named_defects};
use crate::rewrite::{Plan, Profile, plan_arrived};

/// Show the parts of one message, the plan, and why each thing is changed or left
///
/// Nothing is changed. The lines of the plan are those of the log and of the reports.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    profile: ProfileArgs,
    /// Show what would change as a unified diff; octets that are not UTF-8 are written \xNN
    #[arg(long)]
    diff: bool,
    /// Write one JSON object
    #[arg(long, conflicts_with = "diff")]
    json: bool,
    /// Explain the message in FILE; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Runs the command.
pub fn run(args: Args) -> Result<(), Failure> {
    let (settings, profile) = args.profile.settings_and_profile()?;
    let raw = read(&args.file)?;
    let planned = plan_arrived(&raw, &profile, &arrival::now());
    let message = Message::read(&raw, &profile.limits);
    let decision = strictest(&settings, &planned.report);
    let text = if args.json {
        format!("{}\n", as_json(&message, &planned, &profile, decision))
    } else if args.diff {
        diff(&raw, &planned.edits.apply(&raw))
    } else {
        as_text(&message, &planned, &profile, decision)
    };
    match io::stdout().write_all(text.as_bytes()) {
        Err(fault) if fault.kind() != io::ErrorKind::BrokenPipe => Err(Failure::new(Exit::Io, fault)),
        _ => Ok(()),
    }
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    let mut raw = Vec::new();
    let read = if file == Path::new("-") {
        io::stdin().read_to_end(&mut raw).map(drop)
    } else {
        fs::read(file).map(|octets| raw = octets)
    };
    match read {
        Ok(()) => Ok(raw),
        Err(fault) => Err(Failure::new(Exit::NoInput, format!("{}: {fault}", file.display()))),
    }
}

fn as_text(message: &Message, planned: &Plan, profile: &Profile, decision: Option<Decision>) -> String {
    let ends = if message.line_end() == LineEnd::CrLf { "CRLF" } else { "LF" };
    let octets = message.raw().len();
    let mut text = format!("message: {octets} octets, {ends}, {} part(s)\n\nparts:\n", message.parts().len());
    for (index, part) in message.parts().iter().enumerate() {
        let number = message.number(index).to_string();
        let (header, body) = (part.header, part.body);
        text += &format!(
            "  {number:<8} {:<44} header {}..{} body {}..{}\n",
            kind(message, part),
            header.start,
            header.end,
            body.start,
            body.end
        );
    }
    let defects = defects(message);
    if !defects.is_empty() {
        text += "\ndefects:\n";
    }
    for defect in defects {
        text += &format!("  octet {}: {}: {}\n", defect.at.start, defect.kind.name(), defect.kind.text());
    }
    text += &format!("\nplan, profile {}: {}\n", profile.name, planned.report.result());
    for entry in &planned.report.entries {
        text += &format!("  {entry}\n");
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
    let said = |defect: &&Defect| matches!(defect.kind, HeaderEndsAtText | RepeatedField);
    let is_new = |defect: &&Defect| {
        !(said(defect) && found.iter().any(|it| it.part == defect.part && it.at.start == defect.at.start))
    };
    let others: Vec<Defect> = message.defects().iter().filter(is_new).copied().collect();
    found.extend(others);
    found.sort_by_key(|defect| defect.at.start);
    found
}

/// Describes a part in a few words: type, charset, transfer encoding, protection.
fn kind(message: &Message, part: &Part) -> String {
    let ty = &part.content_type;
    let mut words = format!("{}/{}", ty.main, ty.sub);
    if let Some(charset) = ty.parameter(message.raw(), "charset") {
        words += &format!("; charset={}", printable(&charset));
    }
    words += &format!(", {}", part.transfer.name());
    if let Some(protection) = part.protection {
        words += &format!(", protection: {}", format!("{protection:?}").to_lowercase());
    }
    words
}

fn as_json(message: &Message, planned: &Plan, profile: &Profile, decision: Option<Decision>) -> Value {
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
    let entries = planned.report.entries.iter().map(|entry| entry.to_string());
    json!({
        "octets": message.raw().len(),
        "profile": profile.name,
        "result": planned.report.result(),
        "parts": message.parts().iter().enumerate().map(part).collect::<Vec<_>>(),
        "defects": defects.collect::<Vec<_>>(),
        "entries": entries.collect::<Vec<_>>(),
        "action": decision.map(|it| json!({"what": it.action.to_string(), "key": it.key})),
    })
}

fn diff(before: &[u8], after: &[u8]) -> String {
    let (before, after) = (printable_lines(before), printable_lines(after));
    let diff = TextDiff::from_lines(&before, &after);
    diff.unified_diff().context_radius(3).header("before", "after").to_string()
}

/// Writes octets as text that a terminal shows: what is not UTF-8, and controls, as `\xNN`.
fn printable(octets: &[u8]) -> String {
    let mut text = String::with_capacity(octets.len());
    for chunk in octets.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\n' | '\t' => text.push(character),
                c if c.is_control() => text += &format!("\\x{:02X}", u32::from(c)),
                c => text.push(c),
            }
        }
        chunk.invalid().iter().for_each(|octet| text += &format!("\\x{octet:02X}"));
    }
    text
}

/// The same for whole lines; the CR of a CRLF is not shown.
fn printable_lines(octets: &[u8]) -> String {
    let lines = octets.split_inclusive(|&octet| octet == b'\n');
    let line = |line: &[u8]| match line.strip_suffix(b"\r\n") {
        Some(content) => printable(content) + "\n",
        None => printable(line),
    };
    lines.map(line).collect()
}
