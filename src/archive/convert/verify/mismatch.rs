//! What a check of an output found wrong, and how it is said.

use crate::archive::convert::{ConvertError, Job};
use crate::process::say::say;

/// How many messages are named.
const NAMED: usize = 20;

/// What is wrong, and in which messages.
#[derive(Default)]
pub struct VerifyFaults {
    /// What is wrong with each message, behind its file where it is alone in that; [`NAMED`] of them at most.
    lines: Vec<(Option<String>, String)>,
    /// How many messages are wrong besides.
    more: usize,
    /// The message that was noted last.
    last: Option<u64>,
}

impl VerifyFaults {
    /// Returns `true` if nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Notes what is wrong with a message, from 1; 0 stands for what is before the first. It goes by its `file` where
    /// it is alone in that. A message is noted once in a row, and beyond [`NAMED`] it is only counted.
    pub fn note(&mut self, file: Option<&str>, message: u64, what: &str) {
        let what = match (file, message) {
            (Some(_), _) => what.to_owned(),
            (None, 0) => format!("before the first message: {what}"),
            (None, _) => format!("message {message}: {what}"),
        };
        let is_same = self.last.replace(message) == Some(message);
        match self.lines.len() < NAMED {
            _ if is_same => {}
            true => self.lines.push((file.map(str::to_owned), what)),
            false => self.more += 1,
        }
    }

    /// Returns the last fault as the error, after all others were said on stderr; no error without any. `name` is that
    /// of the mailbox.
    pub fn end(mut self, job: &Job, name: &str) -> Result<(), ConvertError> {
        let Some((file, what)) = self.lines.pop() else { return Ok(()) };
        for (file, what) in &self.lines {
            job.progress.suspend(|| match file {
                Some(file) => say(format_args!("{file}: {what}")),
                None => say(format_args!("{name}, {what}")),
            });
        }
        let what = if self.more == 0 { what } else { format!("{what}; and {} more", self.more) };
        Err(ConvertError::Unverified { name: file.unwrap_or(name.to_owned()), what })
    }
}
