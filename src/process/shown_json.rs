//! JSON in which nothing is invisible: it stands in files that people print on a terminal.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use super::shown::is_hidden;

/// Writes a value as a line of JSON, and each hidden character ([`is_hidden`]) of its texts as `\u202e`: a parser reads
/// the same value.
pub fn write_shown_json(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    value.serialize(&mut Serializer::with_formatter(&mut *out, ShownTexts))?;
    out.write_all(b"\n")
}

/// Returns what [`write_shown_json`] writes, without the line end.
pub fn shown_json(value: &impl Serialize) -> String {
    let mut out = Vec::new();
    // A vector takes everything.
    let _ = write_shown_json(&mut out, value);
    out.pop_if(|last| *last == b'\n');
    String::from_utf8_lossy(&out).into_owned()
}

/// Writes texts with what is hidden in them as escapes.
struct ShownTexts;

impl Formatter for ShownTexts {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        for run in fragment.split_inclusive(is_hidden) {
            let hidden = run.chars().next_back().filter(|last| is_hidden(*last));
            let shown = run.len() - hidden.map_or(0, char::len_utf8);
            out.write_all(&run.as_bytes()[..shown])?;
            for unit in hidden.into_iter().flat_map(|character| character.encode_utf16(&mut [0; 2]).to_vec()) {
                write!(out, "\\u{unit:04x}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_not_be_seen_is_escaped_and_read_back() {
        let texts = ["a\"b\\", "\x1b]0;X\x07\u{9b}1m\u{7f}", "exe.\u{202E}gpj", "\u{E0041}é日\u{FEFF}", ""];
        let mut out = Vec::new();
        write_shown_json(&mut out, &texts).expect("written");
        let written = shown_json(&texts);
        assert_eq!(out, format!("{written}\n").as_bytes());
        assert!(!written.contains(is_hidden), "{written:?}");
        assert!(written.contains("é日"), "{written}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&written).expect("JSON"), texts);
    }
}
