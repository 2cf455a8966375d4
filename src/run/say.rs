//! What commands say on stderr, with colour where that is wanted and seen.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU8, Ordering};

use clap::ColorChoice;

/// When output is coloured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
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
    /// Has it count for the whole process.
    pub fn choose(self) {
        CHOSEN.store(self as u8, Ordering::Relaxed);
    }

    /// Tells whether what goes to `stream` is coloured.
    pub fn is_on(stream: &impl IsTerminal) -> bool {
        let chosen = CHOSEN.load(Ordering::Relaxed);
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        chosen == Color::Always as u8 || chosen == Color::Auto as u8 && wanted && stream.is_terminal()
    }

    /// Finds it in the words of a command line, for what is said before they are understood.
    pub fn in_words(words: impl Iterator<Item = std::ffi::OsString>) -> ColorChoice {
        let words: Vec<_> = words.take_while(|word| word != "--").collect();
        let mut value =
            words.iter().enumerate().filter_map(|(at, word)| match word.to_str()?.strip_prefix("--color")? {
                "" => words.get(at + 1)?.to_str(),
                rest => rest.strip_prefix('='),
            });
        match value.next_back() {
            Some("always") => ColorChoice::Always,
            Some("never") => ColorChoice::Never,
            _ => ColorChoice::Auto,
        }
    }
}

/// Says a line on stderr. That stderr can't be written is nothing that could be said anywhere.
pub fn say(line: fmt::Arguments) {
    let _ = writeln!(io::stderr(), "septet: {line}");
}

/// Warns of something that somebody should look at.
pub fn warn(line: fmt::Arguments) {
    let _ = match Color::is_on(&io::stderr()) {
        true => writeln!(io::stderr(), "septet: \x1b[33mwarning:\x1b[0m {line}"),
        false => writeln!(io::stderr(), "septet: warning: {line}"),
    };
}

/// Colours the first word of an error, where that is seen.
pub fn error(message: &str) -> String {
    match message.strip_prefix("septet: ") {
        Some(rest) if Color::is_on(&io::stderr()) => format!("\x1b[1;31mseptet:\x1b[0m {rest}"),
        _ => message.to_owned(),
    }
}
