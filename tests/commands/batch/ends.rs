//! How a batch ends.

use std::process::{Command as Process, Stdio};

use serde_json::json;

use super::client::{answers, batch, request, septet};
use crate::convert::{LATIN, UTF8};

#[test]
fn an_input_that_ends_between_messages_ends_well() {
    batch(&[]).write_stdin("").assert().success().stdout("").stderr("");
    let mut empty = Process::new(env!("CARGO_BIN_EXE_septet"));
    let ended =
        empty.args(["filter", "--batch", "--config", "/dev/null"]).stdin(Stdio::null()).output().expect("it runs");
    assert_eq!((ended.status.code(), ended.stdout.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn a_line_that_is_no_request_ends_it_with_65() {
    let good = request(&json!({"id": 1, "length": LATIN.len()}), LATIN);
    for (line, says) in [
        (b"\n".to_vec(), "it is not a JSON object"),
        (b"Subject: x\n".to_vec(), "it is not a JSON object"),
        (b"[1,2]\n".to_vec(), "it is not a JSON object"),
        (b"\xff\xfe\n".to_vec(), "it is not a JSON object"),
        (b"{\"id\":1}\n".to_vec(), "missing field `length`, at column 8"),
        (b"{\"length\":1} \xff\n1".to_vec(), "trailing characters, at column 14"),
        (b"{\"length\":-1}\n".to_vec(), "integer `-1`"),
        (b"{\"length\":1.5}\n".to_vec(), "floating point `1.5`"),
        (b"{\"length\":1,\"profil\":\"utf8\"}\n1".to_vec(), "unknown field `profil`"),
        (b"{\"length\":1}".to_vec(), "the input ends inside its line"),
        (b"x".repeat(1 << 20), "its line is longer than 65536 octets"),
    ] {
        let run = batch(&[]).write_stdin([good.clone(), line.clone()].concat()).assert().code(65);
        let output = run.get_output();
        let found = answers(&output.stdout);
        assert_eq!((found.len(), found[0].1.as_slice()), (1, UTF8));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let place = format!("septet: request 2, at octet {} of the input: ", good.len());
        assert!(said.starts_with(&place) && said.contains(says) && said.lines().count() == 1, "{said}");
        assert!(said.contains("; write a line such as {\"length\": 5} and 5 octets behind it"), "{said}");
    }
}

#[test]
fn an_input_that_ends_inside_a_message_ends_it_with_65() {
    let head = json!({"id": 1, "length": LATIN.len()});
    let says = format!(
        "septet: request 1: the input ends before the message does; 3 of its {} octets are missing\n",
        LATIN.len()
    );
    let cut = request(&head, &LATIN[..LATIN.len() - 3]);
    batch(&[]).write_stdin(cut.clone()).assert().code(65).stdout("").stderr(says.clone());
    // What is passed through was answered before.
    let run = batch(&["--set", "limits.message_bytes=9"]).write_stdin(cut).assert().code(65).stderr(says);
    let [(answer, octets)] = &answers(&run.get_output().stdout)[..] else { panic!("one answer") };
    assert_eq!((answer["length"].as_u64(), octets.as_slice()), (Some(LATIN.len() as u64), &LATIN[..LATIN.len() - 3]));
}

#[test]
fn every_other_failure_is_75() {
    for arguments in
        [&["--nonesuch"][..], &["--verbose"], &["--profile", "nonesuch"], &["--set", "limits.parts=many"], &["file"]]
    {
        let run = septet(arguments).write_stdin("").assert().code(75).stdout("");
        assert!(!run.get_output().stderr.is_empty(), "{arguments:?} says why");
    }
    let program = assert_cmd::cargo::cargo_bin("septet");
    for (closed, says) in [(">&-", "standard output is closed"), ("<&-", "standard input is closed")] {
        let mut shell = assert_cmd::Command::new("sh");
        let script = format!("exec \"$1\" filter --batch --config /dev/null {closed}");
        let run = shell.args(["-c", &script, "sh"]).arg(&program).write_stdin("{\"length\":0}\n").assert().code(75);
        assert!(String::from_utf8_lossy(&run.get_output().stderr).contains(says));
    }
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else {
        return println!("skipped: there is no /dev/full");
    };
    let mut command = Process::new(&program);
    command
        .args(["filter", "--batch", "--config", "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(full)
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    let sent = std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), b"{\"length\":0}\n");
    let ended = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(
        sent.is_ok() && ended.status.code() == Some(75) && said.starts_with("septet: can't write standard output: "),
        "{said}"
    );
}
