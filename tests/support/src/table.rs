//! Tables of cases: one row a line, columns between TABs, `# ` begins a remark.
//!
//! A cell is text with [`escapes`], `-` is "nothing here".

use crate::escapes;

/// A row: where it stands, for messages, and its cells.
pub struct Row {
    /// `FILE:LINE`.
    pub place: String,
    /// The cells as they are written.
    pub cells: Vec<String>,
}

impl Row {
    /// Returns a cell's octets; a missing cell is empty.
    pub fn octets(&self, column: usize) -> Vec<u8> {
        self.cells.get(column).map_or_else(Vec::new, |cell| escapes::octets(cell))
    }

    /// Returns a cell as text.
    pub fn text(&self, column: usize) -> String {
        String::from_utf8(self.octets(column)).unwrap_or_else(|_| panic!("{}: not UTF-8", self.place))
    }

    /// Returns a cell as a number.
    pub fn number(&self, column: usize) -> usize {
        self.text(column).parse().unwrap_or_else(|_| panic!("{}: column {column} is no number", self.place))
    }

    /// Returns `true` if a cell is `-` or missing.
    pub fn is_absent(&self, column: usize) -> bool {
        self.cells.get(column).is_none_or(|cell| cell == "-")
    }
}

/// Reads a table below `fixtures`; at least one row must be there.
pub fn rows(path: &str) -> Vec<Row> {
    let file = crate::fixture(path);
    let table = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let is_row = |line: &str| !line.is_empty() && line != "#" && !line.starts_with("# ");
    let lines = table.lines().enumerate().filter(|(_, line)| is_row(line));
    let row = |(number, line): (usize, &str)| Row {
        place: format!("{path}:{}", number + 1),
        cells: line.split('\t').map(str::to_owned).collect(),
    };
    let rows: Vec<Row> = lines.map(row).collect();
    assert!(!rows.is_empty(), "{path} has no rows");
    rows
}

/// Reads a table below `fixtures`, and returns its cells as they are written.
pub fn cells(path: &str) -> Vec<Vec<String>> {
    rows(path).into_iter().map(|row| row.cells).collect()
}
