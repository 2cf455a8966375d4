//! Standard input and output as plain files, without the buffers and line ends of the standard library's handles.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;

/// Returns standard input; unbuffered.
pub fn stdin() -> io::Result<File> {
    io::stdin().as_fd().try_clone_to_owned().map(File::from)
}

/// Returns standard output; unbuffered, so that what is written is written when the call returns.
pub fn stdout() -> io::Result<File> {
    io::stdout().as_fd().try_clone_to_owned().map(File::from)
}
