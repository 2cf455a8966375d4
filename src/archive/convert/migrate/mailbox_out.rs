//! A mailbox file while it is written of messages from elsewhere, whole or in pieces.
//!
//! A piece (`--split`) is a whole mailbox file: it ends where a message does, before the one that would make it larger than was
//! asked for. All pieces take their places together at the end; one behind the other they are the file that would be written
//! otherwise.

use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::folder_out::sorting;
use super::letter::MigratingMessage;
use super::seams::Seams;
use crate::archive::convert::compression::{Compression, open_packed};
use crate::archive::convert::cursor::{SeamsCursor, SinkCursor};
use crate::archive::convert::error::ConvertError;
use crate::archive::convert::job::Job;
use crate::archive::convert::journal::{JournalStep, Within};
use crate::archive::convert::target::{OpenTarget, OutputTarget, write_error};
use crate::archive::convert::task::Migration;
use crate::archive::convert::threaded::ThreadedWriter;
use crate::archive::convert::verify::WrittenSum;
use crate::archive::convert::written::output_error;
use crate::archive::interrupt::{self, UnfinishedKind};
use crate::archive::replace::{Pending, TemporaryNames, folder_of};

/// A mailbox file that is being written.
pub struct MailboxOut {
    target: OutputTarget,
    compression: Option<Compression>,
    /// The octets of a piece.
    split: Option<u64>,
    /// Who may read it: whoever may read the first message.
    permissions: Option<Permissions>,
    piece: u64,
    /// None while there is no piece.
    sink: Option<ThreadedWriter<OpenTarget>>,
    /// The file that is written, where another run can go on with it.
    file: Option<File>,
    /// The octets of the piece so far.
    written: u64,
    /// What keeps its messages apart.
    seams: Seams,
    /// All octets of all pieces, where somebody verifies.
    made: Option<WrittenSum>,
    pending: Vec<Pending>,
    /// Whether another run can go on with it, should this one be killed.
    is_resumable: bool,
}

impl MailboxOut {
    /// Begins it; `before` is what stands before the first message, and `permissions` are those of a file.
    pub fn begin(
        job: &Job,
        migration: &Migration,
        permissions: Option<Permissions>,
        before: &[u8],
    ) -> Result<MailboxOut, ConvertError> {
        let Migration { to: target, compression, split, .. } = migration;
        if let OutputTarget::File { to, .. } = target {
            fs::create_dir_all(folder_of(to)).map_err(|source| ConvertError::Create { path: to.clone(), source })?;
            TemporaryNames::remove_dead(super::PASSING, folder_of(to));
        }
        let mut out = MailboxOut {
            target: target.clone(),
            compression: *compression,
            split: *split,
            permissions,
            piece: 0,
            sink: None,
            file: None,
            written: 0,
            seams: Seams::default(),
            made: job.rules.verify.then(WrittenSum::default),
            pending: Vec::new(),
            is_resumable: job.journal.is_some() && compression.is_none(),
        };
        out.next_piece(job.names())?;
        out.add(before)?;
        Ok(out)
    }

    /// Goes on with what a run that was killed left. It is an error where something else is there. What is written is not summed
    /// up, as what was written is not known.
    pub fn go_on(
        migration: &Migration,
        permissions: Option<Permissions>,
        pending: Vec<Pending>,
        (ino, written): (u64, u64),
        seams: SeamsCursor,
    ) -> Result<MailboxOut, ConvertError> {
        let Migration { to: target, split, .. } = migration;
        let gone = pending.iter().find(|piece| !is_file_at(piece));
        if let Some(piece) = gone {
            return Err(ConvertError::PartialChanged { path: piece.from.clone() });
        }
        pending.iter().for_each(|piece| interrupt::begun(&piece.from, UnfinishedKind::Resumable));
        let mut out = MailboxOut {
            target: target.clone(),
            compression: None,
            split: *split,
            permissions,
            piece: pending.len() as u64 + 1,
            sink: None,
            file: None,
            written,
            seams: Seams::go_on(seams),
            made: None,
            pending,
            is_resumable: true,
        };
        let sink = out.piece_target().adopt(ino, written)?;
        out.write_into(sink)?;
        // What was begun behind it is written anew.
        partial_pieces(migration).iter().skip(out.pending.len() + 1).try_for_each(|piece| {
            fs::remove_file(piece).map_err(|source| ConvertError::Create { path: piece.clone(), source })
        })?;
        Ok(out)
    }

    /// Tells how far it is, with all of that flushed to the disk; none where a run that is killed could not go on from there.
    pub fn cursor(&self) -> Result<Option<SinkCursor>, ConvertError> {
        let Some(file) = &self.file else { return Ok(None) };
        let failing = |source| output_error(&self.target.name(), source);
        file.sync_data().map_err(failing)?;
        let ino = file.metadata().map_err(failing)?.ino();
        let (pending, written, seams) = (self.pending.clone(), self.written, self.seams.cursor());
        Ok(Some(SinkCursor::Mailbox { pending, ino, written, seams }))
    }

    /// Writes a message.
    pub fn write(&mut self, letter: &MigratingMessage, names: &TemporaryNames) -> Result<(), ConvertError> {
        let octets = &letter.made.octets;
        self.add(self.seams.before(letter))?;
        let is_full = self.split.is_some_and(|size| self.written + octets.len() as u64 > size);
        if is_full && !self.seams.is_empty() {
            self.next_piece(names)?;
        }
        self.seams.pass(letter);
        self.add(octets)
    }

    /// Writes octets into the piece.
    fn add(&mut self, octets: &[u8]) -> Result<(), ConvertError> {
        let Some(sink) = &mut self.sink else { return Ok(()) };
        sink.write_all(octets).map_err(|source| output_error(&self.target.name(), source))?;
        self.written += octets.len() as u64;
        self.made.iter_mut().for_each(|made| made.add(octets));
        self.seams.add(octets);
        Ok(())
    }

    /// Ends the piece that is written, and begins the next; without `--split` there is one.
    fn next_piece(&mut self, names: &TemporaryNames) -> Result<(), ConvertError> {
        self.end_piece()?;
        self.piece += 1;
        let target = self.piece_target();
        let sink = match self.is_resumable && target.path().is_some() {
            true => target.open_partial()?,
            false => target.open(names)?,
        };
        self.written = 0;
        self.write_into(sink)
    }

    /// Returns where the piece goes that is written.
    fn piece_target(&self) -> OutputTarget {
        match (&self.target, self.split) {
            (OutputTarget::File { to, .. }, Some(_)) => OutputTarget::file(piece_path(to, self.piece), None),
            (target, _) => target.clone(),
        }
    }

    /// Writes into a file from now on.
    fn write_into(&mut self, sink: OpenTarget) -> Result<(), ConvertError> {
        let failing = |source| output_error(&self.target.name(), source);
        // A device and standard output keep those that they have.
        if let (Some(file), Some(permissions)) = (sink.file().filter(|_| sink.path().is_some()), &self.permissions) {
            file.set_permissions(permissions.clone()).map_err(failing)?;
        }
        let file = sink.file().filter(|_| self.is_resumable && sink.path().is_some());
        self.file = file.map(File::try_clone).transpose().map_err(failing)?;
        self.sink = Some(ThreadedWriter::start(self.compression, sink).map_err(failing)?);
        Ok(())
    }

    /// Makes the piece that is written ready to take its place.
    fn end_piece(&mut self) -> Result<(), ConvertError> {
        let Some(sink) = self.sink.take() else { return Ok(()) };
        self.file = None;
        let sink = sink.finish().map_err(|source| output_error(&self.target.name(), source))?;
        self.pending.extend(sink.prepare(true)?);
        Ok(())
    }

    /// Ends the last piece and flushes it to the disk; no message may follow.
    pub fn flush(&mut self) -> Result<(), ConvertError> {
        self.end_piece()
    }

    /// Reads what was written, one piece behind the other; none of a device. It must be flushed before
    /// ([`MailboxOut::flush`]).
    pub fn read(&self) -> Result<Option<Box<dyn Read + Send>>, ConvertError> {
        let mut all: Box<dyn Read + Send> = Box::new(io::empty());
        for piece in &self.pending {
            let read = open_packed(&piece.from, self.compression);
            let failing = |source| write_error(&piece.to.display().to_string(), source);
            all = Box::new(all.chain(read.map_err(failing)?));
        }
        Ok((!self.pending.is_empty()).then_some(all))
    }

    /// Says how what is read back differs from what was written; none where it doesn't, or can't be read.
    pub fn difference(&self) -> Result<Option<String>, ConvertError> {
        let (Some(made), Some(back)) = (&self.made, self.read()?) else { return Ok(None) };
        let back = WrittenSum::of(back).map_err(|source| write_error(&self.target.name(), source))?;
        Ok(made.difference(&back))
    }

    /// Gives all pieces their places.
    pub fn place(self, job: &mut Job) -> Result<(), ConvertError> {
        let step = JournalStep { pending: self.pending, ..JournalStep::default() };
        job.write_mark(Within::Commit { steps: vec![step.clone()], undo: None }, true)?;
        job.carry_out(&[step], |_, error| Err(error))
    }
}

/// Returns the passing names under which the pieces of a mailbox stand that a run which was killed has left.
pub fn partial_pieces(migration: &Migration) -> Vec<PathBuf> {
    let is_left = migration.form.is_mailbox() && migration.compression.is_none();
    let Some(to) = migration.to.path().filter(|_| is_left) else { return Vec::new() };
    let piece = |number| if migration.split.is_some() { piece_path(to, number) } else { to.to_owned() };
    let passing = |number| OutputTarget::file(piece(number), None).partial();
    let most = if migration.split.is_some() { u64::MAX } else { 1 };
    (1..=most).map_while(passing).take_while(|passing| most == 1 || fs::symlink_metadata(passing).is_ok()).collect()
}

/// Returns `true` if a piece stands where it is to wait for its place.
fn is_file_at(piece: &Pending) -> bool {
    fs::symlink_metadata(&piece.from).is_ok_and(|there| there.is_file() && there.ino() == piece.ino)
}

/// Returns the path of a piece: `mail-001.mbox` of `mail.mbox`, and of `mail.mbox.gz` `mail-001.mbox.gz`.
pub fn piece_path(to: &Path, piece: u64) -> PathBuf {
    let name = Path::new(to.file_name().unwrap_or_default());
    let (bare, packed) = match Compression::of_name(name) {
        Some(_) => (Path::new(name.file_stem().unwrap_or_default()), name.extension()),
        None => (name, None),
    };
    let mut path = OsString::from(bare.file_stem().unwrap_or_default());
    path.push(format!("-{}", sorting(piece, 3)));
    for end in [bare.extension(), packed].into_iter().flatten() {
        path.push(".");
        path.push(end);
    }
    to.with_file_name(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_names_that_sort() {
        for (name, piece, wanted) in [
            ("a/mail.mbox", 1, "a/mail-001.mbox"),
            ("mail", 12, "mail-012"),
            ("mail.mbox.gz", 1000, "mail-a1000.mbox.gz"),
            ("x.2020.mbox", 2, "x.2020-002.mbox"),
        ] {
            assert_eq!(piece_path(Path::new(name), piece), Path::new(wanted));
        }
    }
}
