//! Cuts archives into shards at message boundaries.
//!
//! A mailbox file is not read whole: near each place where it may be cut, it is read from there on until a message
//! starts. That a message starts there is told by the lines around, as it is when the file is read from its start. A
//! little before it is read as well, since no cut parts messages that a Content-Length joins. What can't be cut is one
//! piece: a message by itself, a compressed file, and a mailbox file whose messages state their length.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::done::head_sum;
use super::{PiecePart, Shard, ShardPiece};
use crate::archive::convert::walk::{Skipped, Walk};
use crate::archive::convert::{Batches, Format, ReadAs, maildir_files};
use crate::archive::file_error::FileError;
use crate::process::exit::Failure;
use crate::process::shown_json::write_shown_json;
use crate::protocol::mbox::Dialect;

/// How many octets before a cut are read to see whether a length covers it. A length that begins farther before is not
/// seen.
const BEFORE: u64 = 64 << 20;

/// Writes the shards of what was found, a line each. `inputs_from` is [`Shard::inputs_from`], and `target` the octets
/// that a shard should have.
pub fn write_plan(found: &Walk, inputs_from: PathBuf, target: u64, out: impl Write) -> Result<(), Failure> {
    let mut shards = Shards {
        target,
        full: Vec::new(),
        open: None,
        input: (0, PathBuf::new()),
        inputs_from,
        skipped: found.skipped.clone(),
    };
    for (number, input) in found.inputs.iter().enumerate() {
        let Some(path) = input.path.as_deref() else { continue };
        shards.input = (number, input.output_name.clone().unwrap_or_default());
        // Only who reads it from its start knows which From_ lines start a message.
        let is_whole = input.compression.is_some() || input.mailbox.dialect.counts();
        match input.format {
            Format::Maildir => cut_maildir(&mut shards, path)?,
            Format::Mbox if !is_whole => cut_mailbox(&mut shards, path, input.mailbox.dialect)?,
            format => add_whole(&mut shards, path, format == Format::Eml)?,
        }
    }
    shards.close();
    write_shards(shards.full, out).map_err(Failure::of_output)
}

/// Writes shards, each with the number of all; what can't be seen in a name is escaped.
fn write_shards(shards: Vec<Shard>, out: impl Write) -> io::Result<()> {
    let (of, mut out) = (shards.len(), BufWriter::new(out));
    shards.into_iter().try_for_each(|shard| write_shown_json(&mut out, &Shard { of, ..shard }))?;
    out.flush()
}

/// The shards so far.
struct Shards {
    target: u64,
    full: Vec<Shard>,
    open: Option<Shard>,
    /// Which of the inputs is cut, and the name of its output below that of all; empty for its own.
    input: (usize, PathBuf),
    inputs_from: PathBuf,
    /// What the first one is to tell.
    skipped: Vec<Skipped>,
}

impl Shards {
    /// Adds a piece of an input to the shard that is open, or to a new one where it would be larger than was asked for.
    fn add(&mut self, path: &Path, part: PiecePart, bytes: u64) {
        if self.open.as_ref().is_some_and(|open| open.bytes.saturating_add(bytes) > self.target) {
            self.close();
        }
        let open = self.open.get_or_insert_with(|| Shard {
            shard: self.full.len(),
            of: 0,
            bytes: 0,
            inputs_from: self.inputs_from.clone(),
            skipped: std::mem::take(&mut self.skipped),
            pieces: Vec::new(),
        });
        open.bytes += bytes;
        let ((number, output), path) = (self.input.clone(), path.to_owned());
        open.pieces.push(ShardPiece { input: path.clone(), path, output, number, part });
    }

    /// Ends the shard that is open, if one is.
    fn close(&mut self) {
        self.full.extend(self.open.take());
    }
}

/// Adds a file that can't be cut; `message` says whether it is one message.
fn add_whole(shards: &mut Shards, path: &Path, message: bool) -> Result<(), Failure> {
    let size = fs::metadata(path).map_err(FileError::opening(path.display()))?.len();
    let part = PiecePart::Whole { message, size, head: head_sum(path, 0, size)? };
    shards.add(path, part, size);
    Ok(())
}

/// Cuts a mailbox file at the starts of messages, where the shards are about full; an empty one is one piece.
fn cut_mailbox(shards: &mut Shards, path: &Path, dialect: Dialect) -> Result<(), Failure> {
    let file = File::open(path).map_err(FileError::opening(path.display()))?;
    let size = file.metadata().map_err(FileError::reading(path.display()))?.len();
    let mut start = 0;
    while start < size || start == 0 {
        // The first piece fills the shard that is open.
        let filled = shards.open.as_ref().map_or(0, |open| open.bytes);
        let room = if filled < shards.target { shards.target - filled } else { shards.target };
        let wanted = start.saturating_add(room);
        let end = if wanted >= size {
            size
        } else {
            next_start(&file, start, wanted, dialect).map_err(FileError::reading(path.display()))?.unwrap_or(size)
        };
        let part = PiecePart::Mbox { start, end, size, head: head_sum(path, start, end)? };
        shards.add(path, part, end - start);
        if end == size {
            break;
        }
        shards.close();
        start = end;
    }
    Ok(())
}

/// Finds the first message that starts at an offset or behind it, and that no length joins with those before it; none
/// where no other starts. A message starts at `known`, too, before it.
fn next_start(mut file: &File, known: u64, at: u64, dialect: Dialect) -> io::Result<Option<u64>> {
    let base = known.max(at.saturating_sub(BEFORE));
    file.seek(SeekFrom::Start(base))?;
    let mailbox = ReadAs { dialect, chosen: false };
    let (mut batches, mut spare) = (Batches::starting(file, BEFORE as usize, mailbox, base), Vec::new());
    while let Some(batch) = batches.next(spare)? {
        let found = batch.cuts().find(|&start| start >= at);
        if found.is_some() {
            return Ok(found);
        }
        spare = batch.into_buffer();
    }
    Ok(None)
}

/// Cuts a Maildir into runs of messages; an empty one is one piece.
fn cut_maildir(shards: &mut Shards, path: &Path) -> Result<(), Failure> {
    let files = maildir_files(path)?;
    if files.is_empty() {
        let part = PiecePart::Maildir { count: 0, first: PathBuf::new(), last: PathBuf::new() };
        shards.add(path, part, 0);
    }
    for (file, size) in files {
        let (target, number) = (shards.target, shards.input.0);
        let open = shards.open.as_mut().filter(|open| open.bytes.saturating_add(size) <= target);
        match open.map(|open| (&mut open.bytes, open.pieces.last_mut())) {
            Some((bytes, Some(ShardPiece { number: of, part: PiecePart::Maildir { count, last, .. }, .. })))
                if *of == number =>
            {
                (*bytes, *count, *last) = (*bytes + size, *count + 1, file);
            }
            _ => shards.add(path, PiecePart::Maildir { count: 1, first: file.clone(), last: file }, size),
        }
    }
    Ok(())
}
