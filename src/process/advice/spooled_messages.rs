//! Messages that are read more than once, in a file without a name.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read as _, Seek as _, Write as _};

/// How many octets of messages are in memory at once, about.
const AT_ONCE: usize = 16 << 20;

/// Messages in a file without a name: the octets of each behind their number, as 8 octets, the lowest first.
#[derive(Debug)]
pub struct SpooledMessages {
    file: BufWriter<File>,
}

impl SpooledMessages {
    /// Makes an empty one.
    pub fn new() -> io::Result<SpooledMessages> {
        Ok(SpooledMessages { file: BufWriter::with_capacity(256 << 10, tempfile::tempfile()?) })
    }

    /// Adds a message.
    pub fn add(&mut self, message: &[u8]) -> io::Result<()> {
        self.file.write_all(&(message.len() as u64).to_le_bytes())?;
        self.file.write_all(message)
    }

    /// Shows all messages in order, many at a time; the last time there may be none. More can be added afterwards.
    pub fn read(&mut self, mut visit: impl FnMut(&[Vec<u8>])) -> io::Result<()> {
        self.file.flush()?;
        let end = self.file.stream_position()?;
        let file = self.file.get_mut();
        file.rewind()?;
        let mut from = BufReader::with_capacity(256 << 10, &mut *file).take(end);
        let (mut messages, mut octets) = (Vec::new(), 0);
        while let Some(message) = next(&mut from)? {
            octets += message.len();
            messages.push(message);
            if octets >= AT_ONCE {
                visit(&messages);
                messages.clear();
                octets = 0;
            }
        }
        visit(&messages);
        self.file.seek(io::SeekFrom::End(0)).map(drop)
    }
}

/// Reads the next message; none at the end.
fn next(from: &mut impl io::Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 8];
    match from.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let mut message = Vec::new();
    from.take(u64::from_le_bytes(length)).read_to_end(&mut message)?;
    Ok(Some(message))
}
