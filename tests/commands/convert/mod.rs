//! `septet convert`, as a process on files.

mod bad_day;
mod browser;
mod container;
mod dialects;
mod dovecot;
mod folders;
mod formats;
mod forms;
mod killed;
mod labels;
mod lengths;
mod locks;
mod mailbox;
mod maildir;
mod page;
mod places;
mod progress;
mod promises;
mod refusals;
pub mod report;
mod resumed;
mod safety;
mod separators;
mod shard_places;
mod shards;
mod skipped;
pub mod terminal;
mod together;
mod undo;
mod verify;

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;

/// A message that every profile but `keep` changes: its body is Latin-1.
pub const LATIN: &[u8] = b"From: a@example.org\nMessage-ID: <latin@example.org>\nSubject: x\nMIME-Version: 1.0\n\
    Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n\ncaf\xe9\n";

/// The same after `utf8`.
pub const UTF8: &[u8] = b"From: a@example.org\nMessage-ID: <latin@example.org>\nSubject: x\nMIME-Version: 1.0\n\
    Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\ncaf\xc3\xa9\n";

/// A message that no profile changes.
pub const PLAIN: &[u8] = b"From: b@example.org\nSubject: y\n\nplain\n";

const FROM: &[u8] = b"From a@example.org Mon Jan  1 00:00:00 2007\n";

/// Makes a mailbox file of messages.
pub fn mbox(messages: &[&[u8]]) -> Vec<u8> {
    messages.iter().flat_map(|message| [FROM, message, b"\n"].concat()).collect()
}

/// Starts `septet convert`, without the settings of the machine that it runs on.
pub fn convert() -> Command {
    let mut command = Command::cargo_bin("septet").expect("the program is built");
    command.env_remove("SEPTET_CONFIG").arg("convert");
    command
}

/// A folder for one test, with files in it.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(TempDir::new().expect("a temporary folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file, and gives its path.
    pub fn put(&self, name: &str, octets: &[u8]) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, octets).expect("a file");
        path
    }

    /// Lists the names in it, sorted: nothing may be left state.
    pub fn names(&self) -> Vec<String> {
        names(self.0.path())
    }
}

pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name")).collect();
    names.sort();
    names
}

pub fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/mailbox/sample.mbox")
}
