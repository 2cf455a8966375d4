//! Texts that hold what is dangerous where it stands raw in a message.
//!
//! A text is Unicode, its lines ended by LF; a bare LF or CR in it is a character of its own until it is written.

use super::{Around, BARE_CR, BARE_LF, Choices};

const LINES: [&str; 40] = [
    "Hello",
    "",
    ".",
    "..",
    "=",
    "=20",
    "=3D=\u{E00D}",
    "a\0b",
    "\0",
    "From ann@example.org Sat Nov 21 10:00:00 2026",
    ">From ann",
    "Subject: x",
    "Content-Type: text/html",
    "Bcc: x@example.org",
    "\u{FEFF}x",
    "x\u{E00D}y",
    "x\u{E00D}",
    "x\u{E00A}.\u{E00A}y",
    "x\u{E00A}\u{E00D}.\u{E00A}y",
    "\u{E9}t\u{E9}",
    "\u{65E5}\u{672C}\u{8A9E}",
    "\u{1F600}",
    "\u{2028}\u{85}\u{B}\u{C}x",
    "http://\u{E9}x.example/\u{FC}?q=\u{E9}",
    "<a href=\"http://\u{E9}x.example/\u{FC}\">x</a>",
    "<meta charset=utf-7><?xml encoding='x'?>",
    "<meta charset=utf-16le>",
    "<meta http-equiv=content-type content='text/html; charset=iso-2022-cn'>",
    "<?xml version='1.0' encoding='UTF-16'?>",
    "\u{1B}$)C\u{E}\u{E9}\u{F}",
    "-----BEGIN PGP MESSAGE-----",
    "begin 644 x.txt",
    "=ybegin line=128 size=3 name=x",
    "1 + 1 - 2 ~ 3 \\ 4 & 5",
    "+AC0ALQ-b",
    "\\u'002D'-b",
    "&#45;-b &lt;x>",
    "~{~} ~~ ~",
    "x \t",
    "-- ",
];

/// Makes a text of a few lines.
pub fn text(choices: &mut Choices, around: &Around) -> String {
    let mut out = String::new();
    for _ in 0..choices.below(6) {
        out.push_str(&line(choices, around));
        out.push('\n');
    }
    if choices.one_in(3) {
        out.pop();
    }
    out
}

fn line(choices: &mut Choices, around: &Around) -> String {
    let boundary = match around.boundaries.len() {
        0 => "b",
        count => &around.boundaries[choices.below(count)],
    };
    match choices.below(24) {
        0..=2 => format!("--{boundary}"),
        3 => format!("--{boundary}--"),
        4 => format!("--{boundary} \t"),
        5 => format!("--{boundary}x"),
        6 => format!("--{boundary}-- x"),
        7 => format!("x{BARE_LF}--{boundary}{BARE_LF}y"),
        8 => format!("x{BARE_CR}--{boundary}{BARE_CR}"),
        9 => injected(boundary),
        10 => format!(" --{boundary}"),
        11 => "x".repeat([76, 77, 997, 998, 999, 1200, 3000][choices.below(7)]),
        12 => format!("--{}", "\u{E9}".repeat(500)),
        _ => choices.of(&LINES).to_owned(),
    }
}

/// A whole part that should not be one.
fn injected(boundary: &str) -> String {
    format!(
        "--{boundary}\nContent-Type: application/x-msdownload; name=evil.exe\nContent-Transfer-Encoding: base64\n\nTVo=\n\n--{boundary}"
    )
}
