//! Tables for people: columns as wide as they must be, two spaces between them, the last as it is.

/// Writes rows as lines; every row has as many cells as the first. A cell is as wide as it has characters.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..columns).map(|column| width(rows, column)).collect();
    rows.iter().map(|row| line(row, &widths)).collect()
}

/// Returns the characters of the longest cell of a column.
fn width(rows: &[Vec<String>], column: usize) -> usize {
    rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
}

/// Writes a row with its cells padded to the widths of their columns, and no blanks at its end.
fn line(row: &[String], widths: &[usize]) -> String {
    let cells: Vec<String> = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
    format!("{}\n", cells.join("  ").trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_stand_below_each_other() {
        let rows = [["a", "bbb", "c"], ["ää", "b", ""]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(table(&rows), "a   bbb  c\nää  b\n");
        assert_eq!(table(&[]), "");
    }
}
