//! How the output of a file that is one message is written, and read again.

use std::io::{self, BufReader, Read, Write};

use crate::archive::convert::mailbox::written::output_error;
use crate::archive::convert::undo_file::UndoFile;
use crate::archive::convert::{ConvertError, Job, OpenTarget, Packer, Task, WrittenSum, open_packed};
use crate::archive::file_error::FileError;
use crate::archive::read_through::read_through;
use crate::archive::replace::Pending;
use crate::archive::sums::{RunningSum, Summed};
use crate::archive::undo::format::Hunk;

/// Writes a message, of which `old` was read so far and `rest` was not, unless it stays where it is; `new` stands for
/// `old` by the `hunks` where it changed. Returns the octets of the rest, and what is to take a place. `alone` says
/// that it gets an undo file of its own, and `sum` adds up what is written.
pub fn write(
    job: &Job,
    task: &Task,
    (alone, sum): (bool, &RunningSum),
    (old, new, hunks): (&[u8], Option<&[u8]>, &[Hunk]),
    rest: &mut impl Read,
) -> Result<(u64, Vec<Pending>), ConvertError> {
    let (target, name, changed) = (&task.target, &task.input.name, new.is_some());
    if target.replaced().is_some() && !changed {
        let left = io::copy(rest, &mut io::sink());
        return Ok((left.map_err(FileError::reading(&name))?, Vec::new()));
    }
    let writing = output_error(name);
    let head = new.unwrap_or(old);
    let wants_undo = job.rules.keep_original && alone;
    let mut undo = if wants_undo { UndoFile::begin_passing(target, job).transpose()? } else { None };
    if let Some(undo) = undo.as_mut().filter(|_| changed) {
        undo.pass(old, new, hunks).map_err(&writing)?;
    }
    let to = Summed::new(target.open(job.names())?, sum.clone());
    let mut packer = Packer::new(task.compression, to).map_err(&writing)?;
    let mut made = job.rules.verify.then(WrittenSum::default);
    let reading = FileError::reading(&name);
    let mut written = 0;
    // What changed was held whole.
    read_through(head.chain(BufReader::with_capacity(128 << 10, rest)), reading, |octets| {
        undo.iter_mut().filter(|_| !changed).for_each(|undo| undo.keep(octets));
        made.iter_mut().for_each(|made| made.add(octets));
        written += octets.len() as u64;
        packer.write_all(octets).map_err(&writing)
    })?;
    let sink = packer.finish().map_err(&writing)?.into_inner();
    made.map_or(Ok(()), |made| check(task, &sink, &made))?;
    let original = task.input.path.as_deref();
    let undo = undo.map(|undo| undo.prepare(original)).transpose()?;
    Ok((written - head.len() as u64, undo.into_iter().chain(sink.prepare(changed)?).collect()))
}

/// Reads what was written again, and compares it with what was `made` to be written; what has no path (a device,
/// standard output) can't be read again.
fn check(task: &Task, sink: &OpenTarget, made: &WrittenSum) -> Result<(), ConvertError> {
    let Some(path) = sink.path() else { return Ok(()) };
    let back = open_packed(path, task.compression).and_then(WrittenSum::of);
    let back = back.map_err(FileError::reading(path.display()))?;
    let unverified = |what| ConvertError::Unverified { name: task.input.name.clone(), what };
    made.difference(&back).map_or(Ok(()), |what| Err(unverified(what)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::archive::convert::OutputTarget;
    use crate::archive::convert::compression::Compression;
    use crate::archive::convert::input::{Format, Input};
    use crate::archive::replace::TemporaryNames;

    /// Addresses that move among `< > ( ) : ; ,` were forgiven.
    #[test]
    fn what_was_changed_behind_the_writer_is_found() {
        for compression in [None, Some(Compression::Zstd)] {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let path = folder.path().join("a.eml");
            fs::write(&path, "To: a@b.example, c@d.example\n\nx\n").expect("a file");
            let input = Input::look(&path, Format::Eml).expect("a message");
            let target = OutputTarget::file(folder.path().join("out"), None);
            let task = Task { compression, ..Task::new(input, target) };
            let sink = task.target.open(&TemporaryNames::new("")).expect("a sink");
            let made = |text: &str| WrittenSum::of(text.as_bytes()).expect("memory can be read");
            let mut packer = Packer::new(compression, sink).expect("a packer");
            packer.write_all(b"To: a@b.example; c@d.example\n\nx\n").expect("octets written");
            let sink = packer.finish().expect("octets written");
            assert!(check(&task, &sink, &made("To: a@b.example; c@d.example\n\nx\n")).is_ok());
            let found = check(&task, &sink, &made("To: a@b.example, c@d.example\n\nx\n"));
            assert!(matches!(found, Err(ConvertError::Unverified { .. })), "{found:?}");
        }
    }
}
