//! The view that the library gives of a message, over every case and what is left of it where it is cut off.

use septet::{Limits, Message};
use septet_support::case;

/// So many places of each message are cut at.
const CUTS: usize = 12;

#[test]
fn every_message_has_a_view_that_holds_together() {
    for case in case::all() {
        let input = case.input();
        for cut in 0..=CUTS {
            holds_together(&input[..input.len() * cut / CUTS], &case.name);
        }
    }
}

/// Asks a view everything; every span must lie where it belongs, and every number lead to its part.
fn holds_together(raw: &[u8], name: &str) {
    let message = Message::read(raw, &Limits::default());
    let mut shown = Vec::new();
    for part in message.parts() {
        let (number, all) = (part.number(), part.header_span().start..part.body_span().end);
        assert_eq!(message.part(&number).map(|it| it.body_span()), Some(part.body_span()), "{name}");
        for child in part.children() {
            assert_eq!((child.depth(), child.parent().map(|it| it.number())), (part.depth() + 1, Some(number.clone())));
            // A header without a body ends with the line end that belongs to the delimiter behind it.
            let body = child.body_span();
            assert!(
                all.start <= child.header_span().start && (body.is_empty() || body.end <= all.end),
                "{name}: {number}"
            );
        }
        for field in part.fields() {
            assert!(part.header_span().contains(field.span()) && field.span().contains(field.value_span()), "{name}");
            assert_eq!(field.value(), message.slice(field.value_span()));
            let _ = (field.name(), field.text());
        }
        let _ = (part.file_name(), part.disposition(), part.parameter("charset"), part.octets());
        shown.extend(part.is_shown_text().then(|| (part.number(), part.text())));
    }
    let texts: Vec<_> = message.texts().map(|(part, read)| (part.number(), read)).collect();
    assert_eq!(texts, shown, "{name}: all together are read as each alone");
}
