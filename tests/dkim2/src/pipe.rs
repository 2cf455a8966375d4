//! septet, asked for many messages over one pipe.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Command, Stdio};
use std::thread;

use serde_json::{Value, json};

/// What septet made of a message.
pub struct Answer {
    /// The message.
    pub octets: Vec<u8>,
    /// Whether it says that it wrote an instance.
    pub has_instance: bool,
    /// What it left for the sake of DKIM2.
    pub left: Vec<String>,
}

/// Returns septet's answers to messages, in order.
pub fn answers(program: &str, profile: &str, messages: &[Vec<u8>]) -> Vec<Answer> {
    let set = format!("profile.{profile}.dkim2=instance");
    let mut command = Command::new(program);
    command.args(["filter", "--batch", "--config", "/dev/null", "--profile", profile, "--set", &set]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("septet runs");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    thread::scope(|scope| {
        scope.spawn(move || {
            for raw in messages {
                writeln!(input, "{}", json!({"length": raw.len()}))
                    .and_then(|()| input.write_all(raw))
                    .expect("it reads");
            }
        });
        messages.iter().map(|_| answer(&mut output)).collect()
    })
}

fn answer(output: &mut BufReader<impl std::io::Read>) -> Answer {
    let mut line = String::new();
    output.read_line(&mut line).expect("an answer");
    let head: Value = serde_json::from_str(&line).expect("JSON");
    let mut octets = vec![0; head["length"].as_u64().expect("a length") as usize];
    output.read_exact(&mut octets).expect("a message");
    let texts = head["report"].as_array().into_iter().flatten().filter_map(|entry| entry["text"].as_str());
    let texts: Vec<&str> = texts.collect();
    let has_instance = texts.iter().any(|text| text.contains(" dkim2=instance("));
    let left = texts.iter().filter_map(|text| text.split_once(" left=dkim2")).map(|(_, why)| format!("left{why}"));
    Answer { octets, has_instance, left: left.collect() }
}
