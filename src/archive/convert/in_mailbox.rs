//! A message in its mailbox: it is changed only where it is sure where it ends.
//!
//! A From_ line that nobody took for one joins two messages, and what the first one's label says would be applied to the text
//! of the second. So a message in which a line may be one stays as it is, and the line is named.

use memchr::memchr_iter;

use crate::message::{Kind, Limits, Message};
use crate::protocol::mbox::{Dialect, Item, doubtful, is_mmdf};
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
    gets_one.then(|| Reason::Separator { line, text: "its end".to_owned() })
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
            (
                "\nlost\n\x0cFrom b@c.d Mon Jan  1 00:00:00 2007\nTo: y\nCc: z\n",
                "message left=separator(line 4: From b@c.d Mon Jan 1 00:00:00 2007)",
            ),
            ("\nlost\0\0From b@c.d Mo\ntext\n", "message left=separator(line 3: From b@c.d Mo)"),
        ] {
            assert_eq!(planned(&format!("{subject}{rest}"), Dialect::Mboxrd), wanted, "{rest:?}");
        }
        let counted = |octets: usize| format!("Content-Length: {octets}\n{subject}\nFrom Bob\nSubject: x\nTo: y\n");
        assert!(planned(&counted(26), Dialect::Mboxcl2).starts_with("field=Subject word"), "its length is true");
        assert!(planned(&counted(20), Dialect::Mboxcl2).starts_with("message left=separator"));
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
