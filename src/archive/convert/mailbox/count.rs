//! A mailbox file that is only copied, and its messages counted.

use std::io::{BufReader, Read, Write};
use std::panic::resume_unwind;
use std::thread;

use crate::archive::convert::mailbox::written::output_error;
use crate::archive::convert::{ConvertError, Input, Job, OpenTarget, WrittenSum};
use crate::archive::file_error::FileError;
use crate::archive::read_through::read_through;
use crate::protocol::mbox::{Dialect, Starts};

/// Copies a mailbox file of which only the messages are counted ([`Job::only_counts`]): no checksum and no undo file
/// is made, and the output is not compressed. A file is copied by the system, which shows the octets to nobody, while
/// they are read and counted here: that halves the time. What is read is added to `sum`.
pub fn count(
    job: &mut Job,
    input: &mut Input,
    mut sink: OpenTarget,
    sum: Option<&mut WrittenSum>,
) -> Result<OpenTarget, ConvertError> {
    let source = input.open_range(0, None)?;
    let from = if sink.file().is_some() { input.open_file()? } else { None };
    let of = (input.name.as_str(), input.mailbox.dialect);
    match (from, sink.file()) {
        (Some(mut from), Some(mut to)) => thread::scope(|scope| {
            let copier = scope.spawn(move || std::io::copy(&mut from, &mut to));
            let counted = pass_on(job, of, source, (std::io::sink(), sum));
            let copied = copier.join().unwrap_or_else(|panic| resume_unwind(panic));
            counted.and(copied.map(drop).map_err(output_error(&input.name)).map_err(ConvertError::from))
        })?,
        _ => pass_on(job, of, source, (&mut sink, sum))?,
    }
    Ok(sink)
}

/// Counts the messages of a mailbox file and its octets, and passes these on. One thread and a buffer that stays in
/// the processor's cache are faster here than three threads.
fn pass_on(
    job: &mut Job,
    (name, dialect): (&str, Dialect),
    source: impl Read,
    (mut sink, mut sum): (impl Write, Option<&mut WrittenSum>),
) -> Result<(), ConvertError> {
    let (mut splitter, mut starts) = (Starts::of(dialect), Vec::new());
    let reading = FileError::reading(name);
    read_through(BufReader::with_capacity(256 << 10, source), reading, |octets| {
        splitter.feed(octets, &mut starts);
        sum.iter_mut().for_each(|sum| sum.add(octets));
        sink.write_all(octets).map_err(output_error(name))?;
        let (found, octets) = (starts.drain(..).count() as u64, octets.len() as u64);
        job.mark.tally.messages += found;
        job.progress.count(found);
        job.mark.tally.bytes += octets;
        job.progress.inc(octets);
        Ok(())
    })?;
    splitter.finish(&mut starts);
    job.mark.tally.messages += starts.len() as u64;
    Ok(())
}
