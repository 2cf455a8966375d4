//! Header fields, planned one by one: the cases of fixtures/fields, and what holds of every field.
//!
//! A file of cases holds, for each: `## name`; the field, its lines behind `< `; `set charset=value` for what
//! the body asks; then, once or more, `profile` with the names of profiles (`unlabelled=` goes with all of them), and
//! behind it the field afterwards (`> `, none for "unchanged") and the report (`= `). Every case runs with LF and
//! with CRLF, and is planned twice.

mod python;
mod work;

use std::fs;

use proptest::prelude::*;
use septet::coding::charset::Labels;
use septet::coding::encoded_word::{DecodedText, WordReader, decode_unstructured, is_control};
use septet::message::{Limits, Message};
use septet::rewrite::header::{FieldPlan, HeaderPlanner, encode_value};
use septet::rewrite::{Beside, Change, Entry, HeaderForm, Outcome, Place, Profile, Unlabelled};
use septet_support::escapes;

use crate::inputs;

#[derive(Default)]
struct Case {
    name: String,
    field: Vec<String>,
    charset: Option<String>,
    wanted: Vec<Wanted>,
}

#[derive(Default)]
struct Wanted {
    profiles: Vec<String>,
    unlabelled: Option<Unlabelled>,
    field: Vec<String>,
    report: Vec<String>,
}

fn cases(file: &str) -> Vec<Case> {
    let text = fs::read_to_string(inputs::folder("fields").join(file)).expect("a file of cases");
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            cases.push(Case { name: format!("{file}: {name}"), ..Case::default() });
        }
        let Some(case) = cases.last_mut() else { continue };
        let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
        match mark {
            "<" => case.field.push(rest.to_owned()),
            "set" => {
                case.charset = Some(rest.strip_prefix("charset=").expect("a charset").to_owned());
            }
            "profile" => case.wanted.push(wanted(rest)),
            ">" => case.wanted.last_mut().expect("a profile").field.push(rest.to_owned()),
            "=" => case.wanted.last_mut().expect("a profile").report.push(rest.to_owned()),
            _ => assert!(line.is_empty() || line.starts_with('#'), "{}: {line}", case.name),
        }
    }
    assert!(!cases.is_empty() && cases.iter().all(|case| !case.wanted.is_empty()), "{file} has no cases");
    cases
}

fn wanted(words: &str) -> Wanted {
    let mut wanted = Wanted::default();
    for word in words.split(' ') {
        match word.strip_prefix("unlabelled=") {
            Some(entry) => wanted.unlabelled = Unlabelled::of(entry, &Labels::default()),
            None => wanted.profiles.push(word.to_owned()),
        }
    }
    wanted
}

/// Joins the lines of a field.
fn octets(lines: &[String], line_end: &str) -> Vec<u8> {
    lines.iter().flat_map(|line| [escapes::octets(line), line_end.into()].concat()).collect()
}

/// Plans the one field of a header; gives the field afterwards and the plan.
fn planned(field: &[u8], profile: &Profile, charset: Option<&str>) -> (Vec<u8>, FieldPlan) {
    let end: &[u8] = if field.ends_with(b"\r\n") { b"\r\n" } else { b"\n" };
    let raw = [field, end, b"body", end].concat();
    let message = Message::read(&raw, &Limits::default());
    let fields = message.fields(&message.parts()[0]);
    assert_eq!(fields.len(), 1, "one field: {}", field.escape_ascii());
    let plan = HeaderPlanner { message: &message, profile, beside: Beside::default() }.plan(&fields[0], charset);
    (plan.edits.apply_within(&raw, fields[0].line), plan)
}

fn report(plan: &FieldPlan, field: &[u8]) -> Vec<String> {
    let name = String::from_utf8_lossy(field.split(|octet| *octet == b':').next().unwrap_or_default()).into_owned();
    let entry = |outcome: &Outcome| {
        let place = Place::Field(name.clone());
        Entry { part: septet::message::PartNumber::root(), place, ordinal: 1, outcome: outcome.clone() }.to_string()
    };
    plan.outcomes.iter().map(entry).collect()
}

fn run(file: &str) {
    let mut wrong = Vec::new();
    for case in cases(file) {
        for wanted in &case.wanted {
            for (profile, line_end) in wanted.profiles.iter().flat_map(|it| [(it, "\n"), (it, "\r\n")]) {
                let mut profile = Profile::built_in(profile).expect("a built-in profile");
                profile.unlabelled.extend(wanted.unlabelled);
                let field = octets(&case.field, line_end);
                let expected = if wanted.field.is_empty() { field.clone() } else { octets(&wanted.field, line_end) };
                let (after, plan) = planned(&field, &profile, case.charset.as_deref());
                let mut say = |what: &str, shown: String| {
                    wrong.push(format!("{} ({}, {line_end:?}): {what}\n{shown}", case.name, profile.name));
                };
                if after != expected {
                    say("the field", String::from_utf8_lossy(&after).into_owned());
                }
                if report(&plan, &field) != wanted.report {
                    say("the report", report(&plan, &field).join("\n"));
                }
                let (twice, again) = planned(&after, &profile, case.charset.as_deref());
                if !again.edits.is_empty() {
                    say("a second plan", String::from_utf8_lossy(&twice).into_owned());
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn unstructured_fields() {
    run("text.txt");
}

#[test]
fn address_fields() {
    run("addresses.txt");
}

#[test]
fn parameter_fields() {
    run("parameters.txt");
}

fn decoded(value: &[u8]) -> DecodedText {
    decode_unstructured(value, WordReader::new(&Labels::default()))
}

/// What a person reads, white space included.
fn text(value: &[u8]) -> String {
    decoded(value).text
}

/// What a person reads of a structured field, without what only the grammar asks for.
fn letters(value: &[u8]) -> String {
    text(value).chars().filter(|letter| !letter.is_ascii_whitespace() && !"\"\\".contains(*letter)).collect()
}

fn value(field: &[u8]) -> &[u8] {
    let colon = field.iter().position(|octet| *octet == b':').map_or(0, |at| at + 1);
    field[colon..].trim_ascii_end()
}

/// Pieces of which odd fields are made.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let piece = proptest::sample::select(vec![
        "=?utf-8?Q?=C3=A9?=",
        "=?iso-8859-1?Q?=E9_?=",
        "=?ISO-2022-JP?B?GyRCRnw=?=",
        "=?ISO-2022-JP?B?S1wbKEI=?=",
        "=?utf-7?Q?+AOk-?=",
        "=?utf-8?Q?=C3?=",
        "=?utf-8?Q?=A9?=",
        "=?utf-8?Q?a=0Ab?=",
        "=?x-unknown?Q?a?=",
        "=?utf-8?Q?=3D=3Fx?=",
        "=?utf-8?Q?a,_b;:_c?=",
        "=?koi8-r?B?xME=?=",
        "=?utf-8?B?8J+YgA==?=",
        "=?us-ascii?q?plain?=",
        "=?iso-8859-1*fr?q?=E9?=",
        "Grüße",
        "日本語",
        "\u{FEFF}",
        "plain",
        "a-word-that-is-rather-long-for-a-word",
        "=?",
        "?=",
        "=",
        "?",
        " ",
        "  ",
        "\t",
        "\n ",
        "\n\t",
        ",",
        ";",
        ":",
        "<a@example.org>",
        "b@example.org",
        "\"",
        "\"quoted\"",
        "\"quöted\"",
        "(",
        ")",
        "(cömment)",
        "\\",
        "name=",
        "name*=",
        "name*0*=",
        "utf-8''%C3%A9",
        "iso-8859-1''%E9",
        "filename*1=",
        "attachment;",
    ]);
    let odd = proptest::collection::vec(any::<u8>(), 1..3);
    let piece = prop_oneof![20 => piece.prop_map(|piece| piece.as_bytes().to_vec()), 1 => odd];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// Makes a field of one name and a value; line ends that would end it are taken out.
fn field(name: &str, value: &[u8]) -> Vec<u8> {
    let mut field = format!("{name}: x").into_bytes();
    for (at, &octet) in value.iter().enumerate() {
        let folds = octet == b'\n' && matches!(value.get(at + 1), Some(b' ' | b'\t'));
        if octet != b'\r' && (octet != b'\n' || folds) {
            field.push(octet);
        }
    }
    field.push(b'\n');
    field
}

fn longest_line(field: &[u8]) -> usize {
    field.split(|octet| *octet == b'\n').map(<[u8]>::len).max().unwrap_or(0)
}

fn check(field: &[u8], profile: &Profile) {
    let (after, plan) = planned(field, profile, None);
    let shown = || format!("{}: {} -> {}", profile.name, field.escape_ascii(), after.escape_ascii());
    let (_, again) = planned(&after, profile, None);
    assert!(again.edits.is_empty(), "a second plan: {}", shown());
    let done = plan.outcomes.iter().any(|outcome| matches!(outcome, Outcome::Done(_)));
    assert_eq!(done, !plan.edits.is_empty(), "edits and report agree: {}", shown());
    assert!(longest_line(&after) <= 998.max(longest_line(field)), "a long line: {}", shown());
    let left = plan.outcomes.iter().any(|outcome| matches!(outcome, Outcome::Left(_)));
    if matches!(profile.headers, HeaderForm::Words | HeaderForm::Utf7Words | HeaderForm::Ascii) && !left {
        assert!(after.is_ascii(), "8-bit that nobody was told of: {}", shown());
    }
    if profile.headers == HeaderForm::Ascii {
        return;
    }
    // Beside a word that can't be read, white space shows or not, depending on who reads.
    let readable = decoded(value(field)).faults.is_empty();
    if field.starts_with(b"Subject") && readable {
        assert_eq!(text(value(field)), text(value(&after)), "the text: {}", shown());
    } else if !field.starts_with(b"Content") && !is_downgraded(&plan.outcomes) && is_utf_8(field) {
        assert_eq!(letters(value(field)), letters(value(&after)), "the letters: {}", shown());
    }
}

/// Returns `true` if the raw octets of a field are UTF-8: what others are, the judge says and no reader here.
fn is_utf_8(field: &[u8]) -> bool {
    std::str::from_utf8(field).is_ok()
}

/// Returns `true` if an address became something else than itself, as RFC 6857 has it; fixtures/rewrite/downgrade says
/// what.
fn is_downgraded(outcomes: &[Outcome]) -> bool {
    let is_address = |change: &Change| matches!(change, Change::Address { .. } | Change::Domain);
    outcomes.iter().any(|outcome| matches!(outcome, Outcome::Done(changes) if changes.iter().any(is_address)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn every_field_keeps_its_text(value in pieces(), name in proptest::sample::select(vec![
        "Subject", "From", "Keywords", "Date", "Content-Type", "Content-Disposition", "Received"
    ])) {
        let field = field(name, &value);
        for profile in Profile::BUILT_IN.iter().filter_map(|name| Profile::built_in(name)) {
            check(&field, &profile);
        }
    }

    #[test]
    fn what_is_typed_is_read_back(line in proptest::collection::vec(prop_oneof![
        4 => proptest::sample::select("aé日😀 \t=?_,\"(".chars().collect::<Vec<_>>()),
        1 => proptest::char::any().prop_filter("no control character", |character| !is_control(*character)),
    ], 0..80), fold in any::<bool>()) {
        let line: String = line.into_iter().collect();
        let charset = septet::coding::charset::Charset::UTF_8;
        let typed = encode_value("", &line, charset, fold.then_some("\n")).expect("UTF-8 has all");
        prop_assert!(typed.is_ascii());
        prop_assert_eq!(typed.contains('\n') && !fold, false);
        prop_assert_eq!(&text(typed.as_bytes()), &line);
        if line.is_ascii() && !line.contains("=?") && !fold {
            prop_assert_eq!(&typed, &line, "what needs no word stays");
        }
        for each in typed.split('\n').skip(1) {
            prop_assert!(each.starts_with([' ', '\t']) && !each.trim().is_empty());
        }
    }
}

/// Bombs of hard case 15: one pass each, or this test would not end.
#[test]
fn hard_case_15_bombs() {
    let sections: String = (0..5_000).map(|number| format!("; filename*{number}*=%E9")).collect();
    let names: String = (0..25_000).map(|number| format!("; n{number}*=iso-8859-1''%E9")).collect();
    let bombs = [
        ("Subject", "=?iso-8859-1?Q?=E9?= ".repeat(25_000)),
        ("Subject", "é x ".repeat(50_000)),
        ("Subject", "a=?iso-8859-1?Q?=E9?=".repeat(25_000)),
        ("To", "=?iso-8859-1?Q?=E9?= <a@example.org>, ".repeat(10_000)),
        ("To", "(".repeat(250_000)),
        ("To", "(é".repeat(50_000) + &")".repeat(50_000)),
        ("To", "<é,".repeat(100_000)),
        ("To", "\"é\\".repeat(50_000)),
        ("To", "é \"".repeat(50_000)),
        ("Content-Type", format!("text/plain{}", sections.replace("*0*=", "*0*=iso-8859-1''"))),
        ("Content-Type", format!("text/plain{names}")),
        ("Content-Type", "; é=\"é\"".repeat(25_000)),
    ];
    for (name, value) in bombs {
        for profile in ["utf8", "eai", "ascii"] {
            let profile = Profile::built_in(profile).expect("a profile");
            let field = field(name, value.as_bytes());
            println!("{name} {}", value.chars().take(30).collect::<String>());
            let raw = [field.as_slice(), b"\n"].concat();
            let mut limits = Limits::default();
            limits.header_bytes = usize::MAX;
            let message = Message::read(&raw, &limits);
            let planner = HeaderPlanner { message: &message, profile: &profile, beside: Beside::default() };
            let plan = planner.plan(&message.fields(&message.parts()[0])[0], None);
            assert!(plan.outcomes.len() < 20, "a bomb makes no long report");
        }
    }
}
