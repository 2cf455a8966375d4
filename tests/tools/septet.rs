//! Runs a line tool.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs `septet TOOL ARGS…` on an input.
pub fn septet(tool: &str, args: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_septet"));
    command.arg(tool).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("septet runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    // A tool that refuses its arguments doesn't read.
    let writer = std::thread::spawn(move || _ = stdin.write_all(&input));
    let output = child.wait_with_output().expect("septet ends");
    writer.join().expect("the input is written");
    output
}

/// What they printed went to `/dev/null`, and they ended with 0.
#[test]
fn a_closed_output_is_a_failure() {
    for words in
        ["text --from utf-8 --to utf-8", "header decode", "iri to-uri", "plan fixtures/mailbox/dialects/takeout.mbox"]
    {
        let script = format!("echo a | \"$1\" {words} >&-");
        let mut command = Command::new("sh");
        command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_septet")]).current_dir(env!("CARGO_MANIFEST_DIR"));
        let output = command.output().expect("a shell");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("standard output is closed") && output.status.code() == Some(74), "{words}: {said}");
    }
}

#[test]
fn what_can_not_be_read_is_named() {
    let folder = env!("CARGO_MANIFEST_DIR");
    for (tool, args) in [
        ("text", &["--from", "utf-8", "--to", "utf-8", folder][..]),
        ("text", &["--from", "auto", "--to", "utf-8", folder]),
        ("header", &["decode", folder]),
        ("iri", &["to-uri", folder]),
    ] {
        let output = septet(tool, args, b"");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.starts_with(&format!("septet: {folder} can't be read: ")), "{tool}: {said}");
        assert_eq!(output.status.code(), Some(74), "{tool}");
    }
}

/// They reached a terminal as they came.
#[test]
fn what_is_hidden_stands_in_json_as_escapes() {
    let line = "\u{9b}1m \u{202e} \u{ad}\n";
    for (tool, args) in [("header", &["decode", "--json"][..]), ("iri", &["find"]), ("iri", &["find", "--json"])] {
        let output = String::from_utf8(septet(tool, args, line.as_bytes()).stdout).expect("UTF-8");
        assert!(output.is_ascii(), "{tool}: {output:?}");
        let object: serde_json::Value = serde_json::from_str(&output).expect("JSON");
        assert_eq!(object["input"], line.trim_end(), "{tool}");
    }
}
