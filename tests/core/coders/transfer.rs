//! Transfer encodings.

use proptest::prelude::*;
use septet::coding::transfer::{DecodedOctets, LINE_LIMIT, TransferEncoding, base64, quoted_printable};

use septet_support::table::Row;

use super::rows;

fn octets(row: &Row, column: usize) -> Vec<u8> {
    if row.is_absent(column) { Vec::new() } else { row.octets(column) }
}

fn assert_decoded(row: &Row, decoded: &DecodedOctets<'_>) {
    let place = &row.place;
    assert_eq!(decoded.bytes.escape_ascii().to_string(), octets(row, 1).escape_ascii().to_string(), "{place}");
    assert_eq!(decoded.faults, row.number(2), "{place}: {:?}", decoded.first_fault);
    let expected = (!row.is_absent(3)).then(|| row.number(3));
    assert_eq!(decoded.first_fault.map(|fault| fault.offset), expected, "{place}");
}

#[test]
fn names_are_read_as_the_table_says() {
    for row in rows("transfer/names.tsv") {
        let read = septet::message::grammar::transfer::read(&octets(&row, 0));
        let expected = row.text(1);
        match expected.strip_prefix('?') {
            Some(token) => assert_eq!(read, TransferEncoding::Unknown(token.to_owned()), "{}", row.place),
            None => {
                assert_eq!(read.name(), expected, "{}", row.place);
                assert!(!matches!(read, TransferEncoding::Unknown(_)), "{}", row.place);
            }
        }
    }
}

#[test]
fn quoted_printable_is_decoded_as_the_table_says() {
    for row in rows("transfer/quoted-printable-decode.tsv") {
        assert_decoded(&row, &quoted_printable::decode(&octets(&row, 0)));
    }
}

#[test]
fn quoted_printable_is_encoded_as_the_table_says() {
    for row in rows("transfer/quoted-printable-encode.tsv") {
        let (text, expected) = (octets(&row, 0), octets(&row, 1));
        let encoded = quoted_printable::encode(&text, b"\n");
        assert_eq!(encoded.escape_ascii().to_string(), expected.escape_ascii().to_string(), "{}", row.place);
        let crlf = quoted_printable::encode(&text, b"\r\n");
        assert_eq!(crlf, with_line_ends(&expected, b"\r\n"), "{}", row.place);
    }
}

#[test]
fn base64_is_decoded_as_the_table_says() {
    for row in rows("transfer/base64-decode.tsv") {
        assert_decoded(&row, &base64::decode(&octets(&row, 0)));
    }
}

#[test]
fn base64_is_encoded_as_the_table_says() {
    for row in rows("transfer/base64-encode.tsv") {
        let (bytes, expected) = (octets(&row, 0), octets(&row, 1));
        assert_eq!(base64::encode(&bytes, b"\n"), expected, "{}", row.place);
        assert_eq!(base64::encode(&bytes, b"\r\n"), with_line_ends(&expected, b"\r\n"), "{}", row.place);
    }
}

#[test]
fn a_body_without_escapes_is_borrowed() {
    let plain = quoted_printable::decode(b"nothing\r\nto do\r\n");
    assert!(matches!(plain.bytes, std::borrow::Cow::Borrowed(_)));
}

fn with_line_ends(text: &[u8], line_end: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.iter().position(|octet| *octet == b'\n') {
        out.extend_from_slice(rest[..at].strip_suffix(b"\r").unwrap_or(&rest[..at]));
        out.extend_from_slice(line_end);
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
    out
}

/// Octets with more of what matters here than chance would give.
fn texts() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => "[a-zA-Z0-9 ]{0,40}".prop_map(String::into_bytes),
        2 => "\\PC{0,12}".prop_map(String::into_bytes),
        2 => prop::sample::select(vec!["\n", "\r\n", "\r", " ", "\t", "=", ".", "From ", "=\n", "= \r\n", "=3D", "\0"])
            .prop_map(|piece| piece.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..8),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn quoted_printable_gives_the_text_back(text in texts(), crlf: bool) {
        let line_end: &[u8] = if crlf { b"\r\n" } else { b"\n" };
        let encoded = quoted_printable::encode(&text, line_end);
        let decoded = quoted_printable::decode(&encoded);
        prop_assert_eq!(decoded.faults, 0);
        prop_assert_eq!(decoded.bytes.into_owned(), with_line_ends(&text, line_end));
        prop_assert!(quoted_printable::encodes_into(&text, line_end, encoded.len()));
        prop_assert!(encoded.is_empty() || !quoted_printable::encodes_into(&text, line_end, encoded.len() - 1));
    }

    #[test]
    fn quoted_printable_lines_are_short_and_safe(text in texts()) {
        let encoded = quoted_printable::encode(&text, b"\n");
        for line in encoded.split(|octet| *octet == b'\n') {
            prop_assert!(line.len() <= LINE_LIMIT, "{}", line.escape_ascii());
            prop_assert!(line.iter().all(|octet| matches!(octet, b' '..=b'~' | b'\t')));
            prop_assert!(!line.ends_with(b" ") && !line.ends_with(b"\t"));
            prop_assert!(!line.starts_with(b".") && !line.starts_with(b"From "));
        }
    }

    #[test]
    fn quoted_printable_keeps_characters_whole(text in "\\PC{0,60}") {
        let encoded = quoted_printable::encode(text.as_bytes(), b"\n");
        for line in encoded.split(|octet| *octet == b'\n') {
            let decoded = quoted_printable::decode(line).bytes.into_owned();
            prop_assert!(String::from_utf8(decoded).is_ok(), "{}", line.escape_ascii());
        }
    }

    #[test]
    fn quoted_printable_pieces_join(pieces in prop::collection::vec(texts(), 0..4)) {
        let mut encoded = Vec::new();
        let mut column = 0;
        for piece in &pieces {
            column = quoted_printable::encode_segment(piece, column, b"\n", &mut encoded);
            let last = encoded.rsplit(|octet| *octet == b'\n').next().unwrap_or_default();
            prop_assert_eq!(column, last.len());
        }
        // A CR that ends a piece is data, even if the next piece begins with LF.
        let expected: Vec<u8> = pieces.iter().flat_map(|piece| with_line_ends(piece, b"\n")).collect();
        prop_assert_eq!(quoted_printable::decode(&encoded).bytes.into_owned(), expected);
        for line in encoded.split(|octet| *octet == b'\n') {
            prop_assert!(line.len() <= LINE_LIMIT);
        }
    }

    #[test]
    fn quoted_printable_decoding_is_total_and_never_grows(text in texts()) {
        let once = quoted_printable::decode(&text);
        prop_assert!(once.bytes.len() <= text.len());
        prop_assert_eq!(once.faults == 0, once.first_fault.is_none());
    }

    #[test]
    fn base64_gives_the_octets_back(bytes in prop::collection::vec(any::<u8>(), 0..400), crlf: bool) {
        let line_end: &[u8] = if crlf { b"\r\n" } else { b"\n" };
        let encoded = base64::encode(&bytes, line_end);
        prop_assert_eq!(encoded.len(), base64::encoded_len(bytes.len(), line_end));
        prop_assert!(encoded.split(|octet| *octet == b'\n').all(|line| line.len() <= LINE_LIMIT + 1));
        let decoded = base64::decode(&encoded);
        prop_assert_eq!(decoded.faults, 0);
        prop_assert_eq!(decoded.bytes.into_owned(), bytes);
    }

    /// The fast reader and the tolerant one agree: junk at the end sends the text to the second.
    #[test]
    fn base64_reads_the_same_both_ways(text in "[A-Za-z0-9+/=\r\n \t]{0,200}") {
        let fast = base64::decode(text.as_bytes());
        let with_junk = format!("{text}!");
        let tolerant = base64::decode(with_junk.as_bytes());
        prop_assert_eq!(fast.bytes.into_owned(), tolerant.bytes.into_owned());
        prop_assert_eq!(fast.faults + 1, tolerant.faults);
    }
}
