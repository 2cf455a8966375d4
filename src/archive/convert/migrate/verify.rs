//! `--verify` of mail in another form: everything is read again, from both sides, before anything takes its place.
//!
//! What should have been written is made once more of the input, and must be on the disk; and mail-parser sees each message that
//! changed beside what it was.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::folder_out::name_of;
use super::letter::{MigratingMessage, Way};
use super::origin::in_mailbox;
use super::pseudo::is_pseudo;
use super::source::MessageOrigin;
use crate::archive::convert::error::ConvertError;
use crate::archive::convert::input::ReadAs;
use crate::archive::convert::job::Job;
use crate::archive::convert::packing::OutputFormat;
use crate::archive::convert::verify::messages::{MailboxMessages, MessageOctets, Raw};
use crate::archive::convert::verify::{self, GROWTH};
use crate::protocol::mbox::MboxMessage;

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
    /// A mailbox file.
    Mailbox(Box<MailboxMessages<Box<dyn Read + Send>>>),
}

impl Again {
    /// Reads a folder.
    pub fn folder(path: &Path, way: &Way) -> Again {
        Again::Folder { path: path.to_owned(), is_maildir: way.form == OutputFormat::Maildir, messages: 0 }
    }

    /// Reads a mailbox file.
    pub fn mailbox(from: Box<dyn Read + Send>, job: &Job, way: &Way) -> Again {
        let read_as = ReadAs { dialect: way.dialect(), chosen: true };
        let messages = MailboxMessages::new(from, job.most().saturating_mul(GROWTH), read_as, 0);
        Again::Mailbox(Box::new(messages))
    }

    /// Holds what was written of a message against what should have been; messages must come in the order in which they
    /// were written.
    pub fn compare(&mut self, job: &Job, letter: &MigratingMessage, way: &Way) -> Result<(), ConvertError> {
        let written = self.next(letter)?;
        // What keeps it apart from the next message may stand behind it.
        let what = match written.starts_with(&letter.made.octets) {
            false => Some("other octets were written".to_owned()),
            true if letter.made.done.new.is_none() => None,
            true => {
                let (before, after) = (before(letter, way, job), message(&written, way));
                verify::file(&before, &after, &job.profiles)
            }
        };
        let name = || format!("{}, message {}", letter.found.input, letter.found.message);
        what.map_or(Ok(()), |what| Err(ConvertError::Unverified { name: name(), what }))
    }

    /// Reads the next message; an empty one where there is none.
    fn next(&mut self, letter: &MigratingMessage) -> Result<Vec<u8>, ConvertError> {
        match self {
            Again::Folder { path, is_maildir, messages } => {
                *messages += 1;
                let path = path.join(name_of(letter, *messages, *is_maildir));
                fs::read(&path).map_err(|source| ConvertError::Read { name: path.display().to_string(), source })
            }
            Again::Mailbox(messages) => loop {
                let failing = |source| ConvertError::Read { name: letter.found.input.to_string(), source };
                match messages.take(1).map_err(failing)?.pop() {
                    Some(Raw { is_message: false, .. }) => {}
                    // It stood before the first message, as it stood in the mailbox file that they came from.
                    Some(Raw { octets: MessageOctets::Whole(octets), .. })
                        if is_pseudo(&octets) && !is_pseudo(&letter.found.octets) => {}
                    Some(Raw { octets: MessageOctets::Whole(octets), .. }) => return Ok(octets),
                    _ => return Ok(Vec::new()),
                }
            },
        }
    }
}

/// Returns a message as it was before it was planned, as its new place can say it: with its flags in fields, and
/// quoted in the new dialect and read back.
fn before(letter: &MigratingMessage, way: &Way, job: &Job) -> Vec<u8> {
    let octets = &letter.found.octets;
    let (old, state) = match &letter.found.beside {
        MessageOrigin::Mailbox { dialect, .. } => (MboxMessage::of(octets).message_of(*dialect), None),
        MessageOrigin::File { state, .. } => (MboxMessage::split_from_line(octets).1.into(), *state),
    };
    let told = state.map(|state| state.write(&old, job.profiles.limits()).0.into_owned());
    let old = told.unwrap_or_else(|| old.into_owned());
    match way.form.is_mailbox() {
        // Any From_ line will do: it is taken off again.
        true => message(&in_mailbox(b"From a\n", &old, way.dialect()), way),
        false => old,
    }
}

/// Returns the message of what was written.
fn message(written: &[u8], way: &Way) -> Vec<u8> {
    match way.form.is_mailbox() {
        true => MboxMessage::of(written).message_of(way.dialect()).into_owned(),
        false => written.to_vec(),
    }
}
