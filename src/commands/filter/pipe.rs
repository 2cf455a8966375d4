//! The two ends of the pipe, which must be open: what is read of a closed one, or written to it, is lost.

use std::fs::File;
use std::io;

use thiserror::Error;

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
