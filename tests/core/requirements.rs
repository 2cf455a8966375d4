//! The rules that septet is built to, and where each is tested: fixtures/requirements*.tsv name real cases.

use std::fs;
use std::path::{Path, PathBuf};

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

/// Lists the sources in a folder, below it too.
fn sources(folder: PathBuf) -> Vec<PathBuf> {
    let inside = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let of = |path: PathBuf| if path.is_dir() { sources(path) } else { vec![path] };
    inside.flat_map(of).filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// Every test that SECURITY.md names is there, in the file that its path says: `core
/// attack::no_attack_breaks_a_promise`.
#[test]
fn every_promise_names_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("SECURITY.md")).expect("SECURITY.md");
    let (mut wrong, mut count) = (Vec::new(), 0);
    for code in page.split('`').skip(1).step_by(2) {
        let Some((target, path)) = code.split_once(' ') else { continue };
        let folders = match target {
            "lib" => vec![root.join("src"), root.join("crates/septet/src"), root.join("crates/text/src")],
            "core" | "commands" | "tools" => vec![root.join("tests").join(target)],
            _ => continue,
        };
        let (modules, name) = path.rsplit_once("::").expect("a module and a test");
        let file = modules.trim_end_matches("::tests").replace("::", "/");
        let places = [format!("{file}.rs"), format!("{file}/mod.rs"), format!("{file}/tests.rs")];
        let is_there = |source: PathBuf| {
            let below = folders.iter().find_map(|folder| source.strip_prefix(folder).ok());
            let is_place = below.is_some_and(|below| places.iter().any(|it| below == Path::new(it)));
            is_place && fs::read_to_string(&source).expect("a source").contains(&format!("fn {name}("))
        };
        count += 1;
        if !folders.iter().cloned().flat_map(sources).any(is_there) {
            wrong.push(code);
        }
    }
    assert!(count > 60 && wrong.is_empty(), "{count} tests, not there: {wrong:?}");
}
