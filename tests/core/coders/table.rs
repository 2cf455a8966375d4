//! Tables of cases: one row a case, columns between TABs, `#` begins a remark.
//!
//! A cell writes octets as text with `\n`, `\r`, `\t`, `\s` (a space at an edge), `\\`, `\xHH` (one octet),
//! `\u{H}` (a character) and `{N*cell}` (the cell N times, for long lines). `-` is "nothing here".

use std::path::PathBuf;

/// A row: where it stands, for messages, and its cells.
pub struct Row {
    /// `FILE:LINE`.
    pub place: String,
    cells: Vec<String>,
}

impl Row {
    /// Gives a cell's octets; a missing cell is empty.
    pub fn octets(&self, column: usize) -> Vec<u8> {
        self.cells.get(column).map_or_else(Vec::new, |cell| expand(cell, &self.place))
    }

    /// Gives a cell as text.
    pub fn text(&self, column: usize) -> String {
        String::from_utf8(self.octets(column)).unwrap_or_else(|_| panic!("{}: not UTF-8", self.place))
    }

    /// Gives a cell as a number.
    pub fn number(&self, column: usize) -> usize {
        self.text(column).parse().unwrap_or_else(|_| panic!("{}: column {column} is no number", self.place))
    }

    /// Tells whether a cell is `-` or missing.
    pub fn is_absent(&self, column: usize) -> bool {
        self.cells.get(column).is_none_or(|cell| cell == "-")
    }
}

/// Reads a table under fixtures/coding; at least one row must be there.
pub fn rows(path: &str) -> Vec<Row> {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/coding").join(path);
    let table = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let lines = table.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let rows: Vec<Row> = lines
        .map(|(number, line)| Row {
            place: format!("{path}:{}", number + 1),
            cells: line.split('\t').map(str::to_owned).collect(),
        })
        .collect();
    assert!(!rows.is_empty(), "{path} has no rows");
    rows
}

fn expand(cell: &str, place: &str) -> Vec<u8> {
    let mut octets = Vec::new();
    let mut rest = cell;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' => rest = escape(rest, &mut octets).unwrap_or_else(|| panic!("{place}: bad escape before {rest:?}")),
            '{' if repeat(rest).is_some() => {
                let (times, inner, after) = repeat(rest).expect("checked");
                octets.extend(expand(inner, place).repeat(times));
                rest = after;
            }
            _ => octets.extend(c.to_string().bytes()),
        }
    }
    octets
}

fn repeat(rest: &str) -> Option<(usize, &str, &str)> {
    let (times, after) = rest.split_once('*')?;
    let times = times.parse().ok()?;
    let (inner, after) = after.split_once('}')?;
    Some((times, inner, after))
}

fn escape<'a>(rest: &'a str, octets: &mut Vec<u8>) -> Option<&'a str> {
    let letter = rest.chars().next()?;
    let rest = &rest[1..];
    match letter {
        'n' => octets.push(b'\n'),
        'r' => octets.push(b'\r'),
        't' => octets.push(b'\t'),
        's' => octets.push(b' '),
        '\\' => octets.push(b'\\'),
        'x' => {
            octets.push(u8::from_str_radix(rest.get(..2)?, 16).ok()?);
            return rest.get(2..);
        }
        'u' => {
            let (digits, after) = rest.strip_prefix('{')?.split_once('}')?;
            octets.extend(char::from_u32(u32::from_str_radix(digits, 16).ok()?)?.to_string().bytes());
            return Some(after);
        }
        _ => return None,
    }
    Some(rest)
}
