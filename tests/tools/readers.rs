//! fixtures/reading.jsonl, the cases for readers of mail: it is what tests/readers/collect makes of the other fixtures.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/reading.jsonl")
}

/// `BLESS=1` writes it.
#[test]
fn the_cases_are_what_the_fixtures_say_now() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readers/collect");
    let Ok(output) = Command::new("python3").arg("-B").arg(script).output() else {
        assert!(std::env::var_os("CI").is_none(), "CI has python3");
        println!("skipped: python3");
        return;
    };
    assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    if std::env::var_os("BLESS").is_some() {
        fs::write(file(), output.stdout).expect("fixtures/reading.jsonl written");
        return;
    }
    assert!(fs::read(file()).expect("the cases") == output.stdout, "BLESS=1 cargo test --test tools readers");
}

#[test]
fn every_line_is_a_case() {
    let text = fs::read_to_string(file()).expect("the cases");
    let cases: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    assert!((150..=500).contains(&cases.len()) && text.len() < 400_000, "{} in {} octets", cases.len(), text.len());
    cases.iter().for_each(assert_case);
    let ids: BTreeSet<&str> = cases.iter().filter_map(|case| case["id"].as_str()).collect();
    assert_eq!(ids.len(), cases.len(), "each has an id of its own");
}

fn assert_case(case: &Value) {
    let says = |key: &str| case[key].as_str().unwrap_or_else(|| panic!("{key}: {case}"));
    ["id", "kind", "text", "rule", "source"].into_iter().for_each(|key| assert!(!says(key).is_empty()));
    let message = STANDARD.decode(says("message")).expect("base64");
    assert!(message.windows(2).any(|pair| pair == b"\r\n"), "{case}");
    let place = case["place"].as_object().expect("a place");
    let what = place.get("what").and_then(Value::as_str);
    let is_place = match place.contains_key("part") {
        true => matches!(what, Some("filename" | "html" | "text")) && !place.contains_key("field"),
        false => place.contains_key("field") && matches!(what, None | Some("name")),
    };
    assert!(is_place, "{case}");
}
