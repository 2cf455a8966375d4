//! Archives in shards, for more machines than one: `plan`, `convert --plan --shard`, `join`.
//!
//! A plan has one line of JSON for each shard, and a shard is a list of pieces:
//!
//! ```text
//! {"shard":0,"of":40,"bytes":268436011,"pieces":[{"input":"all.mbox","number":0,"format":"mbox","start":0,"end":268436011,"size":10737418240,"head":"…"}]}
//! ```
//!
//! `of` is the number of shards, so that a plan is refused that lost lines. `number` says which of the inputs it is;
//! `head` is the SHA-256 of the first octets of the piece, by which an input that changed is told. Of a Maildir a piece
//! names its first and its last message. A relative `input` is sought from the plan's folder, so that a plan may be
//! moved together with its archive; `inputs_from`, where it is there, is the folder from which they were named, seen
//! from the plan's. What was found in a folder (`plan -r`) has the name of its `output` below that of all, and the
//! first shard lists what is `skipped` there. A shard is done when its `.ok` is there, which is written last and has
//! the checksum of all else that it wrote.

mod cut;
pub mod done;
pub mod join;
mod join_place;
mod join_report;
pub mod plan;

use std::fs;
use std::num::ParseIntError;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::archive::convert::walk::Skipped;
use crate::archive::file_error::FileError;
use crate::archive::replace::{ReplaceError, path_json};
use crate::process::exit::{Exit, HasExit};

/// The variables that say which task of an array this is: Slurm, Kubernetes, AWS Batch.
const TASK_VARIABLES: [&str; 3] = ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"];

/// Which shard of which plan is converted.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct ShardArgs {
    /// Convert one shard of PLAN, which `septet plan` wrote, into --out-dir
    #[arg(long, value_name = "PLAN", requires = "out_dir", conflicts_with_all = ["output", "in_place", "dry_run", "resume", "keep_original", "report", "no_clobber", "backup", "format", "output_format", "split", "split_by", "compress", "recursive"])]
    pub plan: Option<PathBuf>,

    /// Convert shard N, from 0; without it SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or AWS_BATCH_JOB_ARRAY_INDEX says
    /// it
    #[arg(long, value_name = "N", requires = "plan")]
    pub shard: Option<usize>,

    /// Write the shard into DIR, made if it is not there
    #[arg(long, value_name = "DIR", requires = "plan")]
    pub out_dir: Option<PathBuf>,
}

impl ShardArgs {
    /// Tells which shard is meant, by the option or else by the first variable that is set; an error where none says
    /// it.
    pub fn number(&self) -> Result<usize, ShardError> {
        if let Some(number) = self.shard {
            return Ok(number);
        }
        let found = TASK_VARIABLES.into_iter().find_map(|name| Some((name, std::env::var(name).ok()?)));
        let (name, value) = found.ok_or(ShardError::Which)?;
        value.trim().parse().map_err(|source| ShardError::Task { name, value, source })
    }
}

/// One shard of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Which one it is, from 0.
    pub shard: usize,
    /// How many there are; 0 until that is known.
    pub of: usize,
    /// The octets of its pieces.
    pub bytes: u64,
    /// The folder that relative names of inputs are seen from, itself seen from the plan's; empty for the plan's own.
    #[serde(with = "path_json", default, skip_serializing_if = "is_empty")]
    pub inputs_from: PathBuf,
    /// What was found in folders and is no mail, told with this shard; of the first one alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
    /// What it is made of, in order.
    pub pieces: Vec<ShardPiece>,
}

/// A piece of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardPiece {
    /// The input, as it was named.
    #[serde(with = "path_json")]
    pub input: PathBuf,
    /// Where the input is; it is not part of the plan, but told by where that is.
    #[serde(skip)]
    pub path: PathBuf,
    /// The name of the output below that of all inputs, where the input was found in a folder; else empty.
    #[serde(with = "path_json", default, skip_serializing_if = "is_empty")]
    pub output: PathBuf,
    /// Which of the inputs it is, from 0.
    pub number: usize,
    /// What part of it this is.
    #[serde(flatten)]
    pub part: PiecePart,
}

/// What part of an input a piece is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "format", rename_all = "lowercase")]
pub enum PiecePart {
    /// Octets of a mailbox file.
    Mbox {
        /// The first, where a message starts.
        start: u64,
        /// Behind the last.
        end: u64,
        /// The octets of the whole file.
        size: u64,
        /// The SHA-256 of the first octets.
        head: String,
    },
    /// A file that can't be cut: one message, or what is compressed.
    Whole {
        /// Whether it is one message.
        message: bool,
        /// Its octets.
        size: u64,
        /// The SHA-256 of the first octets.
        head: String,
    },
    /// Messages of a Maildir.
    Maildir {
        /// How many.
        count: usize,
        /// The first, below the folder.
        #[serde(with = "path_json")]
        first: PathBuf,
        /// The last.
        #[serde(with = "path_json")]
        last: PathBuf,
    },
}

impl PiecePart {
    /// Returns what the name of its output ends in.
    pub fn ending(&self) -> &'static str {
        match self {
            PiecePart::Mbox { .. } => "mbox",
            PiecePart::Whole { .. } => "out",
            PiecePart::Maildir { .. } => "maildir",
        }
    }
}

/// What is wrong with a plan, or with what was made by it.
#[derive(Debug, Error)]
#[allow(missing_docs)]
pub enum ShardError {
    #[error(
        "which shard? Give --shard N; none of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, AWS_BATCH_JOB_ARRAY_INDEX is set"
    )]
    Which,
    #[error("{name}={value} is no number of a shard")]
    Task { name: &'static str, value: String, source: ParseIntError },
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{}, line {line}: no shard of a plan", path.display())]
    NoPlan { path: PathBuf, line: usize },
    #[error("{} is not whole: it has {count} of {of} shards", path.display())]
    NotWhole { path: PathBuf, count: usize, of: usize },
    #[error("{} has the shards 0 to {}, and not {number}", path.display(), count.saturating_sub(1))]
    NoShard { path: PathBuf, count: usize, number: usize },
    #[error("{} changed since it was planned: plan it again", path.display())]
    Changed { path: PathBuf },
    #[error("shard {number} is not done: there is no {}", path.display())]
    NotDone { number: usize, path: PathBuf },
    #[error("{} is of another plan, another profile, other decisions or another version: convert shard {number} again", path.display())]
    Other { number: usize, path: PathBuf },
    #[error("{} is not what shard {number} wrote: convert it again", path.display())]
    Damaged { number: usize, path: PathBuf },
    #[error(transparent)]
    Replace(#[from] ReplaceError),
}

impl HasExit for ShardError {
    fn exit(&self) -> Exit {
        use ShardError::*;
        match self {
            Which | Task { .. } | NoShard { .. } => Exit::Usage,
            NotDone { .. } => Exit::NoInput,
            File(error) => error.exit(),
            Replace(_) => Exit::CantCreate,
            NoPlan { .. } | NotWhole { .. } | Changed { .. } | Other { .. } | Damaged { .. } => Exit::BadData,
        }
    }
}

/// Returns `true` if there is no path, which a plan then leaves out.
fn is_empty(path: &Path) -> bool {
    path.as_os_str().is_empty()
}

/// Reads a plan: its shards, and each line as it stands; an error where a line is not the shard of its number, or
/// there are not as many lines as shards, or none.
pub fn read_plan(path: &Path) -> Result<Vec<(Shard, String)>, ShardError> {
    let text = fs::read_to_string(path).map_err(FileError::opening(path.display()))?;
    let shards = text.lines().enumerate().map(|(at, line)| match serde_json::from_str::<Shard>(line) {
        Ok(shard) if shard.shard == at => Ok((find_inputs(shard, path), line.to_owned())),
        _ => Err(ShardError::NoPlan { path: path.to_owned(), line: at + 1 }),
    });
    let shards: Vec<(Shard, String)> = shards.collect::<Result<_, _>>()?;
    if shards.is_empty() {
        return Err(ShardError::NoPlan { path: path.to_owned(), line: 1 });
    }
    match shards.iter().map(|(shard, _)| shard.of).find(|of| *of != shards.len()) {
        Some(of) => Err(ShardError::NotWhole { path: path.to_owned(), count: shards.len(), of }),
        None => Ok(shards),
    }
}

/// Says of each piece where its input is: a relative name is sought from the plan's folder, or from the folder that the
/// plan names, itself seen from there. A name that leads to nothing there, and does from the working directory, is that
/// one: a plan that went to standard output does not know in which folder it is.
fn find_inputs(mut shard: Shard, plan: &Path) -> Shard {
    let folder = plan.parent().unwrap_or(Path::new("")).join(&shard.inputs_from);
    for piece in &mut shard.pieces {
        let there = folder.join(&piece.input);
        piece.path = if !there.exists() && piece.input.exists() { piece.input.clone() } else { there };
    }
    shard
}
