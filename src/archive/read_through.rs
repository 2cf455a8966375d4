//! Reads what there is to its end, so that an error tells which side of a copy is at fault, as that of
//! [`std::io::copy`] doesn't.

use std::io::{self, BufRead};

/// Hands all that can be read to `each`, one buffer after the other; `reading` makes the error of what can't be read.
/// An error of `each` ends it, and `from` stands before the buffer that it was of.
pub fn read_through<E>(
    mut from: impl BufRead,
    reading: impl Fn(io::Error) -> E,
    mut each: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    loop {
        let octets = match from.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            octets => octets.map_err(&reading)?,
        };
        let count = octets.len();
        if count == 0 {
            return Ok(());
        }
        each(octets)?;
        from.consume(count);
    }
}
