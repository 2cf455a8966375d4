//! What is promised of every plan stands here once, for the fuzz targets, and for the ordinary tests that try it on the
//! fixtures and on attacks that they build.
//!
//! [`broken_promise`] tries each promise that can be tried without another program. It shares nothing with planning but
//! the reader: what a plan does wrong, it must not do wrong here too. The promise that needs mail-parser is tried in
//! [`attack`](crate::attack), with the bodies of the targets, those that need Python, GMime or a protocol in
//! `tests/core/attack`.

mod hints;
mod octets;
mod tree;

use septet::message::Message;
use septet::{Outcome, Plan, Profile, Report, check, plan};

/// Finds a promise that the plan of this message breaks, and says which; none when it keeps all of them.
///
/// The promises: the check lets the plan pass; the identity changes nothing; edits and report agree; no fault of ours
/// is in the report; the tree of parts, their fields and boundaries stay; a body that is not reported as changed keeps
/// its octets, and an attachment its decoded octets; no NUL, no CR or LF alone and no line over 998 octets appears; raw
/// text that stays in a header keeps the label that says what it is; a second run changes nothing; LF and CRLF give the
/// same.
pub fn broken_promise(raw: &[u8], profile: &Profile) -> Option<String> {
    let planned = plan(raw, profile);
    let once = planned.edits.apply(raw);
    refused(raw, &planned, profile)
        .or_else(|| in_itself(&planned, profile))
        .or_else(|| between(raw, &once, &planned, profile))
        .or_else(|| second_run(&once, profile))
        .or_else(|| line_ends(raw, &once, &planned.report, profile))
}

/// Says why the check refuses a plan that was just made, if it does.
pub fn refused(raw: &[u8], planned: &Plan, profile: &Profile) -> Option<String> {
    check(raw, planned, profile).err().map(|error| format!("refused: {error}"))
}

/// What a plan promises whatever the message.
fn in_itself(planned: &Plan, profile: &Profile) -> Option<String> {
    let ours = |outcome: &Outcome| matches!(outcome, Outcome::Left(reason) if reason.is_ours());
    if !planned.edits.is_empty() && profile.is_identity() {
        return Some("the identity changes something".to_owned());
    }
    if planned.edits.is_empty() == planned.report.changes() {
        return Some("edits and report disagree".to_owned());
    }
    let fault = planned.report.entries.iter().find(|entry| ours(&entry.outcome));
    fault.map(|entry| format!("a fault of ours: {entry}"))
}

/// What holds between a message and what became of it.
fn between(raw: &[u8], once: &[u8], planned: &Plan, profile: &Profile) -> Option<String> {
    if planned.edits.is_empty() {
        return None;
    }
    let (before, after) = (Message::read(raw, &profile.limits), Message::read(once, &profile.limits));
    tree::difference(&before, &after)
        .or_else(|| octets::touched(&before, &after, &planned.report, profile))
        .or_else(|| octets::appeared(&before, &after))
        .or_else(|| hints::lost(&before, &after, profile))
}

fn second_run(once: &[u8], profile: &Profile) -> Option<String> {
    let again = plan(once, profile);
    (!again.edits.is_empty()).then(|| format!("a second run changes: {}", again.report))
}

/// A message with LF and the same one with CRLF become the same; one that has a CR already, or no line end, is neither,
/// and one whose bodies count the octets of line ends becomes another text by the change alone.
fn line_ends(raw: &[u8], once: &[u8], report: &Report, profile: &Profile) -> Option<String> {
    let message = Message::read(raw, &profile.limits);
    let is_lines = raw.contains(&b'\n') && !raw.contains(&b'\r') && raw.len() * 2 <= profile.limits.message_bytes;
    if !is_lines || octets::has_counted_line_ends(&message) {
        return None;
    }
    let wire = with_crlf(raw);
    let planned = plan(&wire, profile);
    let out = planned.edits.apply(&wire);
    if out == with_crlf(once) {
        return refused(&wire, &planned, profile);
    }
    let pairs = report.entries.iter().zip(&planned.report.entries);
    let differs = pairs.filter(|(lf, crlf)| lf != crlf).map(|(lf, crlf)| format!("{lf}, and {crlf}")).next();
    Some(format!("with CRLF it becomes another: {}", differs.unwrap_or_else(|| "the report is the same".to_owned())))
}

fn with_crlf(raw: &[u8]) -> Vec<u8> {
    let ended = |line: &[u8]| match line.strip_suffix(b"\n") {
        Some(bare) if !bare.ends_with(b"\r") => [bare, b"\r\n"].concat(),
        _ => line.to_vec(),
    };
    raw.split_inclusive(|&octet| octet == b'\n').flat_map(ended).collect()
}
