//! A mailbox file while it is written, whole or in pieces: its octets, its undo file, and how far both are.
//!
//! A piece (`--split`) is a whole mailbox file: it ends where a message does, before the one that would make it larger
//! than was asked for. All pieces take their places together at the end; one behind the other they are the file that
//! would be written otherwise.

use std::fs::{self, File, Permissions};
use std::io::{self, IoSlice, Read, Write};
use std::os::unix::fs::MetadataExt;

use super::pieces::{partials, piece_path};
use super::plan::PlannedBatch;
use crate::archive::convert::checkpoint::Unflushed;
use crate::archive::convert::undo_file::UndoFile;
use crate::archive::convert::{ConvertError, Job, NewMailbox, OpenTarget, OutputTarget, Packer, Seams, SinkCursor};
use crate::archive::file_error::FileError;
use crate::archive::interrupt::{self, UnfinishedKind};
use crate::archive::replace::{Pending, TemporaryNames, folder_of};
use crate::archive::sums::{RunningSum, Summed};

/// A mailbox file while it is written.
pub struct WrittenMailbox<'t> {
    new: &'t NewMailbox,
    like: Model,
    /// Whether passing names are such that another run can go on with it.
    is_resumable: bool,
    /// The piece that is written; none before the first and behind the last.
    piece: Option<OpenPiece>,
    seams: Seams,
    undo: Option<UndoFile>,
    changed: bool,
    /// The pieces that are done, and wait for their places.
    pending: Vec<Pending>,
}

/// What a mailbox file that is written takes from what it is made of.
pub struct Model {
    /// The name by which errors call it.
    pub name: String,
    /// Who may read it, where no other file says that.
    pub permissions: Option<Permissions>,
    /// The input, to be read once more for the undo file, where an interrupted run is gone on with.
    pub original: Option<File>,
    /// What adds up the octets that are written.
    pub sum: RunningSum,
}

/// A piece while it is written.
struct OpenPiece {
    sink: Packer<Summed<OpenTarget>>,
    /// Its file, where it has a place.
    file: Option<File>,
    /// Its octets.
    written: u64,
}

/// What was written, with the last piece still open.
pub struct EndedMailbox {
    /// The last piece.
    pub sink: OpenTarget,
    /// The pieces before it, which wait for their places.
    pub pending: Vec<Pending>,
    /// Its undo file.
    pub undo: Option<UndoFile>,
    /// Whether any message changed.
    pub changed: bool,
}

impl<'t> WrittenMailbox<'t> {
    /// Begins it, with what stands before the first message (`before`); one that can be gone on with where the run has
    /// a journal and nothing is compressed.
    pub fn begin(job: &Job, new: &'t NewMailbox, like: Model, before: &[u8]) -> Result<Self, ConvertError> {
        if let (OutputTarget::File { to, .. }, false) = (&new.to, new.stays) {
            fs::create_dir_all(folder_of(to)).map_err(FileError::creating(to.display()))?;
            TemporaryNames::remove_dead(super::PASSING, folder_of(to));
        }
        let is_resumable = job.journal.is_some() && new.compression.is_none();
        let (piece, seams, changed, pending) = (None, Seams::behind(before), false, Vec::new());
        let mut out = WrittenMailbox { new, like, is_resumable, piece, seams, undo: None, changed, pending };
        out.next_piece(job.names())?;
        let with_undo = new.to.path().filter(|_| job.rules.keep_original);
        out.undo = with_undo.map(|output| UndoFile::begin_partial(output, job.profiles.usual())).transpose()?;
        out.add(vec![IoSlice::new(before)])?;
        Ok(out)
    }

    /// Goes on with what an interrupted run left, `read` octets of the input being done; an error where something else
    /// is there. What was written before is read again for the checksums.
    pub fn go_on(new: &'t NewMailbox, like: Model, at: SinkCursor, read: u64) -> Result<Self, ConvertError> {
        let SinkCursor::Mailbox { pending, ino, written, seams, changed, undo: undo_at } = at else {
            return Err(ConvertError::PartialChanged { path: new.to.partial().unwrap_or_default() });
        };
        if let Some(piece) = pending.iter().find(|piece| !piece.is_at(&piece.from)) {
            return Err(ConvertError::PartialChanged { path: piece.from.clone() });
        }
        pending.iter().for_each(|piece| interrupt::begun(&piece.from, UnfinishedKind::Resumable));
        let (piece, undo) = (None, None);
        let mut out = WrittenMailbox { new, like, is_resumable: true, piece, seams, undo, changed, pending };
        let sink = out.piece_target().adopt(ino, written)?;
        out.undo = undo_at.map(|at| out.undo_of(&sink, at, read)).transpose()?.flatten();
        sum_up(&sink, written, &out.like.sum)?;
        out.write_into(sink, written)?;
        // What was begun behind it is written anew.
        partials(new)
            .iter()
            .skip(out.pending.len() + 1)
            .try_for_each(|piece| fs::remove_file(piece).map_err(FileError::creating(piece.display())))?;
        Ok(out)
    }

    /// Goes on with the undo file of the output, which has the number and the octets of `at`, and for which `read`
    /// octets of the input became what is written; none of an output without a place. All of the partial file is read
    /// for it: what a killed run wrote beyond its journal was cut off before (`OutputTarget::adopt`), and one that is
    /// split has no undo file.
    fn undo_of(&mut self, sink: &OpenTarget, at: (u64, u64), read: u64) -> Result<Option<UndoFile>, ConvertError> {
        let (Some(output), Some(partial)) = (self.new.to.path(), sink.path()) else { return Ok(None) };
        let nothing = || ConvertError::InputChanged { name: self.like.name.clone() };
        let original = self.like.original.take().ok_or_else(nothing)?.take(read);
        let converted = File::open(partial).map_err(FileError::reading(&self.like.name))?;
        UndoFile::go_on(output, at, original, converted).map(Some)
    }

    /// Writes a batch with what keeps its messages apart, into as many pieces as it needs: what changed anew, and all
    /// else as it is. What goes to one piece is handed to the system together.
    pub fn take(&mut self, planned: &PlannedBatch, names: &TemporaryNames) -> Result<(), ConvertError> {
        let mut slices = Vec::new();
        for piece in planned.pieces() {
            self.changed |= piece.new.is_some();
            let undone = self.undo.as_mut().map(|undo| undo.pass(piece.old, piece.new, piece.hunks));
            undone.transpose().map_err(|source| self.failed(source))?;
            if piece.octets().is_empty() {
                continue;
            }
            let is_first = self.seams.is_empty();
            slices.push(IoSlice::new(self.seams.pass(&piece)));
            if !is_first && self.is_full(&slices, piece.octets()) {
                self.add(std::mem::take(&mut slices))?;
                self.next_piece(names)?;
            }
            slices.push(IoSlice::new(piece.octets()));
        }
        self.add(slices)
    }

    /// Returns `true` if the piece would be larger than `--split` asks with these `octets` behind the `slices`, which
    /// are not written yet; never without `--split`.
    fn is_full(&self, slices: &[IoSlice], octets: &[u8]) -> bool {
        let Some(size) = self.new.split else { return false };
        let written = self.piece.as_ref().map_or(0, |piece| piece.written) + length(slices);
        written + octets.len() as u64 > size
    }

    /// Writes octets into the piece that is open, and counts them.
    fn add(&mut self, mut slices: Vec<IoSlice>) -> Result<(), ConvertError> {
        slices.retain(|slice| !slice.is_empty());
        let Some(piece) = &mut self.piece else { return Ok(()) };
        piece.written += length(&slices);
        write_all(&mut piece.sink, &mut slices).map_err(|source| self.failed(source))
    }

    /// Tells how far it is, and what must be flushed for that to be true; none where another run could not go on from
    /// there.
    pub fn cursor(&mut self) -> Result<Option<(SinkCursor, Unflushed)>, ConvertError> {
        let undo = self.undo.as_mut().map(UndoFile::mark).transpose().map_err(|source| self.failed(source))?;
        let (Some(piece), None) = (&self.piece, self.new.compression) else { return Ok(None) };
        // 0 of one that has no place.
        let ino = piece.file.as_ref().and_then(|file| file.metadata().ok()).map_or(0, |file| file.ino());
        let files = self.files()?;
        let (pending, seams, changed, written) =
            (self.pending.clone(), self.seams.clone(), self.changed, piece.written);
        Ok(Some((SinkCursor::Mailbox { pending, ino, written, seams, changed, undo }, Unflushed::Files(files))))
    }

    /// Returns the files that are written.
    fn files(&self) -> Result<Vec<File>, ConvertError> {
        let file = self.piece.as_ref().and_then(|piece| piece.file.as_ref()).map(File::try_clone);
        let files = file.into_iter().chain(self.undo.as_ref().map(UndoFile::file));
        files.collect::<io::Result<_>>().map_err(|source| self.failed(source))
    }

    /// Ends the piece that is written, and begins the next; without `--split` there is one. An error where the place of
    /// a piece is taken, before any piece has its own: how many there will be nobody knows until they are written.
    fn next_piece(&mut self, names: &TemporaryNames) -> Result<(), ConvertError> {
        if let Some(sink) = self.end_piece()? {
            self.pending.extend(sink.prepare(true)?);
        }
        let target = self.piece_target();
        let place = target.path().filter(|_| self.new.split.is_some());
        if let Some(path) = place.filter(|place| fs::symlink_metadata(place).is_ok()) {
            return Err(ConvertError::OutputThere { path: path.to_owned() });
        }
        let is_partial = self.is_resumable && target.path().is_some();
        let sink = if is_partial { target.open_partial()? } else { target.open(names)? };
        self.write_into(sink, 0)
    }

    /// Returns where the piece goes that is written.
    fn piece_target(&self) -> OutputTarget {
        match (&self.new.to, self.new.split) {
            (OutputTarget::File { to, .. }, Some(_)) => {
                OutputTarget::file(piece_path(to, self.pending.len() as u64 + 1), None)
            }
            (target, _) => target.clone(),
        }
    }

    /// Writes into a file from now on, which has so many octets.
    fn write_into(&mut self, sink: OpenTarget, written: u64) -> Result<(), ConvertError> {
        let file = sink.file().filter(|_| sink.path().is_some()).map(File::try_clone).transpose();
        let file = file.map_err(|source| self.failed(source))?;
        // A device and standard output keep those that they have.
        if let (Some(file), Some(permissions)) = (&file, &self.like.permissions) {
            file.set_permissions(permissions.clone()).map_err(|source| self.failed(source))?;
        }
        let sink = Packer::new(self.new.compression, Summed::new(sink, self.like.sum.clone()));
        self.piece = Some(OpenPiece { sink: sink.map_err(|source| self.failed(source))?, file, written });
        Ok(())
    }

    /// Writes the end of the piece that is written, and returns its target, which has no place yet; none where no piece
    /// is open.
    fn end_piece(&mut self) -> Result<Option<OpenTarget>, ConvertError> {
        let Some(piece) = self.piece.take() else { return Ok(None) };
        let sink = piece.sink.finish().map_err(|source| self.failed(source))?;
        Ok(Some(sink.into_inner()))
    }

    /// Ends the writing.
    pub fn end(mut self) -> Result<EndedMailbox, ConvertError> {
        let sink = self.end_piece()?.unwrap_or(OpenTarget::Nowhere(io::sink()));
        Ok(EndedMailbox { sink, pending: self.pending, undo: self.undo, changed: self.changed })
    }

    /// Makes the error of what could not be written.
    fn failed(&self, source: io::Error) -> ConvertError {
        output_error(&self.like.name)(source).into()
    }
}

/// Adds to a sum, if anybody wants it, the first octets of a file that is being written: what was `written` before.
fn sum_up(sink: &OpenTarget, written: u64, sum: &RunningSum) -> Result<(), FileError> {
    let (true, Some(partial)) = (sum.is_wanted(), sink.path()) else { return Ok(()) };
    let before = File::open(partial).map(|before| Summed::new(before.take(written), sum.clone()));
    let added = before.and_then(|mut before| io::copy(&mut before, &mut io::sink()));
    added.map(drop).map_err(FileError::reading(partial.display()))
}

/// Returns the octets of slices.
fn length(slices: &[IoSlice]) -> u64 {
    slices.iter().map(|slice| slice.len() as u64).sum()
}

/// Writes octets that stand in many places, however many of them the system takes at once.
fn write_all(to: &mut impl Write, mut slices: &mut [IoSlice]) -> io::Result<()> {
    while !slices.is_empty() {
        match to.write_vectored(slices) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => IoSlice::advance_slices(&mut slices, written),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Makes the error of an output that can't be written.
pub fn output_error(name: &str) -> impl Fn(io::Error) -> FileError {
    FileError::writing(format!("the output of {name}"))
}
