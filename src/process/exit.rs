//! How a command ends: exit codes of sysexits.h, and the error that a person reads.

use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind};

use crate::config::SettingErrors;
use crate::process::shown::Shown;

/// An exit code of sysexits.h, other than 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Exit {
    Usage = 64,
    BadData = 65,
    NoInput = 66,
    Unavailable = 69,
    Software = 70,
    CantCreate = 73,
    Io = 74,
    TempFail = 75,
    NoPermission = 77,
    BadConfig = 78,
}

impl Exit {
    /// Returns the exit code for a file that can't be written: 74 (I/O error) where the disk is full or the file too
    /// large for it, else 73 (can't create).
    pub fn of_write(error: &io::Error) -> Exit {
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::FileTooLarge => Exit::Io,
            _ => Exit::CantCreate,
        }
    }

    /// Returns the exit that has this code, which was written down somewhere; [`Exit::Io`] for a number that none has.
    pub fn of_code(code: u8) -> Exit {
        use Exit::*;
        let all = [Usage, BadData, NoInput, Unavailable, Software, CantCreate, Io, TempFail, NoPermission, BadConfig];
        all.into_iter().find(|exit| *exit as u8 == code).unwrap_or(Io)
    }
}

/// Why a command ends early: its exit code, and what `main` prints, the chain of causes joined once.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub exit: Exit,
    /// The error; none when the command has said everything on stderr already.
    pub error: Option<Box<dyn Error + Send + Sync>>,
}

impl Failure {
    /// Makes a failure of an error.
    pub fn new(exit: Exit, error: impl Into<Box<dyn Error + Send + Sync>>) -> Failure {
        Failure { exit, error: Some(error.into()) }
    }

    /// Makes a failure of output that can't be written; a reader that went away (`| head`) needs no message.
    pub fn of_output(error: io::Error) -> Failure {
        match error.kind() {
            ErrorKind::BrokenPipe => Failure::told(Exit::Io),
            _ => Failure::new(Exit::Io, error),
        }
    }

    /// Returns what stderr is to show, line ends included: the faults of settings one a line, each with its place
    /// first; anything else behind `septet: `; nothing when everything is said already.
    pub fn message(&self) -> String {
        let faults = self.error.as_deref().and_then(|error| error.downcast_ref::<SettingErrors>());
        match faults {
            Some(faults) => faults.as_slice().iter().map(|fault| format!("{}\n", Shown(&fault.to_string()))).collect(),
            None if self.error.is_some() => format!("septet: {}\n", Shown(&self.to_string())),
            None => String::new(),
        }
    }

    /// Makes a failure of which everything is said already, so that `main` prints nothing.
    pub fn told(exit: Exit) -> Failure {
        Failure { exit, error: None }
    }
}

/// An error that says with which code a command ends for it.
pub trait HasExit: Error + Send + Sync + 'static {
    /// Returns the exit code.
    fn exit(&self) -> Exit;
}

impl<E: HasExit> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::new(error.exit(), error)
    }
}

impl fmt::Display for Failure {
    /// Writes the error and its causes, `: ` between them; nothing where everything is said already.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut next = self.error.as_deref().map(|error| error as &dyn Error);
        let mut between = "";
        while let Some(error) = next {
            write!(out, "{between}{error}")?;
            between = ": ";
            next = error.source();
        }
        Ok(())
    }
}
