//! The daemon knows a protocol in that protocol's own folder only.

use std::fs;
use std::path::{Path, PathBuf};

/// The protocols that listeners speak: each has a folder in `protocol/` and one in `serve/`.
const PROTOCOLS: [&str; 2] = ["milter", "smtp"];

/// Lists the source files below a folder, those of the protocols' own folders aside.
fn neutral_sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of src") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        match path.is_dir() {
            true if !PROTOCOLS.contains(&name.as_str()) => neutral_sources(&path, found),
            false if path.extension().is_some_and(|extension| extension == "rs") => found.push(path),
            _ => {}
        }
    }
}

/// Returns `true` if code names a protocol's state machines, or its folder in `serve/`.
fn names(code: &str, protocol: &str) -> bool {
    let lists = code.split("protocol::{").skip(1).filter_map(|rest| rest.split(';').next());
    code.contains(&format!("protocol::{protocol}"))
        || code.contains(&format!("super::{protocol}"))
        || lists.into_iter().any(|list| list.contains(protocol))
}

#[test]
fn no_protocol_is_named_outside_its_folder() {
    let mut files = Vec::new();
    neutral_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/serve"), &mut files);
    assert!(files.len() > 15, "{} files", files.len());
    let mut wrong = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a source file");
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code: String = code.flat_map(str::split_whitespace).collect();
        for protocol in PROTOCOLS.iter().filter(|protocol| names(&code, protocol)) {
            // One place hands connections to the protocols.
            if !file.ends_with("accept.rs") || code.contains(&format!("protocol::{protocol}")) {
                wrong.push(format!("{} names {protocol}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
