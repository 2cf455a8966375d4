//! A message in its mailbox: it is changed only where it is sure where it ends.
//!
//! A From_ line that nobody took for one joins two messages, and what the first one's label says would be applied to the text
//! of the second. So a message in which a line may be one stays as it is, and the line is named.

use memchr::{memchr_iter, memmem, memrchr};

use crate::message::{Kind, Limits, Message};
use crate::protocol::mbox::{Dialect, Item, Splitter, doubtful, is_mmdf};
use crate::rewrite::{Arrival, Plan, Profile, Reason, plan_arrived};

/// Plans a message of a mailbox, of which `message` is the content without the quoting of the file's dialect.
pub fn plan_item(item: &Item, from: Dialect, message: &[u8], profile: &Profile, arrival: &Arrival) -> Plan {
    let plan = plan_arrived(message, profile, arrival);
    match in_doubt(item, from, &profile.limits).filter(|_| !plan.edits.is_empty()) {
        Some(reason) => Plan::left(reason),
        None => plan,
    }
}

/// Says which line of a message may start another one; none where it is known where the message ends.
fn in_doubt(item: &Item, from: Dialect, limits: &Limits) -> Option<Reason> {
    if from == Dialect::Mmdf || from.counts() && item.is_counted() {
        return None;
    }
    let mut read = None;
    let found =
        doubtful(item.content, |at| is_enclosed(read.get_or_insert_with(|| Message::read(item.content, limits)), at))?;
    Some(Reason::Separator { line: found.number, text: String::from_utf8_lossy(&found.line).into_owned() })
}

/// Tells whether an offset is within a part behind which the multipart around it goes on or ends: whoever wrote that had the
/// line within the message, as a patch that is attached.
fn is_enclosed(message: &Message, at: usize) -> bool {
    let holds = |part: &&crate::message::Part| part.kind == Kind::Leaf && part.body.start <= at && at < part.body.end;
    let Some(part) = message.parts().iter().find(holds) else { return false };
    let behind = message.raw().get(part.body.end..).unwrap_or_default();
    let behind = behind.strip_prefix(b"\r").unwrap_or(behind);
    behind.strip_prefix(b"\n").unwrap_or(behind).starts_with(b"--")
}

/// Says that a changed message would be more than one: no quoting helps where octets that no line starts with stand before a
/// From_ line that was hidden until then.
pub fn gets_parted(item: &Item, from: Dialect, new: &[u8]) -> Option<Reason> {
    let (from_line, rest) = Item::split_from_line(new);
    if from == Dialect::Mmdf || from.counts() || memmem::find(rest, b"From ").is_none() {
        return None;
    }
    let (mut splitter, mut starts) = (Splitter::new(), Vec::new());
    splitter.feed(new, &mut starts);
    splitter.finish(&mut starts);
    let line = memchr_iter(b'\n', item.content).count();
    (starts.len() > usize::from(!from_line.is_empty()))
        .then(|| Reason::Separator { line, text: "what it hides".to_owned() })
}

/// Says that a message would end in an empty line which no empty line kept apart from the next one: readers that ask for it
/// before a From_ line would see a message more than before, and others take the last line of the text for it. In MMDF's file,
/// that it would have the line that ends it.
pub fn gets_apart(item: &Item, new: &[u8]) -> Option<Reason> {
    let now = Item::of(new).separator;
    let gets_one = match is_mmdf(item.from_line) {
        true => now != item.separator,
        false => item.separator.is_empty() && !now.is_empty(),
    };
    let line = memchr_iter(b'\n', item.content).count();
    (gets_one || !keeps_end(item.content, new)).then(|| Reason::Separator { line, text: "its end".to_owned() })
}

/// Tells whether the next From_ line stays one, where octets that no line starts with stand before it: they end this message,
/// which must go on ending with them.
fn keeps_end(content: &[u8], new: &[u8]) -> bool {
    let last_line = &content[memrchr(b'\n', content).map_or(0, |end| end + 1)..];
    !matches!(last_line.last(), Some(0 | b'\x0c')) || new.ends_with(last_line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(content: &str, dialect: Dialect) -> String {
        let raw = format!("From a@b.c Mon Jan  1 00:00:00 2007\n{content}");
        let item = Item::of(raw.as_bytes());
        let message = item.message_of(dialect);
        plan_item(&item, dialect, &message, &Profile::default(), &Arrival::default()).report.to_string()
    }

    #[test]
    fn a_line_that_may_start_another_message_keeps_the_first() {
        let subject = "Subject: =?iso-8859-1?Q?=FC?=\n";
        let left = "message left=separator(line 3: From Bob)";
        for (rest, wanted) in [
            ("\nFrom Bob\nSubject: x\nTo: y\n", left),
            ("\nFrom Bob\nSubject: x\n\n", left),
            ("\nFrom Bob\nSubject: x\nso he said\n", "field=Subject word=iso-8859-1>utf-8"),
            ("\nFrom now on\nNote: this\n\n", "field=Subject word=iso-8859-1>utf-8"),
            ("\n>From Bob\nSubject: x\nTo: y\n", "field=Subject word=iso-8859-1>utf-8"),
            ("\nlost\0\0From b@c.d Mo\ntext\n", "message left=separator(line 3: From b@c.d Mo)"),
        ] {
            assert_eq!(planned(&format!("{subject}{rest}"), Dialect::Mboxrd), wanted, "{rest:?}");
        }
        let counted = |octets: usize| format!("Content-Length: {octets}\n{subject}\nFrom Bob\nSubject: x\nTo: y\n");
        assert!(planned(&counted(26), Dialect::Mboxcl2).starts_with("field=Subject word"), "its length is true");
        assert!(planned(&counted(20), Dialect::Mboxcl2).starts_with("message left=separator"));
    }

    #[test]
    fn the_end_before_a_line_that_octets_0_hide_stays() {
        let raw = b"From a@b.c Mon Jan  1 00:00:00 2007\nA: b\n\nc\n\x0c";
        let item = Item::of(raw);
        let with = |content: &str| gets_apart(&item, format!("From a\n{content}").as_bytes()).map(|it| it.to_string());
        assert_eq!(with("A: b\n\nd\n\x0c"), None);
        assert_eq!(with("A: b\n\nd\n=0C").as_deref(), Some("separator(line 3: its end)"));
    }

    #[test]
    fn a_line_within_a_part_that_ends_is_text() {
        let patch = "From 1f0c3a6b2d4e5f60718293a4b5c6d7e8f9012345 Mon Sep 17 00:00:00 2001\nFrom: j\nSubject: x\n";
        let text = |end: &str| {
            format!(
                "Subject: =?iso-8859-1?Q?=FC?=\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n{patch}\n-- \n2.39\n{end}"
            )
        };
        assert_eq!(planned(&text("\n--b--\n"), Dialect::Mboxrd), "field=Subject word=iso-8859-1>utf-8");
        assert!(planned(&text(""), Dialect::Mboxrd).starts_with("message left=separator(line 6: From 1f0c"));
    }
}
