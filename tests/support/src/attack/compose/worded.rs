//! Messages whose fields hold encoded-words side by side, good and broken, of one charset and of several.

use super::Choices;
use super::named::with_line_ends;

const FIELDS: [&str; 9] =
    ["From", "From", "To", "Subject", "Subject", "Comments", "Content-Description", "Keywords", "List-Id"];
const LABELS: [&str; 14] = [
    "utf-8", "utf-8", "UTF-8", "utf8", "utf8-", "koi8-r", "koi8-r", "iso-8859-1", "us-ascii", "iso-2022-jp", "utf-7",
    "gb2312", "x-none", "utf-8*en",
];
/// Texts with the encoding that they are in.
const TEXTS: [(&str, &str); 24] = [
    ("Q", "=D0=9E"),
    ("Q", "=C3=A9"),
    ("Q", "=C3"),
    ("Q", "=A9"),
    ("Q", "=CF=D4"),
    ("Q", "a"),
    ("Q", "a_b"),
    ("Q", ""),
    ("Q", "+AOk-"),
    ("Q", "=1B$B$\"=1B(B"),
    ("Q", "=E4=BD"),
    ("Q", "a=22b"),
    ("Q", "=3C=40=3E"),
    ("Q", "\u{E9}"),
    ("q", "=e9"),
    ("B", "w6k="),
    ("B", "w6k"),
    ("B", "0J7RgtGH0HXRgg=="),
    ("B", "8NDQ0Q=?44\u{D5}\u{D5}"),
    ("B", "8NDQ0Q=="),
    ("B", "=="),
    ("B", "5L2g5aW9"),
    ("b", "KOk-"),
    ("B", "w6k=w6k="),
];
const BETWEEN: [&str; 12] = [" ", " ", " ", " ", "\n ", "\n\t", "", "  ", " a ", " \u{E9} ", ", ", " (c) "];
const AROUND: [(&str, &str); 6] = [("", ""), ("", ""), ("\"", "\""), ("(", ")"), ("\"", ""), ("", "\\")];

/// Composes a message of one field or two with words.
pub fn message(choices: &mut Choices) -> Vec<u8> {
    let fields: String = (0..1 + choices.below(2)).map(|_| field(choices)).collect();
    let raw = [fields.as_bytes(), b"MIME-Version: 1.0\nMessage-ID: <1@example.org>\n\nx\n"].concat();
    with_line_ends(choices, raw)
}

fn field(choices: &mut Choices) -> String {
    let name = choices.of(&FIELDS);
    let address = if matches!(name, "From" | "To" | "List-Id") { " <c@d.example>" } else { "" };
    let (opens, closes) = AROUND[choices.below(AROUND.len())];
    let words: Vec<String> = (0..1 + choices.below(5)).map(|_| word(choices)).collect();
    let mut text = String::new();
    for (index, word) in words.iter().enumerate() {
        text += if index > 0 { choices.of(&BETWEEN) } else { "" };
        text += word;
    }
    format!("{name}: {opens}{text}{closes}{address}\n")
}

fn word(choices: &mut Choices) -> String {
    let (encoding, text) = TEXTS[choices.below(TEXTS.len())];
    let label = choices.of(&LABELS);
    let end = if choices.one_in(20) { "" } else { "?=" };
    format!("=?{label}?{encoding}?{text}{end}")
}
