//! What a check of an output found wrong, and how it is said.

use crate::archive::convert::error::ConvertError;
use crate::archive::convert::job::Job;
use crate::process::say::say;

/// How many messages are named.
const NAMED: usize = 20;

/// What is wrong, and in which messages.
#[derive(Default)]
pub struct VerifyFaults {
    lines: Vec<String>,
    more: usize,
    last: Option<u64>,
}

impl VerifyFaults {
    /// Returns `true` if nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Notes what is wrong with a message, from 1; 0 stands for what is before the first. A message is noted once in a row, and
    /// beyond [`NAMED`] it is only counted.
    pub fn note(&mut self, message: u64, what: &str) {
        if self.last.replace(message) == Some(message) {
            return;
        }
        match self.lines.len() < NAMED {
            true if message == 0 => self.lines.push(format!("before the first message: {what}")),
            true => self.lines.push(format!("message {message}: {what}")),
            false => self.more += 1,
        }
    }

    /// Returns the last fault as the error, after all others were said on stderr.
    pub fn end(mut self, job: &Job, name: &str) -> Result<(), ConvertError> {
        let Some(last) = self.lines.pop() else { return Ok(()) };
        let say = |line: &String| job.progress.suspend(|| say(format_args!("{name}, {line}")));
        self.lines.iter().for_each(say);
        let what = match self.more {
            0 => last,
            more => format!("{last}; and {more} more"),
        };
        Err(ConvertError::Unverified { name: name.to_owned(), what })
    }
}
