//! The mailbox file of a label, while it is written: it is opened again and again, for many can't be open at once.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::PathBuf;

use super::rules::TreeRules;
use super::tree_mailbox::TreeMailbox;
use crate::archive::convert::cursor::MailboxFileCursor;
use crate::archive::convert::mailbox::plan::PlannedMessage;
use crate::archive::convert::{Compression, MailboxCursor, Packer, Seams, WrittenSum, open_packed};
use crate::archive::replace::{open_cut, open_regular_as};

/// A mailbox file that is being written.
pub struct MailboxFile {
    path: PathBuf,
    compression: Option<Compression>,
    /// None while it is closed. What is compressed gets a member each time it is open.
    open: Option<Packer<BufWriter<File>>>,
    /// How far it is, in octets before they are compressed.
    at: MailboxFileCursor,
    /// All of them, where somebody verifies.
    made: Option<WrittenSum>,
}

impl MailboxFile {
    /// Makes it, with what stands before its first message.
    pub fn begin(path: PathBuf, rules: &TreeRules, before: &[u8]) -> io::Result<MailboxFile> {
        let TreeRules { compression, permissions, verifies, .. } = rules;
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        if let Some(permissions) = permissions {
            file.set_permissions(permissions.clone())?;
        }
        let (compression, made) = (*compression, verifies.then(WrittenSum::default));
        let mut out = MailboxFile { compression, made, ..MailboxFile::behind(path, file.metadata()?.ino(), before) };
        if !before.is_empty() {
            out.at.written = 0;
            out.add(before)?;
        }
        Ok(out)
    }

    /// Makes it of a file that is there, at the place behind what stands `before` its first message. `ino` is the
    /// number of the file, 0 where it is only read.
    pub fn behind(path: PathBuf, ino: u64, before: &[u8]) -> MailboxFile {
        let at = MailboxFileCursor { ino, written: before.len() as u64, seams: Seams::behind(before) };
        MailboxFile { path, compression: None, open: None, at, made: None }
    }

    /// Goes on with what a run that was killed left; none where something else is there, or it can't be opened. What is
    /// written is not summed up.
    pub fn go_on(path: PathBuf, at: &MailboxFileCursor) -> Option<MailboxFile> {
        open_cut(&path, at.ino, at.written).ok()??;
        Some(MailboxFile { path, compression: None, open: None, at: at.clone(), made: None })
    }

    /// Writes octets at the end, and counts them as they are before they are compressed.
    fn add(&mut self, octets: &[u8]) -> io::Result<()> {
        self.open()?.write_all(octets)?;
        self.at.written += octets.len() as u64;
        self.made.iter_mut().for_each(|made| made.add(octets));
        Ok(())
    }

    /// Returns what writes at the end of the file, which is opened where it is closed.
    fn open(&mut self) -> io::Result<&mut Packer<BufWriter<File>>> {
        let open = match self.open.take() {
            Some(open) => open,
            None => {
                let file = open_regular_as(OpenOptions::new().append(true), &self.path)?;
                Packer::new(self.compression, BufWriter::new(file))?
            }
        };
        Ok(self.open.insert(open))
    }
}

impl TreeMailbox for MailboxFile {
    /// Writes a message, and an empty line before it where it needs one; no keyword is ever lost.
    fn write(&mut self, message: &PlannedMessage, batch: &[u8]) -> io::Result<bool> {
        let piece = message.piece(batch, 1, true);
        let before = self.at.seams.pass_apart(&piece);
        self.add(before)?;
        self.add(piece.octets()).map(|()| false)
    }

    /// Reads the file as it is, so it must not be compressed (`read_tree_again` asks that); the place goes on by what
    /// should be there, whether it is there or not.
    fn differs(&mut self, message: &PlannedMessage, batch: &[u8]) -> io::Result<bool> {
        let piece = message.piece(batch, 1, true);
        let made = [self.at.seams.pass_apart(&piece), piece.octets()].concat();
        // It is opened for each message: there may be many such files.
        let (mut file, mut back) = (File::open(&self.path)?, Vec::new());
        file.seek(SeekFrom::Start(self.at.written))?;
        file.take(made.len() as u64).read_to_end(&mut back)?;
        self.at.written += made.len() as u64;
        Ok(back != made)
    }

    /// Tells how far it is, once it is closed.
    fn cursor(&self) -> MailboxCursor {
        MailboxCursor::File(self.at.clone())
    }

    /// Hands to the system what was written, and ends the member of what is compressed; the next write opens it again.
    fn close(&mut self) -> io::Result<()> {
        let Some(open) = self.open.take() else { return Ok(()) };
        open.finish()?.flush()
    }

    /// Says how the file differs from what was written; none where it doesn't, and where that was not summed up.
    fn difference(&self) -> io::Result<Option<String>> {
        let Some(made) = &self.made else { return Ok(None) };
        Ok(made.difference(&WrittenSum::of(open_packed(&self.path, self.compression)?)?))
    }
}
