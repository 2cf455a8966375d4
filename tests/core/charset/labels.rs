//! What labels mean.

use std::collections::BTreeMap;

use septet::coding::charset::{Charset, Labels};

use super::rows;

#[test]
fn labels_mean_what_the_table_says() {
    let labels = Labels::default();
    let name = |charset: Option<Charset>| charset.map_or("-", Charset::name);
    for row in rows("labels.tsv") {
        let [label, read, written] = &row[..] else { panic!("three columns: {row:?}") };
        for label in [label.clone(), label.to_uppercase(), format!(" \"{label}\"\t")] {
            assert_eq!(name(labels.find(label.as_bytes())), read, "{label:?} is read as");
            assert_eq!(name(labels.find_registered(label.as_bytes())), written, "{label:?} is written as");
        }
    }
}

/// A charset is found by its own name, so that what is written can be read.
#[test]
fn names_are_labels() {
    for charset in Charset::all() {
        assert_eq!(Labels::default().find_registered(charset.name().as_bytes()), Some(*charset));
    }
}

/// No octets make a label of a text without one.
#[test]
fn labels_are_short_and_ascii() {
    let labels = Labels::default();
    for label in [&b""[..], b"\xFF", b"utf-8\xE9", b"\0", b"*", b"*fr", b"''", b"-", &[b'a'; 100_000]] {
        assert_eq!(labels.find(label), None, "{:?}", label.get(..8));
    }
}

fn table(rows: &[(&str, &str)]) -> BTreeMap<String, String> {
    rows.iter().map(|(left, right)| (String::from(*left), String::from(*right))).collect()
}

#[test]
fn settings_extend_the_tables() {
    let aliases =
        table(&[("x-ours", "koi8-r"), ("x-junk", ""), ("latin1", "cp850"), ("x-chinese", "gb2312"), ("ansi", "")]);
    let labels = Labels::new(&aliases).expect("a good table");
    assert_eq!(labels.find(b"X-OURS"), Some(Charset::KOI8_R));
    assert_eq!(labels.find_registered(b"x-ours"), Some(Charset::KOI8_R));
    assert_eq!(labels.find(b"x-chinese"), Some(Charset::GB18030), "what mail means by GB2312");
    assert_eq!(labels.find_registered(b"x-chinese"), Some(Charset::GB2312));
    assert_eq!(labels.find(b"x-junk"), None);
    assert_eq!(labels.find(b"latin1"), Some(Charset::IBM850));
    assert_eq!(labels.find(b"iso-8859-1"), Some(Charset::WINDOWS_1252));
    assert_eq!(labels.find(b"ansi"), None, "a built-in alias is taken back");
    assert_eq!(labels.find_registered(b"iso-8859-5"), Some(Charset::ISO_8859_5));
    assert_eq!(labels.clone(), labels);
    assert_ne!(labels, Labels::default());
}

/// Hard case 35: a placeholder that nobody filled in (Takeout's `%CHARSET`) can be named, and means nothing unless it
/// is.
#[test]
fn a_placeholder_can_be_named() {
    let labels = Labels::new(&table(&[("%CHARSET", "utf-8")])).expect("a good table");
    assert_eq!(labels.find(b"%charset"), Some(Charset::UTF_8));
    assert_eq!(labels.find(b"charset"), None);
    assert_eq!(labels.find(b"%utf-8%"), None);
    assert_eq!(Labels::default().find(b"%CHARSET"), None);
}

#[test]
fn settings_that_mean_nothing_are_named() {
    let bad =
        |label: &str, meaning: &str| Labels::new(&table(&[(label, meaning)])).expect_err("a bad entry").to_string();
    assert_eq!(bad("x-a", "utf-9"), "\"utf-9\" is not a charset that septet knows");
    assert_eq!(bad("--", "utf-8"), "\"--\" is not a charset that septet knows");
}
