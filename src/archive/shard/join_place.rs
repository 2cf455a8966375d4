//! Where the joined inputs go, told before anything is written: each where one `convert` would put it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::done::{DonePiece, ShardPaths};
use super::join_report::Ready;
use super::{PiecePart, ShardError, ShardPiece};
use crate::archive::convert::{ConvertError, Format, TakenPlaces, refuse};
use crate::archive::sums::Checksum;

/// A piece of an input that is to be joined with the others.
pub struct JoinPiece<'a> {
    /// The shard that it is of.
    pub shard: usize,
    /// The piece.
    pub of: &'a ShardPiece,
    /// What the shard wrote for it, and where.
    pub done: &'a DonePiece,
    /// Where that is.
    pub path: PathBuf,
    /// The report of the shard.
    pub report: &'a Checksum,
}

impl JoinPiece<'_> {
    /// Says that what is there is not what the shard wrote.
    pub fn damaged(&self) -> ShardError {
        ShardError::Damaged { number: self.shard, path: self.path.clone() }
    }
}

/// An input's pieces, in order.
pub type JoinPieces<'a> = Vec<JoinPiece<'a>>;

/// Returns the pieces of every input, by its number, in order. `ready` must have every shard in the order of the plan,
/// each with as many pieces done as planned.
pub fn pieces_of<'a>(ready: &'a [Ready], out_dir: &Path) -> BTreeMap<usize, JoinPieces<'a>> {
    let mut inputs: BTreeMap<usize, JoinPieces> = BTreeMap::new();
    for Ready { shard, done } in ready {
        let paths = ShardPaths::new(out_dir, shard.shard);
        let report = &done.report;
        for (at, (of, done)) in shard.pieces.iter().zip(&done.pieces).enumerate() {
            let piece = JoinPiece { shard: shard.shard, of, done, path: paths.piece(at, shard), report };
            inputs.entry(of.number).or_default().push(piece);
        }
    }
    inputs
}

/// Returns the first piece of an input, which has one at least.
pub fn first_piece<'a>(pieces: &JoinPieces<'a>) -> &'a ShardPiece {
    pieces[0].of
}

/// Returns `true` if an input is a Maildir.
pub fn is_maildir(pieces: &JoinPieces) -> bool {
    matches!(first_piece(pieces).part, PiecePart::Maildir { .. })
}

/// Says where each input goes, by its number: `-` for standard output. `taken` is what is read besides, and has their
/// places after.
///
/// # Errors
///
/// An error of the command line where an output would be read or another's output, or can't go to standard output.
pub fn places(
    inputs: &BTreeMap<usize, JoinPieces>,
    out: &Path,
    taken: &mut TakenPlaces,
) -> Result<BTreeMap<usize, PathBuf>, ConvertError> {
    let format = |pieces: &JoinPieces| if is_maildir(pieces) { Format::Maildir } else { Format::Mbox };
    inputs.values().for_each(|pieces| taken.read(&first_piece(pieces).path, format(pieces)));
    let mut places = BTreeMap::new();
    for (number, pieces) in inputs {
        let to = place(pieces, inputs.len() == 1, out)?;
        match is_stdout(&to) {
            true => taken.take_stdout()?,
            false => taken.take_output(&to, format(pieces), "name another output")?,
        }
        places.insert(*number, to);
    }
    Ok(places)
}

/// Returns `true` if a place is standard output.
pub fn is_stdout(place: &Path) -> bool {
    place.as_os_str() == "-"
}

/// Returns a place as a person reads it.
pub fn shown_place(place: &Path) -> String {
    if is_stdout(place) { "standard output".to_owned() } else { place.display().to_string() }
}

/// Says where one input goes; `alone` says that there is no other.
fn place(pieces: &JoinPieces, alone: bool, out: &Path) -> Result<PathBuf, ConvertError> {
    let piece = first_piece(pieces);
    let walked = !piece.output.as_os_str().is_empty();
    // A plan may come from elsewhere.
    if !piece.output.components().all(|component| matches!(component, Component::Normal(_))) {
        return refuse("an output of the plan is not below OUT");
    }
    if is_stdout(out) && (walked || !alone) {
        refuse("several inputs can't go to standard output: give -o a folder")
    } else if is_stdout(out) && is_maildir(pieces) {
        refuse("a Maildir can't go to standard output: give -o a folder")
    } else if walked {
        Ok(out.join(&piece.output))
    } else if alone && (is_stdout(out) || is_maildir(pieces) || !out.is_dir()) {
        Ok(out.to_owned())
    } else {
        own_name(piece).map(|name| out.join(name))
    }
}

/// Returns the name of an input without its folder, that of what it is a link to.
fn own_name(piece: &ShardPiece) -> Result<PathBuf, ConvertError> {
    let whole = fs::canonicalize(&piece.path).unwrap_or_else(|_| piece.path.clone());
    match whole.file_name() {
        Some(name) => Ok(name.into()),
        None => refuse(format!("{} has no name", piece.input.display())),
    }
}
