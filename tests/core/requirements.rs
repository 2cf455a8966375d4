//! The rules that septet is built to, and where each is tested: fixtures/requirements*.tsv name real cases.

use std::fs;
use std::path::Path;

/// Every row names a case that exists: the file of one, or a file and a text that stands in it.
#[test]
fn every_rule_names_cases_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tables = ["requirements.tsv", "requirements-iri.tsv"].map(|name| root.join("fixtures").join(name));
    let table = tables.map(|path| fs::read_to_string(path).expect("a table")).concat();
    let mut wrong = Vec::new();
    for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [rule, _, place, text] = cells[..] else { panic!("four columns: {line}") };
        let path = root.join(place);
        let found = match text {
            "-" => path.is_file(),
            text => fs::read_to_string(&path).is_ok_and(|file| file.contains(text)),
        };
        if !found {
            wrong.push(format!("{rule}: no {text} in {place}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
