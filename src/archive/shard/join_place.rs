//! Where the joined inputs go, told before anything is written: each where one `convert` would put it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::join_report::Ready;
use super::{PiecePart, ShardError, ShardPiece};
use crate::archive::convert::{FileKey, Format, TakenPlaces};
use crate::process::exit::Failure;
use crate::process::stdio;

/// An input's pieces, in order: the shard of each, and which of the shard's pieces it is.
pub type JoinPieces<'a> = Vec<(&'a Ready, usize)>;

/// Returns the pieces of every input, by its number.
pub fn pieces_of(ready: &[Ready]) -> BTreeMap<usize, JoinPieces<'_>> {
    let mut inputs: BTreeMap<usize, JoinPieces> = BTreeMap::new();
    for it in ready {
        for (at, piece) in it.shard.pieces.iter().enumerate() {
            inputs.entry(piece.number).or_default().push((it, at));
        }
    }
    inputs
}

/// Returns the first piece of an input.
pub fn first_piece<'a>(pieces: &[(&'a Ready, usize)]) -> &'a ShardPiece {
    &pieces[0].0.shard.pieces[pieces[0].1]
}

/// Returns `true` if an input is a Maildir.
pub fn is_maildir(pieces: &[(&Ready, usize)]) -> bool {
    matches!(first_piece(pieces).part, PiecePart::Maildir { .. })
}

/// Says where each input goes, by its number: `-` for standard output.
///
/// # Errors
///
/// An error of the command line where an output would be an input or another's output, or can't go to standard output.
pub fn places(inputs: &BTreeMap<usize, JoinPieces>, out: &Path) -> Result<BTreeMap<usize, PathBuf>, Failure> {
    let mut taken = TakenPlaces::default();
    let format = |pieces: &JoinPieces| if is_maildir(pieces) { Format::Maildir } else { Format::Mbox };
    inputs.values().for_each(|pieces| taken.read(&first_piece(pieces).path, format(pieces)));
    let mut places = BTreeMap::new();
    for (number, pieces) in inputs {
        let to = place(pieces, inputs.len() == 1, out)?;
        let stdout = || stdio::stdout().ok().as_ref().and_then(FileKey::of_file);
        match is_stdout(&to) {
            true if stdout().is_some_and(|place| !taken.take(place)) => {
                return Ok(refuse("standard output is an input")?);
            }
            true => {}
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
fn place(pieces: &JoinPieces, alone: bool, out: &Path) -> Result<PathBuf, ShardError> {
    let piece = first_piece(pieces);
    let walked = !piece.output.as_os_str().is_empty();
    // A plan may come from elsewhere.
    if !piece.output.components().all(|component| matches!(component, Component::Normal(_))) {
        return refuse("an output of the plan is not below OUT");
    }
    match () {
        () if is_stdout(out) && (walked || !alone) => {
            refuse("several inputs can't go to standard output: give -o a folder")
        }
        () if is_stdout(out) && is_maildir(pieces) => refuse("a Maildir can't go to standard output: give -o a folder"),
        () if walked => Ok(out.join(&piece.output)),
        () if alone && (is_stdout(out) || is_maildir(pieces) || !out.is_dir()) => Ok(out.to_owned()),
        () => own_name(piece).map(|name| out.join(name)),
    }
}

/// Returns the name of an input without its folder, that of what it is a link to.
fn own_name(piece: &ShardPiece) -> Result<PathBuf, ShardError> {
    let whole = fs::canonicalize(&piece.path).unwrap_or_else(|_| piece.path.clone());
    let name = whole.file_name().map(PathBuf::from);
    name.ok_or_else(|| ShardError::Usage(format!("{} has no name", piece.input.display())))
}

fn refuse<T>(text: &str) -> Result<T, ShardError> {
    Err(ShardError::Usage(text.to_owned()))
}
