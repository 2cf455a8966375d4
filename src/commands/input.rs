//! The octets of a command's one file.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use crate::process::address::opening_error;
use crate::process::exit::{Exit, Failure};

/// Reads a file; standard input for `-`. The failure names what can't be read: a file (66), with what helps if it is an
/// address, or standard input (74).
pub fn read_input(file: &Path) -> Result<Vec<u8>, Failure> {
    if file == Path::new("-") {
        let mut raw = Vec::new();
        let read = io::stdin().read_to_end(&mut raw);
        return read
            .map(|_| raw)
            .map_err(|error| Failure::new(Exit::Io, format!("standard input can't be read: {error}")));
    }
    fs::read(file).map_err(|error| {
        Failure::new(Exit::NoInput, format!("{} can't be read: {}", file.display(), opening_error(file, error)))
    })
}
