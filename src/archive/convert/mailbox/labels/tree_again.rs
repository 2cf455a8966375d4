//! `--verify` of a tree of mailboxes: what is in each, held against what was planned.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::names::{MailboxNames, Named};
use super::rules::TreeRules;
use crate::archive::convert::beside::maildir::KeywordLetters;
use crate::archive::convert::cursor::Seams;
use crate::archive::convert::error::ConvertError;
use crate::archive::convert::mailbox::plan::{PlannedBatch, PlannedMessage};
use crate::archive::convert::migrate::folder_files::name_of;
use crate::archive::convert::verify::VerifyFaults;
use crate::archive::file_error::FileError;

/// A tree of mailboxes, read again.
pub struct TreeAgain<'o> {
    root: &'o Path,
    rules: &'o TreeRules,
    names: MailboxNames,
    mailboxes: Vec<MailboxAgain>,
    messages: u64,
    /// What stands before the first message of a mailbox file.
    before: Vec<u8>,
}

/// The mailbox of a label, read again.
enum MailboxAgain {
    Folder {
        path: PathBuf,
        is_maildir: bool,
        /// How many of its messages were read.
        messages: u64,
        keywords: KeywordLetters,
    },
    /// A mailbox file, which is opened for each message: there may be many.
    File {
        path: PathBuf,
        /// The octets read.
        at: u64,
        seams: Seams,
    },
}

impl<'o> TreeAgain<'o> {
    /// Begins with the tree below a folder, written by these rules.
    pub fn new(root: &'o Path, rules: &'o TreeRules) -> TreeAgain<'o> {
        let (names, mailboxes, before) = (MailboxNames::default(), Vec::new(), rules.before.clone());
        TreeAgain { root, rules, names, mailboxes, messages: 0, before }
    }

    /// Compares the messages of a batch, and notes which differ.
    pub fn take(&mut self, planned: &PlannedBatch, faults: &mut VerifyFaults) -> Result<(), ConvertError> {
        let octets = planned.batch.octets();
        self.before.extend_from_slice(planned.before_first());
        for message in &planned.messages {
            self.messages += 1;
            if !message.done.left_out && !self.is_there(message, octets)? {
                let file = message.own.as_ref().map(|own| &*own.input);
                faults.note_of(file, self.messages, "other octets were written");
            }
        }
        Ok(())
    }

    /// Reads what is next in each mailbox of a message, and tells whether it is that.
    fn is_there(&mut self, message: &PlannedMessage, batch: &[u8]) -> Result<bool, ConvertError> {
        let mut read = Vec::with_capacity(message.mailboxes.len());
        for label in self.rules.labels_of(message) {
            let number = match self.names.of(label) {
                Named::Known(number) => number,
                Named::New(name) => {
                    let path = self.root.join(self.rules.path_of(&name));
                    self.mailboxes.push(MailboxAgain::new(path, self.rules, &std::mem::take(&mut self.before)));
                    self.mailboxes.len() - 1
                }
            };
            if !read.contains(&number) && !self.mailboxes[number].is_there(message, batch)? {
                return Ok(false);
            }
            read.push(number);
        }
        Ok(true)
    }
}

impl MailboxAgain {
    fn new(path: PathBuf, rules: &TreeRules, before: &[u8]) -> MailboxAgain {
        match rules.has_files() {
            true => MailboxAgain::File { path, at: before.len() as u64, seams: Seams::behind(before) },
            false => {
                let (is_maildir, messages, keywords) = (rules.is_maildir(), 0, KeywordLetters::default());
                MailboxAgain::Folder { path, is_maildir, messages, keywords }
            }
        }
    }

    fn is_there(&mut self, message: &PlannedMessage, batch: &[u8]) -> Result<bool, ConvertError> {
        let (path, back, made) = match self {
            MailboxAgain::Folder { path, is_maildir, messages, keywords } => {
                let Some(moved) = &message.moved else { return Ok(true) };
                *messages += 1;
                let path = path.join(name_of(moved, *messages, *is_maildir, keywords).0);
                (path.clone(), fs::read(path), Cow::from(&moved.octets))
            }
            MailboxAgain::File { path, at, seams } => {
                let piece = message.piece(batch, 1, true);
                let made = [seams.pass_apart(&piece), piece.octets()].concat();
                let back = read_at(path, *at, made.len() as u64);
                *at += made.len() as u64;
                (path.clone(), back, made.into())
            }
        };
        let back = back.map_err(FileError::reading(path.display()))?;
        Ok(back == *made)
    }
}

/// Reads so many octets of a file, or fewer at its end.
fn read_at(path: &Path, at: u64, octets: u64) -> io::Result<Vec<u8>> {
    let (mut file, mut back) = (File::open(path)?, Vec::new());
    file.seek(SeekFrom::Start(at))?;
    file.take(octets).read_to_end(&mut back).map(|_| back)
}
