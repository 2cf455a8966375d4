//! The two ends of the pipe, which must be open: what is read of a closed one, or written to it, is lost.

use std::fs::File;
use std::io::{self, BufRead, Write};

use thiserror::Error;

use crate::archive::read_through::read_through;
use crate::process::stdio;

/// A standard input or output that fails.
#[derive(Debug, Error)]
pub enum PipeError {
    /// What is there can't be read.
    #[error("can't read standard input")]
    Read(#[source] io::Error),
    /// What is wanted can't be written.
    #[error("can't write standard output")]
    Write(#[source] io::Error),
    /// It was closed when the program started.
    #[error("standard input is closed: there is no message")]
    NoInput,
    /// It was closed when the program started.
    #[error("standard output is closed: the message would be lost")]
    Closed,
}

/// Opens standard input and standard output; one that was closed when the program started is an error.
pub fn open() -> Result<(File, File), PipeError> {
    let input = stdio::stdin().map_err(PipeError::Read)?;
    let output = stdio::stdout().map_err(PipeError::Write)?;
    if stdio::is_input_closed(&input) {
        return Err(PipeError::NoInput);
    }
    if stdio::is_output_closed(&output) {
        return Err(PipeError::Closed);
    }
    Ok((input, output))
}

/// Copies an input to its end, and returns how many octets that were; the error says which of the two failed.
pub fn copy(input: impl BufRead, output: &mut impl Write) -> Result<u64, PipeError> {
    let mut copied = 0;
    read_through(input, PipeError::Read, |octets| {
        output.write_all(octets).map_err(PipeError::Write)?;
        copied += octets.len() as u64;
        Ok(())
    })?;
    Ok(copied)
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read};

    use super::*;

    /// A read that failed was said to be a standard output that can't be written.
    #[test]
    fn a_copy_says_which_end_failed() {
        struct Failing;
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("a fault"))
            }
        }
        let mut copied = Vec::new();
        assert!(matches!(copy(BufReader::new(b"abc".chain(Failing)), &mut copied), Err(PipeError::Read(_))));
        assert_eq!(copied, b"abc");
        assert!(matches!(copy(&b"abc"[..], &mut &mut [0; 2][..]), Err(PipeError::Write(_))));
        assert!(matches!(copy(&b"abc"[..], &mut Vec::new()), Ok(3)));
    }
}
