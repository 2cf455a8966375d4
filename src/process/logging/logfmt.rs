//! Lines as logfmt: `ts=TIME level=info message="a text" field=value`, for collectors that split at blanks.

use tracing::Level;

use super::said::{LogEvent, quote, write_now};

/// Writes an event as one line of logfmt: the time, the level in small letters, as collectors want it, the text, and
/// the other fields.
pub fn write(level: Level, said: &LogEvent, out: &mut String) {
    out.push_str("ts=");
    write_now(out);
    out.push_str(&format!(" level={}", level.as_str().to_ascii_lowercase()));
    for (name, value) in std::iter::once(("message", &*said.message)).chain(said.values()) {
        out.push_str(&format!(" {name}="));
        write_value(value, out);
    }
    out.push('\n');
}

/// Writes a value, in quotes where it is empty or has a blank, a quote, an equals sign or a backslash.
fn write_value(value: &str, out: &mut String) {
    match value.is_empty() || value.contains([' ', '"', '=', '\\']) {
        true => quote(value, out),
        false => out.push_str(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_what_would_end_a_value() {
        let cases = [
            ("part=1", "\"part=1\""),
            ("one", "one"),
            ("", "\"\""),
            ("a b", "\"a b\""),
            ("\"a\" b \"c\"", "\"\\\"a\\\" b \\\"c\\\"\""),
            ("back\\slash", "\"back\\\\slash\""),
        ];
        for (value, wanted) in cases {
            let mut out = String::new();
            write_value(value, &mut out);
            assert_eq!(out, wanted);
        }
    }
}
