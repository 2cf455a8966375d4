//! Text without a good label.

use septet::coding::charset::{Charset, Labels};
use septet::coding::evidence::{Unlabelled, Witnesses, judge};

fn guessed(bytes: &[u8], candidates: &[&str]) -> Option<&'static str> {
    let labels = Labels::default();
    let candidates: Vec<Unlabelled> = candidates.iter().filter_map(|entry| Unlabelled::of(entry, &labels)).collect();
    let witnesses = Witnesses { unlabelled: &candidates, ..Witnesses::none(&labels) };
    judge(bytes, None, &witnesses).ok().map(|read| read.charset.name())
}

#[test]
fn utf_8_comes_first() {
    assert_eq!(guessed("Grüße".as_bytes(), &[]), Some("utf-8"));
    assert_eq!(guessed("Grüße".as_bytes(), &["windows-1252"]), Some("utf-8"));
    assert_eq!(guessed(b"plain", &["windows-1252", "detect"]), Some("us-ascii"));
    assert_eq!(guessed(b"", &[]), Some("us-ascii"));
}

#[test]
fn candidates_are_tried_in_order() {
    let greeting = b"Gr\xFC\xDFe";
    assert_eq!(guessed(greeting, &[]), None);
    assert_eq!(guessed(greeting, &["utf-8"]), None);
    assert_eq!(guessed(greeting, &["us-ascii", "iso-2022-jp", "no-such", "iso-8859-1"]), Some("windows-1252"));
    assert_eq!(guessed(greeting, &["shift_jis", "windows-1252"]), Some("windows-1252"));
    assert_eq!(guessed(b"\xD6\xD0\xCE\xC4", &["gb2312", "windows-1252"]), Some("gb18030"));
}

/// An octet that the code page leaves undefined says that it is another one.
#[test]
fn undefined_octets_rule_a_candidate_out() {
    assert_eq!(guessed(b"\x81caf\xE9", &["windows-1252"]), None);
    assert_eq!(guessed(b"\x81caf\xE9", &["windows-1252", "cp437"]), Some("ibm437"));
}

#[test]
fn statistics_need_enough_to_count() {
    let (russian, _) = (Charset::WINDOWS_1251.encode("Съешь же ещё этих мягких французских булок, да выпей чаю"), ());
    let russian = russian.expect("Cyrillic");
    assert_eq!(guessed(&russian, &["detect"]), Some("windows-1251"));
    assert_eq!(guessed(&russian, &["detect", "koi8-r"]), Some("windows-1251"));
    assert_eq!(guessed(&russian, &["koi8-r", "detect"]), Some("koi8-r"));
    let japanese = Charset::SHIFT_JIS.encode("いろはにほへと ちりぬるを わかよたれそ つねならむ").expect("kana");
    assert_eq!(guessed(&japanese, &["detect"]), Some("windows-31j"));
    assert_eq!(guessed(b"Gr\xFC\xDFe", &["detect"]), Some("windows-1252"));
    assert_eq!(guessed(b"\xE8", &["detect"]), None, "è, и or č");
}
