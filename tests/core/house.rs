//! The layers hold: ARCHITECTURE.md says in two tables which layer may use which and which hands another's names on,
//! and the sources are held against it.

mod circles;
mod face;
mod judge;
mod log;
mod remarks;
mod seam;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The project's folder.
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The folders of sources: of the program, of the library and of the coders.
const FOLDERS: [&str; 3] = ["src", "crates/septet/src", "crates/text/src"];

/// A source file of one of the packages.
struct Source {
    path: PathBuf,
    /// Its path in the one tree that the packages make: `coding/` is that of the coders.
    below: String,
    /// The first name of that path.
    layer: String,
    /// Its text without remarks, and with paths in that tree.
    code: String,
}

/// Reads every source file of the packages.
fn sources() -> Vec<Source> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder of src") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => walk(&path, found),
                false if path.extension().is_some_and(|extension| extension == "rs") => found.push(path),
                false => {}
            }
        }
    }
    let mut found = Vec::new();
    FOLDERS.iter().for_each(|folder| walk(&Path::new(ROOT).join(folder), &mut found));
    found.into_iter().map(source).collect()
}

fn source(path: PathBuf) -> Source {
    let text = fs::read_to_string(&path).expect("a source file");
    let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let (folder, below) = FOLDERS
        .iter()
        .find_map(|folder| Some((*folder, path.strip_prefix(Path::new(ROOT).join(folder)).ok()?)))
        .expect("a file of a package");
    let below = below.to_string_lossy();
    let (below, code) = match (folder, &*below) {
        // The program's own head hands the library's rooms on, for short.
        ("src", "lib.rs") => ("main/lib.rs".to_owned(), code.join("\n")),
        ("crates/text/src", "lib.rs") => ("coding/mod.rs".to_owned(), code.join("\n")),
        ("crates/text/src", below) => {
            (format!("coding/{below}"), code.join("\n").replace("crate::", "crate::coding::"))
        }
        (_, below) => (below.to_owned(), code.join("\n")),
    };
    let layer = below.split('/').next().unwrap_or_default().trim_end_matches(".rs").to_owned();
    Source { path, below, layer, code }
}

/// Reads the table of ARCHITECTURE.md whose first column has this title: the cells of its rows.
fn table(title: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(Path::new(ROOT).join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let head = format!("| {title} |");
    let lines = text.lines().skip_while(|line| !line.starts_with(&head)).skip(2);
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect();
    let rows: Vec<Vec<String>> = lines.take_while(|line| line.starts_with('|')).map(cells).collect();
    assert!(!rows.is_empty(), "ARCHITECTURE.md has a table {title}");
    rows
}

/// Reads the table of layers: what each may use besides itself.
fn layers() -> BTreeMap<String, BTreeSet<String>> {
    let rows = table("layer");
    let names: Vec<String> = rows.iter().map(|row| row[0].trim_end_matches('/').to_owned()).collect();
    let may_use = |row: &[String]| match row[2].as_str() {
        "-" => BTreeSet::new(),
        "everything" => names.iter().cloned().collect(),
        some => some.split(", ").map(str::to_owned).collect(),
    };
    names.iter().cloned().zip(rows.iter().map(|row| may_use(row))).collect()
}

/// Finds what a text names behind `crate::`: the first names of the paths, those in braces too.
fn used(code: &str) -> Vec<String> {
    let name = |text: &str| text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let mut found = Vec::new();
    for (at, mark) in code.match_indices("crate::") {
        let rest = &code[at + mark.len()..];
        match rest.strip_prefix('{') {
            Some(list) => found.extend(items(list).iter().map(|item| name(item))),
            None => found.push(name(rest)),
        }
    }
    found
}

/// Splits a list in braces, from behind the first of them to the one that closes it, at its own commas.
fn items(list: &str) -> Vec<&str> {
    let (mut depth, mut from, mut found) = (0, 0, Vec::new());
    for (at, character) in list.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => {
                found.push(list[from..at].trim());
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(list[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    found.retain(|item| !item.is_empty());
    found
}

/// Writes out the paths that a `use` names: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn paths(tree: &str) -> Vec<String> {
    match tree.split_once('{') {
        None => vec![tree.split(" as ").next().unwrap_or(tree).trim().to_owned()],
        Some((head, list)) => {
            items(list).iter().flat_map(|item| paths(item)).map(|path| format!("{head}{path}")).collect()
        }
    }
}

#[test]
fn every_layer_uses_only_what_it_may() {
    let layers = layers();
    let (mut wrong, mut seen) = (Vec::new(), BTreeSet::new());
    for source in sources() {
        let Some(may_use) = layers.get(&source.layer) else { continue };
        seen.insert(source.layer.clone());
        for used in used(&source.code).into_iter().filter(|used| *used != source.layer && !may_use.contains(used)) {
            wrong.push(format!("{}: {} uses {used}", source.path.display(), source.layer));
        }
    }
    assert_eq!(seen, layers.into_keys().collect(), "each layer of the table is a folder or file of src");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_folder_of_src_is_a_layer() {
    let layers = layers();
    let known = |layer: &str| layers.contains_key(layer) || matches!(layer, "lib" | "main");
    let others: BTreeSet<String> = sources().into_iter().map(|it| it.layer).filter(|layer| !known(layer)).collect();
    assert!(others.is_empty(), "not in ARCHITECTURE.md: {others:?}");
}

/// No layer hands on what another has, but for what the second table gives a reason for; the face does nothing else.
#[test]
fn every_name_comes_from_the_layer_that_has_it() {
    let mut found = BTreeSet::new();
    for source in sources().into_iter().filter(|source| !matches!(source.layer.as_str(), "lib" | "face")) {
        for (at, mark) in source.code.match_indices("pub use crate::") {
            let rest = &source.code[at + mark.len()..];
            let tree = rest.split(';').next().unwrap_or(rest);
            let others = paths(tree).into_iter().filter(|path| path.split("::").next() != Some(&source.layer));
            found.extend(others.map(|path| format!("{}: {path}", source.layer)));
        }
    }
    let with_a_reason: BTreeSet<String> = table("handed on by").iter().map(|row| row[..2].join(": ")).collect();
    assert_eq!(found, with_a_reason, "found in src, and in ARCHITECTURE.md");
}

#[test]
fn only_commands_and_listeners_touch_the_world() {
    let worldly = [
        "std::fs", "Tcp", "Udp", "std::os", "std::process", "std::time", "std::env", "tokio::", "tracing::", "println!",
    ];
    let mut wrong = Vec::new();
    let is_pure = |source: &Source| {
        !matches!(source.layer.as_str(), "serve" | "archive" | "commands" | "process" | "main")
            && !source.path.ends_with("tests.rs")
    };
    for source in sources().into_iter().filter(is_pure) {
        let code = source.code.split("#[cfg(test)]").next().unwrap_or_default();
        // Durations are values; only clocks belong to the world.
        let lines = code.lines().filter(|line| !line.contains("time::Duration"));
        for line in lines.filter(|line| worldly.iter().any(|word| line.contains(word))) {
            wrong.push(format!("{}: {}", source.path.display(), line.trim()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn uses_are_read_in_all_their_forms() {
    assert_eq!(
        used("use crate::edit::Span;\nuse crate::{coding::{hex, iri}, message};"),
        ["edit", "coding", "message"]
    );
    assert_eq!(paths("a::{b, c::{d as e, f},\n g}"), ["a::b", "a::c::d", "a::c::f", "a::g"]);
}
