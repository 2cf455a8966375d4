//! Judges what a plan does to one message, by its own promises and by the second reader.

use septet::message::{Limits, Message};
use septet::rewrite::{Profile, plan};

use super::defects::fixing_fault;
use super::known::Known;
use super::seen::Seen;
use super::{second, seen};
use crate::promises::broken_promise;

/// Finds a promise that the plan of this message breaks, by our reader or by mail-parser.
pub fn fault(raw: &[u8], profile: &Profile) -> Option<String> {
    second::keep_its_panics_quiet();
    if !profile.conformance.is_keep() {
        return fixing_fault(raw, profile);
    }
    let broken = broken_promise(raw, profile).map(|what| format!("ours: {what}"));
    broken.or_else(|| second_reader(raw, profile).map(|what| format!("mail-parser: {what}")))
}

fn second_reader(raw: &[u8], profile: &Profile) -> Option<String> {
    let once = plan(raw, profile).edits.apply(raw);
    if once == raw {
        return None;
    }
    match (second::read(raw), second::read(&once)) {
        (Ok(before), Ok(after)) => difference(&before, &after, raw, profile).filter(|what| {
            let read = |raw: &[u8]| second::read(&unfolded(raw)).unwrap_or_default();
            let is_name = |what: &String| what.contains("file name");
            !is_name(what) || difference(&read(raw), &read(&once), raw, profile).is_some_and(|what| is_name(&what))
        }),
        (Ok(_), Err(why)) => Some(format!("{why} afterwards")),
        // What it can't read before is irregular, and all below the message's own header stays.
        (Err(why), _) => (body(raw) != body(&once)).then(|| format!("{why} before, and the body changes")),
    }
}

/// Takes folds that mail-parser reads otherwise than others: behind an equals sign, where it finds no value, and
/// between encoded-words, which make one text (RFC 2047 §6.2), and of which it reads those of the first line alone.
fn unfolded(raw: &[u8]) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::with_capacity(raw.len());
    for line in raw.split_inclusive(|octet| *octet == b'\n') {
        let solid = out.trim_ascii_end();
        let between_words = solid.ends_with(b"?=") && line.trim_ascii_start().starts_with(b"=?");
        let joins = between_words || solid.ends_with(b"=") && !solid.ends_with(b"?=");
        if joins && matches!(line.first(), Some(b' ' | b'\t')) {
            out.truncate(solid.len());
        }
        out.extend_from_slice(line);
    }
    out
}

fn body(raw: &[u8]) -> Option<Vec<u8>> {
    let message = Message::read(raw, &Limits::default());
    message.parts().first().map(|root| message.slice(root.body).to_vec())
}

/// Finds a difference between what mail-parser sees before and after that is no known fault of its own.
pub fn difference(before: &[Seen], after: &[Seen], raw: &[u8], profile: &Profile) -> Option<String> {
    let known = |what: &String| Known::of("mail-parser").explains(&profile.name, what, raw);
    seen::difference(before, after, profile).filter(|what| !known(what))
}
