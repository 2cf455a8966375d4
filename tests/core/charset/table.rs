//! Tables of fixtures: columns between tabs, one row a line.

use std::fs;
use std::path::Path;

/// Gives the rows of a table below fixtures: columns between tabs, `#` for a comment.
pub fn rows(name: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name);
    let table = fs::read_to_string(path).expect("the table is in the repository");
    let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with("# "));
    lines.map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// Reads a column: `\xHH` is an octet, `\u{H}` a character.
pub fn octets(column: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = column;
    while let Some(at) = rest.find('\\') {
        out.extend(rest[..at].bytes());
        let (kind, after) = rest[at + 1..].split_at(1);
        rest = after;
        match kind {
            "x" => {
                out.push(u8::from_str_radix(&rest[..2], 16).expect("two hexadecimal digits"));
                rest = &rest[2..];
            }
            "u" => {
                let end = rest.find('}').expect("a closing brace");
                let code = u32::from_str_radix(&rest[1..end], 16).expect("hexadecimal digits");
                out.extend(char::from_u32(code).expect("a character").to_string().bytes());
                rest = &rest[end + 1..];
            }
            "n" => out.push(b'\n'),
            "r" => out.push(b'\r'),
            "t" => out.push(b'\t'),
            "\\" => out.push(b'\\'),
            other => panic!("\\{other}"),
        }
    }
    out.extend(rest.bytes());
    out
}
