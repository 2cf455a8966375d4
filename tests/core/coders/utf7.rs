//! UTF-7.

use std::borrow::Cow;

use proptest::prelude::*;
use septet::coding::utf7::{SetO, Utf7Options, Variant, decode, decode_lossy, encode, is_direct, tolerated};

use septet_support::table::Row;

use super::rows;

fn variants(row: &Row) -> Vec<Variant> {
    match row.text(0).as_str() {
        "both" => vec![Variant::Rfc1642, Variant::Rfc2152],
        "1642" => vec![Variant::Rfc1642],
        "2152" => vec![Variant::Rfc2152],
        other => panic!("{}: no variant {other}", row.place),
    }
}

fn encoded(text: &str, variant: Variant, set_o: SetO) -> String {
    let octets = encode(text, Utf7Options { variant, set_o }).expect("in the repertoire").into_owned();
    String::from_utf8(octets).expect("UTF-7 is ASCII")
}

#[test]
fn well_formed_texts_are_read_and_written_as_the_table_says() {
    for row in rows("utf7/text.tsv") {
        let (input, text) = (row.octets(2), row.text(3));
        for variant in variants(&row) {
            assert_eq!(decode(&input, variant).as_deref(), Ok(text.as_str()), "{}", row.place);
            assert_eq!(decode_lossy(&input, variant), (Cow::Borrowed(text.as_str()), 0), "{}", row.place);
            let written = encoded(&text, variant, SetO::Direct);
            match row.text(1).as_str() {
                "=" => assert_eq!(written.as_bytes(), input, "{}: wrote {written:?}", row.place),
                "<" => assert_ne!(written.as_bytes(), input, "{}: this is how we write it", row.place),
                other => panic!("{}: no direction {other}", row.place),
            }
        }
    }
}

#[test]
fn set_o_is_encoded_as_the_table_says() {
    for row in rows("utf7/set-o.tsv") {
        let (expected, text) = (row.text(0), row.text(1));
        for variant in [Variant::Rfc1642, Variant::Rfc2152] {
            assert_eq!(encoded(&text, variant, SetO::Encoded), expected, "{}", row.place);
            assert_eq!(decode(expected.as_bytes(), variant).as_deref(), Ok(text.as_str()), "{}", row.place);
        }
    }
}

#[test]
fn ill_formed_texts_are_refused_where_the_table_says() {
    for row in rows("utf7/ill-formed.tsv") {
        let input = row.octets(1);
        for variant in variants(&row) {
            let fault = decode(&input, variant).expect_err(&row.place);
            assert_eq!(fault.offset, row.number(2), "{}: {fault}", row.place);
            assert!(fault.rule.contains(&row.text(3)), "{}: {fault}", row.place);
            let (text, faults) = decode_lossy(&input, variant);
            assert_eq!((text.as_ref(), faults), (row.text(5).as_str(), row.number(4)), "{}", row.place);
        }
    }
}

#[test]
fn ucs_2_has_no_character_above_ffff() {
    let refused =
        encode("a\u{e9}+\u{1F405}", Utf7Options { variant: Variant::Rfc1642, set_o: SetO::Direct }).unwrap_err();
    assert_eq!((refused.offset, refused.character), (4, '\u{1F405}'));
}

#[test]
fn direct_texts_are_borrowed_both_ways() {
    let text = "nothing to shift: ?!\r\n";
    assert!(matches!(decode(text.as_bytes(), Variant::Rfc2152), Ok(Cow::Borrowed(_))));
    assert!(matches!(decode_lossy(text.as_bytes(), Variant::Rfc2152), (Cow::Borrowed(_), 0)));
    assert!(matches!(encode(text, Utf7Options::default()), Ok(Cow::Borrowed(_))));
}

#[test]
fn tilde_and_backslash_are_found() {
    assert_eq!(tolerated(b"a+AH4-b"), None);
    assert_eq!(tolerated(b"a+AOk~b\\"), Some(5));
    assert_eq!(tolerated(b"C:\\"), Some(2));
}

#[test]
fn every_character_alone_and_between_letters_comes_back() {
    for character in '\0'..=char::MAX {
        let text = format!("{character}a{character}{character}-");
        for set_o in [SetO::Direct, SetO::Encoded] {
            let written = encoded(&text, Variant::Rfc2152, set_o);
            assert_eq!(decode(written.as_bytes(), Variant::Rfc2152).as_deref(), Ok(text.as_str()), "{written}");
        }
    }
}

#[test]
fn one_shift_of_four_megabytes_is_read_in_one_go() {
    let text = "\u{65E5}".repeat(1_500_000);
    let written = encoded(&text, Variant::Rfc2152, SetO::Direct);
    assert_eq!(written.len(), 4_000_002);
    assert_eq!(decode(written.as_bytes(), Variant::Rfc2152).as_deref(), Ok(text.as_str()));
    let (lossy, faults) = decode_lossy(&written.as_bytes()[..written.len() - 2], Variant::Rfc2152);
    assert_eq!((lossy.chars().count(), faults), (1_500_000, 1));
}

/// Text in which everything that matters to UTF-7 meets everything else.
fn texts() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop_oneof![
            4 => "[a-zA-Z0-9/+' -]{0,6}",
            2 => "[~\\\\!=@\r\n\t]{0,3}",
            3 => "[\u{80}-\u{D7FF}\u{E000}-\u{FFFF}]{0,5}",
            1 => "[\u{10000}-\u{10FFFF}]{0,3}",
            1 => "[\u{0}-\u{1F}\u{7F}]{0,2}",
        ],
        0..16,
    )
    .prop_map(|pieces| pieces.concat())
}

/// Octets that look like UTF-7 and seldom are.
fn octets() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        "[+A2D3c/9 ~.\n-]{0,40}".prop_map(String::into_bytes),
        "\\+[A-Za-z0-9+/]{0,30}-?".prop_map(String::into_bytes),
        prop::collection::vec(any::<u8>(), 0..40),
    ]
}

/// Gives what a reader sees outside shifts, with `+` for `+-`.
fn outside_shifts(written: &str) -> String {
    let mut seen = String::new();
    let mut rest = written;
    while let Some((direct, shifted)) = rest.split_once('+') {
        seen += direct;
        let digits = shifted.bytes().take_while(|octet| octet.is_ascii_alphanumeric() || b"+/".contains(octet)).count();
        if digits == 0 {
            seen.push('+');
        }
        rest = &shifted[digits..];
        rest = rest.strip_prefix('-').unwrap_or(rest);
    }
    seen + rest
}

fn sets() -> impl Strategy<Value = SetO> {
    prop_oneof![Just(SetO::Direct), Just(SetO::Encoded)]
}

proptest! {
    #[test]
    fn decoding_undoes_encoding(text in texts(), set_o in sets()) {
        let written = encoded(&text, Variant::Rfc2152, set_o);
        let read = decode(written.as_bytes(), Variant::Rfc2152).map(Cow::into_owned);
        prop_assert_eq!(read, Ok(text.clone()));
        prop_assert_eq!(tolerated(written.as_bytes()), None);
        if !text.chars().any(|character| character > '\u{FFFF}') {
            prop_assert_eq!(encoded(&text, Variant::Rfc1642, set_o), written);
        }
    }

    #[test]
    fn encoded_texts_can_be_joined(first in texts(), second in texts()) {
        let joined = encoded(&first, Variant::Rfc2152, SetO::Direct) + &encoded(&second, Variant::Rfc2152, SetO::Direct);
        let read = decode(joined.as_bytes(), Variant::Rfc2152).map(Cow::into_owned);
        prop_assert_eq!(read, Ok(first + &second));
    }

    #[test]
    fn lines_are_kept_and_each_is_a_text_of_its_own(text in texts()) {
        let written = encoded(&text, Variant::Rfc2152, SetO::Direct);
        let lines: Vec<String> = written.split('\n')
            .map(|line| decode(line.as_bytes(), Variant::Rfc2152).expect("a whole line").into_owned())
            .collect();
        prop_assert_eq!(lines.join("\n"), text);
    }

    #[test]
    fn no_ascii_hides_in_a_shift(text in texts(), set_o in sets()) {
        let written = encoded(&text, Variant::Rfc2152, set_o);
        let direct = |character: &char| character.is_ascii() && (*character == '+' || is_direct(*character as u8, set_o));
        prop_assert_eq!(outside_shifts(&written), text.chars().filter(direct).collect::<String>());
    }

    #[test]
    fn strict_reads_what_lossy_reads_without_a_fault(input in octets(), ucs_2: bool) {
        let variant = if ucs_2 { Variant::Rfc1642 } else { Variant::Rfc2152 };
        let (text, faults) = decode_lossy(&input, variant);
        match decode(&input, variant) {
            Ok(strict) => prop_assert_eq!((strict, 0), (text, faults)),
            Err(fault) => {
                prop_assert!(faults > 0 && fault.offset < input.len(), "{:?} {}", fault, faults);
                prop_assert!(text.matches(char::REPLACEMENT_CHARACTER).count() >= faults);
            }
        }
    }

    #[test]
    fn writing_again_what_was_read_changes_no_text(input in octets()) {
        if let Ok(text) = decode(&input, Variant::Rfc2152) {
            let written = encoded(&text, Variant::Rfc2152, SetO::Direct);
            let again = decode(written.as_bytes(), Variant::Rfc2152).map(Cow::into_owned);
            prop_assert_eq!(again, Ok(text.clone().into_owned()));
            prop_assert_eq!(encoded(&text, Variant::Rfc2152, SetO::Direct), written);
        }
    }
}
