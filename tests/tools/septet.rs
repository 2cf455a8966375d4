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
