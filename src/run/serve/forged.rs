//! Fields X-Septet that came with a message and say that this host wrote them.
//!
//! A scanner behind septet believes what this host says of a message, so a sender may want to have said it himself. Such
//! a field is taken out, as an MTA does with an Authentication-Results in its own name (RFC 8601 §5), whatever was planned
//! for it and whatever a signature covers. Those of other hosts stay, for theirs were true where they were written.

use super::envelope::ReceivedMessage;
use crate::edit::{EditList, Overlap};
use crate::message::PartNumber;
use crate::rewrite::{Change, Entry, Outcome, Place};

/// The field's name.
const NAME: &str = "X-Septet";

/// Takes the forged fields of a message out of it; returns the decisions, one for each.
pub fn take_out(message: &impl ReceivedMessage, host: &str, edits: &mut EditList) -> Result<Vec<Entry>, Overlap> {
    let mut entries = Vec::new();
    for ((name, value), line) in message.fields().zip(message.field_lines()) {
        if is_named(name) && names(value, host) {
            edits.delete(line)?;
            entries.push(taken_out());
        }
    }
    Ok(entries)
}

/// Tells whether a field has the name; white space before the colon is no part of it.
fn is_named(name: &[u8]) -> bool {
    name.trim_ascii_end().eq_ignore_ascii_case(NAME.as_bytes())
}

/// Tells whether a value says `host=` and the name, as a reader may take it that skips comments, quotes and folds.
fn names(value: &[u8], host: &str) -> bool {
    let between = |octet: &u8| octet.is_ascii_whitespace() || b",=()\"".contains(octet);
    let is_named = |element: &[u8]| {
        let mut words = element.split(between).map(|word| word.strip_suffix(b".").unwrap_or(word));
        words.any(|word| word.eq_ignore_ascii_case(b"host"))
            && words.any(|word| word.eq_ignore_ascii_case(host.as_bytes()))
    };
    value.split(|&octet| octet == b';').any(is_named)
}

fn taken_out() -> Entry {
    let removed = Change::Removed { field: NAME.into() };
    Entry { part: PartNumber::root(), place: Place::Field(NAME.to_owned()), outcome: Outcome::Done(vec![removed]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_named_by_a_whole_word() {
        for (value, wanted) in [
            (" changed; host=mx.example.org;\r\n\tpart=1", true),
            (" unchanged;\r\n\tHOST = MX.Example.ORG.", true),
            (" changed; host=other;\r\n\tpart=1 field=mx.example.org", false),
            (" changed; host=(mx)mx.example.org", true),
            (" changed; host=\"mx.example.org\"", true),
            (" changed; host=mx.example.org.evil.example", false),
            (" changed; host=other", false),
            ("", false),
        ] {
            assert_eq!(names(value.as_bytes(), "mx.example.org"), wanted, "{value}");
        }
        assert!(is_named(b"x-SEPTET ") && !is_named(b"X-Septet-Other"));
    }
}
