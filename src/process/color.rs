//! Colour on a terminal: `--color auto|always|never`, and NO_COLOR (<https://no-color.org>).
//!
//! Text is painted wherever it is made, and what is no terminal is written without: [`stdout`] takes the paint off.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU8, Ordering};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

/// When output is coloured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR or TERM=dumb says no
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What `--color` said; a process has one.
static CHOSEN: AtomicU8 = AtomicU8::new(Color::Auto as u8);

impl Color {
    /// Makes this the choice of the whole process; before the first call it is `Auto`.
    pub fn choose(self) {
        CHOSEN.store(self as u8, Ordering::Relaxed);
    }

    /// Returns `true` if what goes to `stream` is coloured. NO_COLOR and TERM=dumb count only where `--color` decides
    /// nothing.
    pub fn is_on(stream: &impl IsTerminal) -> bool {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        match CHOSEN.load(Ordering::Relaxed) {
            always if always == Color::Always as u8 => true,
            never if never == Color::Never as u8 => false,
            _ => wanted && std::env::var_os("TERM").is_none_or(|it| it != "dumb") && stream.is_terminal(),
        }
    }

    /// Returns the choice by which clap colours what it says itself, since it can't know `--color` before it has read
    /// the command line: that of the last `--color` before `--`, or auto where it has none or another value.
    pub fn for_clap(words: impl Iterator<Item = OsString>) -> clap::ColorChoice {
        let words: Vec<_> = words.take_while(|word| word != "--").collect();
        let mut value =
            words.iter().enumerate().filter_map(|(at, word)| match word.to_str()?.strip_prefix("--color")? {
                "" => words.get(at + 1)?.to_str(),
                rest => rest.strip_prefix('='),
            });
        match value.next_back() {
            Some("always") => clap::ColorChoice::Always,
            Some("never") => clap::ColorChoice::Never,
            _ => clap::ColorChoice::Auto,
        }
    }
}

/// What stands out.
pub const BOLD: Style = Style::new().bold();
/// What stands back.
pub const FAINT: Style = Style::new().dimmed();
/// What was changed; what came new.
pub const CHANGED: Style = AnsiColor::Green.on_default();
/// What was left.
pub const LEFT: Style = AnsiColor::Yellow.on_default();
/// What was before.
pub const BEFORE: Style = AnsiColor::Red.on_default();

/// Opens standard output for painted text; the paint is taken off where [`Color::is_on`] is `false`, and with it every
/// other escape sequence, so that octets of mail must go out another way.
pub fn stdout() -> AutoStream<io::Stdout> {
    let choice = if Color::is_on(&io::stdout()) { ColorChoice::AlwaysAnsi } else { ColorChoice::Never };
    AutoStream::new(io::stdout(), choice)
}

/// Returns `true` if standard output is a terminal.
pub fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Paints a text, whether or not colours are wanted: [`stdout`] takes the paint off.
pub fn paint(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}
