//! Reads an undo file (see [`format`](super::format)), and believes nothing of it: every number is held against the
//! octets.

use std::fs::{File, TryLockError};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::UndoError;
use super::format::{FileNames, MAGIC, Maker, Sides};
use crate::archive::convert::ConvertError;
use crate::archive::file_error::FileError;
use crate::archive::read_through::read_through;
use crate::archive::replace::open_regular;

/// How many octets a line of it may have.
const LONGEST: u64 = 64 << 10;

/// One record of an undo file.
#[derive(Debug)]
pub enum Record {
    /// The records of a file begin.
    File(FileNames),
    /// Octets that became others; those that they were follow.
    Hunk(HunkAt),
    /// The records of a file end.
    End(Sides),
    /// The undo file ends.
    Whole,
}

/// Where octets became others.
#[derive(Debug, Clone, Copy)]
pub struct HunkAt {
    /// Where they stood.
    pub original: u64,
    /// Where those stand that they became.
    pub converted: u64,
    /// How many they were.
    pub old: u64,
    /// How many they became.
    pub new: u64,
}

/// Reads an undo file.
#[derive(Debug)]
pub struct UndoReader {
    path: PathBuf,
    from: BufReader<File>,
    line: u64,
    maker: Maker,
}

impl UndoReader {
    /// Opens it, and reads who made it; it stands before the first record then.
    pub fn open(path: &Path) -> Result<UndoReader, UndoError> {
        let file = open_regular(path).map_err(FileError::opening(path.display()))?;
        let from = BufReader::with_capacity(256 << 10, file);
        let maker = Maker { septet: String::new(), profile: String::new(), folder: false };
        let mut reader = UndoReader { path: path.to_owned(), from, line: 0, maker };
        if reader.line()? != MAGIC {
            return Err(reader.damaged("it is not an undo file of this version"));
        }
        let maker = reader.line()?;
        reader.maker = serde_json::from_str(&maker).map_err(|_| reader.damaged("it does not say what made it"))?;
        Ok(reader)
    }

    /// Locks it as long as it is open; an error where another undo has it locked.
    pub fn lock(&self) -> Result<(), UndoError> {
        // A file system without locks has nobody who takes one.
        match self.from.get_ref().try_lock() {
            Err(TryLockError::WouldBlock) => Err(ConvertError::Busy { path: self.path.clone() }.into()),
            _ => Ok(()),
        }
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns who made it.
    pub fn maker(&self) -> &Maker {
        &self.maker
    }

    /// Passes over the records of a file, and returns what both its sides are. The reader must stand behind the line
    /// `file` or behind a hunk's octets, and stands behind `end` then.
    pub fn sides(&mut self) -> Result<Sides, UndoError> {
        loop {
            match self.next()? {
                Record::Hunk(hunk) => self.skip(hunk.old)?,
                Record::End(sides) => return Ok(sides),
                _ => return Err(self.damaged("a file without an end")),
            }
        }
    }

    /// Returns `true` if nothing follows. Where that is so before a record, a conversion was interrupted: it writes the
    /// records of a message in one piece.
    pub fn is_at_end(&mut self) -> Result<bool, FileError> {
        let is_empty = self.from.fill_buf().map(<[u8]>::is_empty);
        is_empty.map_err(|source| self.unread(source))
    }

    /// Makes the error of what can't be read of it.
    fn unread(&self, source: io::Error) -> FileError {
        FileError::reading(self.path.display())(source)
    }

    /// Makes the error that it is damaged at the line that was read last.
    pub fn damaged(&self, what: &'static str) -> UndoError {
        UndoError::Damaged { path: self.path.clone(), line: self.line, what }
    }

    /// Reads the next record; a hunk's octets must be handed on or skipped before the next one.
    pub fn next(&mut self) -> Result<Record, UndoError> {
        let line = self.line()?;
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let bad = |_| self.damaged("a record that can't be read");
        Ok(match word {
            "file" => Record::File(serde_json::from_str(rest).map_err(bad)?),
            "end" => Record::End(serde_json::from_str(rest).map_err(bad)?),
            "whole" if rest.is_empty() => Record::Whole,
            _ => Record::Hunk(hunk(&line).ok_or_else(|| self.damaged("a record that can't be read"))?),
        })
    }

    /// Hands the octets of a hunk, which was read just before, to `each`, and reads the line end behind them; `Cut`
    /// where the file ends before.
    pub fn hand_on(
        &mut self,
        count: u64,
        mut each: impl FnMut(&[u8]) -> Result<(), UndoError>,
    ) -> Result<(), UndoError> {
        let UndoReader { from, path, .. } = self;
        let unread = |error| FileError::reading(path.display())(error).into();
        let mut read = 0;
        read_through(from.by_ref().take(count), unread, |some| {
            read += some.len() as u64;
            each(some)
        })?;
        let mut end = [0];
        match self.from.read_exact(&mut end) {
            Ok(()) if read == count && end == *b"\n" => Ok(()),
            Err(error) if error.kind() != ErrorKind::UnexpectedEof => Err(self.unread(error).into()),
            Err(_) => Err(UndoError::Cut { path: self.path.clone() }),
            Ok(()) => Err(self.damaged("octets are missing")),
        }
    }

    /// Passes over the octets of a hunk, as [`hand_on`](UndoReader::hand_on) does.
    pub fn skip(&mut self, octets: u64) -> Result<(), UndoError> {
        self.hand_on(octets, |_| Ok(()))
    }

    /// Reads a line, without its end; `Cut` where it has none within [`LONGEST`] octets.
    fn line(&mut self) -> Result<String, UndoError> {
        let mut line = Vec::new();
        let read = (&mut self.from).take(LONGEST).read_until(b'\n', &mut line);
        read.map_err(|source| self.unread(source))?;
        self.line += 1;
        if line.pop() != Some(b'\n') {
            return Err(UndoError::Cut { path: self.path.clone() });
        }
        String::from_utf8(line).map_err(|_| self.damaged("a record that can't be read"))
    }
}

/// Reads `@120 124 16 30`; none where it is anything else.
fn hunk(line: &str) -> Option<HunkAt> {
    let mut numbers = line.strip_prefix('@')?.split(' ').map(|number| number.parse().ok());
    let mut next = || numbers.next().flatten();
    let (original, converted, old, new) = (next()?, next()?, next()?, next()?);
    numbers.next().is_none().then_some(HunkAt { original, converted, old, new })
}
