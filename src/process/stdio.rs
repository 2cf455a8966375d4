//! Standard input and output as plain files, without the buffers and line ends of the standard library's handles.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::os::fd::AsFd;
use std::path::Path;

/// Returns standard input; unbuffered.
pub fn stdin() -> io::Result<File> {
    io::stdin().as_fd().try_clone_to_owned().map(File::from)
}

/// Returns standard output; unbuffered, so that what is written is written when the call returns.
pub fn stdout() -> io::Result<File> {
    io::stdout().as_fd().try_clone_to_owned().map(File::from)
}

/// Returns standard output for what must not be lost; an error where it was closed when the program started.
pub fn open_stdout() -> io::Result<File> {
    let output = stdout()?;
    if is_output_closed(&output) { Err(io::Error::other("standard output is closed")) } else { Ok(output) }
}

/// Returns `true` if standard input, which `input` must be, was closed when the program started. Rust then opens
/// `/dev/null` in its place, to read and write; a shell's `< /dev/null` can only be read, and its `> /dev/null` only be
/// written. An octet is written to see that, once it is known that nobody gets it.
pub fn is_input_closed(mut input: &File) -> bool {
    is_null(0) && input.write(&[0]).is_ok()
}

/// Returns `true` if standard output, which `output` must be, was closed when the program started, as
/// [`is_input_closed`] sees it: an octet is read, of which nothing comes.
pub fn is_output_closed(mut output: &File) -> bool {
    is_null(1) && output.read(&mut [0]).is_ok()
}

/// Returns `true` if a descriptor of this process is `/dev/null`; `false` where /proc does not tell.
fn is_null(descriptor: u8) -> bool {
    fs::read_link(format!("/proc/self/fd/{descriptor}")).is_ok_and(|path| path == Path::new("/dev/null"))
}
