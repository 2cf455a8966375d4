//! UTF-8: what RFC 3629 refuses, and where.

use std::borrow::Cow;
use std::fs;

use proptest::prelude::*;
use septet::coding::utf8;

use super::rows;
use crate::inputs::data;
use septet_support::escapes::octets;

#[test]
fn rules_and_offsets() {
    for row in rows("utf8.tsv") {
        let [text, outcome] = &row[..] else { panic!("two columns: {row:?}") };
        let text = octets(text);
        let (lossy, faults) = utf8::decode_lossy(&text);
        let found = match utf8::decode(&text) {
            Ok(same) => {
                assert_eq!((same.as_bytes(), lossy), (&text[..], Cow::Borrowed(same)));
                "good".to_owned()
            }
            Err(fault) => format!("{} {faults} {}", fault.offset, fault.rule),
        };
        assert_eq!(found, *outcome, "{row:?}");
    }
}

/// RFC 3629 §6: a signature at the very start, and only one.
#[test]
fn only_a_signature_is_stripped() {
    assert_eq!(utf8::strip_signature(b"\xEF\xBB\xBFa"), b"a");
    assert_eq!(utf8::strip_signature(b"\xEF\xBB\xBF\xEF\xBB\xBFa"), b"\xEF\xBB\xBFa");
    assert_eq!(utf8::strip_signature(b"a\xEF\xBB\xBF"), b"a\xEF\xBB\xBF");
    assert_eq!(utf8::strip_signature(b"\xEF\xBB"), b"\xEF\xBB");
}

/// 222 cases that others have collected.
#[test]
fn the_collected_cases_hold() {
    let Some(cases) = data().and_then(|data| fs::read_to_string(data.join("utf8/utf8tests.txt")).ok()) else {
        return println!("skipped: there is no shared data");
    };
    let unhex = |text: &str| -> Vec<u8> {
        let digits: String = text.split_whitespace().filter(|word| *word != "nothing").collect();
        (0..digits.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("hexadecimal"))
            .collect()
    };
    let mut seen = 0;
    for line in cases.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let columns: Vec<&str> = line.splitn(5, ":").map(str::trim).collect();
        seen += 1;
        match columns[..] {
            [_, "valid", text] => assert_eq!(utf8::decode(text.as_bytes()), Ok(text)),
            [_, "valid hex", text] => assert!(utf8::decode(&unhex(text)).is_ok(), "{line}"),
            [_, "invalid hex", text, skipped, replaced] => {
                let text = unhex(text);
                assert!(utf8::decode(&text).is_err(), "{line}");
                let (lossy, faults) = utf8::decode_lossy(&text);
                assert_eq!(lossy.as_bytes(), unhex(replaced), "{line}");
                // Some cases hold U+FFFD itself.
                let without = String::from_utf8(unhex(skipped)).expect("text");
                let marks = |text: &str| text.matches(char::REPLACEMENT_CHARACTER).count();
                assert_eq!(marks(&lossy) - marks(&without), faults, "{line}");
            }
            _ => panic!("{line}"),
        }
    }
    assert!(seen > 200, "{seen} cases");
}

proptest! {
    /// The standard library's check is another implementation of the same rules.
    #[test]
    fn the_standard_library_agrees(
        octets in prop::collection::vec(prop_oneof![any::<u8>(), 0x80u8..0xC8, Just(0xED), Just(0xF0), Just(0xF4), Just(b'a')], 0..80)
    ) {
        let (before, fault) = utf8::decode_until_fault(&octets);
        match std::str::from_utf8(&octets) {
            Ok(text) => prop_assert_eq!((before, fault), (text, None)),
            Err(error) => {
                prop_assert_eq!(fault.map(|fault| fault.offset), Some(error.valid_up_to()));
                prop_assert_eq!(before.len(), error.valid_up_to());
                prop_assert_eq!(utf8::decode_lossy(&octets).0, String::from_utf8_lossy(&octets));
            }
        }
    }
}
