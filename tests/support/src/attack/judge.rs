//! Judges what a plan does to one message, by its own promises and by the second reader.

use septet::fuzzing::broken_promise;
use septet::rewrite::{Profile, plan};

use super::known::Known;
use super::{second, seen};

/// Finds a promise that the plan of this message breaks, by our reader or by mail-parser.
pub fn fault(raw: &[u8], profile: &Profile) -> Option<String> {
    let broken = broken_promise(raw, profile).map(|what| format!("ours: {what}"));
    broken.or_else(|| second_reader(raw, profile).map(|what| format!("mail-parser: {what}")))
}

fn second_reader(raw: &[u8], profile: &Profile) -> Option<String> {
    let once = plan(raw, profile).edits.apply(raw);
    if once == raw {
        return None;
    }
    match (second::read(raw), second::read(&once)) {
        (Ok(before), Ok(after)) => {
            let known = |what: &String| Known::of("mail-parser").explains(&profile.name, what, raw);
            seen::difference(&before, &after, profile).filter(|what| !known(what))
        }
        (Ok(_), Err(why)) => Some(format!("{why} afterwards")),
        // What it can't read before is disputed, and stays.
        (Err(why), _) => Some(format!("{why} before, and the message changes")),
    }
}
