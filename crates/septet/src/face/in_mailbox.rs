//! A message in its mailbox: it is changed only where it is sure where it ends.
//!
//! A From_ line that nobody took for one joins two messages, and what the first one's label says would be applied to
//! the text of the second. So a message in which a line may be one stays as it is, and the line is named.

use std::cell::LazyCell;

use memchr::memchr_iter;

use crate::edit::Span;
use crate::message::{Kind, Limits, Message};
use crate::protocol::mbox::{Dialect, MboxMessage, doubtful, is_mmdf};
use crate::rewrite::{Arrival, Change, Outcome, Place, Plan, Profile, Reason, Report, plan_arrived};

/// Plans a message of a mailbox whose dialect is `from`; `message` must be its content without the quoting of that
/// dialect. Where a line of it may start another message, a plan that would change anything becomes
/// `left=separator(…)`.
pub fn plan_item(item: &MboxMessage, from: Dialect, message: &[u8], profile: &Profile, arrival: &Arrival) -> Plan {
    let plan = plan_arrived(message, profile, arrival);
    if plan.edits.is_empty() {
        return plan;
    }
    why_end_is_unsure(item, from, &profile.limits).map_or(plan, Plan::left)
}

/// Returns the reason that names the first line of a message that may start another one; none where it is known where
/// the message ends.
fn why_end_is_unsure(item: &MboxMessage, from: Dialect, limits: &Limits) -> Option<Reason> {
    if item.is_covered {
        return Some(covered(item));
    }
    // MMDF's lines and a true Content-Length say where it ends, whatever its text is.
    if from == Dialect::Mmdf || from.counts() && item.is_counted() {
        return None;
    }
    let enclosed = LazyCell::new(|| enclosed_texts(&Message::read(item.content, limits)));
    let found = doubtful(item.content, |at| {
        let before = enclosed.partition_point(|text| text.start <= at);
        before.checked_sub(1).is_some_and(|last| at < enclosed[last].end)
    })?;
    Some(Reason::Separator { line: found.number, text: String::from_utf8_lossy(&found.line).into_owned() })
}

/// Returns the reason of a message that a Content-Length joins with its neighbours: its own, or one before it.
fn covered(item: &MboxMessage) -> Reason {
    let (line, what) = match item.stated_length() {
        Some((line, octets)) if !item.is_counted() => (line, format!("Content-Length {octets} covers more")),
        _ => (1, "an earlier Content-Length covers it".to_owned()),
    };
    Reason::Separator { line, text: format!("{what}: --format mboxcl2") }
}

/// Returns the bodies, in their order, of the leaves that a delimiter follows. Whoever wrote the delimiter had all
/// lines before it within the message, as those of an attached patch, so that none of them starts another message.
fn enclosed_texts(message: &Message) -> Vec<Span> {
    let leaves = message.parts().iter().filter(|part| part.kind == Kind::Leaf).map(|part| part.body);
    leaves.filter(|body| is_before_delimiter(&message.raw()[body.end..])).collect()
}

/// Returns `true` if what stands behind a body begins with a delimiter.
fn is_before_delimiter(behind: &[u8]) -> bool {
    let behind = behind.strip_prefix(b"\r").unwrap_or(behind);
    behind.strip_prefix(b"\n").unwrap_or(behind).starts_with(b"--")
}

/// Makes a message of a mailbox as its plan says: returns it as it stands in its file then, the From_ line, the message
/// quoted, and the empty line behind it; none where it stays. One that would be parted there stays, and the plan says
/// so; `message` is its content without the quoting of its dialect.
pub fn carry_out(plan: &mut Plan, item: &MboxMessage, dialect: Dialect, message: &[u8]) -> Option<Vec<u8>> {
    if plan.edits.is_empty() {
        return None;
    }
    let new = item.rewritten_in(dialect, message, &plan.edits);
    if let Some(reason) = splits_message(item, &new) {
        *plan = Plan::left(reason);
        return None;
    }
    if dialect.counts() {
        report_content_length(&mut plan.report);
    }
    Some(new)
}

/// Returns why a new message, `new` as it would stand in its mailbox file, must not take the place of `item`: it gets
/// the empty line before the next From_ line that the old one lacked. Readers that ask for that line would see one
/// message more than before, and others would take the last line of the text for it. In a file of MMDF, the reason is
/// any change of the line that ends a message.
fn splits_message(item: &MboxMessage, new: &[u8]) -> Option<Reason> {
    let now = MboxMessage::of(new).separator;
    let gets_one = match is_mmdf(item.from_line) {
        true => now != item.separator,
        false => item.separator.is_empty() && !now.is_empty(),
    };
    gets_one.then(|| {
        let line = memchr_iter(b'\n', item.content).count();
        Reason::Separator { line, text: "its end".to_owned() }
    })
}

/// Rewrites a report for a dialect that counts octets: the plan took the message's untrue Content-Length out, and
/// [`MboxMessage::rewritten_in`] put it back with its true value, which is a repair.
fn report_content_length(report: &mut Report) {
    for entry in &mut report.entries {
        let is_content_length = entry.part.is_root() && entry.place == Place::Field("Content-Length".to_owned());
        if let Outcome::Done(changes) = &mut entry.outcome
            && is_content_length
        {
            *changes = vec![Change::Repaired { what: "content-length" }];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planned(content: &str, dialect: Dialect) -> String {
        let raw = format!("From a@b.c Mon Jan  1 00:00:00 2007\n{content}");
        let item = MboxMessage::of(raw.as_bytes());
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
            (
                "\nFrom\tb@c.d Mon Jan  1 00:00:00 2007\nTo: y\nCc: z\n",
                "message left=separator(line 3: From b@c.d Mon Jan 1 00:00:00 2007)",
            ),
            ("\nFrom\tnow on\nit is\n", "field=Subject word=iso-8859-1>utf-8"),
            ("\nx\n\nFrom 10:30 on\nNote: this\nand so on\n", "field=Subject word=iso-8859-1>utf-8"),
            ("\nx\n\nFrom here\nX-Odd: 1\n\ntext\n", "message left=separator(line 5: From here)"),
            ("\nlost\0\0From b@c.d Mo\ntext\n", "message left=separator(line 3: From b@c.d Mo)"),
        ] {
            assert_eq!(planned(&format!("{subject}{rest}"), Dialect::Mboxrd), wanted, "{rest:?}");
        }
        // The first length is true.
        for (octets, wanted) in [(26, "field=Subject word"), (20, "message left=separator")] {
            let counted = format!("Content-Length: {octets}\n{subject}\nFrom Bob\nSubject: x\nTo: y\n");
            assert!(planned(&counted, Dialect::Mboxcl2).starts_with(wanted), "{octets}");
        }
    }

    #[test]
    fn a_line_within_a_part_that_ends_is_text() {
        let patch = "From 1f0c3a6b2d4e5f60718293a4b5c6d7e8f9012345 Mon Sep 17 00:00:00 2001\nFrom: j\nSubject: x\n";
        let open = format!(
            "Subject: =?iso-8859-1?Q?=FC?=\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n{patch}\n-- \n2.39\n"
        );
        let ended = format!("{open}\n--b--\n");
        assert_eq!(planned(&ended, Dialect::Mboxrd), "field=Subject word=iso-8859-1>utf-8");
        assert!(planned(&open, Dialect::Mboxrd).starts_with("message left=separator(line 6: From 1f0c"));
    }

    /// Parts are looked up by their place: whichever of many a line is in, and whatever stands between and behind them.
    #[test]
    fn a_line_is_text_in_each_part_that_ends_and_nowhere_else() {
        for parts in [1, 2, 3, 200] {
            let text = format!(
                "Subject: =?iso-8859-1?Q?=FC?=\nContent-Type: multipart/mixed; boundary=b\n\n{}--b--\n",
                "--b\n\nFrom x\nTo: y\nCc: z\n".repeat(parts)
            );
            assert_eq!(planned(&text, Dialect::Mboxrd), "field=Subject word=iso-8859-1>utf-8", "{parts}");
            let left = format!("message left=separator(line {}: From z)", 5 + 5 * parts);
            assert_eq!(planned(&(text + "From z\nTo: y\nCc: z\n"), Dialect::Mboxrd), left, "{parts}");
        }
    }
}
