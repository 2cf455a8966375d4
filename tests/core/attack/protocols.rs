//! What comes out of a mailbox and of a milter: the same message as without them, and no more messages than went in.

use septet::protocol::mbox::{MboxMessage, Splitter, quote};
use septet::protocol::milter::MtaMessage;
use septet::rewrite::{Profile, plan};
use septet_support::line_ends;

use crate::cases;

/// Finds what goes wrong when a message goes through a mailbox or a milter.
pub fn fault(raw: &[u8], profile: &Profile) -> Option<String> {
    let broken = mailbox(raw, profile).map(|what| format!("mailbox: {what}"));
    broken.or_else(|| milter(raw, profile).map(|what| format!("milter: {what}")))
}

const BETWEEN: &[u8] = b"From a@example.org Sat Nov 21 10:00:00 2026\n";

/// Stands the message between two others in a mailbox: there are three messages afterwards, and the others are whole.
fn mailbox(raw: &[u8], profile: &Profile) -> Option<String> {
    let edits = plan(raw, profile).edits;
    let once = edits.apply(raw);
    let other = [BETWEEN, b"Subject: other\n\nbody\n\n"].concat();
    let own = [BETWEEN, &quote(raw.to_vec()), b"\n"].concat();
    let item = MboxMessage::of(&own);
    let message = item.message();
    if *message == *raw {
        let rewritten = item.rewritten(&message, &edits);
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
    let (seen, _) = cases::through_milter(MtaMessage::read(raw.to_vec()), cases::FULL, profile).ok()?;
    let direct = plan(&seen, profile).edits.apply(&seen);
    match cases::through_milter(MtaMessage::read(seen), cases::FULL, profile) {
        Ok((_, through)) => (line_ends::with_crlf(&through) != line_ends::with_crlf(&direct))
            .then(|| "it gives another message".to_owned()),
        Err(why) => Some(format!("its requests do not fit: {why}")),
    }
}
