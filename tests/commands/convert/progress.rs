//! Progress: on a terminal of eighty columns, and nowhere else.

use std::process::Command;

use super::{Folder, LATIN, convert, mbox};

#[test]
fn a_pipe_gets_no_progress() {
    let folder = Folder::new();
    let input = folder.put("a.mbox", &mbox(&[LATIN].repeat(2000)));
    let run = convert().args(["-o", "/dev/null"]).arg(&input).assert().success();
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(said.starts_with("septet: 2000 messages, ") && !said.contains('\r') && !said.contains('\x1b'), "{said:?}");
}

#[test]
fn a_terminal_gets_a_line_that_fits() {
    let folder = Folder::new();
    let input = folder.put("a.mbox", &mbox(&[LATIN].repeat(100_000)));
    let septet = assert_cmd::cargo::cargo_bin("septet");
    let line = format!("stty cols 80 rows 24; '{}' convert -o /dev/null '{}'", septet.display(), input.display());
    let Ok(output) = Command::new("script").args(["-qefc", &line, "/dev/null"]).env_remove("SEPTET_CONFIG").output()
    else {
        return println!("skipped: no script(1)");
    };
    let seen = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<String> = seen.split(['\r', '\n']).map(plain).filter(|line| line.contains("/s ")).collect();
    assert!(lines.iter().any(|line| line.contains(" messages ") && line.contains(" left")), "{seen:?}");
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{lines:#?}");
}

/// Takes out what moves the cursor.
fn plain(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line.chars();
    while let Some(character) = rest.next() {
        match character {
            '\x1b' => drop(rest.by_ref().find(|c| c.is_ascii_alphabetic())),
            other => text.push(other),
        }
    }
    text
}
