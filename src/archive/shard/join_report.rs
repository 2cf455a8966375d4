//! The reports of shards, joined: those that one `convert` would have written.
//!
//! Messages are counted through each input again. A page has what the lines of the shards hold for it; the checksum of
//! an input that was cut is made anew where the input is at hand, for those of its pieces don't add up to it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use super::done::{DonePiece, ShardDone, ShardPaths};
use super::{PiecePart, Shard, ShardError, ShardPiece};
use crate::archive::file_error::FileError;
use crate::archive::replace::{Pending, Temporary, TemporaryNames};
use crate::archive::report::line::ReportLine;
use crate::archive::report::provenance::{FileRecord, FileRecords};
use crate::archive::report::{Around, Provenance, ReportFormat, Reports, Tally};
use crate::archive::sums::{Checksum, Summation};
use crate::process::exit::Failure;

/// A shard that is done.
pub struct Ready {
    /// The shard.
    pub shard: Shard,
    /// What it wrote.
    pub done: ShardDone,
}

/// An input, and what its pieces were joined to.
#[derive(Debug)]
pub struct JoinedFile {
    /// The input.
    pub input: PathBuf,
    /// Where the input is.
    pub path: PathBuf,
    /// Where its output goes.
    pub to: PathBuf,
    /// The output's octets; none of a Maildir, and where no page shows them.
    pub after: Option<Checksum>,
}

/// What was joined.
pub struct Joined<'a> {
    /// The folder of the shards.
    pub out_dir: &'a Path,
    /// The shards.
    pub ready: &'a [Ready],
    /// The inputs, by their numbers.
    pub files: BTreeMap<usize, JoinedFile>,
    /// The counts.
    pub tally: &'a Tally,
    /// Where the report comes from.
    pub provenance: Provenance,
}

/// Joins the reports of all shards, in the order of the plan, and makes them ready to take their places.
pub fn join(
    mut joined: Joined,
    files: Vec<(PathBuf, ReportFormat)>,
    names: &TemporaryNames,
) -> Result<Vec<Pending>, Failure> {
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let mut reports = Reports::begin_passing(files, names)?;
    let mut before = BTreeMap::new();
    let mut alone = Alone::default();
    for it in joined.ready {
        let mut lines = ShardLines::open(&joined, it)?;
        for (at, (piece, done)) in it.shard.pieces.iter().zip(&it.done.pieces).enumerate() {
            let first = before.entry(piece.number).or_default();
            let to = &joined.files[&piece.number].to;
            let from = lines.paths.piece(at, &it.shard);
            lines.join(piece, done, *first, |line| {
                match reports.previews {
                    true => alone.place(line, piece.number, (&from, to)),
                    false => line.preview = None,
                }
                reports.add_line(line)
            })?;
            *first += done.messages;
        }
        lines.end(|line| reports.add(line))?;
    }
    if reports.has_page() {
        joined.provenance.files = joined.records(&alone)?;
        joined.provenance.took = joined.provenance.begun.elapsed().unwrap_or_default();
    }
    let around = Around { tally: joined.tally, provenance: &joined.provenance };
    let (pending, spool) = reports.finish(around, names)?;
    spool.into_iter().for_each(Temporary::discard);
    Ok(pending)
}

impl Joined<'_> {
    /// Makes the records of the mailbox files; messages by themselves and Maildirs are recorded by the page, from their
    /// lines.
    fn records(&self, alone: &Alone) -> Result<FileRecords, ShardError> {
        let mut records = FileRecords::default();
        for (number, JoinedFile { input, path, to, after }) in &self.files {
            let Some(after) = after.clone().filter(|_| !alone.pieces.contains_key(number)) else { continue };
            let name = input.display().to_string();
            let record =
                FileRecord { input: name, files: None, before: total(path)?, output: to.display().to_string(), after };
            records.add(*number, record);
        }
        Ok(records)
    }
}

/// Sums an input up, if it is at hand; else it has no sum, and the octets that its folder says, or 0.
fn total(input: &Path) -> Result<Checksum, FileError> {
    match File::open(input) {
        Ok(file) => Checksum::of(file).map_err(FileError::reading(input.display())),
        Err(_) => Ok(Checksum { bytes: fs::metadata(input).map_or(0, |file| file.len()), ..Checksum::default() }),
    }
}

/// The inputs that are messages by themselves: those in a row are one piece of work, as `convert` has them.
#[derive(Debug, Default)]
struct Alone {
    /// The piece of work of each, by the number of the input: the number of the first input in the row.
    pieces: BTreeMap<usize, usize>,
}

impl Alone {
    /// Says in a line of the input `number` which piece of work it belongs to, and where its file goes: `from`, which
    /// the shard wrote for the piece, becomes `to`. A file that is `from` itself is a message by itself; one below it
    /// is a message of a Maildir, which is a piece of work of its own.
    fn place(&mut self, line: &mut ReportLine, number: usize, (from, to): (&Path, &Path)) {
        let Some(preview) = line.preview.as_mut().map(Cow::to_mut) else { return };
        preview.piece = number;
        let Some(file) = &mut preview.file else { return };
        let below = Path::new(&file.output).strip_prefix(from).ok().filter(|below| !below.as_os_str().is_empty());
        if below.is_none() {
            let before = number.checked_sub(1).and_then(|before| self.pieces.get(&before));
            preview.piece = before.copied().unwrap_or(number);
            self.pieces.insert(number, preview.piece);
        }
        file.output = below.map_or(to.to_owned(), |below| to.join(below)).display().to_string();
    }
}

/// The lines of one shard's report.
struct ShardLines<'a> {
    ready: &'a Ready,
    paths: ShardPaths<'a>,
    from: BufReader<File>,
    sum: Summation,
}

impl<'a> ShardLines<'a> {
    /// Opens the report of a shard.
    fn open(joined: &Joined<'a>, ready: &'a Ready) -> Result<ShardLines<'a>, ShardError> {
        let paths = ShardPaths::new(joined.out_dir, ready.shard.shard);
        let path = paths.report();
        let file = File::open(&path).map_err(FileError::opening(path.display()))?;
        Ok(ShardLines { ready, paths, from: BufReader::with_capacity(1 << 16, file), sum: Summation::default() })
    }

    /// Shows the lines of a piece to `add`, and those of files that were skipped before, with the messages counted
    /// behind the `first` ones, those of the pieces before it.
    fn join(
        &mut self,
        piece: &ShardPiece,
        done: &DonePiece,
        first: u64,
        mut add: impl FnMut(&mut ReportLine) -> Result<(), FileError>,
    ) -> Result<(), ShardError> {
        let mut messages = 0;
        while messages < done.messages {
            let text = self.next()?.ok_or_else(|| self.damaged())?;
            let mut line: ReportLine = serde_json::from_str(&text).map_err(|_| self.damaged())?;
            messages += u64::from(!line.is_of_skipped_file());
            // Any other piece is a whole input, or files of one message each.
            if !line.is_of_skipped_file() && matches!(piece.part, PiecePart::Mbox { .. }) {
                line.message += first;
            }
            add(&mut line)?;
        }
        Ok(())
    }

    /// Reads a line and adds it to the checksum; none at the end.
    fn next(&mut self) -> Result<Option<String>, ShardError> {
        let mut line = String::new();
        let read = self.from.read_line(&mut line).map_err(FileError::reading(self.paths.report().display()))?;
        self.sum.add(line.as_bytes());
        Ok((read > 0).then_some(line))
    }

    /// Shows the lines behind the last message to `add`, which are of skipped files, and holds all lines against their
    /// checksum.
    fn end(mut self, mut add: impl FnMut(&str) -> Result<(), FileError>) -> Result<(), ShardError> {
        while let Some(line) = self.next()? {
            add(&line)?;
        }
        if self.sum.checksum() == self.ready.done.report { Ok(()) } else { Err(self.damaged()) }
    }

    /// Makes the error that the report is not what the shard wrote.
    fn damaged(&self) -> ShardError {
        ShardError::Damaged { number: self.ready.shard.shard, path: self.paths.report() }
    }
}
