//! Lines for people: time, level, what was said; for the journal on stderr the priority instead of both.

use tracing::Level;

use super::priority;
use super::said::{LogEvent, write_now};

/// Writes `2026-01-01T00:00:00.000000Z  INFO text field=value`.
pub fn plain(level: Level, said: &LogEvent, out: &mut String) {
    write_now(out);
    out.push_str(&format!(" {level:>5} "));
    said.write(out);
    out.push('\n');
}

/// Writes the same for a terminal, the level in its colour.
pub fn coloured(level: Level, said: &LogEvent, out: &mut String) {
    out.push_str("\x1b[2m");
    write_now(out);
    out.push_str(&format!("\x1b[0m \x1b[{}m{level:>5}\x1b[0m ", colour(level)));
    said.write(out);
    out.push('\n');
}

/// Writes a line as sd-daemon(3) has it: `<6>text field=value`.
pub fn prioritised(level: Level, said: &LogEvent, out: &mut String) {
    out.push_str(&format!("<{}>", priority(level)));
    // On its own, or a blank would stand between the priority and the first field of an event without a text.
    let mut text = String::new();
    said.write(&mut text);
    out.push_str(&text);
    out.push('\n');
}

/// Returns the code of a level's colour (ECMA-48 SGR).
fn colour(level: Level) -> u8 {
    match level {
        Level::ERROR => 31,
        Level::WARN => 33,
        Level::INFO => 32,
        Level::DEBUG => 34,
        Level::TRACE => 35,
    }
}
