//! The rows of one list, in a file without a name, so that no number of them fills the memory.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, BufWriter, Seek as _, Write};
use std::path::Path;

/// The rows of one block: what a browser lays out at once.
const BLOCK: u64 = 100;

/// Rows that were written for later.
#[derive(Debug)]
pub struct Spool {
    file: BufWriter<File>,
    /// How many there are.
    pub rows: u64,
}

impl Spool {
    /// Makes an empty one, in the report's folder, where there is room; in that for temporary files where it can't be
    /// written.
    pub fn new(folder: &Path) -> io::Result<Spool> {
        let file = tempfile::tempfile_in(folder).or_else(|_| tempfile::tempfile())?;
        Ok(Spool { file: BufWriter::with_capacity(16 << 10, file), rows: 0 })
    }

    /// Adds a row.
    pub fn add(&mut self, row: &str) -> io::Result<()> {
        if self.rows.is_multiple_of(BLOCK) {
            self.file.write_all(if self.rows == 0 {
                b"<ol class=\"rows\">\n"
            } else {
                b"</ol><ol class=\"rows\">\n"
            })?;
        }
        self.rows += 1;
        self.file.write_all(row.as_bytes())
    }

    /// Ends them, to be shown; called once, behind the last row.
    pub fn end(&mut self) -> io::Result<()> {
        self.file.write_all(b"</ol>\n")?;
        self.file.flush()
    }
}

impl fmt::Display for Spool {
    /// Writes all rows in their blocks; they must have been [ended](Spool::end).
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut file, mut line) = (self.file.get_ref(), String::new());
        file.rewind().map_err(|_| fmt::Error)?;
        let mut from = BufReader::with_capacity(16 << 10, file);
        while from.read_line(&mut line).map_err(|_| fmt::Error)? > 0 {
            out.write_str(&line)?;
            line.clear();
        }
        Ok(())
    }
}
