//! The undo file of an output while it is written: `OUT.undo` (see [`format`](crate::archive::undo::format)).

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::{ConvertError, Job, OutputTarget};
use crate::archive::file_error::FileError;
use crate::archive::interrupt::UnfinishedKind;
use crate::archive::replace::{Pending, Temporary, with_suffix};
use crate::archive::sums::Summation;
use crate::archive::undo::format::{FileNames, Hunk, Maker, Records, SUFFIX, write_file, write_head, write_whole};
use crate::rewrite::Profile;

/// The undo file of one output.
#[derive(Debug)]
pub struct UndoFile {
    out: BufWriter<Temporary>,
    to: PathBuf,
    records: Records,
}

/// Returns where the undo file of an output is.
pub fn undo_path(output: &Path) -> PathBuf {
    with_suffix(output, SUFFIX)
}

/// Returns where it is while it can be gone on with.
pub fn undo_partial(output: &Path) -> PathBuf {
    with_suffix(output, ".undo.partial")
}

/// Makes what the first line of an undo file says of how it was made: by which version, with which profile, and
/// whether it is one of a `folder`.
pub fn maker(profile: &Profile, folder: bool) -> Maker {
    Maker { septet: env!("CARGO_PKG_VERSION").to_owned(), profile: profile.name.clone(), folder }
}

impl UndoFile {
    /// Begins one that an interrupted run can be gone on with; an error where a file has that name already.
    pub fn begin_partial(output: &Path, profile: &Profile) -> Result<UndoFile, ConvertError> {
        UndoFile::begin(output, profile, Temporary::create(undo_partial(output), 0o600, UnfinishedKind::Resumable))
    }

    /// Begins one under a passing name; none where the output is no file with a place.
    pub fn begin_passing(target: &OutputTarget, job: &Job) -> Option<Result<UndoFile, ConvertError>> {
        let (output, folder) = (target.path()?, target.folder()?);
        Some(UndoFile::begin(output, job.profiles.usual(), job.names().create(folder, 0o600)))
    }

    /// Writes the first lines into a file that was just created, or returns the error of that.
    fn begin(output: &Path, profile: &Profile, file: io::Result<Temporary>) -> Result<UndoFile, ConvertError> {
        let to = undo_path(output);
        let begun = || {
            let mut out = BufWriter::with_capacity(64 << 10, file?);
            write_head(&maker(profile, false), &mut out)?;
            write_file(&FileNames::default(), &mut out)?;
            Ok(out)
        };
        let out = begun().map_err(FileError::creating(to.display()))?;
        Ok(UndoFile { out, to, records: Records::default() })
    }

    /// Goes on with the one of this number, behind its first `len` octets: they lead from the octets of `converted`
    /// back to those of `original`, all of which are read, for the checksums. An error where another file is there.
    pub fn go_on(
        output: &Path,
        (ino, len): (u64, u64),
        original: impl Read,
        converted: impl Read,
    ) -> Result<UndoFile, ConvertError> {
        let path = undo_partial(output);
        let going_on = || {
            let Some(file) = Temporary::adopt(&path, ino, len)? else { return Ok(None) };
            let (mut one, mut other) = (Summation::default(), Summation::default());
            one.add_all(original)?;
            other.add_all(converted)?;
            let out = BufWriter::with_capacity(64 << 10, file);
            Ok(Some(UndoFile { out, to: undo_path(output), records: Records::at(one, other) }))
        };
        let gone_on = going_on().map_err(FileError::creating(path.display()))?;
        gone_on.ok_or(ConvertError::PartialChanged { path })
    }

    /// Passes octets that stay.
    pub fn keep(&mut self, octets: &[u8]) {
        self.records.keep(octets);
    }

    /// Passes a message, which changed by these `hunks` or stays; without `new` they are not looked at. What is passed
    /// must be all octets of the input, in order.
    pub fn pass(&mut self, old: &[u8], new: Option<&[u8]>, hunks: &[Hunk]) -> io::Result<()> {
        match new {
            Some(new) => self.records.replace(old, new, hunks, &mut self.out),
            None => {
                self.keep(old);
                Ok(())
            }
        }
    }

    /// Hands all to the system, and returns the number of the file and its octets, by which [`go_on`](Self::go_on)
    /// finds it.
    pub fn mark(&mut self) -> io::Result<(u64, u64)> {
        self.out.flush()?;
        let file = self.out.get_ref();
        Ok((file.ino()?, file.file().stream_position()?))
    }

    /// Returns its file, to be flushed to the disk.
    pub fn file(&self) -> io::Result<File> {
        self.out.get_ref().file().try_clone()
    }

    /// Ends it and makes it ready to take its place, with the mode of the file `like`, if that is there.
    pub fn prepare(mut self, like: Option<&Path>) -> Result<Pending, FileError> {
        let to = self.to;
        let end = || {
            self.records.end(&mut self.out)?;
            write_whole(&mut self.out)?;
            let file = self.out.into_inner().map_err(|error| error.into_error())?;
            if let Some(like) = like.and_then(|like| fs::metadata(like).ok()) {
                file.file().set_permissions(like.permissions())?;
            }
            file.wait_for(&to, None)
        };
        end().map_err(FileError::writing(to.display()))
    }

    /// Removes it: its output does not change.
    pub fn discard(self) {
        // What was not written yet need not be.
        self.out.into_parts().0.discard();
    }
}
