//! Remarks are no wider than the code, which rustfmt keeps within 120 columns. A row of a table can't be filled anew,
//! nor what an example shows: both may be wider.

use std::fs;

use super::sources;

const WIDTH: usize = 120;

#[test]
fn remarks_are_no_wider_than_the_code() {
    let wide: Vec<String> = sources()
        .iter()
        .flat_map(|source| {
            let text = fs::read_to_string(&source.path).expect("a source file");
            wide_remarks(&text).into_iter().map(|line| format!("{}:{line}", source.path.display())).collect::<Vec<_>>()
        })
        .collect();
    assert!(wide.is_empty(), "wider than {WIDTH} columns:\n{}", wide.join("\n"));
}

/// Returns the numbers of the lines of a source whose remark is too wide.
fn wide_remarks(text: &str) -> Vec<usize> {
    let (mut found, mut is_example) = (Vec::new(), false);
    for (number, line) in (1..).zip(text.lines()) {
        let Some(remark) = line.trim_start().strip_prefix("//") else {
            is_example = false;
            continue;
        };
        let remark = remark.trim_start_matches(['/', '!', ' ']);
        is_example ^= remark.starts_with("```");
        if !is_example && !remark.starts_with('|') && line.chars().count() > WIDTH {
            found.push(number);
        }
    }
    found
}

#[test]
fn tables_and_examples_may_be_wider() {
    let wide = "x".repeat(WIDTH);
    let text = format!("//! {wide}\n//! | {wide} |\n//! ```\n//! {wide}\n//! ```\n//! {wide}\nlet a = \"{wide}\";\n");
    assert_eq!(wide_remarks(&text), [1, 6]);
}
