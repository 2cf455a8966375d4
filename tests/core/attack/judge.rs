//! Judges what a plan does to one message.

use septet::edit::EditList;
use septet::protocol::mbox::{Item, Splitter, quote};
use septet::protocol::milter::Held;
use septet::rewrite::{Profile, broken_promise, plan};

use super::known::Known;
use super::{second, seen};
use crate::{cases, line_ends};

/// Finds a promise that the plan of this message breaks: its own, the second reader's, and where asked the doors'.
pub fn fault(raw: &[u8], profile: &Profile, doors: bool) -> Option<String> {
    let broken = broken_promise(raw, profile).map(|what| format!("ours: {what}"));
    broken.or_else(|| {
        let edits = plan(raw, profile).edits;
        let once = edits.apply(raw);
        let second = || second_reader(raw, &once, profile).map(|what| format!("mail-parser: {what}"));
        let mailbox = || mailbox(raw, &once, &edits, profile).map(|what| format!("mailbox: {what}"));
        let milter = || milter(raw, profile).map(|what| format!("milter: {what}"));
        let changed = (!edits.is_empty()).then(second).flatten();
        changed.or_else(|| if doors { mailbox().or_else(milter) } else { None })
    })
}

fn second_reader(raw: &[u8], once: &[u8], profile: &Profile) -> Option<String> {
    match (second::read(raw), second::read(once)) {
        (Ok(before), Ok(after)) => {
            let known = |what: &String| Known::of("mail-parser").explains(&profile.name, what);
            seen::difference(&before, &after, profile).filter(|what| !known(what))
        }
        (Ok(_), Err(why)) => Some(format!("{why} afterwards")),
        // What it can't read before is disputed, and stays.
        (Err(why), _) => Some(format!("{why} before, and the message changes")),
    }
}

const BETWEEN: &[u8] = b"From a@example.org Sat Nov 21 10:00:00 2026\n";

/// Stands the message between two others in a mailbox: there are three messages afterwards, and the others are whole.
fn mailbox(raw: &[u8], once: &[u8], edits: &EditList, profile: &Profile) -> Option<String> {
    let other = [BETWEEN, b"Subject: other\n\nbody\n\n"].concat();
    let own = [BETWEEN, &quote(raw.to_vec()), b"\n"].concat();
    let item = Item::of(&own);
    let message = item.message();
    if *message == *raw {
        let rewritten = item.rewritten(&message, edits);
        let file = [&other[..], &rewritten, &other].concat();
        let (mut splitter, mut starts) = (Splitter::new(), Vec::new());
        splitter.feed(&file, &mut starts);
        splitter.finish(&mut starts);
        if rewritten.ends_with(b"\n") && starts.len() != 3 {
            return Some(format!("{} messages in a mailbox of three", starts.len()));
        }
    }
    let through = cases::through_mbox(raw, profile);
    (through != once && once.ends_with(b"\n") == raw.ends_with(b"\n") && *message == *raw)
        .then(|| "it gives another message".to_owned())
}

/// Shows the message to a milter, which must make the same of it; only CRLF goes over the wire.
fn milter(raw: &[u8], profile: &Profile) -> Option<String> {
    let bare = |raw: &[u8]| line_ends::with_crlf(raw) != raw || raw.is_empty();
    if bare(raw) || raw.contains(&0) {
        return None;
    }
    let (seen, _) = cases::through_milter(Held::read(raw.to_vec()), cases::FULL, profile).ok()?;
    let direct = plan(&seen, profile).edits.apply(&seen);
    match cases::through_milter(Held::read(seen), cases::FULL, profile) {
        Ok((_, through)) => (line_ends::with_crlf(&through) != line_ends::with_crlf(&direct))
            .then(|| "it gives another message".to_owned()),
        Err(why) => Some(format!("its requests do not fit: {why}")),
    }
}
