//! What a charset is is decided in one place: the judge, and nobody beside it.

use std::fs;
use std::path::{Path, PathBuf};

/// What the judge decides by. The witnesses of a message are found with `label_or_utf_8`, in `rewrite/evidence`.
const MEANS: [&str; 4] = ["chardetng", "label_or_utf_8", "faults::", "evidence::looks_like"];

/// Where these may be named: `advise` counts what statistics say, and decides nothing.
const MAY: [(&str, &str); 2] =
    [("rewrite/evidence/verdicts.rs", "label_or_utf_8"), ("commands/advise/", "evidence::looks_like")];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of src") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => sources(&path, found),
            false if path.extension().is_some_and(|extension| extension == "rs") => found.push(path),
            false => {}
        }
    }
}

#[test]
fn nothing_but_the_judge_decides_what_a_charset_is() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 300, "{} files", files.len());
    let mut wrong = Vec::new();
    for file in files {
        let path = file.strip_prefix(&root).expect("below src").to_string_lossy().into_owned();
        if path.starts_with("coding/evidence/") {
            continue;
        }
        let text = fs::read_to_string(&file).expect("a source file");
        let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let uses = |means: &&&str| code.iter().any(|line| line.contains(**means));
        let may = |means: &&str| MAY.iter().any(|(place, named)| path.starts_with(place) && named == means);
        wrong
            .extend(MEANS.iter().filter(uses).filter(|means| !may(means)).map(|means| format!("{path} names {means}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
