//! docs/irregular.md is made of the table of forms.

use std::fs;

use septet::message::irregular::{Admission, Form, FormRow};

/// Where the page has the tables.
const MARKS: [&str; 2] = ["<!-- tables -->\n", "<!-- end of tables -->\n"];

/// `BLESS=1` writes the tables anew.
#[test]
fn the_page_is_made_of_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/irregular.md");
    let page = fs::read_to_string(path).expect("docs/irregular.md");
    let (before, rest) = page.split_once(MARKS[0]).expect("the first mark");
    let (now, after) = rest.split_once(MARKS[1]).expect("the second mark");
    let wanted =
        [table("Irregular: the place stays", Admission::Irregular), table("Admitted", Admission::Admitted)].concat();
    if std::env::var_os("BLESS").is_some() {
        fs::write(path, [before, MARKS[0], &wanted, MARKS[1], after].concat()).expect("docs/irregular.md written");
        return;
    }
    assert_eq!(now, wanted, "BLESS=1 cargo test --test core gate::page");
}

fn table(title: &str, verdict: Admission) -> String {
    let rows = Form::all().map(Form::row).filter(|row| row.admission == verdict);
    let lines: String = rows.map(line).collect();
    format!("\n## {title}\n\n| place | form | rule | example | readers that differ |\n|---|---|---|---|---|\n{lines}\n")
}

fn line(row: &FormRow) -> String {
    let FormRow { code, rfc, readers, .. } = row;
    format!("| {} | `{code}` | {rfc} | {} | {} |\n", row.site.name(), example(row.example), readers.replace('|', "\\|"))
}

/// Shows an example in one line, without the empty line at its end.
fn example(raw: &[u8]) -> String {
    let text = raw.strip_suffix(b"\n\n").unwrap_or(raw).escape_ascii().to_string();
    format!("`` {} ``", text.replace("\\\"", "\"").replace("\\'", "'").replace('|', "\\|"))
}
