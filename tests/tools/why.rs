//! `septet why`: every word of a report has its answer, and docs/reasons.md has them all.

use std::fs;

use crate::config::{septet, text};

/// Where docs/reasons.md has what `septet why --markdown` prints.
const MARKS: [&str; 2] = ["<!-- tables -->\n", "<!-- end of tables -->\n"];

fn printed(args: &[&str]) -> String {
    let output = septet(&[&["why"], args].concat(), &[]);
    assert_eq!((text(&output.stderr).as_str(), output.status.code()), ("", Some(0)), "{args:?}");
    text(&output.stdout)
}

/// `BLESS=1` writes the tables anew.
#[test]
fn the_documentation_is_made_of_the_answers() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/reasons.md");
    let page = fs::read_to_string(path).expect("docs/reasons.md");
    let (before, rest) = page.split_once(MARKS[0]).expect("the first mark");
    let (now, after) = rest.split_once(MARKS[1]).expect("the second mark");
    let wanted = printed(&["--markdown"]);
    if std::env::var_os("BLESS").is_some() {
        fs::write(path, [before, MARKS[0], &wanted, MARKS[1], after].concat()).expect("docs/reasons.md written");
        return;
    }
    assert_eq!(now, wanted, "BLESS=1 cargo test --test tools why");
}

#[test]
fn a_word_is_taken_as_reports_have_it() {
    for word in ["unlabelled", "left=unlabelled", "UNLABELLED"] {
        let said = printed(&[word]);
        assert!(
            said.starts_with("left=unlabelled\n  8-bit text ") && said.contains("what helps: unlabelled = ["),
            "{said}"
        );
    }
    assert!(printed(&["left=malformed(utf-8, offset 3: a stray octet)"]).starts_with("left=malformed\n"));
    assert!(printed(&["charset=utf-7>utf-8"]).starts_with("charset=…\n"));
    let both = printed(&["meta"]);
    assert!(both.starts_with("meta=…\n") && both.contains("\nnote=meta\n"), "{both}");
    assert!(!printed(&["note=meta"]).contains("meta=…"));
}

#[test]
fn a_form_has_its_row() {
    for word in ["type-conflict", "irregular(type-conflict)", "left=irregular(type-conflict)"] {
        let said = printed(&[word]);
        assert!(said.starts_with("left=irregular(type-conflict)\n") && said.contains("RFC 2045 §3"), "{said}");
    }
    let json: serde_json::Value = serde_json::from_str(&printed(&["--json", "word-split"])).expect("an object");
    assert_eq!((&json["kind"], &json["admitted"]), (&"form".into(), &true.into()));
}

#[test]
fn an_unknown_word_is_refused_with_a_hint() {
    for (word, hint) in [("unlabeled", "did you mean \"unlabelled\"?"), ("xyzzy", "`septet why` lists every word")] {
        let output = septet(&["why", word], &[]);
        assert_eq!(output.status.code(), Some(64));
        assert_eq!(text(&output.stderr), format!("septet: no report says {word:?}; {hint}\n"));
    }
}

#[test]
fn colour_comes_when_it_is_asked_for() {
    assert!(!printed(&["dkim"]).contains('\x1b'));
    assert!(printed(&["dkim", "--color", "always"]).contains('\x1b'));
    let output = septet(&["why", "dkim", "--color", "always"], &[("NO_COLOR", "1")]);
    assert!(text(&output.stdout).contains('\x1b'), "an option is nearer than the environment");
}

#[test]
fn scripts_get_an_object_a_word() {
    let lines: Vec<serde_json::Value> =
        printed(&["--json"]).lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    assert!(lines.len() > 40);
    let dkim = lines.iter().find(|line| line["word"] == "dkim").expect("a reason");
    assert_eq!(dkim["kind"], "left");
    assert!(lines.iter().all(|line| line["says"].is_string() && line["helps"].is_string()));
}

/// A word that no report has is found by a type checker, and no other: Python's types name the words of `septet why`.
#[test]
fn the_types_of_python_have_every_word() {
    let types = include_str!("../../python/lib/septet/_septet.pyi");
    for (name, kind) in [("Reason", "left"), ("Note", "note")] {
        let list = types.split_once(&format!("\n{name} = Literal[")).expect("the words").1;
        let named: Vec<&str> = list.split(']').next().unwrap_or_default().split('"').skip(1).step_by(2).collect();
        let said = printed(&["--json"]);
        let said: Vec<serde_json::Value> =
            said.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
        let said: Vec<&str> =
            said.iter().filter(|line| line["kind"] == kind).filter_map(|line| line["word"].as_str()).collect();
        assert_eq!(named, said, "{name}");
    }
}

/// The page for people names every witness, and none that there isn't.
#[test]
fn the_page_of_evidence_names_every_witness() {
    use septet::coding::evidence::Because;
    let all = [
        Because::Octets,
        Because::Mark,
        Because::Meta,
        Because::Xml,
        Because::Word,
        Because::Part,
        Because::Unlabelled,
        Because::Detect,
    ];
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/evidence.md")).expect("docs/evidence.md");
    let table = page.split("## Faults").next().unwrap_or_default();
    let rows = table.lines().filter(|line| line.starts_with('|'));
    let codes = rows.flat_map(|row| row.split('|')).filter_map(|cell| cell.trim().strip_prefix('`')?.strip_suffix('`'));
    let named: std::collections::BTreeSet<&str> = codes.filter(|code| code.chars().all(char::is_alphabetic)).collect();
    assert_eq!(named, all.iter().map(|because| because.name()).collect());
}
