//! `--verify` of mail in another form: which message was not written as it should have been.
//!
//! What is read back has another sum than what was written then (`FolderOut::difference`, `MailboxOut::difference`), so every
//! message is planned and made once more, and must be on the disk.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::folder_out::name_of;
use super::letter::{MigratingMessage, Way};
use super::seams::Seams;
use crate::archive::convert::error::ConvertError;
use crate::archive::convert::packing::OutputFormat;

/// What was written, read again.
pub enum Again {
    /// A folder of messages.
    Folder {
        /// Where it stands.
        path: PathBuf,
        /// Whether it is a Maildir.
        is_maildir: bool,
        /// How many of its messages were read.
        messages: u64,
    },
    /// A mailbox file, behind what stands before its first message.
    Mailbox {
        /// Its octets.
        written: Box<dyn Read + Send>,
        /// What stands between its messages.
        seams: Seams,
    },
}

impl Again {
    /// Reads a folder.
    pub fn folder(path: &Path, way: &Way) -> Again {
        Again::Folder { path: path.to_owned(), is_maildir: way.form == OutputFormat::Maildir, messages: 0 }
    }

    /// Holds what was written of a message against what should have been; messages must come in the order in which they
    /// were written.
    pub fn compare(&mut self, letter: &MigratingMessage) -> Result<(), ConvertError> {
        if self.is_there(letter)? {
            return Ok(());
        }
        let name = format!("{}, message {}", letter.found.input, letter.found.message);
        Err(ConvertError::Unverified { name, what: "other octets were written".to_owned() })
    }

    /// Reads the next message, and tells whether it is the one that should have been written.
    fn is_there(&mut self, letter: &MigratingMessage) -> Result<bool, ConvertError> {
        match self {
            Again::Folder { path, is_maildir, messages } => {
                *messages += 1;
                let path = path.join(name_of(letter, *messages, *is_maildir));
                let failing = |source| ConvertError::Read { name: path.display().to_string(), source };
                Ok(fs::read(&path).map_err(failing)? == letter.made.octets)
            }
            Again::Mailbox { written, seams } => {
                let made = [seams.before(letter), &letter.made.octets].concat();
                seams.pass(letter);
                seams.add(&made);
                let mut back = Vec::with_capacity(made.len());
                let read = written.take(made.len() as u64).read_to_end(&mut back);
                let failing = |source| ConvertError::Read { name: letter.found.input.to_string(), source };
                read.map_err(failing)?;
                Ok(back == made)
            }
        }
    }
}
