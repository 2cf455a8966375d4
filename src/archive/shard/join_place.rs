//! Where the joined inputs go, told before anything is written: each where one `convert` would put it.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::join_report::Ready;
use super::{PiecePart, ShardError, ShardPiece};
use crate::archive::convert::{FileKey, Format, is_among_messages};
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
/// [`ShardError::Usage`] where an output would be an input or another's output, or can't go to standard output.
pub fn places(inputs: &BTreeMap<usize, JoinPieces>, out: &Path) -> Result<BTreeMap<usize, PathBuf>, ShardError> {
    let read: HashSet<FileKey> = inputs.values().filter_map(|pieces| FileKey::of(&first_piece(pieces).path)).collect();
    let (mut written, mut places) = (HashSet::new(), BTreeMap::new());
    for (number, pieces) in inputs {
        let to = place(pieces, inputs.len() == 1, out)?;
        let key = match is_stdout(&to) {
            true => stdio::stdout().ok().as_ref().and_then(FileKey::of_file),
            false => FileKey::of(&to),
        };
        let shown = shown_place(&to);
        match key {
            _ if inputs.values().any(|pieces| is_maildir(pieces) && is_message_of(&to, pieces)) => {
                return Err(ShardError::Usage(format!("{shown} is in a Maildir that is an input")));
            }
            Some(key) if read.contains(&key) => return Err(ShardError::Usage(format!("{shown} is an input"))),
            Some(key) if !written.insert(key.clone()) => {
                return Err(ShardError::Usage(format!("two inputs would go to {shown}")));
            }
            _ => {}
        }
        places.insert(*number, to);
    }
    Ok(places)
}

/// Returns `true` if a file would stand among the messages of a Maildir.
fn is_message_of(file: &Path, pieces: &JoinPieces) -> bool {
    is_among_messages(file, Some(&first_piece(pieces).path), Format::Maildir)
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
