//! A client, and what it needs to write requests and to read answers.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command as Process, Stdio};

use assert_cmd::Command;
use serde_json::Value;

/// Makes a command with these options.
pub fn septet(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("septet").expect("the program is built");
    command.env_remove("SEPTET_CONFIG").args(["filter", "--batch"]).args(arguments);
    command
}

/// Makes a command with these options, and without the settings of the machine that it runs on.
pub fn batch(arguments: &[&str]) -> Command {
    septet(&[&["--config", "/dev/null"], arguments].concat())
}

/// Writes a request, and the message behind it.
pub fn request(head: &Value, raw: &[u8]) -> Vec<u8> {
    [format!("{head}\n").as_bytes(), raw].concat()
}

/// Reads all answers of an output; the last one may have fewer octets than it says.
pub fn answers(mut output: &[u8]) -> Vec<(Value, Vec<u8>)> {
    let mut found = Vec::new();
    while !output.is_empty() {
        found.push(answer(&mut output));
    }
    found
}

/// Reads one answer; it may have fewer octets than it says where the output ends.
pub fn answer(output: &mut impl BufRead) -> (Value, Vec<u8>) {
    let mut line = String::new();
    output.read_line(&mut line).expect("a line");
    let head: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
    let mut octets = Vec::new();
    let length = head["length"].as_u64().expect("a length");
    output.take(length).read_to_end(&mut octets).expect("octets");
    (head, octets)
}

/// A program that keeps septet running.
pub struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Client {
    /// Starts septet with these options.
    pub fn start(arguments: &[&str]) -> Client {
        let mut command = Process::new(env!("CARGO_BIN_EXE_septet"));
        command.env_remove("SEPTET_CONFIG").args(["filter", "--batch", "--config", "/dev/null"]).args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it runs");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Client { child, input, output }
    }

    /// Sends a request.
    pub fn send(&mut self, head: &Value, raw: &[u8]) {
        self.input.write_all(&request(head, raw)).expect("septet reads");
    }

    /// Waits for the next answer.
    pub fn answer(&mut self) -> (Value, Vec<u8>) {
        answer(&mut self.output)
    }

    /// Returns its two ends, for two threads.
    pub fn ends(&mut self) -> (&mut ChildStdin, &mut BufReader<ChildStdout>) {
        (&mut self.input, &mut self.output)
    }

    /// Sends nothing more, and returns the exit code and what was said on stderr.
    pub fn end(self) -> (Option<i32>, String) {
        drop(self.input);
        let ended = self.child.wait_with_output().expect("it ends");
        (ended.status.code(), String::from_utf8_lossy(&ended.stderr).into_owned())
    }
}
