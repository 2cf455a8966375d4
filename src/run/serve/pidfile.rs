//! The file that holds the daemon's process id.

use std::path::PathBuf;
use std::{fs, io, process};

use thiserror::Error;

use crate::run::exit::{Exit, Failure};

/// A written file; it is removed when it is dropped.
#[derive(Debug)]
pub struct PidFile(PathBuf);

#[derive(Debug, Error)]
#[error("can't write the pidfile {path}")]
struct Unwritten {
    path: PathBuf,
    source: io::Error,
}

impl PidFile {
    /// Writes it.
    pub fn write(path: PathBuf) -> Result<PidFile, Failure> {
        match fs::write(&path, format!("{}\n", process::id())) {
            Ok(()) => Ok(PidFile(path)),
            Err(source) => Err(Failure::new(Exit::CantCreate, Unwritten { path, source })),
        }
    }
}

impl Drop for PidFile {
    fn drop(&mut self) {
        // It may be gone already, and then there is nothing to do.
        let _ = fs::remove_file(&self.0);
    }
}
