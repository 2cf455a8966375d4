//! What rules ask of a change and of its message: which kind it is, and who sent it.

use std::fmt::Write as _;

use crate::archive::report::raw_field::raw_field;
use crate::process::sender::first_address;
use crate::rewrite::{Change, Decision, Outcome, Place};

/// Names the kind of a change: the name of the field or `body`, and what is done there. Which part it is in and how
/// many links, escapes or characters there are makes no difference.
pub fn kind_of(decision: &Decision) -> String {
    let mut kind = match &decision.at.place {
        Place::Message => "message".to_owned(),
        Place::Field(name) => format!("field={}", name.to_ascii_lowercase()),
        Place::Body => "body".to_owned(),
    };
    for change in changes(decision) {
        let _ = match change {
            Change::Iris { .. }
            | Change::Unescaped { .. }
            | Change::Replaced { .. }
            | Change::Transliterated { .. }
            | Change::Untagged { .. } => write!(kind, " {}", change.code()),
            other => write!(kind, " {other}"),
        };
    }
    kind
}

/// Returns what is done in a place, in order.
pub fn changes(decision: &Decision) -> impl Iterator<Item = &Change> {
    decision.outcomes.iter().flat_map(|outcome| match outcome {
        Outcome::Done(changes) => changes.as_slice(),
        _ => &[],
    })
}

/// Returns the address of a message's From, the first if there are several, in lower case; none where the field can't
/// be read as a list, or has no address with a domain.
pub(super) fn sender_of(message: &[u8]) -> Option<String> {
    let address = first_address(raw_field(message, b"From")?)?;
    Some(String::from_utf8_lossy(address).to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rewrite::{Profile, plan};

    #[test]
    fn a_kind_is_a_field_and_what_is_done_there() {
        let kinds = |raw: &[u8]| plan(raw, &Profile::default()).decisions().iter().map(kind_of).collect::<Vec<_>>();
        let raw = b"SUBJECT: =?koi8-r?B?8NLJ?=\nTo: =?koi8-r?B?8NLJ?= <a@b.c>\n\n";
        assert_eq!(kinds(raw), ["field=subject word=koi8-r>utf-8", "field=to word=koi8-r>utf-8"]);
        let one = "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\nhttp://b\u{fc}cher.example/\n";
        let two = format!("{one}http://b\u{fc}cher.example/2\n");
        assert_eq!(kinds(one.as_bytes()), kinds(two.as_bytes()));
    }

    #[test]
    fn a_sender_is_one_address() {
        for (message, wanted) in [
            ("From: J <J@Example.ORG>, b@c.d\n\n", Some("j@example.org")),
            ("From: =?utf-8?q?J?=\n <j@example.org>\n\n", Some("j@example.org")),
            ("From: undisclosed:;\n\n", None),
            ("From: \"x\n\n", None),
            ("Subject: x\n\nFrom: a@b.c\n", None),
        ] {
            assert_eq!(sender_of(message.as_bytes()).as_deref(), wanted, "{message}");
        }
    }
}
