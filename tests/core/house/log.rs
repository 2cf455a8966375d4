//! Whatever is logged is made safe by construction: there is one way to the log, and it goes through `logging/said.rs`.

use super::sources;

/// Returns the sources that name something, below `src`.
fn naming(what: &str) -> Vec<String> {
    let below = |path: &std::path::Path| path.strip_prefix(super::ROOT).expect("a file of ours").display().to_string();
    let mut found: Vec<String> =
        sources().iter().filter(|source| source.code.contains(what)).map(|source| below(&source.path)).collect();
    found.sort();
    found
}

#[test]
fn the_daemon_says_nothing_but_by_its_log() {
    for way in ["eprintln!", "println!", "eprint!(", "stderr()", "dbg!"] {
        let beside: Vec<String> = naming(way).into_iter().filter(|path| path.starts_with("src/serve/")).collect();
        assert_eq!(beside, [""; 0], "{way}");
    }
    assert_eq!(naming("tracing_subscriber"), ["src/process/logging/mod.rs", "src/process/logging/said.rs"]);
}

/// Formats are given a `LogEvent`, which makes itself of an event and cuts and replaces what is in it.
#[test]
fn every_format_is_given_what_was_made_safe() {
    assert_eq!(naming("fn on_event"), ["src/process/logging/mod.rs"]);
    assert_eq!(naming("Event<'_>"), ["src/process/logging/mod.rs", "src/process/logging/said.rs"]);
    assert_eq!(naming("impl Visit for"), ["src/process/logging/said.rs"]);
}
