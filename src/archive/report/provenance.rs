//! Where a report comes from: program, settings, files and their checksums, so that it can be told years later what was
//! done to what, and done again.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::same_mail::SameMail;
use crate::archive::sums::Checksum;
use crate::process::advice::AdviceBasis;
use crate::process::shell;

/// How a run was made.
#[derive(Debug, Clone)]
pub struct Provenance {
    /// The command as it was typed.
    pub command: String,
    /// The profile's name.
    pub profile: String,
    /// The profile's keys and values.
    pub settings: Vec<(String, String)>,
    /// When it began.
    pub begun: SystemTime,
    /// How long it took.
    pub took: Duration,
    /// Whether nothing was written.
    pub dry_run: bool,
    /// What was read and written.
    pub files: FileRecords,
    /// What the commands need that come next.
    pub same_mail: SameMail,
    /// By which settings it is asked what helps; none where nobody asks.
    pub basis: Option<Arc<AdviceBasis>>,
}

/// What was read and written: mailbox files while a run goes on, all when it has ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecords {
    /// Each, with the number of its piece of work, by which they are in order.
    pub records: Vec<(usize, FileRecord)>,
    /// How many are not in `records`: they were too many.
    pub more: u64,
}

/// How many inputs are recorded.
const FILES: usize = 500;

/// One input and what became of it: a mailbox file, or the files of a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// The input's name.
    pub input: String,
    /// How many files it is, where these are several; none for a mailbox file and for one message.
    pub files: Option<u64>,
    /// Its octets.
    pub before: Checksum,
    /// The output's name; empty where nothing was written.
    pub output: String,
    /// The output's octets.
    pub after: Checksum,
}

impl Default for Provenance {
    /// Makes that of a run of this process which begins now, and of which nothing else is known yet.
    fn default() -> Provenance {
        Provenance {
            command: command(),
            profile: String::new(),
            settings: Vec::new(),
            begun: SystemTime::now(),
            took: Duration::ZERO,
            dry_run: false,
            files: FileRecords::default(),
            same_mail: SameMail::default(),
            basis: None,
        }
    }
}

impl Provenance {
    /// Adds what else was read and written, each with the number of its piece of work.
    pub fn with(&self, records: impl Iterator<Item = (usize, FileRecord)>) -> Provenance {
        let mut all = self.clone();
        records.for_each(|(piece, file)| all.files.add(piece, file));
        all.files.records.sort_by_key(|(piece, _)| *piece);
        all
    }

    /// Returns `true` if any of the inputs is a folder with several messages.
    pub fn has_folders(&self) -> bool {
        self.files.records.iter().any(|(_, file)| file.files.is_some())
    }

    /// Says when it began, in UTC.
    pub fn begun(&self) -> String {
        let since = self.begun.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let time = mail_parser::DateTime::from_timestamp(i64::try_from(since).unwrap_or_default());
        let mail_parser::DateTime { year, month, day, hour, minute, second, .. } = time;
        format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
    }
}

impl FileRecords {
    /// Records an input; beyond the first [`FILES`] it is only counted.
    pub fn add(&mut self, piece: usize, file: FileRecord) {
        if self.records.len() < FILES { self.records.push((piece, file)) } else { self.more += 1 }
    }
}

/// Returns the command that was typed, its words quoted for a shell, without where the program lies; octets that are
/// not UTF-8 are U+FFFD in it.
fn command() -> String {
    let words = std::env::args_os().skip(1).map(|word| shell::word(&word.to_string_lossy()));
    ["septet".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_said_in_utc() {
        let begun = SystemTime::UNIX_EPOCH + Duration::from_secs(951_827_696);
        assert_eq!(Provenance { begun, ..Provenance::default() }.begun(), "2000-02-29 12:34:56 UTC");
    }
}
