//! What the test programs share. Each of them (core, commands, tools) is a crate of its own; this one is a crate beside
//! them, so that nothing is compiled into two of them by its path.

pub mod attack;
pub mod case;
pub mod clock;
pub mod coders;
pub mod dkim2;
pub mod escapes;
pub mod harm;
pub mod line_ends;
pub mod milter;
pub mod parameters;
pub mod promises;
pub mod smtp;
pub mod table;

use std::path::{Path, PathBuf};

/// Returns the path of a file or folder below `fixtures`.
pub fn fixture(below: impl AsRef<Path>) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(below)
}

/// Returns `true` by night: `.ci/nightly` sets `SEPTET_NIGHTLY`, for what takes longer than a change should wait.
pub fn nightly() -> bool {
    std::env::var_os("SEPTET_NIGHTLY").is_some_and(|it| !it.is_empty())
}
