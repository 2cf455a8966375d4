//! Mailbox files of every dialect and writer (`fixtures/mailbox/dialects`): what septet makes of them, plain and
//! compressed, and that Python's mailbox module and neomutt see the same messages before and after.
//!
//! `NAME.expected` is what the profile `utf8` makes of `NAME.mbox`; BLESS=1 writes it anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command as Process;

use super::{Folder, convert};
use crate::milter::mta::there;
use septet_support::line_ends::with_crlf;

/// A mailbox file, the messages in it, and whether neomutt counts them alike. Where it does not: it wants another date
/// in a From_ line, reads Content-Length with LF alone, or takes a time for a date.
const FILES: &[(&str, usize, bool)] = &[
    ("attached-patch", 2, false),
    ("broken-dates", 3, false),
    ("byte-order-mark", 3, false),
    ("doubtful-separator", 2, true),
    ("from-lines", 9, false),
    ("lost-blocks", 2, true),
    ("mailman2", 4, true),
    ("mboxcl", 3, true),
    ("mboxcl2", 4, true),
    ("mboxcl2-crlf", 4, false),
    ("mboxo", 3, true),
    ("mboxrd", 3, true),
    ("mid-message", 3, true),
    ("mixed-line-ends", 2, true),
    ("no-separators", 3, true),
    ("pipermail", 3, false),
    ("quoted-from-line", 2, true),
    ("some-lengths-stale", 5, true),
    ("stale-lengths", 5, true),
    ("takeout", 3, false),
    ("thunderbird-bare", 3, false),
];

/// How the inputs are compressed: a program, and the end of its files' names.
const METHODS: [(&str, &str, &str); 4] =
    [("gzip", "gz", "gzip"), ("zstd", "zst", "zstd"), ("xz", "xz", "xz"), ("bzip2", "bz2", "bzip2")];

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/mailbox/dialects").join(name)
}

fn stdout(arguments: &[&str], stdin: &[u8]) -> Vec<u8> {
    let run = convert().args(arguments).arg("-").write_stdin(stdin).assert().success();
    run.get_output().stdout.clone()
}

#[test]
fn every_file_becomes_what_is_expected() {
    let mut listed: Vec<String> = FILES.iter().map(|(name, ..)| format!("{name}.mbox")).collect();
    listed.extend(FILES.iter().map(|(name, ..)| format!("{name}.expected")));
    for (name, count, _) in FILES {
        let (folder, input) = (Folder::new(), fixture(&format!("{name}.mbox")));
        let report = folder.path("r.jsonl");
        let run = convert().arg("--report").arg(&report).arg(&input).assert().success();
        let out = run.get_output().stdout.clone();
        assert_eq!(super::report::lines(&report).len(), *count, "{name}");
        let expected = fixture(&format!("{name}.expected"));
        if std::env::var_os("BLESS").is_some() {
            fs::write(&expected, &out).expect("an expected file");
        }
        assert!(out == fs::read(&expected).expect("an expected file"), "{name}");
        assert!(stdout(&[], &out) == out, "{name}: a second run changes nothing");
        let before = fs::read(&input).expect("a fixture");
        assert!(stdout(&["--profile=keep"], &before) == before, "{name}");
        if !before.contains(&b'\r') && !name.contains("length") && !name.starts_with("mboxcl") {
            assert!(stdout(&[], &with_crlf(&before)) == with_crlf(&out), "{name}, CRLF");
        }
    }
    let there = super::names(&fixture(""));
    listed.sort();
    assert_eq!(there, listed, "every file is in the table");
}

fn pack(program: &str, octets: &[u8]) -> Vec<u8> {
    let mut command = assert_cmd::Command::new(program);
    command.arg("-c").write_stdin(octets).assert().success().get_output().stdout.clone()
}

fn unpack(program: &str, octets: &[u8]) -> Vec<u8> {
    let mut command = assert_cmd::Command::new(program);
    command.arg("-dc").write_stdin(octets).assert().success().get_output().stdout.clone()
}

#[test]
fn compressed_files_are_read_and_written_by_name_by_option_and_in_place() {
    for (program, end, method) in METHODS {
        if !there(program, Process::new(program).arg("--version").output().is_ok()) {
            continue;
        }
        let folder = Folder::new();
        let (plain, expected) = ("mboxrd.mbox", fs::read(fixture("mboxrd.expected")).expect("a fixture"));
        let packed = pack(program, &fs::read(fixture(plain)).expect("a fixture"));
        // In two members, as log rotation makes them.
        let input = folder.put(&format!("in.mbox.{end}"), &[&packed[..], &packed].concat());
        let twice = [&expected[..], &expected].concat();
        convert().arg(&input).assert().success().stdout(twice.clone());
        assert!(stdout(&[], &packed) == expected, "{program} from standard input");
        let by_option = stdout(&["--compress", method], &packed);
        assert!(unpack(program, &by_option) == expected, "{program} --compress");
        let by_name = folder.path(&format!("out.mbox.{end}"));
        convert().arg(&input).arg("-o").arg(&by_name).assert().success();
        assert!(unpack(program, &fs::read(&by_name).expect("a file")) == twice, "{program} by name");
        let keep = folder.path(&format!("keep.mbox.{end}"));
        convert().args(["--profile=keep", "-o"]).arg(&keep).arg(fixture(plain)).assert().success();
        assert!(unpack(program, &fs::read(&keep).expect("a file")) == fs::read(fixture(plain)).expect("a fixture"));
        convert().arg("--in-place").arg(&input).assert().success();
        assert!(unpack(program, &fs::read(&input).expect("a file")) == twice, "{program} in place");
        let eml = folder.put(&format!("m.eml.{end}"), &pack(program, super::LATIN));
        convert().arg(&eml).assert().success().stdout(super::UTF8);
        convert().arg(&eml).arg("-o").arg(folder.path("m.eml")).assert().success();
        assert_eq!(fs::read(folder.path("m.eml")).expect("a file"), super::UTF8);
        // Cut short it is refused, and what was there stays.
        let cut = folder.put(&format!("cut.mbox.{end}"), &packed[..packed.len() - 3]);
        let run = convert().arg("--in-place").arg(&cut).assert().code(65);
        let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(said.contains(&format!("its {method} data is damaged")), "{said}");
        assert_eq!(fs::read(&cut).expect("a file"), &packed[..packed.len() - 3]);
        convert().args(["--in-place", "--compress=none"]).arg(&input).assert().code(64);
        convert().args(["--compress=none", "-o"]).arg(folder.path(&format!("x.{end}"))).arg(&input).assert().code(64);
        let several = convert().args(["--compress=none", "-o"]).arg(folder.path("")).arg(&input).assert();
        several.success();
        assert!(fs::read(folder.path("in.mbox")).expect("unpacked under its own name") == twice);
    }
}

/// From each dialect to each, and back to the first: the messages are the same, and neighbours that go by lines or by
/// lengths count them alike.
#[test]
fn a_dialect_that_was_chosen_is_written() {
    let folder = Folder::new();
    for name in ["mboxo", "mboxrd", "mboxcl", "mboxcl2", "mailman2", "no-separators", "stale-lengths"] {
        let input = fixture(&format!("{name}.mbox"));
        let count = FILES.iter().find(|(file, ..)| *file == name).expect("in the table").1;
        for to in ["mboxo", "mboxrd", "mboxcl", "mboxcl2"] {
            let out = folder.path(&format!("{name}-{to}"));
            convert().arg(&input).args(["--output-format", to, "-o"]).arg(&out).assert().success();
            let octets = fs::read(&out).expect("a file");
            let counts = octets.windows(15).filter(|at| at.eq_ignore_ascii_case(b"content-length:")).count();
            assert!(if to.starts_with("mboxcl") { counts >= count } else { counts <= 2 }, "{name} to {to}: {counts}");
            let bare = octets.windows(6).filter(|at| at.starts_with(b"\nFrom ")).count() + 1;
            assert!(to == "mboxcl2" || bare == count, "{name} to {to}: {bare} lines");
            let report = folder.path("r.jsonl");
            convert().args(["--format", to, "--report"]).arg(&report).arg(&out).assert().success();
            let rows = super::report::lines(&report);
            assert_eq!(rows.len(), count, "{name} to {to}");
            assert!(rows.iter().all(|row| row["result"] == "unchanged"), "{name} to {to}");
            assert!(stdout(&["--output-format", to, "--format", to], &octets) == octets, "{name} to {to}, twice");
        }
    }
}

/// A length that was true stays true, whatever became of the body.
#[test]
fn lengths_stay_true() {
    for name in ["mboxcl", "mboxcl2", "mboxcl2-crlf"] {
        let expected = fs::read(fixture(&format!("{name}.expected"))).expect("a fixture");
        let before = fs::read(fixture(&format!("{name}.mbox"))).expect("a fixture");
        assert_ne!(before, expected, "{name}");
        let text = String::from_utf8_lossy(&expected).replace("\r\n", "\n");
        let crlf = name.ends_with("crlf");
        let mut at = 0;
        let mut messages = 0;
        while at < text.len() {
            let header = at + text[at..].find("\n\n").expect("a header") + 2;
            let field = text[at..header].split("Content-Length: ").nth(1).expect("a length");
            let length: usize = field.lines().next().expect("a value").parse().expect("a number");
            let end = (header..=text.len())
                .find(|&end| text.is_char_boundary(end) && octets(&text[header..end], crlf) == length)
                .expect("an end");
            assert!(text[end..].is_empty() || text[end..].starts_with("\nFrom ") || &text[end..] == "\n", "{name}");
            (at, messages) = (end + 1, messages + 1);
        }
        assert_eq!(messages, FILES.iter().find(|(file, ..)| *file == name).expect("in the table").1);
    }
}

fn octets(text: &str, crlf: bool) -> usize {
    text.len() + if crlf { text.matches('\n').count() } else { 0 }
}

/// Returns the subjects that a reader finds in each of these files, sorted.
pub fn subjects(reader: &str, files: &[PathBuf]) -> Vec<Vec<String>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/commands/convert/readers.py");
    let run = Process::new("python3").arg(script).arg(reader).args(files).output().expect("python3 runs");
    assert!(run.status.success(), "{reader}: {}", String::from_utf8_lossy(&run.stderr));
    let text = String::from_utf8(run.stdout).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("a list")).collect()
}

/// Returns `true` if a reader is here.
pub fn is_there(reader: &str) -> bool {
    let program = if reader == "python" { "python3" } else { reader };
    there(program, Process::new(program).arg("--version").output().is_ok_and(|run| run.status.success()))
}

#[test]
fn neighbours_see_the_same_messages_before_and_after() {
    for reader in ["python", "neomutt"] {
        if !is_there(reader) || !is_there("python") {
            continue;
        }
        let files =
            |end: &str| -> Vec<PathBuf> { FILES.iter().map(|(name, ..)| fixture(&format!("{name}.{end}"))).collect() };
        let (before, after) = (subjects(reader, &files("mbox")), subjects(reader, &files("expected")));
        for (((name, count, agrees), before), after) in FILES.iter().zip(before).zip(after) {
            assert_eq!(before, after, "{reader}: {name}");
            assert!(reader != "neomutt" || (after.len() == *count) == *agrees, "{reader}: {name}: {after:?}");
        }
    }
}

/// `--verify` counts the messages as others do besides, and finds nothing wrong in what is right: whatever becomes of
/// the texts, and of the quoting.
#[test]
fn verify_refuses_no_dialect() {
    let folder = Folder::new();
    let out = folder.path("out.mbox");
    for (name, ..) in FILES {
        let input = fixture(&format!("{name}.mbox"));
        let verified = |option: &str, value: &str| {
            convert().args(["-q", "--verify", option, value, "-o"]).arg(&out).arg(&input).assert().success();
        };
        ["utf8", "seven-bit", "ascii", "utf7"].iter().for_each(|profile| verified("--profile", profile));
        ["mboxo", "mboxrd", "mboxcl", "mboxcl2"].iter().for_each(|dialect| verified("--output-format", dialect));
    }
}
