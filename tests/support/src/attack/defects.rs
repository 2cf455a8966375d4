//! Attacks with defects that have a name, and the judge of what fixes them.
//!
//! What is fixed changes more of a message than a conversion may, so that other promises hold: who reads the message
//! afterwards sees the parts that were seen before, under the same names, and a second run finds nothing to fix.

use septet::message::NAMED;
use septet::rewrite::{DefectAction, Profile, plan, why_not_fixed};

use super::compose::Choices;
use super::seen::Seen;
use super::{judge, second};
use crate::promises::refused;

/// Puts up to four defects into a message.
pub fn with_defects(choices: &mut Choices, raw: &[u8]) -> Vec<u8> {
    let mut message = raw.to_vec();
    for _ in 0..=choices.below(4) {
        put(choices, &mut message);
    }
    message
}

/// Gives a profile that fixes all that can be fixed.
pub fn fixing(mut profile: Profile) -> Profile {
    let kinds = NAMED.into_iter().filter(|kind| why_not_fixed(*kind).is_none());
    kinds.for_each(|kind| profile.conformance.set(kind, DefectAction::Fix));
    profile.name.push_str("+fix");
    profile
}

fn put(choices: &mut Choices, message: &mut Vec<u8>) {
    let lines = line_starts(message);
    let at = lines[choices.below(lines.len())];
    let end = message[at..].iter().position(|&octet| octet == b'\n').map_or(message.len(), |length| at + length + 1);
    let colon = message[at..end].iter().position(|&octet| octet == b':').map(|colon| at + colon);
    let anywhere = choices.below(message.len() + 1);
    match (choices.below(10), colon) {
        (0, Some(colon)) => drop(message.remove(colon)),
        (1, Some(colon)) => message.insert(colon, *choices.of(&[&b' ', &b'\t'])),
        (2, Some(_)) => {
            let line = message[at..end].to_vec();
            insert(message, end, &line);
        }
        (3, Some(colon)) => {
            let name = message[at..=colon].to_vec();
            insert(message, end, &[&name[..], b" other\n"].concat());
        }
        (4, _) => insert(message, at, &[&b"x".repeat(1200)[..], b"\n"].concat()),
        (5, _) => message.insert(anywhere, 0),
        (6, _) => message.insert(anywhere, *choices.of(&[&b'\r', &b'\n', &0xE9])),
        (7, _) => insert(message, at, b"\n"),
        (8, _) if at < end => drop(message.drain(at..end)),
        _ => message.extend_from_slice(b"\n-- \nThe list, http://lists.example.org/\n"),
    }
}

fn line_starts(message: &[u8]) -> Vec<usize> {
    let behind = message.iter().enumerate().filter(|(_, octet)| **octet == b'\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(behind).collect()
}

fn insert(message: &mut Vec<u8>, at: usize, octets: &[u8]) {
    message.splice(at..at, octets.iter().copied());
}

/// Finds a promise that what fixes this message breaks.
pub fn fixing_fault(raw: &[u8], profile: &Profile) -> Option<String> {
    let planned = plan(raw, profile);
    if let Some(what) = refused(raw, &planned, profile) {
        return Some(format!("fixes: {what}"));
    }
    if planned.edits.is_empty() == planned.report.changes() {
        return Some("fixes: edits and report disagree".to_owned());
    }
    let once = planned.edits.apply(raw);
    let again = plan(&once, profile);
    if !again.edits.is_empty() {
        return Some(format!("fixes: a second run changes: {}", again.report));
    }
    match (second::read(raw), second::read(&once)) {
        (Ok(before), Ok(after)) => {
            let what = judge::difference(&parts(before), &parts(after), raw, profile)?;
            Some(format!("fixes: mail-parser: {what}"))
        }
        _ => None,
    }
}

/// Leaves the fields out, of which a defect keeps some from being seen, and what the reader takes a part for: where
/// nothing ends the header it is a text to mail-parser, whatever it is called.
fn parts(seen: Vec<Seen>) -> Vec<Seen> {
    let called = |media: &str| media.split_once(' ').map_or(media, |(_, called)| called).to_owned();
    seen.into_iter().map(|part| Seen { fields: None, media: called(&part.media), ..part }).collect()
}
