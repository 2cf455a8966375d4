//! `--verify` of a folder of messages: its files, held against what was planned.

use std::fs;
use std::path::PathBuf;

use super::plan::PlannedBatch;
use crate::archive::convert::beside::maildir::KeywordLetters;
use crate::archive::convert::error::ConvertError;
use crate::archive::convert::migrate::folder_files::name_of;
use crate::archive::convert::migrate::letter::MovedMessage;
use crate::archive::convert::verify::VerifyFaults;

/// A folder of messages, read again.
pub struct FolderAgain {
    path: PathBuf,
    is_maildir: bool,
    /// How many of its messages were read.
    messages: u64,
    keywords: KeywordLetters,
}

impl FolderAgain {
    /// Begins it.
    pub fn new(path: PathBuf, is_maildir: bool) -> FolderAgain {
        FolderAgain { path, is_maildir, messages: 0, keywords: KeywordLetters::default() }
    }

    /// Compares the messages of a batch, and notes which differ.
    pub fn take(&mut self, planned: &PlannedBatch, faults: &mut VerifyFaults) -> Result<(), ConvertError> {
        for message in planned.messages.iter().filter(|message| !message.done.left_out) {
            let Some(moved) = &message.moved else { continue };
            if !self.is_there(moved)? {
                let file = message.own.as_ref().map(|own| &*own.input);
                faults.note_of(file, self.messages, "other octets were written");
            }
        }
        Ok(())
    }

    /// Reads the next file, and tells whether it is this message.
    pub fn is_there(&mut self, moved: &MovedMessage) -> Result<bool, ConvertError> {
        self.messages += 1;
        let (name, _) = name_of(moved, self.messages, self.is_maildir, &mut self.keywords);
        let path = self.path.join(name);
        let back = fs::read(&path);
        Ok(back.map_err(|source| ConvertError::Read { name: path.display().to_string(), source })? == moved.octets)
    }
}
