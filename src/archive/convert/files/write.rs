//! How the output of a file that is one message is written, and read again.

use std::io::{self, BufReader, Read, Write};

use crate::archive::convert::compression::{Packer, open_packed};
use crate::archive::convert::error::ConvertError;
use crate::archive::convert::job::Job;
use crate::archive::convert::target::{OpenTarget, OutputTarget};
use crate::archive::convert::task::Task;
use crate::archive::convert::undo_file::UndoFile;
use crate::archive::convert::verify;
use crate::archive::convert::work::ConvertedMessage;
use crate::archive::convert::written::output_error;
use crate::archive::read_through::read_through;
use crate::archive::replace::Pending;
use crate::archive::sums::{RunningSum, Summed};
use crate::archive::undo::hunks::hunks;

/// Writes a message, of which `old` was read so far and `rest` was not, unless it stays where it is; returns the
/// octets of the rest, and what is to take a place. `alone` says that it gets an undo file of its own, and `sum` adds
/// up what is written.
pub fn write(
    job: &Job,
    task: &Task,
    (alone, sum): (bool, &RunningSum),
    old: &[u8],
    done: &ConvertedMessage,
    rest: &mut impl Read,
) -> Result<(u64, Vec<Pending>), ConvertError> {
    let (target, name, changed) = (&task.target, &task.input.name, done.new.is_some());
    if matches!(target, OutputTarget::InPlace { .. }) && !changed {
        let left = io::copy(rest, &mut io::sink());
        return Ok((left.map_err(|source| ConvertError::Read { name: name.clone(), source })?, Vec::new()));
    }
    let writing = |source| output_error(name, source);
    let head = done.new.as_deref().unwrap_or(old);
    let mut undo = match job.rules.keep_original && alone {
        true => UndoFile::begin_passing(target, job.names(), job.profiles.usual()).transpose()?,
        false => None,
    };
    let mut sink =
        Packer::new(task.compression, Summed::new(target.open(job.names())?, sum.clone())).map_err(writing)?;
    sink.write_all(head).map_err(writing)?;
    let copied = copy(rest, &mut sink, name, undo.as_mut(), (old, done))?;
    let sink = sink.finish().map_err(writing)?.into_inner();
    check(job, task, &sink, old, done)?;
    let original = task.input.path.as_deref();
    let undo = undo.map(|undo| undo.prepare(original)).transpose()?;
    Ok((copied, undo.into_iter().chain(sink.prepare(changed)?).collect()))
}

/// Copies what was not read yet, and tells the undo file of that and of what was; an error says which side is at fault.
fn copy(
    from: &mut impl Read,
    to: &mut impl Write,
    name: &str,
    mut undo: Option<&mut UndoFile>,
    (old, done): (&[u8], &ConvertedMessage),
) -> Result<u64, ConvertError> {
    let writing = |source| output_error(name, source);
    match (&mut undo, &done.new) {
        (Some(undo), Some(new)) => {
            undo.replace(old, new, &hunks(old, new, &done.edits, done.shift)).map_err(writing)?
        }
        (Some(undo), None) => undo.keep(old),
        (None, _) => {}
    }
    let reading = |source| ConvertError::Read { name: name.to_owned(), source };
    let mut copied = 0;
    read_through(BufReader::with_capacity(128 << 10, from), reading, |octets| {
        undo.iter_mut().for_each(|undo| undo.keep(octets));
        copied += octets.len() as u64;
        to.write_all(octets).map_err(writing)
    })?;
    Ok(copied)
}

/// Checks what was written of a message with another reader, where `--verify` asks for it. What did not change was
/// copied, and what has no path (a device, standard output) can't be read again.
fn check(job: &Job, task: &Task, sink: &OpenTarget, old: &[u8], done: &ConvertedMessage) -> Result<(), ConvertError> {
    let (true, Some(_), Some(path)) = (job.rules.verify, &done.new, sink.path()) else { return Ok(()) };
    let failing = |source| ConvertError::Read { name: path.display().to_string(), source };
    let mut new = Vec::new();
    open_packed(path, task.compression).and_then(|mut file| file.read_to_end(&mut new)).map_err(failing)?;
    match verify::file(old, &new, &job.profiles) {
        None => Ok(()),
        Some(what) => Err(ConvertError::Unverified { name: task.input.name.clone(), what }),
    }
}
