//! The documents that are handed out: each of their links leads to a file that is handed out with them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::package::{assets, root};

const BUILD_STATIC: &str = include_str!("../../packaging/build-static");

/// A link of a document: the file that it leads to, and the heading, if it names one.
#[derive(Debug)]
struct Link {
    file: PathBuf,
    heading: Option<String>,
}

/// Returns what the package installs: each file's place, and where it comes from.
pub fn installed() -> BTreeMap<PathBuf, PathBuf> {
    let mut files = BTreeMap::new();
    for (source, to) in assets() {
        for source in sources(&source) {
            let name = source.file_name().expect("a name");
            let place = if to.ends_with('/') { Path::new(&to).join(name) } else { PathBuf::from(&to) };
            files.insert(place, source);
        }
    }
    files
}

/// Returns the files that an asset is made of: one, or those of a folder with an ending.
fn sources(asset: &str) -> Vec<PathBuf> {
    let Some((folder, ending)) = asset.split_once('*').filter(|_| !asset.starts_with("target/")) else {
        return vec![PathBuf::from(asset)];
    };
    let entries =
        fs::read_dir(root().join(folder)).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let names = entries.filter_map(|name| name.into_string().ok()).filter(|name| name.ends_with(ending));
    let found: Vec<PathBuf> = names.map(|name| Path::new(folder).join(name)).collect();
    assert!(!found.is_empty(), "{asset}");
    found
}

/// Returns the documents of a folder of the sources.
fn documents(folder: &str) -> Vec<PathBuf> {
    sources(&format!("{folder}*.md"))
}

fn read(document: &Path) -> String {
    fs::read_to_string(root().join(document)).unwrap_or_else(|error| panic!("{}: {error}", document.display()))
}

/// Returns the links of a document that stands at a place, but for those to other hosts.
fn links(place: &Path, text: &str) -> Vec<Link> {
    let prose = without_code(text);
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
    let near = targets.filter(|target| !target.contains("://") && !target.starts_with("mailto:"));
    near.map(|target| link(place, target)).collect()
}

fn link(place: &Path, target: &str) -> Link {
    let (file, heading) = target.split_once('#').map_or((target, None), |(file, heading)| (file, Some(heading)));
    let folder = place.parent().unwrap_or(place);
    let file = if file.is_empty() { place.to_owned() } else { plain(&folder.join(file)) };
    Link { file, heading: heading.map(str::to_owned) }
}

/// Returns a path without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => assert!(plain.pop(), "{}", path.display()),
            component => plain.push(component),
        }
    }
    plain
}

/// Returns a text of Markdown without what stands between runs of backquotes.
fn without_code(text: &str) -> String {
    let (mut prose, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('`') {
        prose.push_str(&rest[..at]);
        let run = run_at(rest, at);
        let inside = &rest[at + run..];
        rest = end_of_code(inside, run).map_or(inside, |end| &inside[end..]);
    }
    prose + rest
}

/// Returns how many backquotes stand together at a place.
fn run_at(text: &str, at: usize) -> usize {
    text[at..].bytes().take_while(|octet| *octet == b'`').count()
}

/// Finds the end of a code span, behind the next run of as many backquotes as began it.
fn end_of_code(text: &str, run: usize) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text[from..].find('`') {
        let length = run_at(text, from + at);
        from += at + length;
        if length == run {
            return Some(from);
        }
    }
    None
}

/// Returns `true` if a document has a heading that an anchor names: in small letters, with hyphens for blanks.
fn has_heading(document: &Path, anchor: &str) -> bool {
    let is_kept = |letter: &char| letter.is_alphanumeric() || [' ', '-', '_'].contains(letter);
    let name = |line: &str| line.to_lowercase().chars().filter(is_kept).collect::<String>().replace(' ', "-");
    read(document).lines().filter_map(|line| line.strip_prefix('#')).any(|line| {
        let heading = line.trim_start_matches('#').trim();
        name(heading) == anchor
    })
}

/// README led to settings, licences and findings that were not there.
#[test]
fn every_link_in_the_package_leads_to_a_file_of_it() {
    let files = installed();
    let documents = files.iter().filter(|(place, _)| place.extension().is_some_and(|ending| ending == "md"));
    let (mut followed, mut lost) = (0, Vec::new());
    for (place, source) in documents {
        for Link { file, heading } in links(place, &read(source)) {
            followed += 1;
            let is_there = files.keys().any(|installed| installed.starts_with(&file));
            let has_heading =
                heading.is_none_or(|heading| files.get(&file).is_some_and(|of| has_heading(of, &heading)));
            if !is_there || !has_heading {
                lost.push(format!("{} to {}", source.display(), file.display()));
            }
        }
    }
    assert!(followed > 100, "{followed}");
    assert!(lost.is_empty(), "{lost:#?}");
}

#[test]
fn every_link_in_the_archive_for_any_linux_leads_to_a_file_of_it() {
    let copies = BUILD_STATIC.lines().filter(|line| line.starts_with("cp "));
    let copied: Vec<&str> = copies.flat_map(str::split_whitespace).map(|word| word.trim_start_matches("./")).collect();
    assert!(copied.contains(&"*.md"), "{copied:?}");
    let is_copied = |file: &Path| {
        let is_document = file.components().count() == 1 && file.extension().is_some_and(|ending| ending == "md");
        is_document
            || file.ancestors().any(|path| copied.iter().any(|word| Path::new(word) == path && path != Path::new("")))
    };
    let all = ["", "docs/", "findings/", "c/", "python/", "packaging/cluster/"].map(documents).concat();
    let handed_out = all.into_iter().filter(|document| is_copied(document));
    let followed = handed_out.flat_map(|document| links(&document, &read(&document)));
    let lost: Vec<PathBuf> = followed.map(|link| link.file).filter(|file| !is_copied(file)).collect();
    assert!(lost.is_empty(), "{lost:#?}");
}

#[test]
fn code_has_no_links() {
    let text = "a [b](c.md#d) ``x`](y)`` [`e`](../f) ```\n[g](h)\n``` [i](https://example.org)";
    let found: Vec<String> =
        links(Path::new("docs/a.md"), text).iter().map(|link| link.file.display().to_string()).collect();
    assert_eq!(found, ["docs/c.md", "f"]);
}
