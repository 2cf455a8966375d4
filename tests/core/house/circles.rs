//! Files that import each other, directly or around a corner, are one file in two: to understand one is to read both.
//!
//! A path counts for the file that defines what it names, whoever hands it on, and whether it begins with `crate`,
//! `super` or `self`, with a module below the file (`report::plan`), or with one that a `use` line names
//! (`body::decoded` behind `use super::body`). What a file takes from the head of its own folder (`mod.rs`) doesn't
//! count: the head says what the folder is about, and its files stand below it.

use std::collections::{BTreeMap, BTreeSet};

use super::{paths, sources};

/// The path of a module below the crate's root; empty for `lib.rs`.
type Module = Vec<String>;

/// What one file says of others.
#[derive(Default)]
struct File {
    /// The paths that it uses, as written.
    uses: Vec<Module>,
    /// What it hands on, by name.
    handed_on: BTreeMap<String, Module>,
}

/// The files of the packages, by their modules in the tree that they make; tests are no part of them.
struct Files(BTreeMap<Module, File>);

fn segments(path: &str) -> Module {
    path.trim_end_matches("::self").split("::").map(|segment| segment.trim().to_owned()).collect()
}

/// Returns the module that a file of `src` is.
fn module(path: &str) -> Module {
    let below = path.trim_end_matches(".rs").trim_end_matches("/mod");
    below.split('/').filter(|name| !matches!(*name, "" | "lib")).map(str::to_owned).collect()
}

/// Reads what a file uses: its `use` lines, and the paths in its code.
fn file(code: &str) -> File {
    let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let (mut file, mut lines) = (File::default(), code.lines());
    while let Some(line) = lines.next() {
        let Some((visibility, start)) = tree(line) else {
            file.uses.extend(paths_in_code(line));
            continue;
        };
        let mut tree = start.to_owned();
        while !tree.contains(';') {
            tree += lines.next().expect("the end of a use");
        }
        let found: Vec<Module> = paths(tree.trim_end_matches(';')).iter().map(|path| segments(path)).collect();
        let named = found.iter().filter_map(|path| Some((path.last()?.clone(), path.clone())));
        file.handed_on.extend(named.filter(|_| visibility.starts_with("pub")));
        file.uses.extend(found);
    }
    file
}

/// Splits a line that begins a `use`: what stands before the word and behind it.
fn tree(line: &str) -> Option<(&str, &str)> {
    let (visibility, tree) = line.trim_start().split_once("use ")?;
    (visibility.is_empty() || visibility.starts_with("pub") && !visibility.contains('"')).then_some((visibility, tree))
}

fn paths_in_code(code: &str) -> Vec<Module> {
    let is_path = |character: char| character.is_alphanumeric() || matches!(character, '_' | ':');
    let code = code.split("//").next().unwrap_or_default();
    let words = code.split(|character| !is_path(character)).map(|word| word.trim_matches(':'));
    // The names of modules have small letters; a path from a type is of the file that the type is imported from.
    let begins = |word: &&str| word.starts_with(char::is_lowercase) && word.contains("::");
    words.filter(begins).map(segments).collect()
}

impl Files {
    fn read() -> Files {
        let is_read = |source: &super::Source| source.layer != "main" && !source.below.ends_with("tests.rs");
        let read = |source: super::Source| (module(&source.below), file(&source.code));
        Files(sources().into_iter().filter(is_read).map(read).collect())
    }

    /// Finds the file that defines what `path` names in the file of `from`; none for what is no part of the crate.
    fn defining(&self, from: &[String], path: &[String], hops: usize) -> Option<Module> {
        let (mut at, mut rest) = (from.to_vec(), path);
        match rest.first()?.as_str() {
            "crate" => (at, rest) = (Vec::new(), &rest[1..]),
            "self" => rest = &rest[1..],
            "super" => {
                while let [first, later @ ..] = rest
                    && first == "super"
                {
                    at.pop()?;
                    rest = later;
                }
            }
            name if self.0.contains_key(&below(&at, name)) => {}
            _ => return None,
        }
        while let [first, later @ ..] = rest
            && self.0.contains_key(&below(&at, first))
        {
            (at, rest) = (below(&at, first), later);
        }
        let handed_on = rest.first().and_then(|name| self.0.get(&at)?.handed_on.get(name));
        let further = handed_on.filter(|_| hops > 0).and_then(|path| self.defining(&at, path, hops - 1));
        further.or_else(|| self.0.contains_key(&at).then_some(at))
    }

    /// Finds the file that defines what a path in the code of a file names, be it that the path begins with a module
    /// which a `use` line of the file names.
    fn used_by(&self, module: &Module, path: &[String]) -> Option<Module> {
        let named = |used: &&Module| used.len() > 1 && used.last() == path.first();
        let imported = self.0[module].uses.iter().find(named);
        let behind = imported.map(|used| [&used[..used.len() - 1], path].concat());
        self.defining(module, path, 8).or_else(|| self.defining(module, &behind?, 8))
    }

    /// Returns which files each file imports, the heads of its own folders left out.
    fn imports(&self) -> BTreeMap<&Module, BTreeSet<Module>> {
        let of = |(module, file): (&Module, &File)| {
            let found = file.uses.iter().filter_map(|path| self.used_by(module, path));
            found.filter(|other| !module.starts_with(other)).collect()
        };
        self.0.iter().map(|(module, file)| (module, of((module, file)))).collect()
    }
}

fn below(module: &[String], name: &str) -> Module {
    module.iter().cloned().chain([name.to_owned()]).collect()
}

/// Returns every file that can be reached from one.
fn reached(imports: &BTreeMap<&Module, BTreeSet<Module>>, from: &Module) -> BTreeSet<Module> {
    let (mut found, mut left) = (BTreeSet::new(), vec![from]);
    while let Some(module) = left.pop() {
        for next in &imports[module] {
            if found.insert(next.clone()) {
                left.push(imports.get_key_value(next).expect("a file").0);
            }
        }
    }
    found
}

/// Returns the circles: the files of each, in order.
fn circles() -> BTreeSet<String> {
    let files = Files::read();
    let imports = files.imports();
    let reach: BTreeMap<&Module, BTreeSet<Module>> =
        imports.keys().map(|&from| (from, reached(&imports, from))).collect();
    let circle = |(from, far): (&&Module, &BTreeSet<Module>)| {
        let members: Vec<String> =
            far.iter().filter(|other| reach[other].contains(*from)).map(|module| module.join("/")).collect();
        (!members.is_empty()).then(|| members.join(" "))
    };
    reach.iter().filter_map(circle).collect()
}

#[test]
fn files_do_not_import_each_other_in_circles() {
    assert_eq!(circles(), BTreeSet::new());
}

#[test]
fn paths_are_followed_to_the_file_that_defines() {
    let files = Files::read();
    let defining = |from: &str, path: &str| files.defining(&module(from), &segments(path), 8).map(|it| it.join("/"));
    assert_eq!(defining("rewrite/proof/mod.rs", "super::Profile").as_deref(), Some("rewrite/profile"));
    assert_eq!(defining("commands/filter/mod.rs", "crate::rewrite::Report").as_deref(), Some("rewrite/report"));
    assert_eq!(defining("rewrite/mod.rs", "survey::Survey").as_deref(), Some("rewrite/survey"));
    assert_eq!(defining("rewrite/mod.rs", "std::fmt"), None);
    let used_by = |from: &str, path: &str| files.used_by(&module(from), &segments(path)).map(|it| it.join("/"));
    assert_eq!(used_by("commands/filter/mod.rs", "say::line").as_deref(), Some("process/say"));
}
