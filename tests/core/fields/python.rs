//! What an independent reader says: Python's email package, where it is installed.
//!
//! It reads words well enough to be asked, and not well enough to be believed: fixtures/coding/word/python.tsv
//! lists every case of our table that it reads otherwise, with the reason. Of mail that a plan changed it must
//! read the same before and after.

use std::collections::HashMap;
use std::io::Write;
use std::process::{Command, Stdio};

use septet::coding::charset::{Charset, Labels};
use septet::coding::encoded_word::{WordReader, decode_unstructured};
use septet::message::{Limits, Message};
use septet::rewrite::header::{HeaderPlanner, encode_value};
use septet::rewrite::{Beside, Profile, Unlabelled};

use crate::coders::rows;
use crate::corpus;

/// Reads values with Python; none where there is no Python. A value that it fails on is none inside.
fn python(values: &[Vec<u8>]) -> Option<Vec<Option<String>>> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/core/fields/read.py");
    let run = Command::new("python3").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut run) = run else {
        println!("skipped: no python3");
        return None;
    };
    let hex = |value: &Vec<u8>| value.iter().map(|octet| format!("{octet:02x}")).collect::<String>() + "\n";
    let lines: String = values.iter().map(hex).collect();
    let mut input = run.stdin.take().expect("a pipe");
    let feed = std::thread::spawn(move || input.write_all(lines.as_bytes()).expect("Python reads"));
    let output = run.wait_with_output().expect("Python ends");
    feed.join().expect("all is written");
    let texts = String::from_utf8(output.stdout).expect("JSON");
    let texts: Vec<Option<String>> = texts.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(texts.len(), values.len(), "one answer for each value");
    Some(texts)
}

fn ours(value: &[u8]) -> String {
    decode_unstructured(value, WordReader::new(&Labels::default())).text
}

#[test]
fn python_reads_the_table_but_for_what_is_explained() {
    let values: Vec<Vec<u8>> = rows("word/decode.tsv").iter().map(|row| row.octets(0)).collect();
    let Some(texts) = python(&values) else { return };
    let explained: HashMap<Vec<u8>, String> =
        rows("word/python.tsv").iter().map(|row| (row.octets(0), row.text(1))).collect();
    for (value, text) in values.iter().zip(texts) {
        let same = text.as_ref() == Some(&ours(value));
        assert!(same || explained.contains_key(value), "{}: {text:?}", value.escape_ascii());
    }
    for value in explained.keys() {
        assert!(values.contains(value), "{} is no row of the table", value.escape_ascii());
    }
}

/// Makes texts of words in many scripts, the same ones every time.
fn texts(count: usize) -> Vec<String> {
    let words = ["a", "plain", "Grüße", "日本語", "да", "😀", "=?x", "a_b", "(c)", "über-lang-und-noch-länger", "é"];
    let mut state = 1_u64;
    let mut next = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut text = || -> String {
        let length = 1 + next(20);
        (0..length).map(|_| words[next(words.len())]).collect::<Vec<_>>().join(" ")
    };
    (0..count).map(|_| text()).collect()
}

#[test]
fn python_reads_what_is_typed() {
    let texts = texts(2000);
    for (charset, fold) in [(Charset::UTF_8, None), (Charset::UTF_8, Some("\r\n")), (Charset::UTF_7, Some("\n"))] {
        let written = |text: &String| encode_value("Subject", text, charset, fold).expect("Unicode has all");
        let values: Vec<Vec<u8>> = texts.iter().map(|text| written(text).into_bytes()).collect();
        let Some(read) = python(&values) else { return };
        for ((text, value), read) in texts.iter().zip(&values).zip(read) {
            assert_eq!(read.as_ref(), Some(text), "{}", value.escape_ascii());
        }
    }
}

/// The fields of the corpus that Python reads otherwise afterwards, by a piece of their values before, and why.
const OTHERWISE: [(&str, &str); 2] = [
    ("Parhelia=99_now", "it reads iso-8859-1 to the letter and takes 99 for a control character"),
    ("=A4@=B0_=A8=D3", "it reads a `_` as a space that is the second octet of a Big5 character"),
];

#[test]
fn python_reads_real_fields_the_same_before_and_after() {
    let Some(messages) = corpus::mailbox() else { return };
    for profile in ["utf8", "seven-bit", "utf7"] {
        let mut profile = Profile::built_in(profile).expect("a profile");
        profile.unlabelled.push(Unlabelled::Charset(Charset::WINDOWS_1252));
        let mut pairs = Vec::new();
        for raw in &messages {
            changed(raw, &profile, &mut pairs);
        }
        println!("{}: {} fields changed", profile.name, pairs.len());
        assert!(pairs.len() > 40, "the corpus has fields to change");
        let (before, after): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        let (Some(was), Some(is)) = (python(&before), python(&after)) else { return };
        for ((value, was), (new, is)) in before.iter().zip(was).zip(after.iter().zip(is)) {
            // What was raw Latin-1 Python can't read; we have to, to compare.
            let was = if value.is_ascii() { was } else { Some(raw_text(value)) };
            // What no word can say is said by the name of an empty group (RFC 6857).
            let is = is.map(|text| text.replace(" :;", ""));
            let same = plain(was.as_deref()) == plain(is.as_deref());
            let shown = value.escape_ascii().to_string();
            let explained = OTHERWISE.iter().any(|(piece, _)| shown.contains(piece));
            assert!(same || explained, "{shown} {}: {was:?} {is:?}", new.escape_ascii());
        }
    }
}

/// Reads a value in which raw octets stand.
fn raw_text(value: &[u8]) -> String {
    let charset = Labels::default().find(b"windows-1252").expect("a charset");
    let text = match std::str::from_utf8(value) {
        Ok(text) => text.to_owned(),
        Err(_) => charset.decode(value).expect("any octet is a character").into_owned(),
    };
    ours(text.as_bytes())
}

/// Collects the text fields of a message that a plan changes: the value before and after.
fn changed(raw: &[u8], profile: &Profile, pairs: &mut Vec<(Vec<u8>, Vec<u8>)>) {
    let message = Message::read(raw, &Limits::default());
    for field in message.parts().iter().flat_map(|part| message.fields(part)) {
        let name = message.slice(field.name).to_ascii_lowercase();
        let plan = HeaderPlanner { message: &message, profile, beside: Beside::default() }.plan(field, None);
        // Parameters are not what this reader reads.
        if !plan.edits.is_empty() && !name.starts_with(b"content-") {
            pairs.push((message.slice(field.value).to_vec(), plan.edits.apply_within(raw, field.value)));
        }
    }
}

/// Takes out what only the grammar asks for, and says nothing of how much white space there is.
fn plain(text: Option<&str>) -> Option<String> {
    let text: String = text?.chars().filter(|letter| !"\"\\".contains(*letter)).collect();
    let text = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    // A word needs white space around it, where a quoted-string does not.
    Some([" <", " ,", " ;", " :"].iter().fold(text, |text, space| text.replace(space, &space[1..])))
}
