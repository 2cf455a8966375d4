//! Reads a plan, and finds its inputs from wherever a worker stands.

use std::fs;
use std::path::Path;

use super::{Shard, ShardError};

/// Reads a plan: its shards, and each line as it stands; an error where a line is not the shard of its number.
pub fn read_plan(path: &Path) -> Result<Vec<(Shard, String)>, ShardError> {
    let text = fs::read_to_string(path).map_err(|source| ShardError::Open { path: path.to_owned(), source })?;
    let shards = text.lines().enumerate().map(|(at, line)| match serde_json::from_str::<Shard>(line) {
        Ok(shard) if shard.shard == at => Ok((find_inputs(shard, path), line.to_owned())),
        _ => Err(ShardError::NoPlan { path: path.to_owned(), line: at + 1 }),
    });
    shards.collect()
}

/// Says of each piece where its input is: a relative name is sought from the plan's folder, or from the folder that the
/// plan names, itself seen from there. A name that leads to nothing there, and does from the working directory, is that one:
/// a plan that went to standard output does not know in which folder it is.
fn find_inputs(mut shard: Shard, plan: &Path) -> Shard {
    let folder = plan.parent().unwrap_or(Path::new("")).join(&shard.inputs_from);
    for piece in &mut shard.pieces {
        let there = folder.join(&piece.input);
        piece.path = if !there.exists() && piece.input.exists() { piece.input.clone() } else { there };
    }
    shard
}
