//! The layers hold: which may use which, read off the `use crate::` lines.

mod seam;

use std::fs;
use std::path::{Path, PathBuf};

/// Layer by layer, what it may use besides itself: the table of ARCHITECTURE.md.
const MAY_USE: [(&str, &[&str]); 7] = [
    ("edit", &[]),
    ("coding", &[]),
    ("message", &["edit", "coding"]),
    ("rewrite", &["message", "coding", "edit"]),
    ("protocol", &["message", "edit"]),
    ("config", &["rewrite"]),
    ("run", &["edit", "coding", "message", "rewrite", "protocol", "config"]),
];

fn sources() -> Vec<(PathBuf, String)> {
    fn walk(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(folder).expect("a folder of src") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("a source file");
                found.push((path, text));
            }
        }
    }
    let mut found = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    found
}

/// Gives the layer that a source file stands in: the first name below `src`.
fn layer(path: &Path) -> String {
    let below = path.strip_prefix(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).expect("a file of src");
    let first = below.components().next().expect("a name").as_os_str().to_string_lossy().into_owned();
    first.trim_end_matches(".rs").to_owned()
}

#[test]
fn every_layer_uses_only_what_it_may() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for (path, text) in sources() {
        let layer = layer(&path);
        let Some((_, may)) = MAY_USE.iter().find(|(name, _)| *name == layer) else { continue };
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for (number, line) in code.enumerate() {
            for used in line.match_indices("crate::").map(|(at, found)| &line[at + found.len()..]) {
                let used: String = used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                seen += 1;
                if used != layer && !may.contains(&used.as_str()) {
                    wrong.push(format!("{}: about line {}: {layer} uses {used}", path.display(), number + 1));
                }
            }
        }
    }
    assert!(seen > 20, "the test reads the sources");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_commands_and_listeners_touch_the_world() {
    let worldly = [
        "std::fs",
        "Tcp",
        "Udp",
        "std::os",
        "std::process",
        "std::time",
        "std::env",
        "tokio::",
        "tracing::",
        "println!",
    ];
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        if matches!(layer(&path).as_str(), "run" | "main") || path.ends_with("tests.rs") {
            continue;
        }
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        // Durations are values; only clocks belong to the world.
        let lines = code.lines().filter(|line| !line.contains("time::Duration"));
        let lines = lines.filter(|line| !line.trim_start().starts_with("//"));
        for line in lines.filter(|line| worldly.iter().any(|word| line.contains(word))) {
            wrong.push(format!("{}: {}", path.display(), line.trim()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
