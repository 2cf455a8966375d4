//! How much the terminal of standard output shows.

use std::io::stdout;

use rustix::termios::tcgetwinsize;

/// The size where a terminal does not say it.
const USUAL: ScreenSize = ScreenSize { rows: 24, columns: 80 };

/// How much a terminal shows.
#[derive(Debug, Clone, Copy)]
pub struct ScreenSize {
    /// Lines.
    pub rows: usize,
    /// Characters of a line.
    pub columns: usize,
}

impl ScreenSize {
    /// Returns the size now; 24 lines of 80 where the terminal says none, or there is none.
    pub fn now() -> ScreenSize {
        let said = tcgetwinsize(stdout()).ok().filter(|size| size.ws_row > 0 && size.ws_col > 0);
        said.map_or(USUAL, |size| ScreenSize { rows: size.ws_row.into(), columns: size.ws_col.into() })
    }
}
