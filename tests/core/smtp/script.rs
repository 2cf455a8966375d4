//! Reads the scripts of fixtures/dialogue/{smtp,lmtp}: see the README in smtp.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use septet::protocol::smtp::{Keywords, LineEndPolicy, Reply, SessionOptions, SmtpDialect};
use septet_support::escapes::octets;

/// One script.
#[derive(Debug)]
pub struct Script {
    pub path: PathBuf,
    pub dialect: SmtpDialect,
    pub options: SessionOptions,
    /// Whether it can only be played as it stands: the client does not wait where it should.
    pub early: bool,
    /// What the next hop offers.
    pub hop: Keywords,
    /// The answers to each kind of event, in their order; empty for the one that goes on.
    pub answers: HashMap<String, Vec<Vec<Reply>>>,
    /// What stands before the first send.
    pub head: Vec<String>,
    /// What the client sends, and the lines that are expected then.
    pub steps: Vec<Step>,
}

#[derive(Debug, Default)]
pub struct Step {
    pub line: String,
    pub send: Vec<u8>,
    pub expected: Vec<String>,
    /// Remarks before it.
    pub remarks: Vec<String>,
}

/// Reads every script.
pub fn scripts() -> Vec<Script> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/dialogue");
    let mut found = Vec::new();
    for (name, dialect) in [("smtp", SmtpDialect::Smtp), ("lmtp", SmtpDialect::Lmtp)] {
        let entries = fs::read_dir(folder.join(name)).expect("the scripts are there");
        let paths = entries.map(|entry| entry.expect("readable").path());
        found.extend(
            paths.filter(|path| path.extension().is_some_and(|it| it == "txt")).map(|path| Script::read(path, dialect)),
        );
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(found.len() >= 25, "{} scripts", found.len());
    found
}

impl Script {
    fn read(path: PathBuf, dialect: SmtpDialect) -> Script {
        let options = SessionOptions { hostname: "septet.example".to_owned(), ..SessionOptions::default() };
        let hop = Keywords::of(&Reply::new(250, "hop.example\nSIZE 10000\n8BITMIME\nDSN"));
        let text = fs::read_to_string(&path).expect("UTF-8");
        let (head, steps, answers) = (Vec::new(), Vec::new(), HashMap::new());
        let mut script = Script { path, dialect, options, early: false, hop, answers, head, steps };
        text.lines().for_each(|line| script.line(line));
        script
    }

    fn line(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            ">" | ">>" => {
                let end = if word == ">" { "\r\n" } else { "" };
                let send = [octets(rest), end.into()].concat();
                self.steps.push(Step { line: line.to_owned(), send, ..Step::default() });
                return;
            }
            "<" | "*" | "=" => {
                self.steps.last_mut().expect("a send first").expected.push(line.to_owned());
                return;
            }
            "set" => self.set(rest),
            "hop" => self.hop = Keywords::of(&Reply::new(250, format!("hop.example\n{}", rest.replace(", ", "\n")))),
            "answer" => {
                let (event, replies) = rest.split_once(' ').expect("an event and a reply");
                self.answers.entry(event.to_owned()).or_default().push(read_replies(replies));
            }
            "#" | "" => {}
            _ => panic!("a line of no kind: {line}"),
        }
        match self.steps.last_mut() {
            None => self.head.push(line.to_owned()),
            Some(step) => step.remarks.push(line.to_owned()),
        }
    }

    fn set(&mut self, rest: &str) {
        let (key, value) = rest.split_once(' ').unwrap_or((rest, ""));
        let number = || value.parse().expect("a number");
        match key {
            "max-size" => self.options.max_size = value.parse().expect("a number"),
            "max-recipients" => self.options.max_recipients = number(),
            "max-errors" => self.options.max_errors = number(),
            "repair" => self.options.line_ends = LineEndPolicy::Repair,
            "trusted" => self.options.trusted = true,
            "early" => self.early = true,
            _ => panic!("no setting {key}"),
        }
    }

    pub fn name(&self) -> String {
        format!("{:?} {}", self.dialect, self.path.file_stem().expect("named").to_string_lossy())
    }

    pub fn expected(&self) -> Vec<String> {
        self.steps.iter().flat_map(|step| step.expected.clone()).collect()
    }

    pub fn input(&self) -> Vec<u8> {
        self.steps.iter().flat_map(|step| step.send.clone()).collect()
    }

    /// Writes the script anew, with what was answered.
    pub fn bless(&self, answered: &[Vec<String>]) {
        let mut text: Vec<String> = self.head.clone();
        for (step, lines) in self.steps.iter().zip(answered) {
            text.push(step.line.clone());
            text.extend(lines.iter().cloned().chain(step.remarks.clone()));
        }
        fs::write(&self.path, text.join("\n") + "\n").expect("written");
    }
}

/// Reads `451 4.3.0 text | 250 text`; `ok` is the answer that goes on.
fn read_replies(text: &str) -> Vec<Reply> {
    let reply = |text: &str| {
        let (code, text) = text.split_once(' ').unwrap_or((text, ""));
        Reply::new(code.parse().expect("a code"), octets(text))
    };
    if text == "ok" { Vec::new() } else { text.split(" | ").map(reply).collect() }
}
