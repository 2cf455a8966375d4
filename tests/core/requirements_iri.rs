//! Every rule of the documents names a case, and every case that is named is there.
//!
//! `fixtures/requirements*.tsv` map rules to cases: a row of a table of fixtures (`FILE#CELL`, a cell as the file writes
//! it), a folder of `fixtures/rewrite`, or a test (`fn NAME`). That the cases pass is for the tests that run them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::inputs::folder;

/// The text of every source file and test, in which tests are looked for.
fn sources(at: &Path, text: &mut String) {
    for entry in fs::read_dir(at).expect("a folder").filter_map(Result::ok) {
        let path = entry.path();
        match path.is_dir() {
            true => sources(&path, text),
            false => text.push_str(&fs::read_to_string(&path).unwrap_or_default()),
        }
    }
}

/// Tells whether a table has a row with this cell; other columns come before and after it.
fn has_cell(file: &str, cell: &str) -> bool {
    let table = fs::read_to_string(folder(file)).unwrap_or_default();
    table.lines().any(|line| !line.starts_with('#') && line.split('\t').any(|it| it == cell))
}

fn is_there(case: &str, sources: &str) -> bool {
    match (case.strip_prefix("fn "), case.split_once('#')) {
        (Some(test), _) => sources.contains(&format!("fn {test}(")),
        (None, Some((file, cell))) => has_cell(file, cell),
        (None, None) => folder(case).join("input.eml").is_file(),
    }
}

#[test]
fn every_rule_has_a_case_that_is_there() {
    let mut text = String::new();
    for place in ["src", "tests"] {
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(place), &mut text);
    }
    let (mut missing, mut rules) = (Vec::new(), BTreeMap::<String, usize>::new());
    let table = fs::read_to_string(folder("requirements-iri.tsv")).expect("a table");
    for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut cells = line.split('\t');
        let (rule, case) = (cells.next().unwrap_or_default(), cells.next().unwrap_or_default());
        *rules.entry(rule.to_owned()).or_default() += 1;
        if !is_there(case, &text) || cells.next().is_none_or(str::is_empty) {
            missing.push(line.to_owned());
        }
    }
    assert!(missing.is_empty(), "no such case:\n{}", missing.join("\n"));
    println!("{} rules have {} cases", rules.len(), rules.values().sum::<usize>());
}
