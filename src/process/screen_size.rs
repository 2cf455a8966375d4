//! How much the terminal of standard output shows, and text that is cut to it.

use std::io::stdout;

use rustix::termios::tcgetwinsize;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

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

/// Returns how many columns a printable text takes, about. A terminal that has it otherwise breaks a line elsewhere,
/// and loses nothing.
pub fn columns_of(text: &str) -> usize {
    text.width()
}

/// Returns how many columns a printable character takes, about.
pub fn width_of(sign: char) -> usize {
    sign.width().unwrap_or(0)
}

/// Cuts a printable text to so many columns, 1 or more, with an ellipsis in the last where it goes on.
pub fn fit(text: &str, columns: usize) -> String {
    if columns_of(text) <= columns {
        return text.to_owned();
    }
    let mut width = 0;
    let shown = text.chars().take_while(|sign| {
        width += width_of(*sign);
        width < columns
    });
    shown.collect::<String>() + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_says_that_it_goes_on() {
        for (text, columns, wanted) in [
            ("abc", 3, "abc"),
            ("abcd", 3, "ab…"),
            ("", 3, ""),
            ("日本語", 5, "日本…"),
            ("x", 1, "x"),
            ("häuser", 6, "häuser"),
            ("häuser", 4, "häu…"),
        ] {
            assert_eq!(fit(text, columns), wanted);
        }
    }
}
