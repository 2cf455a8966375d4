//! The messages that are sent: the file cases over and over, each time with another Message-ID.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use super::super::mta::cases;

/// One message to be numbered, and what `septet filter` makes of it in each profile that may meet it.
pub struct Template {
    raw: Vec<u8>,
    goals: Vec<Vec<u8>>,
}

/// Digits that stand for the number.
const DIGITS: usize = 7;

/// Reads the templates: every case that needs nothing but the profile itself, up to 300 KB.
pub fn templates(folder: &Path, profiles: &[&str]) -> Vec<Template> {
    let plain = |case: &cases::Case| matches!(case.profile.trim(), "" | "base = \"utf8\"");
    let fits = |case: &cases::Case| plain(case) && case.recipients == 1 && case.raw.len() < 1 << 20;
    let make = |case: cases::Case| {
        let raw = renumbered(&case.raw, 0);
        let goals = profiles.iter().map(|profile| filtered(folder, &raw, profile)).collect();
        Template { raw, goals }
    };
    let found: Vec<Template> = cases::all(true).into_iter().filter(fits).map(make).collect();
    assert!(found.len() > 50, "{} templates", found.len());
    found
}

fn filtered(folder: &Path, raw: &[u8], profile: &str) -> Vec<u8> {
    let input = folder.join("input");
    fs::write(&input, raw).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_septet"))
        .args(["filter", "--profile", profile])
        .env_remove("SEPTET_CONFIG")
        .stdin(File::open(&input).expect("the file"))
        .stderr(Stdio::inherit())
        .output()
        .expect("septet runs");
    assert!(output.status.success());
    output.stdout
}

/// Where the number stands.
fn place(raw: &[u8]) -> usize {
    let field = b"Message-ID: <";
    memchr::memmem::find(raw, field).expect("a Message-ID") + field.len()
}

/// Writes a number into the Message-ID, and lets the rest be.
fn renumbered(raw: &[u8], number: usize) -> Vec<u8> {
    let at = place(raw);
    let end = at + memchr::memchr(b'>', &raw[at..]).expect("the end of the Message-ID");
    [&raw[..at], message_id(number).as_bytes(), &raw[end..]].concat()
}

/// Gives the identifier of the message with this number.
pub fn message_id(number: usize) -> String {
    format!("{number:0DIGITS$}@faults.example")
}

/// Reads the number of a message.
pub fn number(raw: &[u8]) -> Option<usize> {
    let field = b"Message-ID: <";
    let at = memchr::memmem::find(raw, field)? + field.len();
    std::str::from_utf8(raw.get(at..at + DIGITS)?).ok()?.parse().ok()
}

impl Template {
    /// Gives the message with this number.
    pub fn message(&self, number: usize) -> Vec<u8> {
        renumbered(&self.raw, number)
    }

    /// Gives what it may become, by profile, with this number.
    pub fn goals(&self, number: usize) -> impl Iterator<Item = Vec<u8>> + '_ {
        self.goals.iter().map(move |goal| renumbered(goal, number))
    }

    /// Gives what MAIL says of it.
    pub fn parameters(&self) -> &'static str {
        if self.raw.is_ascii() { "" } else { " BODY=8BITMIME" }
    }
}
