use proptest::prelude::*;

use super::*;
use crate::coding::transfer::{base64, quoted_printable};

const QUOTED: TransferEncoding = TransferEncoding::QuotedPrintable;
const PLAIN: TransferEncoding = TransferEncoding::EightBit;

#[test]
fn what_is_written_in_a_canonical_form_says_its_text() {
    let cases: [(&TransferEncoding, &[u8], &[u8]); 13] = [
        (&QUOTED, b"caf=C3=A9=\n=20\nx\n", "caf\u{E9} \nx\n".as_bytes()),
        (&QUOTED, b"caf=c3=a9", "caf\u{E9}".as_bytes()),
        (&QUOTED, b"a=3Db\r\n", b"a=b\n"),
        (&QUOTED, b"a =\nb\n", b"a b\n"),
        (&QUOTED, b"a\r\n", b"a"),
        (&QUOTED, b"a=\n", b"a"),
        (&QUOTED, b"", b""),
        (&TransferEncoding::Base64, b"Y2Fmw6k=\n", "caf\u{E9}".as_bytes()),
        (&TransferEncoding::Base64, b"YQ0KYg0K", b"a\nb\n"),
        (&TransferEncoding::Base64, b"YQ0KYg0K\n", b"a\r\nb\r\n"),
        (&PLAIN, "caf\u{E9}\r\n".as_bytes(), "caf\u{E9}\n".as_bytes()),
        (&PLAIN, b"a", b"a"),
        (&TransferEncoding::SevenBit, b"a\n", b"a"),
    ];
    for (transfer, body, text) in cases {
        assert!(encodes(transfer, body, text), "{}", body.escape_ascii());
    }
}

#[test]
fn what_some_reader_reads_otherwise_is_not_canonical() {
    let cases: [(&TransferEncoding, &[u8], &[u8]); 22] = [
        (&QUOTED, b"a \nb\n", b"a \nb\n"),
        (&QUOTED, b"a= \nb\n", b"ab\n"),
        (&QUOTED, b"a=0Ab\n", b"a\nb\n"),
        (&QUOTED, b"a=0Db\n", b"a\rb\n"),
        (&QUOTED, b"a=00\n", b"a\0\n"),
        (&QUOTED, b"a=C\n", b"a=C\n"),
        (&QUOTED, b"a==\n", b"a="),
        (&QUOTED, b"caf\xE9\n", b"caf\xE9\n"),
        (&QUOTED, b"a\rb\n", b"a\rb\n"),
        (&QUOTED, b"a\r\nb\n", b"a\nb\n"),
        (&QUOTED, b"a\n", b"b\n"),
        (&QUOTED, b"a\n", b"a\nb"),
        (&QUOTED, b"a\n\n", b"a"),
        (&TransferEncoding::Base64, b"YQ\n", b"a"),
        (&TransferEncoding::Base64, b"YQ==\r", b"a"),
        (&TransferEncoding::Base64, b"YR==\n", b"a"),
        (&TransferEncoding::Base64, b"YQ==\nYQ==\n", b"aa"),
        (&TransferEncoding::Base64, b"Y Q==\n", b"a"),
        (&TransferEncoding::Base64, b"YWFh\n\nYWFh\n", b"aaaaaa"),
        (&PLAIN, b"a\rb\n", b"a\rb\n"),
        (&PLAIN, b"a\0\n", b"a\0\n"),
        (&PLAIN, b"a\r\nb\n", b"a\nb\n"),
    ];
    for (transfer, body, text) in cases {
        assert!(!encodes(transfer, body, text), "{}", body.escape_ascii());
    }
    assert!(!encodes(&PLAIN, &[b'x'; 999], &[b'x'; 999]));
    assert!(encodes(&PLAIN, &[b'x'; 998], &[b'x'; 998]));
}

/// Many lines of base64 are read together, by a reader that passes over much.
#[test]
fn what_is_not_base64_is_seen_among_many_lines() {
    // All of it is `+`, for which another alphabet has `-`.
    let text = b"\xFB\xEF\xBE".repeat(19 * 130);
    let body = base64::encode(&text, b"\n");
    assert!(encodes(&TransferEncoding::Base64, &body, &text));
    for octet in (0..=u8::MAX).filter(|octet| *octet != body[3000]) {
        let mut odd = body.clone();
        odd[3000] = octet;
        assert!(!encodes(&TransferEncoding::Base64, &odd, &text), "{octet}");
    }
    for (at, added) in [(3000, " "), (3000, "=="), (3000, "\n"), (77 * 40, "\n"), (77 * 40, "YQ==\n")] {
        let odd = [&body[..at], added.as_bytes(), &body[at..]].concat();
        assert!(!encodes(&TransferEncoding::Base64, &odd, &text), "{added:?} at {at}");
    }
}

/// A text as lines have it: no octet 0, no CR alone.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let octet = prop_oneof![Just(b'\n'), Just(b' '), Just(b'='), 1u8..=255];
    let is_plain = |octet: &u8| !matches!(octet, 0 | b'\r');
    prop::collection::vec(octet.prop_filter("no CR, no NUL", is_plain), 0..300)
}

proptest! {
    #[test]
    fn what_the_coders_write_is_canonical(text in text(), crlf: bool) {
        let end: &[u8] = if crlf { b"\r\n" } else { b"\n" };
        let quoted = quoted_printable::encode(&text, end);
        prop_assert!(encodes(&QUOTED, &quoted, &text), "{}", quoted.escape_ascii());
        let encoded = base64::encode(&text, end);
        prop_assert!(encodes(&TransferEncoding::Base64, &encoded, &text), "{}", encoded.escape_ascii());
    }

    #[test]
    fn another_text_is_not_said(text in text(), at: prop::sample::Index, other: u8) {
        prop_assume!(!text.is_empty());
        let mut changed = text.clone();
        *at.get_mut(&mut changed) = other;
        let is_same = |one: &[u8], other: &[u8]| one == other || one.strip_suffix(b"\n") == Some(other);
        let quoted = quoted_printable::encode(&text, b"\n");
        prop_assert!(is_same(&text, &changed) || !encodes(&QUOTED, &quoted, &changed));
        let encoded = base64::encode(&text, b"\n");
        prop_assert!(is_same(&text, &changed) || !encodes(&TransferEncoding::Base64, &encoded, &changed));
    }
}
