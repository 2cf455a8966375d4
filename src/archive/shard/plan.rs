//! `septet plan`: cuts archives into shards at message boundaries.
//!
//! A mailbox file is not read whole: near each place where it may be cut, it is read from there on until a message
//! starts. That a message starts there is told by the lines around, as it is when the file is read from its start. A little
//! before it is read as well, since no cut parts messages that a Content-Length joins. What can't
//! be cut is one piece: a message by itself, a compressed file, and a mailbox file whose messages state their length.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write, stdout};
use std::path::{Path, PathBuf};

use super::done::head_sum;
use super::{PiecePart, Shard, ShardError, ShardPiece};
use crate::archive::convert::{Batches, FileKey, Format, Input, ReadAs, maildir_files};
use crate::archive::size_argument::size_argument;
use crate::process::exit::Failure;
use crate::process::stdio;
use crate::protocol::mbox::Dialect;

/// The octets before a place that are read to see whether a length covers it.
const BEFORE: u64 = 64 << 20;

/// Cut archives into shards, to be converted on many machines
///
/// Writes one line of JSON for each shard to standard output; `septet convert --plan` converts one of them, and `septet
/// join` joins them.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  septet plan --target 256MiB archive.mbox > plan.jsonl
  for n in $(seq 0 $(($(wc -l < plan.jsonl) - 1))); do
      septet convert --plan plan.jsonl --shard $n --out-dir shards
  done
  septet join --plan plan.jsonl --out-dir shards -o clean.mbox")]
pub struct Args {
    /// Make shards of about SIZE: octets, or with KiB, MiB, GiB, KB, MB, GB
    #[arg(long, value_name = "SIZE", default_value = "256MiB", value_parser = size_argument)]
    target: u64,

    /// Cut these mailbox files, .eml files or Maildirs
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
}

/// Runs the command.
pub fn run(args: Args) -> Result<(), Failure> {
    let to = stdio::stdout().ok().as_ref().and_then(FileKey::of_file);
    let mut shards = Shards { target: args.target, out: BufWriter::new(stdout().lock()), next: 0, open: None };
    let mut inputs = Vec::new();
    for path in &args.inputs {
        if path.as_os_str() == "-" {
            return Err(ShardError::Usage("standard input can't be cut: name a file".to_owned()).into());
        }
        if to.is_some() && FileKey::of(path) == to {
            return Err(ShardError::Usage(format!("standard output is {}, an input", path.display())).into());
        }
        inputs.push((path, look(path)?));
    }
    for (number, (path, format)) in inputs.into_iter().enumerate() {
        match format {
            Some((Format::Maildir, _)) => cut_maildir(&mut shards, number, path)?,
            Some((Format::Mbox, dialect)) => cut_mailbox(&mut shards, number, path, dialect)?,
            _ => add_whole(&mut shards, number, path)?,
        }
    }
    shards.close().and_then(|()| shards.out.flush()).map_err(Failure::of_output)
}

/// Tells what an input is; none where it is one piece, compressed or with messages that state their length: only who reads it
/// from its start knows which From_ lines start one.
fn look(path: &Path) -> Result<Option<(Format, Dialect)>, Failure> {
    let input = Input::look(path, Format::Auto)?;
    if input.path.is_none() {
        return Err(ShardError::Usage(format!("{} is a pipe, which can't be cut", path.display())).into());
    }
    let is_one = input.compression.is_some() || input.mailbox.dialect.counts();
    Ok((!is_one).then_some((input.format, input.mailbox.dialect)))
}

/// The shards so far.
struct Shards<W> {
    target: u64,
    out: W,
    next: usize,
    open: Option<Shard>,
}

impl<W: Write> Shards<W> {
    /// Adds a piece to the shard that is open, or to a new one where it would be larger than was asked for.
    fn add(&mut self, piece: ShardPiece, bytes: u64) -> Result<(), Failure> {
        if self.open.as_ref().is_some_and(|open| open.bytes.saturating_add(bytes) > self.target) {
            self.close().map_err(Failure::of_output)?;
        }
        let number = self.next;
        let open = self.open.get_or_insert_with(|| Shard { shard: number, bytes: 0, pieces: Vec::new() });
        open.bytes += bytes;
        open.pieces.push(piece);
        Ok(())
    }

    /// Writes the shard that is open, if one is.
    fn close(&mut self) -> io::Result<()> {
        let Some(shard) = self.open.take() else { return Ok(()) };
        self.next += 1;
        writeln!(self.out, "{}", serde_json::to_string(&shard)?)
    }
}

/// Adds a file that can't be cut.
fn add_whole(shards: &mut Shards<impl Write>, number: usize, path: &Path) -> Result<(), Failure> {
    let size = fs::metadata(path).map_err(|source| ShardError::Open { path: path.to_owned(), source })?.len();
    let part = PiecePart::Whole { size, head: head_sum(path, 0, size)? };
    shards.add(ShardPiece { input: path.to_owned(), number, part }, size)
}

/// Cuts a mailbox file at the starts of messages, where the shards are about full; an empty one is one piece.
fn cut_mailbox(shards: &mut Shards<impl Write>, number: usize, path: &Path, dialect: Dialect) -> Result<(), Failure> {
    let failing = |source| ShardError::Read { path: path.to_owned(), source };
    let file = File::open(path).map_err(|source| ShardError::Open { path: path.to_owned(), source })?;
    let size = file.metadata().map_err(failing)?.len();
    let mut start = 0;
    while start < size || start == 0 {
        // The first piece fills the shard that is open.
        let filled = shards.open.as_ref().map_or(0, |open| open.bytes);
        let room = if filled < shards.target { shards.target - filled } else { shards.target };
        let wanted = start.saturating_add(room);
        let end = if wanted >= size {
            size
        } else {
            next_start(&file, start, wanted, dialect).map_err(failing)?.unwrap_or(size)
        };
        let part = PiecePart::Mbox { start, end, size, head: head_sum(path, start, end)? };
        shards.add(ShardPiece { input: path.to_owned(), number, part }, end - start)?;
        if end == size {
            break;
        }
        shards.close().map_err(Failure::of_output)?;
        start = end;
    }
    Ok(())
}

/// Finds the first message that starts at an offset or behind it, and that no length joins with those before it; none where
/// no other starts. A message starts at `known`, too, before it.
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
fn cut_maildir(shards: &mut Shards<impl Write>, number: usize, path: &Path) -> Result<(), Failure> {
    let files = maildir_files(path)?;
    let mut rest = files.as_slice();
    while !rest.is_empty() {
        let filled = shards.open.as_ref().map_or(0, |open| open.bytes);
        let mut bytes = 0;
        let fits = |(_, size): &&(PathBuf, u64)| {
            bytes += size;
            filled + bytes <= shards.target
        };
        let count = rest.iter().take_while(fits).count();
        if count == 0 && filled > 0 {
            shards.close().map_err(Failure::of_output)?;
            continue;
        }
        let (run, more) = rest.split_at(count.max(1));
        rest = more;
        let name = |at: Option<&(PathBuf, u64)>| at.map(|(file, _)| file.clone()).unwrap_or_default();
        let part = PiecePart::Maildir { count: run.len(), first: name(run.first()), last: name(run.last()) };
        let bytes = run.iter().map(|(_, size)| size).sum();
        shards.add(ShardPiece { input: path.to_owned(), number, part }, bytes)?;
    }
    if files.is_empty() {
        let part = PiecePart::Maildir { count: 0, first: PathBuf::new(), last: PathBuf::new() };
        shards.add(ShardPiece { input: path.to_owned(), number, part }, 0)?;
    }
    Ok(())
}
