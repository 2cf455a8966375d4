//! The octets of a command's one file.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use crate::process::address::opening_error;
use crate::process::exit::{Exit, Failure};

/// Reads a file; standard input for `-`. The failure of a file (66) names it, and says what helps if it is an address;
/// that of standard input (74) is the system's alone.
pub fn read_input(file: &Path) -> Result<Vec<u8>, Failure> {
    if file == Path::new("-") {
        let mut raw = Vec::new();
        return io::stdin().read_to_end(&mut raw).map(|_| raw).map_err(|error| Failure::new(Exit::Io, error));
    }
    fs::read(file).map_err(|error| {
        Failure::new(Exit::NoInput, format!("{} can't be read: {}", file.display(), opening_error(file, error)))
    })
}
