//! The terminal: what is written to it, and what is typed.

use std::io::{self, BufRead as _, Read as _, Write as _};

use super::picture::ReviewScreen;
use crate::process::color::{self, Color};
use crate::process::exit::{Exit, Failure};
use crate::process::screen_size::ScreenSize;

/// Measures the screen anew: a window may have another size with each question.
pub fn screen() -> ReviewScreen {
    let ScreenSize { rows, columns } = ScreenSize::now();
    ReviewScreen { rows, columns, is_coloured: Color::is_on(&io::stdout()) }
}

/// Writes to the terminal, at once.
pub fn show(text: &str) -> Result<(), Failure> {
    let mut out = color::stdout();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::of_output)
}

/// The octets of a line that is typed, at most.
const TYPED: u64 = 4096;

/// Reads a line, with its end; none at the end of the input. What a line has beyond [`TYPED`] octets comes as the next.
pub fn typed() -> Result<Option<String>, Failure> {
    let mut line = Vec::new();
    let read = io::stdin().lock().take(TYPED).read_until(b'\n', &mut line);
    match read {
        Ok(0) => Ok(None),
        Ok(_) => Ok(Some(String::from_utf8_lossy(&line).into_owned())),
        Err(error) => Err(Failure::new(Exit::Io, error)),
    }
}
