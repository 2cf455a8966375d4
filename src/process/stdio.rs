//! Standard input and output as plain files, without the buffers and line ends of the standard library's handles.

use std::fs::{self, File};
use std::io;
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
/// written.
pub fn is_input_closed(input: &File) -> bool {
    is_null(0) && is_writable(input)
}

/// Returns `true` if standard output, which `output` must be, was closed when the program started, as
/// [`is_input_closed`] sees it.
pub fn is_output_closed(output: &File) -> bool {
    is_null(1) && is_readable(output)
}

/// Returns `true` if a descriptor of this process is `/dev/null`; `false` where /proc does not tell.
fn is_null(descriptor: u8) -> bool {
    fs::read_link(format!("/proc/self/fd/{descriptor}")).is_ok_and(|path| path == Path::new("/dev/null"))
}

/// Returns `true` if a file was opened to be written too. An octet is written to see that, so it must be `/dev/null`.
fn is_writable(mut file: &File) -> bool {
    io::Write::write(&mut file, &[0]).is_ok()
}

/// Returns `true` if a file was opened to be read too. An octet is read to see that, so it must be `/dev/null`, of
/// which nothing comes.
fn is_readable(mut file: &File) -> bool {
    io::Read::read(&mut file, &mut [0]).is_ok()
}
