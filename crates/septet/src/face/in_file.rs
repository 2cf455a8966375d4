//! A message that is all of a file, or of a pipe: it is changed only where no other message stands in it.
//!
//! A file of several messages without From_ lines (`cat 1.eml 2.eml`, or GNU mailutils' dotmail, in which a line of one
//! full stop ends each) starts as one message does. What the first one's label says would be applied to the texts of
//! all. So where a header stands in a text, and its Content-Type names another charset, no edit reaches beyond that
//! place. A message that somebody quoted with its header, in the charset of the text, is converted with it.

use memchr::{memchr, memchr_iter};

use crate::message::{Kind, Limits, Message};
use crate::protocol::mbox::starts_header;
use crate::rewrite::{Arrival, Labels, Plan, Profile, Reason, plan_arrived};

/// Plans a message that is all of a file. Where another one starts in it, and the plan would change anything behind
/// that place, it becomes `left=separator(…)`, which names what makes a mailbox of the file.
pub fn plan_alone(message: &[u8], profile: &Profile, arrival: &Arrival) -> Plan {
    let plan = plan_arrived(message, profile, arrival);
    if plan.edits.is_empty() {
        return plan;
    }
    let second = second_header(message, &profile.limits, &profile.labels);
    match second.filter(|second| !plan.edits.apply(message).ends_with(&message[second.at..])) {
        Some(second) => Plan::left(second.reason(message)),
        None => plan,
    }
}

/// A header in the text of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SecondHeader {
    /// Where it starts.
    at: usize,
    /// Whether a full stop stands alone in the line before it; else that line is empty.
    behind_stop: bool,
}

impl SecondHeader {
    /// Returns the reason that names its line and what makes a mailbox of the file.
    fn reason(self, message: &[u8]) -> Reason {
        let line = 1 + memchr_iter(b'\n', &message[..self.at]).count();
        let text = match self.behind_stop {
            true => "another header: movemail dotmail:FILE mbox:NEW",
            false => "another header: formail -ds < FILE > NEW",
        };
        Reason::Separator { line, text: text.to_owned() }
    }
}

/// Finds the first header in a text of a message whose Content-Type names another charset than that of the text.
/// Nothing is looked for in parts that a delimiter follows: whoever wrote it had all of them within the message.
fn second_header(message: &[u8], limits: &Limits, labels: &Labels) -> Option<SecondHeader> {
    let view = Message::read(message, limits);
    let last = view.parts().iter().rfind(|part| part.kind == Kind::Leaf && part.body.end == message.len())?;
    let body = last.body.slice(message);
    let own = last.content_type.parameter(view.raw(), "charset");
    let own = own.as_deref().unwrap_or(b"us-ascii");
    headers_in(body).find(|found| names_another(&body[found.at..], own, limits, labels)).map(|found| {
        let at = last.body.start + found.at;
        SecondHeader { at, ..found }
    })
}

/// Finds the headers that stand in a text, behind an empty line or one of a full stop; each `at` counts in the text.
fn headers_in(text: &[u8]) -> impl Iterator<Item = SecondHeader> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let end = start + memchr(b'\n', &text[start..])? + 1;
        let line = text[start..end].trim_ascii_end();
        start = end;
        Some((end, line))
    })
    .filter(move |(at, line)| matches!(*line, b"" | b".") && starts_header(&text[*at..]))
    .map(|(at, line)| SecondHeader { at, behind_stop: line == b"." })
}

/// Returns `true` if the header at the start of a text has a Content-Type that names another charset than the `own`
/// one.
fn names_another(text: &[u8], own: &[u8], limits: &Limits, labels: &Labels) -> bool {
    let header = Message::read(&text[..end_of_header(text)], limits);
    let Some(label) = header.parts().first().and_then(|part| part.content_type.parameter(header.raw(), "charset"))
    else {
        return false;
    };
    match (labels.find(&label), labels.find(own)) {
        (Some(one), Some(other)) => one != other,
        _ => !label.eq_ignore_ascii_case(own),
    }
}

/// Returns where the header at the start of a text ends: before the first line that is empty, or a full stop alone, or
/// at the end. So no line is read twice, however many headers there are. The first line must be neither of the two.
fn end_of_header(text: &[u8]) -> usize {
    let mut start = 0;
    while let Some(end) = memchr(b'\n', &text[start..]).map(|at| start + at + 1) {
        if matches!(text[start..end].trim_ascii_end(), b"" | b".") {
            break;
        }
        start = end;
    }
    if start == 0 { text.len() } else { start }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATIN: &str = "From: a@example.org\nDate: x\nContent-Type: text/plain; charset=iso-8859-1\n\nGr\\xfc\\xdfe\n";
    const KOI: &str = "From: b@example.org\nDate: x\nContent-Type: text/plain; charset=koi8-r\n\n\\xf0\\xd2\\xc9\n";

    fn planned(text: &str) -> String {
        plan_alone(&unescaped(text), &Profile::default(), &Arrival::default()).report.to_string()
    }

    /// Reads `\xfc` as one octet.
    fn unescaped(text: &str) -> Vec<u8> {
        let mut pieces = text.split("\\x");
        let mut out = pieces.next().map(str::as_bytes).unwrap_or(b"").to_vec();
        for piece in pieces {
            out.push(u8::from_str_radix(&piece[..2], 16).expect("two digits"));
            out.extend_from_slice(&piece.as_bytes()[2..]);
        }
        out
    }

    #[test]
    fn a_label_reaches_no_other_message() {
        for between in [".\n", "\n", "\n\n", "..\n.\n"] {
            let report = planned(&format!("{LATIN}{between}{KOI}"));
            assert!(report.starts_with("message left=separator(line "), "{between:?}: {report}");
        }
        let crlf = format!("{LATIN}.\n{KOI}").replace('\n', "\r\n");
        assert_eq!(planned(&crlf), "message left=separator(line 7: another header: movemail dotmail:FILE mbox:NEW)");
        let three = format!("{LATIN}\n{LATIN}\n{KOI}");
        assert_eq!(planned(&three), "message left=separator(line 13: another header: formail -ds < FILE > NEW)");
    }

    /// Each of many headers was read to the end of the text.
    #[test]
    fn no_line_is_read_twice() {
        let header = "From: b@example.org\nDate: x\n";
        assert_eq!(end_of_header(format!("{header}.\n{header}").as_bytes()), header.len());
        assert_eq!(end_of_header(format!("{header}\r\ntext").as_bytes()), header.len());
        assert_eq!(end_of_header(header.as_bytes()), header.len());
        assert_eq!(end_of_header(b"From: b"), 7);
    }

    #[test]
    fn a_message_that_is_quoted_in_a_text_is_converted_with_it() {
        let quoted = KOI.replace("charset=koi8-r", "charset=windows-1252");
        let within = "From: a@example.org\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\
            Content-Type: text/plain; charset=iso-8859-1\n\nGr\\xfce\n\n";
        for text in [
            format!("{LATIN}\n{quoted}"),
            format!("{LATIN}text\n{KOI}"),
            format!("{LATIN}\nFrom: b@example.org\nso he said, charset=koi8-r\n"),
            format!("{LATIN}\nFrom: b@example.org\nSubject: y\n\n\\xf0\n"),
            format!("{within}{KOI}\n--b--\n"),
            format!("{within}\n--b\nContent-Type: message/rfc822\n\n{KOI}\n--b--\n"),
            // Nothing would change behind the place.
            format!("{LATIN}\n{}", KOI.replace("\\xf0\\xd2\\xc9", "=F0")),
        ] {
            let report = planned(&text);
            assert!(report.contains("charset=iso-8859-1>utf-8"), "{text}: {report}");
        }
    }
}
