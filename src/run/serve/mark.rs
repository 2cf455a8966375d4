//! The field X-Septet: what was done and what was left, for scanners and for whoever wonders.
//!
//! It goes to the end of the header, one decision a line, and only where there was something to decide. So it
//! flags UTF-7 too (`note=utf-7`), which hides text from scanners. A message that already has such a field
//! keeps it: which one is ours is seen from its place, the last.

use std::fmt::Write as _;

use crate::rewrite::Report;

/// How many decisions it shows; a message of ten thousand parts needs no header of a megabyte.
const SHOWN: usize = 20;

/// Writes the field, with CRLF; none for an empty report.
pub fn field(report: &Report) -> Option<String> {
    if report.entries.is_empty() {
        return None;
    }
    let mut field = format!("X-Septet: {}", report.result());
    for entry in report.entries.iter().take(SHOWN) {
        // Writing into a string does not fail.
        let _ = write!(field, ";\r\n\t{entry}");
    }
    if let Some(more) = report.entries.len().checked_sub(SHOWN).filter(|&more| more > 0) {
        let _ = write!(field, ";\r\n\tand {more} more");
    }
    field.push_str("\r\n");
    Some(field)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::PartNumber;
    use crate::rewrite::{Note, Outcome, Place, Reason};

    #[test]
    fn shows_a_bounded_number_of_decisions_a_line_each() {
        let mut report = Report::default();
        assert_eq!(field(&report), None);
        report.push(PartNumber::root(), Place::Body, Outcome::Noted(Note::Utf7));
        assert_eq!(field(&report).as_deref(), Some("X-Septet: unchanged;\r\n\tpart=1 body note=utf-7\r\n"));
        (0..30).for_each(|_| report.push(PartNumber::root(), Place::Body, Outcome::Left(Reason::Signed)));
        let field = field(&report).expect("a field");
        assert!(field.starts_with("X-Septet: left;\r\n\t") && field.ends_with(";\r\n\tand 11 more\r\n"), "{field}");
        assert_eq!(field.lines().count(), 1 + SHOWN + 1);
    }
}
