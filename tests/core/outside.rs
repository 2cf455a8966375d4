//! Readers of mail that are programs of their own: messages go in, each after its length, and a line of JSON answers.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

/// Runs a program over messages and gives its answers; none, and a line about it, where the program is not there.
pub fn answers(program: &mut Command, messages: &[impl AsRef<[u8]>]) -> Option<Vec<Value>> {
    let name = program.get_program().to_string_lossy().into_owned();
    let Ok(mut run) = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() else {
        println!("skipped: no {name}");
        return None;
    };
    let mut input = run.stdin.take().expect("a pipe");
    let with_length = |raw: &[u8]| [format!("{}\n", raw.len()).as_bytes(), raw].concat();
    let all: Vec<u8> = messages.iter().flat_map(|raw| with_length(raw.as_ref())).collect();
    let feed = std::thread::spawn(move || input.write_all(&all));
    let output = run.wait_with_output().expect("the program ends");
    feed.join().expect("no panic").unwrap_or_else(|why| panic!("{name} does not read all: {why}"));
    assert!(output.status.success(), "{name}: {}", output.status);
    let lines = output.stdout.split(|&octet| octet == b'\n').filter(|line| !line.is_empty());
    let read =
        |line: &[u8]| serde_json::from_slice(line).unwrap_or_else(|why| panic!("{}: {why}", line.escape_ascii()));
    Some(lines.map(read).collect())
}
