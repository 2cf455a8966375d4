//! What commands say on stderr, with colour where that is wanted and seen. Names of files stand in it, which are
//! others': what can't be seen is written out ([`Shown`]).

use std::fmt;
use std::io::{self, Write};

use crate::process::color::Color;
use crate::process::exit::Failure;
use crate::process::shown::Shown;

/// Says a line on stderr. That stderr can't be written is nothing that could be said anywhere.
pub fn say(line: fmt::Arguments) {
    let _ = writeln!(io::stderr(), "septet: {}", Shown(&line.to_string()));
}

/// Warns of something that somebody should look at.
pub fn warn(line: fmt::Arguments) {
    let line = line.to_string();
    let line = Shown(&line);
    let _ = match Color::is_on(&io::stderr()) {
        true => writeln!(io::stderr(), "septet: \x1b[33mwarning:\x1b[0m {line}"),
        false => writeln!(io::stderr(), "septet: warning: {line}"),
    };
}

/// Says why a command failed. A stderr that can't be written must not change the exit code.
pub fn failure(failure: &Failure) {
    let _ = io::stderr().write_all(coloured_error(&failure.message()).as_bytes());
}

/// Returns an error's message with `septet:` in red where stderr is coloured. Any other message, such as the faults of
/// settings, is returned as it is.
pub fn coloured_error(message: &str) -> String {
    match message.strip_prefix("septet: ") {
        Some(rest) if Color::is_on(&io::stderr()) => format!("\x1b[1;31mseptet:\x1b[0m {rest}"),
        _ => message.to_owned(),
    }
}
