//! Encoded-words (RFC 2047): both directions.

use proptest::prelude::*;
use septet::coding::charset::{Charset, Labels};
use septet::coding::encoded_word::{
    Conformity, DecodedText, LinePosition, TextError, TextFault, WordFormat, WordPlace, WordReader,
    decode_unstructured, encode, is_control, runs, words,
};

use super::rows;

fn decode(value: &[u8]) -> DecodedText {
    decode_unstructured(value, WordReader::new(&Labels::default()))
}

fn letter(fault: &TextFault) -> char {
    match fault {
        TextFault::Word(_, TextError::UnknownCharset(_)) => 'u',
        TextFault::Word(_, TextError::Malformed { .. }) => 'm',
        TextFault::Word(_, TextError::Ambiguous(..)) => 'a',
        TextFault::Word(_, TextError::Visual) => 'v',
        TextFault::Word(_, TextError::Control) => 'c',
        TextFault::Word(_, TextError::UrlAlphabet) => '-',
        TextFault::Word(_, TextError::Unlabelled(_)) | TextFault::Raw(_) => 'r',
        TextFault::Control(_) => '!',
    }
}

#[test]
fn decodes_the_table() {
    let mut wrong = Vec::new();
    for row in rows("word/decode.tsv") {
        let decoded = decode(&row.octets(0));
        let left: String = decoded.faults.iter().map(letter).collect();
        if decoded.text != row.text(1) || left != row.text(2) {
            wrong.push(format!("{}: {:?} {left:?} and not {:?}", row.place, decoded.text, row.text(1)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn encodes_the_table() {
    let labels = Labels::default();
    let mut wrong = Vec::new();
    for row in rows("word/encode.tsv") {
        let (label, place) = (row.text(0), row.text(1));
        let charset = labels.find_registered(label.as_bytes()).expect("a charset");
        let place = match place.as_str() {
            "text" => WordPlace::Text,
            "phrase" => WordPlace::Phrase,
            "comment" => WordPlace::Comment,
            other => panic!("{}: no place {other}", row.place),
        };
        let form = WordFormat { charset, place, quoted: false };
        let (column, tail) = (row.number(2), row.number(3));
        let position = LinePosition { column, fold: Some("\n"), tail, ..LinePosition::default() };
        let mut out = String::new();
        encode(&row.text(4), form, position, &mut out).expect("every character is in the charset");
        if out != row.text(5) {
            wrong.push(format!("{}: {out}", row.place));
        }
        assert_eq!(decode(out.as_bytes()).text, row.text(4), "{}: read back", row.place);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn refuses_characters_that_the_charset_lacks() {
    let charset = Labels::default().find_registered(b"iso-8859-1").expect("a charset");
    let form = WordFormat { charset, place: WordPlace::Text, quoted: false };
    let mut out = String::from("before");
    let lost = encode("ab€", form, LinePosition::default(), &mut out).expect_err("no euro in Latin-1");
    assert_eq!((lost.character, lost.offset, out.as_str()), ('€', 2, "before"));
}

#[test]
fn says_which_words_obey_the_rules() {
    for row in rows("word/conforming.tsv") {
        let (value, expected) = (row.octets(1), row.text(2) == "yes");
        let place = if row.text(0) == "phrase" { WordPlace::Phrase } else { WordPlace::Text };
        let labels = Labels::default();
        let found = runs(&value, place, WordReader::new(&labels));
        assert!(!found.is_empty(), "{}: a word is found", row.place);
        let conforming =
            found.iter().flat_map(|run| &run.groups).all(|group| group.conformity == Conformity::Conforming);
        assert_eq!(conforming, expected, "{}", row.place);
    }
}

/// Octets above 7F tell what they are where a label is unknown or untrue.
#[test]
fn hears_the_octets_only_where_they_are_8_bit() {
    let labels = Labels::default();
    let read = |value: &str| decode_unstructured(value.as_bytes(), WordReader::new(&labels)).text;
    assert_eq!(read("=?x-unknown?Q?=C3=A9?="), "é");
    assert_eq!(read("=?us-ascii?Q?=C3=A9?="), "é");
    assert_eq!(read("=?x-foo?Q?abc?="), "=?x-foo?Q?abc?=");
    assert_eq!(read("=?x-unknown?Q?=E9?="), "=?x-unknown?Q?=E9?=");
}

/// A bomb is read in one pass: these would not end in a lifetime if anything in it were quadratic.
#[test]
fn hard_case_15_bombs_cost_one_pass() {
    let bombs: [(&str, usize); 7] = [
        ("=?utf-8?Q?=C3=A9?= ", 100_000),
        ("=?utf-8?Q?=C3?= =?utf-8?Q?=A9?= ", 50_000),
        ("=?utf-8?Q?", 300_000),
        ("=?", 1_000_000),
        ("=?utf-8?Q?=FF?= ", 100_000),
        ("=?utf-8?B?w?= ", 100_000),
        ("=?x?Q?a?= =?y?Q?b?= ", 50_000),
    ];
    for (piece, times) in bombs {
        let value = piece.repeat(times);
        let decoded = decode(value.as_bytes());
        assert!(!decoded.text.is_empty(), "{piece}");
    }
    assert_eq!(decode("=?utf-8?Q?=C3=A9?= ".repeat(100_000).as_bytes()).text, "é".repeat(100_000) + " ");
}

fn place() -> impl Strategy<Value = WordPlace> {
    prop_oneof![Just(WordPlace::Text), Just(WordPlace::Phrase), Just(WordPlace::Comment)]
}

fn text() -> impl Strategy<Value = String> {
    let any = proptest::char::any().prop_filter("no control character", |character| !is_control(*character));
    let likely = proptest::sample::select("éüß日本語😀 \t=?_aZ0().,\"\\".chars().collect::<Vec<_>>());
    proptest::collection::vec(prop_oneof![3 => likely, 1 => any], 0..200).prop_map(|chars| chars.into_iter().collect())
}

proptest! {
    #[test]
    fn what_is_written_is_read_back_and_within_the_limits(
        text in text(), place in place(), column in 0_usize..60, tail in 0_usize..4, seven in any::<bool>()
    ) {
        let charset = if seven { Charset::UTF_7 } else { Charset::UTF_8 };
        let mut out = String::new();
        let position = LinePosition { column, fold: Some("\r\n"), tail, ..LinePosition::default() };
        let end = encode(&text, WordFormat { charset, place, quoted: false }, position, &mut out).expect("Unicode has all");
        prop_assert_eq!(&decode(out.as_bytes()).text, &text);
        let lines: Vec<&str> = out.split("\r\n").collect();
        for (index, line) in lines.iter().enumerate() {
            let before = if index == 0 { column } else { 0 };
            // The caller sees to the first line; a last word of one character can't make more room for the tail.
            prop_assert!(before + line.len() <= 76 || index == 0, "{}", line);
            prop_assert!(line.trim_start().len() <= 75);
        }
        let last = lines.last().map_or(0, |line| line.len());
        prop_assert_eq!(end, if lines.len() == 1 { column + last } else { last });
        let labels = Labels::default();
        for run in runs(out.as_bytes(), place, WordReader::new(&labels)) {
            prop_assert!(run.groups.iter().all(|group| group.conformity == Conformity::Conforming), "{}", out);
        }
    }

    #[test]
    fn reading_never_fails_and_never_sets_controls_free(value in proptest::collection::vec(any::<u8>(), 0..300)) {
        let decoded = decode(&value);
        prop_assert!(!decoded.text.contains(['\r', '\n', '\0']));
    }

    #[test]
    fn words_are_found_in_order_and_apart(pieces in proptest::collection::vec(
        proptest::sample::select(vec!["=?", "?=", "utf-8", "?Q?", "?B?", " ", "=", "?", "a", "=C3=A9", "\r\n ", "é"]), 0..60
    )) {
        let value = pieces.concat();
        let mut end = 0;
        for word in words(value.as_bytes()) {
            prop_assert!(word.at.start >= end && word.at.end <= value.len());
            prop_assert!(word.text.end + 2 == word.at.end && word.label.start == word.at.start + 2);
            end = word.at.end;
        }
        decode(value.as_bytes());
    }
}
