//! Messages whose fields name a file: parameters of pieces that readers take differently, whole and broken.

use super::Choices;
use crate::line_ends::with_crlf;

const NAMES: [&str; 12] = [
    "name", "name", "filename", "filename", "name*", "filename*", "name*0", "name*1", "name*0*", "charset", "x",
    "na me",
];
const EQUALS: [&str; 8] = ["=", "=", "=", "=", " = ", "=\n ", "= ", " ="];
const VALUES: [&str; 30] = [
    "\u{E9}",
    "\u{E9} b",
    "\u{E9}\n b",
    "a.txt",
    "a b",
    "a\n b",
    "=?utf-8?Q?=C3=A9?=",
    "=?koi8-r?Q?=CF?=",
    "=?koi8-r?Q?=CF?=\n =?koi8-r?Q?=CF?=",
    "=?koi8-r?Q?=CF?= =?koi8-r?Q?=CF?=",
    "=?koi8-r?B?zw==?= b",
    "=?utf-8?Q?=C3?=",
    "=?utf-8?Q?a=22b=C3=A9?=",
    "=?utf-8?Q?a?",
    "=?",
    "?=",
    "utf-8''%C3%A9",
    "koi8-r''%CF",
    "koi8-r'ru'%CF%",
    "iso-8859-1''%C3%A9",
    "utf-8''\u{E9}",
    "''",
    "'\u{E9}'",
    "%C3%A9",
    "\\",
    "\\\"\u{E9}",
    "a>",
    "",
    "+AOk-",
    "\u{E9}/b:c",
];
const QUOTES: [(&str, &str); 9] = [
    ("", ""),
    ("", ""),
    ("\"", "\""),
    ("\"", "\""),
    ("\"", "\""),
    ("\"", ""),
    ("", "\""),
    ("(c)", ""),
    ("", " (\u{E9})"),
];
const BETWEEN: [&str; 9] = ["; ", "; ", "; ", ";", ";\n ", " ; ", " ", ";;", "; (c) "];
const BEFORE: [&str; 8] = ["", "", "", "", "", "stray ", "\"q\" ", "\u{E9} "];
const CHARSETS: [&str; 6] =
    ["", "charset=koi8-r", "charset=\"koi8-r\"", "charset=koi8-r ", "charset=utf-8", "charset = iso-8859-1"];

/// Composes a message of one text, or of one in a multipart, whose fields name a file.
pub fn message(choices: &mut Choices) -> Vec<u8> {
    let mut fields = format!("Content-Type: text/plain{}\n", parameters(choices));
    if choices.one_in(3) {
        fields += &format!("Content-Disposition: attachment{}\n", parameters(choices));
    }
    let octets: &[u8] = if choices.one_in(2) { b"\xCF\n" } else { "\u{E9}\n".as_bytes() };
    let text = [fields.as_bytes(), b"Content-Transfer-Encoding: 8bit\n\n", octets].concat();
    let top = b"From: a@example.org\nMIME-Version: 1.0\n";
    let raw = match choices.one_in(4) {
        true => [top, &b"Content-Type: multipart/mixed; boundary=b\n\n--b\n"[..], &text, b"--b--\n"].concat(),
        false => [&top[..], &text].concat(),
    };
    with_line_ends(choices, raw)
}

/// Gives a message CRLF for every LF, once in three times.
pub(super) fn with_line_ends(choices: &mut Choices, raw: Vec<u8>) -> Vec<u8> {
    if choices.one_in(3) { with_crlf(&raw) } else { raw }
}

fn parameters(choices: &mut Choices) -> String {
    let mut all: Vec<String> = (0..1 + choices.below(3)).map(|_| parameter(choices)).collect();
    let charset = choices.of(&CHARSETS);
    if !charset.is_empty() {
        all.insert(choices.below(all.len() + 1), charset.to_owned());
    }
    all.iter().map(|one| choices.of(&BETWEEN).to_owned() + one).collect()
}

fn parameter(choices: &mut Choices) -> String {
    let (opens, closes) = QUOTES[choices.below(QUOTES.len())];
    let (before, name, equals) = (choices.of(&BEFORE), choices.of(&NAMES), choices.of(&EQUALS));
    let mut value = choices.of(&VALUES).to_owned();
    if choices.one_in(4) {
        value += choices.of(&["", " ", "\n "]);
        value += choices.of(&VALUES);
    }
    format!("{before}{name}{equals}{opens}{value}{closes}")
}
