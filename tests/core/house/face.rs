//! The face of the library: what is promised to stay is what `face.txt` lists, and little.

use std::fs;
use std::path::Path;

use super::{items, sources};

/// The most public items that there may be.
const MOST: usize = 77;

/// The modules of the face that the program alone calls, and that are hidden.
const OF_THE_PROGRAM: [&str; 2] = ["in_file", "in_mailbox"];

#[test]
fn what_is_public_is_on_the_list() {
    let mut found = Vec::new();
    for source in sources() {
        match (source.layer.as_str(), source.path.file_stem().and_then(|stem| stem.to_str())) {
            ("lib", _) => found.extend(named("septet", &shown(&source.code))),
            ("face", Some(module)) if module != "mod" && !OF_THE_PROGRAM.contains(&module) => {
                found.extend(named(&format!("septet::{module}"), &shown(&source.code)))
            }
            _ => {}
        }
    }
    found.retain(|item| !is_module(item));
    found.sort();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/core/house/face.txt");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, found.join("\n") + "\n").expect("the list is written");
    }
    let listed = fs::read_to_string(&path).expect("the list");
    assert_eq!(found, listed.lines().collect::<Vec<_>>(), "tests/core/house/face.txt lists what users rely on");
    assert!(found.len() <= MOST, "{} public items, more than {MOST}", found.len());
}

/// Leaves out what is declared as hidden.
fn shown(code: &str) -> String {
    let mut lines = code.lines();
    let mut kept = Vec::new();
    while let Some(line) = lines.next() {
        match line.contains("doc(hidden)") {
            true => drop(lines.next()),
            false => kept.push(line),
        }
    }
    kept.join("\n")
}

/// Returns the items that a module makes public: those that it has, and those that it hands on.
fn named(module: &str, code: &str) -> Vec<String> {
    let code = code.split("#[cfg(test)]\nmod tests").next().unwrap_or(code);
    let own = code.lines().filter_map(|line| {
        let rest = ["pub fn ", "pub struct ", "pub enum ", "pub const "].iter().find_map(|it| line.strip_prefix(it))?;
        rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().map(str::to_owned)
    });
    let handed_on = code.match_indices("pub use ").flat_map(|(at, mark)| {
        let tree = code[at + mark.len()..].split(';').next().unwrap_or_default();
        match tree.split_once('{') {
            Some((_, list)) => items(list).into_iter().map(last).collect(),
            None => vec![last(tree)],
        }
    });
    own.chain(handed_on).map(|name| format!("{module}::{name}")).collect()
}

fn last(path: &str) -> String {
    path.rsplit("::").next().unwrap_or(path).trim().to_owned()
}

/// Returns `true` for a module of the face, whose own items are listed.
fn is_module(item: &str) -> bool {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/septet/src/face");
    item.strip_prefix("septet::").is_some_and(|name| path.join(format!("{name}.rs")).exists())
}
