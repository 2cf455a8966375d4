//! The grammar of header fields: each case of `fixtures/coding/parameters.tsv` by both readers of parameters, what
//! holds of any list of parameters, and what Python reads.

use std::io::Write;
use std::process::{Command, Stdio};

use proptest::prelude::*;
use septet::coding::charset::{Labels, is_media_type};
use septet::coding::encoded_word::WordReader;
use septet::edit::Span;
use septet::message::ContentType;
use septet::message::grammar::parameter::{Parameter, read, sections};
use septet::message::irregular::{self, Form};

use septet_support::parameters::fuzz_parameters;
use septet_support::table::Row;

use crate::coders::rows;
use crate::inputs;

fn table() -> Vec<Row> {
    rows("parameters.tsv")
}

/// What the table says is read.
fn wanted(row: &Row) -> Option<Vec<u8>> {
    let text = row.octets(2);
    (text != b"(none)").then_some(text)
}

/// What the gate says of a parameter, as the table has it.
fn forms(value: &[u8], name: &str) -> String {
    let codes: Vec<&str> =
        irregular::parameters(value, true).of(&name.to_ascii_lowercase()).iter().map(Form::code).collect();
    if codes.is_empty() { "-".to_owned() } else { codes.join(" ") }
}

/// Reads a parameter as the planner of fields does, which reads all of them as texts: the plain one of several, else
/// the first. Of several labels, one that is empty or a media type does not count.
fn as_text(value: &[u8], name: &str) -> Option<Vec<u8>> {
    let list = sections(value).list;
    let pairs: Vec<_> = list.iter().map(|it| (&value[it.name.clone()], &value[it.value.clone()])).collect();
    let found = read(&pairs, WordReader::new(&Labels::default()));
    let mut named: Vec<&Parameter> = found.iter().filter(|it| it.name.eq_ignore_ascii_case(name)).collect();
    // One without any mark is as long as its name.
    let marked = |it: &Parameter| pairs[it.sections[0]].0.len() != name.len();
    let is_none = |it: &Parameter| name == "charset" && (it.octets.is_empty() || is_media_type(&it.octets));
    named.sort_by_key(|it| (marked(it), !marked(it) && is_none(it)));
    named.first().map(|parameter| parameter.octets.clone())
}

fn shown(octets: Option<&[u8]>) -> String {
    octets.map_or("(none)".to_owned(), |octets| octets.escape_ascii().to_string())
}

#[test]
fn reads_the_table() {
    let mut wrong = Vec::new();
    for row in table() {
        let (raw, name) = (row.octets(0), row.text(1));
        let ty = ContentType::read(&raw, Span::new(0, raw.len()));
        let read = ty.parameter(&raw, &name);
        if read.as_deref() != wanted(&row).as_deref() {
            wrong.push(format!("{}: reads {}", row.place, shown(read.as_deref())));
        }
        let forms = forms(&raw, &name);
        if forms != row.text(3) {
            wrong.push(format!("{}: has {forms}", row.place));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn both_readers_agree_on_the_table() {
    for row in table() {
        let (raw, name) = (row.octets(0), row.text(1));
        let text = as_text(&raw, &name);
        assert_eq!(shown(text.as_deref()), shown(wanted(&row).as_deref()), "{}", row.place);
    }
}

/// The table stands in the middle of a message too, where ranges count from elsewhere.
#[test]
fn reads_the_table_anywhere() {
    for row in table() {
        let value = row.octets(0);
        let raw = [b"\"(;charset=", &value[..], b"; charset=\"x"].concat();
        let ty = ContentType::read(&raw, Span::new(11, 11 + value.len()));
        let read = ty.parameter(&raw, &row.text(1));
        assert_eq!(shown(read.as_deref()), shown(wanted(&row).as_deref()), "{}", row.place);
    }
}

#[test]
fn the_table_is_large_and_gives_reasons() {
    let table = table();
    assert!(table.len() >= 60);
    for row in table {
        assert!(matches!(row.text(4).as_str(), "=" | "!") && !row.text(5).is_empty(), "{}", row.place);
    }
}

/// Reads the values with Python's `email.message.Message.get_param`; none where there is no Python.
fn python(table: &[Row]) -> Option<Vec<Option<Vec<u8>>>> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/core/grammar/get_param.py");
    let run = Command::new("python3").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut run) = run else {
        println!("skipped: no python3");
        return None;
    };
    let hex = |octets: Vec<u8>| octets.iter().map(|octet| format!("{octet:02x}")).collect::<String>();
    let lines: String = table.iter().map(|row| format!("{} {}\n", row.text(1), hex(row.octets(0)))).collect();
    let mut input = run.stdin.take().expect("a pipe");
    let feed = std::thread::spawn(move || input.write_all(lines.as_bytes()).expect("Python reads"));
    let output = run.wait_with_output().expect("Python ends");
    feed.join().expect("all is written");
    let octet = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).expect("digits"), 16).expect("digits");
    let value = |line: &str| line.strip_prefix('=').map(|hex| hex.as_bytes().chunks(2).map(octet).collect());
    Some(String::from_utf8(output.stdout).expect("ASCII").lines().map(value).collect())
}

#[test]
fn python_reads_the_table_as_it_says() {
    let table = table();
    let Some(found) = python(&table) else { return };
    assert_eq!(found.len(), table.len(), "one answer for each row");
    let mut wrong = Vec::new();
    for (row, found) in table.iter().zip(found) {
        let same = found == wanted(row);
        if same != (row.text(4) == "=") {
            wrong.push(format!("{}: {}", row.place, shown(found.as_deref())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Pieces of which odd lists of parameters are made.
fn soup() -> impl Strategy<Value = Vec<u8>> {
    let pieces = "text/plain|multipart/mixed|;| |=|\"|(|)|\\|\r\n |,|/|charset|boundary|name|*|*0|*1|*2|*0*|*01|*x|\
                  utf-8|utf-8''|us-ascii'en'|%41|%+d1|%d|%0D|'|a|b|=?utf-8?Q?a;b?=|=?|é|\0|; charset=|; charset*=|\
                  ; charset*0=|; charset*1*=|; name=\"|; name*0*=";
    let piece = proptest::sample::select(pieces.split('|').collect::<Vec<_>>());
    let piece = prop_oneof![30 => piece.prop_map(|it| it.as_bytes().to_vec()), 1 => proptest::collection::vec(any::<u8>(), 1..3)];
    proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn both_readers_agree_on_anything(soup in soup()) {
        fuzz_parameters(&soup);
        let value = [b"text/plain; ", &soup[..]].concat();
        let ty = ContentType::read(&value, Span::new(0, value.len()));
        for name in ["charset", "boundary", "name", "a"] {
            let read = ty.parameter(&value, name);
            prop_assert_eq!(shown(read.as_deref()), shown(as_text(&value, name).as_deref()));
        }
    }

    /// What everybody reads alike has no form, however it is written.
    #[test]
    fn what_is_right_has_no_form(text in "[a-z0-9-]{1,20}", quotes in any::<bool>(), upper in any::<bool>(), before in any::<bool>()) {
        let value = if quotes { format!("\"{text}\"") } else { text.clone() };
        let name = if upper { "CHARSET" } else { "charset" };
        let field = if before { format!("text/plain; {name}={value}; format=flowed") } else { format!("text/plain;\n {name}={value}") };
        let ty = ContentType::read(field.as_bytes(), Span::new(0, field.len()));
        let read = ty.parameter(field.as_bytes(), "charset");
        prop_assert_eq!(read.as_deref(), Some(text.as_bytes()));
        prop_assert_eq!(forms(field.as_bytes(), "charset"), "-");
    }
}

#[test]
fn reading_is_linear() {
    let bombs: [fn(usize) -> String; 8] = [
        |n| format!("a/b{}", "; charset*0=a".repeat(n)),
        |n| format!("a/b{}", (0..n).rev().map(|i| format!("; charset*{i}*=%41")).collect::<String>()),
        |n| format!("a/b; charset={}", "(".repeat(n)),
        |n| format!("a/b; charset={}", "\"".repeat(n)),
        |n| format!("a/b; charset={}", "\"\\".repeat(n)),
        |n| format!("a/b; charset={}", "a(b)".repeat(n)),
        |n| format!("a/b; charset={}", "=?a?q?".repeat(n)),
        |n| format!("a/b; {}", "charset=\"a\" ".repeat(n)),
    ];
    for bomb in bombs {
        inputs::assert_linear(bomb, |value| {
            let raw = value.as_bytes();
            let ty = ContentType::read(raw, Span::new(0, raw.len()));
            ty.parameter(raw, "charset").map(|it| it.len())
        });
    }
}
