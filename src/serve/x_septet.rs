//! The field X-Septet: what was done and what was left, for scanners and for whoever wonders.
//!
//! It goes to the end of the header, one decision a line, and only where there was something to decide. Its first line
//! names this host; what came with a message and does so too is [forged](super::forged).
//!
//! What somebody should look at stands first ([`Digest`]).

use std::fmt::Write as _;

use super::digest::{Digest, cut};
use crate::rewrite::Report;

/// How many decisions it shows; a message of ten thousand parts needs no header of a megabyte.
const SHOWN: usize = 20;

/// The octets of a decision that it shows; a field of a thousand parameters needs no line of ten thousand.
const LINE: usize = 400;

/// Writes the field of a report, with CRLF; none for an empty report.
pub fn field(host: &str, report: &Report) -> Option<String> {
    let digest = Digest::of(report, SHOWN, LINE);
    (!digest.lines.is_empty()).then(|| write(host, report.result(), &digest))
}

/// Writes the field of a message that was left whole, with CRLF; `line` says why, and is cut where it is long.
pub fn left(host: &str, line: &str) -> String {
    write(host, "left", &Digest { lines: vec![cut(&line, LINE)], more: 0 })
}

/// Writes the field: result and host first, then each decision on a folded line. [`forged`](super::forged) finds by
/// `host=` what others wrote in this host's name.
fn write(host: &str, result: &str, Digest { lines, more }: &Digest) -> String {
    let mut field = format!("X-Septet: {result}; host={host}");
    for line in lines {
        // Writing into a string does not fail, here and below.
        let _ = write!(field, ";\r\n\t{line}");
    }
    if *more > 0 {
        let _ = write!(field, ";\r\n\tand {more} more");
    }
    field.push_str("\r\n");
    field
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coding::evidence::Origin;
    use crate::message::irregular::Form;
    use crate::message::{DefectKind, LimitReached, PartNumber};
    use crate::rewrite::{Change, Note, Outcome, Place, Reason};

    #[test]
    fn shows_a_bounded_number_of_decisions_a_line_each() {
        let mut report = Report::default();
        assert_eq!(field("mx", &report), None);
        report.push(PartNumber::root(), Place::Body, Outcome::Noted(Note::Utf7));
        assert_eq!(
            field("mx", &report).as_deref(),
            Some("X-Septet: unchanged; host=mx;\r\n\tpart=1 body note=utf-7\r\n")
        );
        (0..30).for_each(|_| report.push(PartNumber::root(), Place::Body, Outcome::Left(Reason::Dkim)));
        let field = field("mx", &report).expect("a field");
        assert!(
            field.starts_with("X-Septet: left; host=mx;\r\n\t") && field.ends_with(";\r\n\tand 11 more\r\n"),
            "{field}"
        );
        assert_eq!(field.lines().count(), 1 + SHOWN + 1);
    }

    #[test]
    fn what_somebody_should_look_at_comes_first() {
        let mut report = Report::default();
        let mut left = |reason| report.push(PartNumber::root(), Place::Body, Outcome::Left(reason));
        (0..30).for_each(|_| left(Reason::Dkim));
        (0..30).for_each(|_| left(Reason::Unfixed { defect: DefectKind::Nul, why: "text" }));
        (0..30).for_each(|_| left(Reason::Limit(LimitReached::Depth(100))));
        left(Reason::Unstable);
        left(Reason::Irregular(Form::DelimiterInText));
        left(Reason::Unproved("text"));
        let field = field("mx", &report).expect("a field");
        let lines: Vec<&str> = field.lines().collect();
        assert_eq!(
            lines[1..5].concat(),
            "\tpart=1 body left=unproved(text);\tpart=1 body left=unstable;\tpart=1 body left=irregular(delimiter-in-text);\t\
             part=1 body left=limit(depth 100);"
        );
        assert!(!field.contains("signed") && field.ends_with(";\r\n\tand 73 more\r\n"), "{field}");
    }

    /// Thirty of one kind are no way to hide one of another.
    #[test]
    fn no_crowd_pushes_a_kind_out() {
        let mut report = Report::default();
        let mut push = |outcome| report.push(PartNumber::root(), Place::Body, outcome);
        (0..30).for_each(|_| push(Outcome::Left(Reason::Irregular(Form::DelimiterInText))));
        (0..30).for_each(|_| push(Outcome::Noted(Note::Bidi('\u{202e}'))));
        (0..30).for_each(|_| push(Outcome::Done(vec![Change::Iris { count: 1 }])));
        push(Outcome::Left(Reason::Limit(LimitReached::Depth(100))));
        let field = field("mx", &report).expect("a field");
        let lines: Vec<&str> = field.lines().skip(1).take(3).collect();
        assert_eq!(
            lines.concat(),
            "\tpart=1 body left=irregular(delimiter-in-text);\tpart=1 body left=limit(depth 100);\tpart=1 body note=bidi(U+202E);"
        );
    }

    #[test]
    fn a_decision_of_many_changes_is_cut() {
        let mut report = Report::default();
        let change = Change::Word { from: Origin::label("iso-8859-1"), to: "utf-8".to_owned() };
        report.push(PartNumber::root(), Place::Field("Subject".to_owned()), Outcome::Done(vec![change; 5000]));
        let field = field("mx", &report).expect("a field");
        assert!(field.ends_with("...\r\n") && field.len() < 450, "{field}");
        assert!(super::left("mx", "message left=memory").lines().count() == 2);
    }
}
