//! The benchmark beside the peers, benches/compare: that its pieces hold together; nothing is measured here.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/compare")
}

/// The files of a folder with such an ending, without those of folders in it.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut found: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    found.retain(|path| path.extension().is_some_and(|extension| extension == ending));
    found.sort();
    assert!(!found.is_empty(), "no .{ending} in {}", folder.display());
    found
}

/// Runs Python without leaving compiled files beside the sources; `None` where it isn't here.
fn python(arguments: &[&str], files: &[PathBuf]) -> Option<Output> {
    let run = Command::new("python3").arg("-B").args(arguments).args(files).current_dir(folder()).output();
    run.inspect_err(|error| println!("skipped: python3: {error}")).ok()
}

fn assert_success(output: &Output) {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
}

#[test]
fn every_script_parses() {
    let mut scripts = files(&folder(), "py");
    scripts.extend(files(&folder().join("peers"), "py"));
    scripts.push(folder().join("run"));
    let parse = "import ast, sys\nfor name in sys.argv[1:]: ast.parse(open(name, encoding='utf-8').read(), name)";
    if let Some(output) = python(&["-c", parse], &scripts) {
        assert_success(&output);
    }
}

/// What its functions say of themselves is true: the fit of the growth, the medians, the digits of the table.
#[test]
fn the_examples_in_the_scripts_hold() {
    if let Some(output) = python(&["-m", "doctest"], &files(&folder(), "py")) {
        assert_success(&output);
    }
}

#[test]
fn every_subject_that_is_listed_has_its_file_and_its_line_in_the_readme() {
    let Some(output) = python(&["run", "--list"], &[]) else { return };
    assert_success(&output);
    let listed = String::from_utf8(output.stdout).expect("UTF-8");
    let subjects: Vec<_> = listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(subjects, ["archives", "charsets", "links", "milter", "smtp", "growth"]);
    let readme = std::fs::read_to_string(folder().join("README.md")).expect("a README");
    for subject in subjects {
        assert!(folder().join(subject).with_extension("py").is_file(), "{subject}");
        assert!(readme.contains(&format!("| `{subject}` |")), "{subject}");
    }
}

/// The C programs that need no library of others; the rest is built where it is measured.
#[test]
fn the_load_driver_compiles() {
    let source = folder().join("peers/milterload.c");
    match Command::new("cc").args(["-Wall", "-Wextra", "-Werror", "-fsyntax-only"]).arg(source).output() {
        Ok(output) => assert_success(&output),
        Err(error) => println!("skipped: cc: {error}"),
    }
}

/// `run --goals --docs` finds the place that it writes into.
#[test]
fn the_page_about_speed_has_a_place_for_the_goals() {
    let look = "import goal_table as t\npage = open('../../docs/speed.md', encoding='utf-8').read()\n\
                assert page.count(t.BEGIN) == page.count(t.END) == 1 and page.index(t.BEGIN) < page.index(t.END)";
    if let Some(output) = python(&["-c", look], &[]) {
        assert_success(&output);
    }
}
