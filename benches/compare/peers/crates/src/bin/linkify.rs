//! Finds the links of a text with linkify, and prints them, one a line: `linkify FILE`.

use std::error::Error;
use std::io::{BufWriter, Write, stdout};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: linkify FILE")?;
    let text = std::fs::read_to_string(path)?;
    let mut finder = linkify::LinkFinder::new();
    finder.kinds(&[linkify::LinkKind::Url]);
    let mut out = BufWriter::new(stdout().lock());
    for link in finder.links(&text) {
        writeln!(out, "{}", link.as_str())?;
    }
    Ok(out.flush()?)
}
