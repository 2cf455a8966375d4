//! Judges what a plan does to one message, by its own promises and by the second reader.

use septet::fuzzing::broken_promise;
use septet::rewrite::{Profile, plan};
use septet::{Limits, Message};

use super::defects::fixing_fault;
use super::known::Known;
use super::seen::Seen;
use super::{second, seen};

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
        (Ok(before), Ok(after)) => difference(&before, &after, raw, profile),
        (Ok(_), Err(why)) => Some(format!("{why} afterwards")),
        // What it can't read before is disputed, and all below the message's own header stays.
        (Err(why), _) => (body(raw) != body(&once)).then(|| format!("{why} before, and the body changes")),
    }
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
