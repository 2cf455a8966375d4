//! The output of a mailbox file while it is written: its octets, its undo file, and how far both are.

use std::fs::{self, File};
use std::io::{self, IoSlice, Read, Write};

use super::error::ConvertError;
use super::input::Input;
use super::job::Job;
use super::journal::MailboxMark;
use super::target::{OpenTarget, write_error};
use super::task::Task;
use super::threaded::ThreadedWriter;
use super::undo_file::UndoFile;
use crate::archive::replace::Identity;
use crate::archive::sums::{RunningSum, Summed};
use crate::archive::undo::format::Hunk;

/// The output of a mailbox file while it is written.
pub struct WrittenMailbox {
    sink: ThreadedWriter<Summed<OpenTarget>>,
    file: Option<File>,
    /// Whether it can be gone on with.
    resumable: bool,
    count: u64,
    undo: Option<UndoFile>,
}

/// What is written.
#[derive(Debug)]
pub enum OutputPiece<'o> {
    /// Octets that stay.
    Kept(&'o [u8]),
    /// A message that changed.
    New {
        /// As it was.
        old: &'o [u8],
        /// As it is written.
        new: &'o [u8],
        /// The way back.
        hunks: &'o [Hunk],
    },
}

impl<'o> OutputPiece<'o> {
    /// Returns what is written.
    fn octets(&self) -> &'o [u8] {
        match self {
            OutputPiece::Kept(octets) | OutputPiece::New { new: octets, .. } => octets,
        }
    }
}

/// Takes the identity of an input that has a place.
pub fn identity(input: &Input) -> Option<Identity> {
    fs::metadata(input.path.as_deref()?).ok().map(|file| Identity::of(&file))
}

impl WrittenMailbox {
    /// Makes it of an output that is open and has `count` octets, which `sum` has counted already.
    fn new(
        task: &Task,
        sink: OpenTarget,
        sum: RunningSum,
        count: u64,
        undo: Option<UndoFile>,
    ) -> Result<WrittenMailbox, ConvertError> {
        let failing = |source| output_error(&task.input.name, source);
        let file = sink.file().filter(|_| sink.path().is_some()).map(File::try_clone).transpose().map_err(failing)?;
        let resumable = task.compression.is_none();
        let sink = ThreadedWriter::start(task.compression, Summed::new(sink, sum)).map_err(failing)?;
        Ok(WrittenMailbox { sink, file, resumable, count, undo })
    }

    /// Begins an output; one that can be gone on with where the run has a journal and nothing is compressed.
    pub fn begin(job: &Job, task: &Task, sum: RunningSum) -> Result<WrittenMailbox, ConvertError> {
        let target = &task.target;
        let partial = job.journal.is_some() && task.partial().is_some();
        let sink = if partial { target.open_partial()? } else { target.open(job.names())? };
        let undo = match target.path().filter(|_| job.rules.keep_original) {
            Some(output) => Some(UndoFile::begin_partial(output, job.profiles.usual())?),
            None => None,
        };
        WrittenMailbox::new(task, sink, sum, 0, undo)
    }

    /// Goes on with the output of an interrupted run; an error where the input, or what that run left, is not what it
    /// was. What was written before is read again for the checksums.
    pub fn go_on(task: &Task, mark: &MailboxMark, sum: RunningSum) -> Result<WrittenMailbox, ConvertError> {
        let (input, target) = (&task.input, &task.target);
        if mark.input != identity(input) {
            return Err(ConvertError::InputChanged { name: input.name.clone() });
        }
        let sink = target.adopt(mark.ino, mark.written)?;
        let undo = match (mark.undo, target.path(), sink.path()) {
            (Some(at), Some(output), Some(partial)) => {
                let failing = |source| ConvertError::Read { name: input.name.clone(), source };
                let original = input.open_file()?.map(|file| file.take(mark.read));
                let converted = File::open(partial).map_err(failing)?;
                let nothing = || ConvertError::InputChanged { name: input.name.clone() };
                Some(UndoFile::go_on(output, at, original.ok_or_else(nothing)?, converted)?)
            }
            _ => None,
        };
        if let (true, Some(partial)) = (sum.is_wanted(), sink.path()) {
            let failing = |source| ConvertError::Read { name: partial.display().to_string(), source };
            let written = File::open(partial).map_err(failing)?.take(mark.written);
            io::copy(&mut Summed::new(written, sum.clone()), &mut io::sink()).map_err(failing)?;
        }
        WrittenMailbox::new(task, sink, sum, mark.written, undo)
    }

    /// Writes pieces, one behind the other and handed to the system together, and tells the undo file of them.
    pub fn write(&mut self, pieces: &[OutputPiece]) -> io::Result<()> {
        for piece in pieces {
            match (piece, &mut self.undo) {
                (OutputPiece::Kept(octets), Some(undo)) => undo.keep(octets),
                (OutputPiece::New { old, new, hunks }, Some(undo)) => undo.replace(old, new, hunks)?,
                (_, None) => {}
            }
        }
        let octets = pieces.iter().map(OutputPiece::octets).filter(|octets| !octets.is_empty());
        let mut slices: Vec<IoSlice> = octets.map(IoSlice::new).collect();
        self.count += slices.iter().map(|slice| slice.len() as u64).sum::<u64>();
        write_all(&mut self.sink, &mut slices)
    }

    /// Notes in the mark how far output and undo file are, once what the latter has in its buffer is handed to the
    /// system.
    pub fn mark(&mut self, mark: &mut MailboxMark) -> io::Result<()> {
        mark.written = self.count;
        mark.undo = self.undo.as_mut().map(UndoFile::mark).transpose()?;
        Ok(())
    }

    /// Returns the files that a mark counts on.
    pub fn files(&self) -> io::Result<Vec<File>> {
        let mut files = Vec::new();
        if let Some(file) = &self.file {
            files.push(file.try_clone()?);
        }
        if let Some(undo) = &self.undo {
            files.push(undo.file()?);
        }
        Ok(files)
    }

    /// Returns the number of the file that is written.
    pub fn ino(&self) -> u64 {
        use std::os::unix::fs::MetadataExt;
        self.file.as_ref().and_then(|file| file.metadata().ok()).map_or(0, |file| file.ino())
    }

    /// Returns `true` if an interrupted run can go on with it; what is compressed is begun anew.
    pub fn is_resumable(&self) -> bool {
        self.resumable
    }

    /// Ends the writing of what is made of an input.
    pub fn end(self, input: &str) -> Result<(OpenTarget, Option<UndoFile>), ConvertError> {
        let sink = self.sink.finish().map_err(|source| output_error(input, source))?;
        Ok((sink.into_inner(), self.undo))
    }
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
pub fn output_error(name: &str, source: io::Error) -> ConvertError {
    write_error(&format!("the output of {name}"), source)
}
