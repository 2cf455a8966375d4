//! Why a file can't be opened, read, created or written.

use std::fmt::Display;
use std::io;

use thiserror::Error;

use crate::archive::convert::UnpackError;
use crate::process::exit::{Exit, HasExit};

/// Why something can't be done with a file, which has a name for people: mostly its path.
#[derive(Debug, Error)]
#[allow(missing_docs)]
pub enum FileError {
    #[error("can't open {name}")]
    Open { name: String, source: io::Error },
    #[error("can't read {name}")]
    Read { name: String, source: io::Error },
    #[error("can't create {name}")]
    Create { name: String, source: io::Error },
    #[error("can't write {name}")]
    Write { name: String, source: io::Error },
}

impl FileError {
    /// Makes it of the error of opening a file.
    pub fn opening(name: impl Display) -> impl Fn(io::Error) -> FileError {
        move |source| FileError::Open { name: name.to_string(), source }
    }

    /// Makes it of the error of reading one.
    pub fn reading(name: impl Display) -> impl Fn(io::Error) -> FileError {
        move |source| FileError::Read { name: name.to_string(), source }
    }

    /// Makes it of the error of creating one, or of giving it its place.
    pub fn creating(name: impl Display) -> impl Fn(io::Error) -> FileError {
        move |source| FileError::Create { name: name.to_string(), source }
    }

    /// Makes it of the error of writing one.
    pub fn writing(name: impl Display) -> impl Fn(io::Error) -> FileError {
        move |source| FileError::Write { name: name.to_string(), source }
    }
}

impl HasExit for FileError {
    fn exit(&self) -> Exit {
        match self {
            FileError::Open { .. } => Exit::NoInput,
            FileError::Create { .. } => Exit::CantCreate,
            FileError::Read { source, .. } if UnpackError::is(source) => Exit::BadData,
            FileError::Write { source, .. } if source.kind() != io::ErrorKind::BrokenPipe => Exit::of_write(source),
            FileError::Read { .. } | FileError::Write { .. } => Exit::Io,
        }
    }
}
