//! What says that a shard is done: `NNNNN.ok`, written last.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Shard, ShardError};
use crate::archive::decisions::DecidedProfiles;
use crate::archive::file_error::FileError;
use crate::archive::folder::list;
use crate::archive::report::Tally;
use crate::archive::sha256::Sha256;
use crate::archive::sums::{Checksum, Summation};

/// The octets by which a piece of an input is known.
const HEAD: u64 = 4096;

/// What a shard wrote.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShardDone {
    /// Which shard.
    pub shard: usize,
    /// What it was made by: version, line of the plan, profile.
    pub made_by: String,
    /// Its pieces, in order.
    pub pieces: Vec<DonePiece>,
    /// Its report.
    pub report: Checksum,
    /// Its counts.
    pub tally: Tally,
    /// The digests of the messages in it of which something was decided by itself.
    #[serde(default)]
    pub decided: Vec<String>,
}

/// What a shard wrote for a piece.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DonePiece {
    /// Its messages.
    pub messages: u64,
    /// A file's octets and checksum; of a Maildir those of the list of its messages.
    pub output: Checksum,
}

/// The paths of what a shard writes.
#[derive(Debug, Clone)]
pub struct ShardPaths<'d> {
    /// The folder of all shards.
    pub folder: &'d Path,
    shard: usize,
}

impl<'d> ShardPaths<'d> {
    /// Makes those of a shard in a folder.
    pub fn new(folder: &'d Path, shard: usize) -> ShardPaths<'d> {
        ShardPaths { folder, shard }
    }

    /// Returns the output of a piece, by its index in the shard.
    pub fn piece(&self, at: usize, of: &Shard) -> PathBuf {
        let ending = of.pieces.get(at).map_or("out", |piece| piece.part.ending());
        self.folder.join(format!("{:05}-{at}.{ending}", self.shard))
    }

    /// Returns the report.
    pub fn report(&self) -> PathBuf {
        self.folder.join(format!("{:05}.jsonl", self.shard))
    }

    /// Returns what says that it is done.
    pub fn ok(&self) -> PathBuf {
        self.folder.join(format!("{:05}.ok", self.shard))
    }

    /// Returns the word in the names of its passing files.
    pub fn tag(&self) -> String {
        format!("s{:05}-", self.shard)
    }
}

impl ShardDone {
    /// Reads one; none when it is not there.
    pub fn read(path: &Path, number: usize) -> Result<Option<ShardDone>, ShardError> {
        match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(FileError::reading(path.display())(source).into()),
            Ok(text) => {
                let done = serde_json::from_slice(&text);
                done.map(Some).map_err(|_| ShardError::Damaged { number, path: path.to_owned() })
            }
        }
    }
}

/// Sums up what a shard's output depends on: version, line of the plan, profiles and rules, and what was decided.
/// `convert` writes it down, and `join` compares.
pub fn made_by(line: &str, profiles: &DecidedProfiles) -> String {
    Sha256::default().with(line).with(env!("CARGO_PKG_VERSION")).with(profiles.fingerprint()).hex()
}

/// Sums up the first octets of a stretch of a file, [`HEAD`] at most. `plan` writes it down, and `convert` compares.
pub fn head_sum(path: &Path, start: u64, end: u64) -> Result<String, FileError> {
    let sum = || {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(start))?;
        Ok(Checksum::of(file.take(HEAD.min(end.saturating_sub(start))))?.sha256)
    };
    sum().map_err(FileError::reading(path.display()))
}

/// Sums up an output: a file's octets, or the names and sums of a Maildir's messages. `convert` records it of what it
/// wrote, and `join` compares.
pub fn sum_of(path: &Path) -> Result<Checksum, FileError> {
    let failing = FileError::reading(path.display());
    let checksum = |path: &Path| File::open(path).and_then(Checksum::of).map_err(&failing);
    if !fs::metadata(path).map_err(&failing)?.is_dir() {
        return checksum(path);
    }
    let mut sum = Summation::default();
    for file in messages_of(path).map_err(&failing)? {
        sum.add(file.strip_prefix(path).unwrap_or(&file).as_os_str().as_encoded_bytes());
        sum.add(checksum(&file)?.sha256.as_bytes());
    }
    Ok(sum.checksum())
}

/// Lists the messages of a Maildir that a shard wrote, those of its subfolders too, in order.
pub fn messages_of(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut open, mut found) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = open.pop() {
        let (inner, files): (Vec<_>, Vec<_>) = list(&folder)?.into_iter().partition(|(_, kind)| kind.is_dir());
        open.extend(inner.into_iter().map(|(path, _)| path));
        found.extend(files.into_iter().map(|(path, _)| path));
    }
    found.sort();
    Ok(found)
}
