//! TOML text to values that know their lines: the [`Format`] of septet's files.
//!
//! `config`'s own format for TOML keeps the file's name alone, and stops at the first fault. This one keeps the line of
//! each key and each item of a list as the value's origin, `FILE:LINE`, and goes on to the next file behind a fault: of
//! the file that has it nothing is read but its first fault. What TOML has and no key takes is kept apart: a date is
//! [`ValueKind::Nil`], a number beyond 64 bits [`ValueKind::I128`].

use std::cell::RefCell;
use std::error::Error;

use ::config::{Format, Map, Value, ValueKind};
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use super::fault::{SettingError, SettingOrigin};

/// One file of settings, read whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsFile {
    /// Its path, as messages show it.
    pub path: String,
    /// Its octets.
    pub bytes: Vec<u8>,
}

/// Reads TOML, and collects the first fault of each file: nobody knows what the lines behind it belong to.
#[derive(Debug, Default)]
pub struct TomlLines {
    faults: RefCell<Vec<SettingError>>,
}

impl TomlLines {
    /// Returns the faults of all that was read.
    pub fn into_faults(self) -> Vec<SettingError> {
        self.faults.into_inner()
    }

    /// Adds a fault of what stands at an origin.
    fn fault(&self, origin: &str, what: String) {
        self.faults.borrow_mut().push(SettingError { origin: SettingOrigin::from(origin), key: String::new(), what });
    }

    /// Reads a file's text; one that is not UTF-8 or no TOML gives no values and one fault, its first.
    pub fn file(&self, source: &SettingsFile) -> Map<String, Value> {
        match std::str::from_utf8(&source.bytes) {
            // This format refuses nothing: what is wrong goes to its faults.
            Ok(text) => self.parse(Some(&source.path), text).unwrap_or_default(),
            Err(error) => {
                let line = 1 + source.bytes[..error.valid_up_to()].iter().filter(|&&octet| octet == b'\n').count();
                self.fault(&format!("{}:{line}", source.path), "not UTF-8; TOML is written in UTF-8".to_owned());
                Map::new()
            }
        }
    }
}

impl Format for TomlLines {
    /// Reads a whole text, or nothing where any of it is wrong: its first fault goes to the faults, and is no error.
    fn parse(&self, uri: Option<&String>, text: &str) -> Result<Map<String, Value>, Box<dyn Error + Send + Sync>> {
        let lines = LineStarts { path: uri.map_or("", String::as_str), starts: line_starts(text) };
        let (table, errors) = DeTable::parse_recoverable(text);
        // They are not in the order of their places.
        let Some(first) = errors.iter().min_by_key(|error| start_of(error)) else {
            return Ok(lines.table(table.into_inner()));
        };
        self.fault(&lines.at(start_of(first)), what_is_wrong(first, text));
        Ok(Map::new())
    }
}

/// Returns the offset at which an error stands, 0 where it has none.
fn start_of(error: &toml::de::Error) -> usize {
    error.span().map_or(0, |span| span.start)
}

/// Says what is wrong with a text in TOML, in one line.
fn what_is_wrong(error: &toml::de::Error, text: &str) -> String {
    if !error.message().starts_with("unexpected leading zero") {
        return error.message().replace('\n', ", ");
    }
    let rest = text.get(start_of(error)..).unwrap_or(text);
    let number: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
    format!("no number of TOML starts with 0; write \"{number}\", in quotes")
}

/// Reads one value of TOML, as a variable or an option named `origin` may hold it; else says what is wrong with it.
pub fn value(text: &str, origin: &str) -> Result<Value, String> {
    let lines = LineStarts { path: origin, starts: line_starts(text) };
    match DeValue::parse(text) {
        Ok(value) => Ok(lines.item(value)),
        Err(error) => Err(what_is_wrong(&error, text)),
    }
}

/// Reads the keys of a path as TOML writes it, `a."b.c"`; none where it is no path, or has a line end.
pub fn path(text: &str) -> Option<Vec<String>> {
    if text.contains(['\n', '\r']) {
        return None;
    }
    let text = format!("{text} = 0");
    let mut table = DeTable::parse(&text).ok()?.into_inner();
    let mut path = Vec::new();
    loop {
        let (key, value) = std::mem::take(&mut table).into_iter().next()?;
        path.push(key.into_inner().into_owned());
        match value.into_inner() {
            DeValue::Table(inner) => table = inner,
            _ => return Some(path),
        }
    }
}

/// Returns the offset at which each line starts.
fn line_starts(text: &str) -> Vec<usize> {
    let ends = text.bytes().enumerate().filter(|&(_, octet)| octet == b'\n');
    [0].into_iter().chain(ends.map(|(at, _)| at + 1)).collect()
}

/// A file's name and where its lines start.
struct LineStarts<'a> {
    path: &'a str,
    starts: Vec<usize>,
}

impl LineStarts<'_> {
    /// Returns the origin of what stands at an offset.
    fn at(&self, offset: usize) -> String {
        let line = self.starts.partition_point(|&start| start <= offset);
        format!("{}:{line}", self.path)
    }

    /// Makes a table of values, each with the line of its key.
    fn table(&self, table: DeTable<'_>) -> Map<String, Value> {
        table
            .into_iter()
            .map(|(key, value)| {
                let origin = self.at(key.span().start);
                (key.into_inner().into_owned(), Value::new(Some(&origin), self.kind(value.into_inner())))
            })
            .collect()
    }

    /// Makes a value with the line of its own.
    fn item(&self, item: Spanned<DeValue<'_>>) -> Value {
        let origin = self.at(item.span().start);
        Value::new(Some(&origin), self.kind(item.into_inner()))
    }

    /// Makes the kind of a value; a date, which no key takes, is nothing.
    fn kind(&self, value: DeValue<'_>) -> ValueKind {
        match value {
            DeValue::String(text) => ValueKind::String(text.into_owned()),
            DeValue::Integer(digits) => integer(&digits),
            DeValue::Boolean(boolean) => ValueKind::Boolean(boolean),
            DeValue::Float(digits) => ValueKind::Float(digits.as_str().parse().unwrap_or(f64::NAN)),
            DeValue::Datetime(_) => ValueKind::Nil,
            DeValue::Array(list) => ValueKind::Array(list.into_iter().map(|item| self.item(item)).collect()),
            DeValue::Table(table) => ValueKind::Table(self.table(table)),
        }
    }
}

/// Reads an integer; one beyond 64 bits, which no key takes, gets a kind of its own, and one beyond 128 bits the
/// greatest value.
fn integer(digits: &DeInteger<'_>) -> ValueKind {
    match i64::from_str_radix(digits.as_str(), digits.radix()) {
        Ok(integer) => ValueKind::I64(integer),
        Err(_) => ValueKind::I128(i128::from_str_radix(digits.as_str(), digits.radix()).unwrap_or(i128::MAX)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a = 1\n\n[b.c]\nlist = [\n  'x',\n  'y',\n]\n\n[[d]]\n[[d]]\ne = 0x10\n\"f.g\" = 2\n";

    fn lines_of(key: &str, value: &Value, found: &mut Vec<String>) {
        found.push(format!("{} {key}", value.origin().unwrap_or("nowhere")));
        match &value.kind {
            ValueKind::Table(table) => table.iter().for_each(|(key, value)| lines_of(key, value, found)),
            ValueKind::Array(items) => items.iter().for_each(|item| lines_of("-", item, found)),
            _ => {}
        }
    }

    fn read(text: &[u8]) -> (Map<String, Value>, Vec<String>) {
        let format = TomlLines::default();
        let table = format.file(&SettingsFile { path: "f".into(), bytes: text.into() });
        (table, format.into_faults().iter().map(ToString::to_string).collect())
    }

    #[test]
    fn every_value_knows_its_line() {
        let (table, faults) = read(TEXT.as_bytes());
        assert_eq!(faults, [""; 0]);
        let mut found = Vec::new();
        table.iter().for_each(|(key, value)| lines_of(key, value, &mut found));
        found.sort();
        let wanted =
            ["f:1 a", "f:10 -", "f:11 e", "f:12 f.g", "f:3 b", "f:3 c", "f:4 list", "f:5 -", "f:6 -", "f:9 -", "f:9 d"];
        assert_eq!(found, wanted);
    }

    /// What a line behind a fault belongs to is unknown: a second fault there would be untrue.
    #[test]
    fn a_broken_file_gives_its_first_fault_and_the_line() {
        let broken = [
            ("a = \nb = 2\nc = 'x\n", "f:1: "),
            ("[a\nb = 2\n", "f:1: unclosed table"),
            ("a:\n  b: 1\n  c: 2\n", "f:1: "),
            ("a = 1\nb = 0660\n", "f:2: no number of TOML starts with 0; write \"0660\", in quotes"),
        ];
        for (text, wanted) in broken {
            let (_, faults) = read(text.as_bytes());
            assert!(faults.len() == 1 && faults[0].starts_with(wanted), "{text:?}: {faults:?}");
        }
    }

    #[test]
    fn text_in_another_charset_names_the_line() {
        let (_, faults) = read(b"a = 1\n# M\xFCller\n");
        assert_eq!(faults, ["f:2: not UTF-8; TOML is written in UTF-8"]);
    }

    #[test]
    fn paths_may_have_keys_with_dots() {
        assert_eq!(path("a.'b.c'.0").expect("a path"), ["a", "b.c", "0"]);
        for bad in ["", "a.", "a.\"b", "a = 1\nb", "[a]\nb", "a = {}#"] {
            assert_eq!(path(bad), None, "{bad}");
        }
    }
}
