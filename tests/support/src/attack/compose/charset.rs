//! Hides a text in a charset that can hide ASCII, and in escapes.

use septet::coding::transfer::base64;

use super::{Around, BARE_CR, BARE_LF, Choices};

/// Labels under which a text is written as UTF-8, whatever they say.
const OTHERS: [&str; 20] = [
    "us-ascii", "utf-8", "iso-8859-1", "windows-1252", "x-unknown", "shift_jis", "gb2312", "big5", "euc-kr",
    "iso-2022-jp-3", "iso-2022-tw", "utf-7-imap", "ebcdic-us", "viqr", "sen_850200_b", "mnemonic", "iso-8859-8",
    "utf-32", "unicode-1-1-utf-7", "",
];

/// A text in octets, with the label of the charset that it is written in.
pub struct Written {
    pub label: &'static str,
    pub octets: Vec<u8>,
}

/// Writes a text in some charset, some of its characters as escapes first.
pub fn write(choices: &mut Choices, around: &Around, text: &str) -> Written {
    let text = escaped(choices, text);
    let text = text.replace('\n', around.end).replace(BARE_LF, "\n").replace(BARE_CR, "\r");
    let (label, octets) = match choices.below(12) {
        0..=3 => ("utf-7", utf_7(choices, &text)),
        4 => utf_16(choices, &text),
        5 => ("iso-2022-jp", shifted(choices, &text, &["\x1b(B", "\x1b(J", "\x1b$B$\"\x1b(B", "\x1b$@\x1b(B"], "")),
        6 => ("iso-2022-kr", shifted(choices, &text, &["\x0e\x0f", "\x0e!!\x0f"], "\x1b$)C\n")),
        7 => ("hz-gb-2312", shifted(choices, &text, &["~\n", "~{~}", "~{<:~}", "~~"], "")),
        8 => ("iso-8859-1", text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect()),
        _ => (choices.of(&OTHERS), text.into_bytes()),
    };
    Written { label, octets }
}

/// Writes some ASCII characters in a form of RFC 5137, or as HTML references.
fn escaped(choices: &mut Choices, text: &str) -> String {
    let form = choices.below(12);
    let often = 1 + choices.below(8);
    let character = |c: char| match (c, form) {
        (BARE_CR | BARE_LF | '\n', _) => c.to_string(),
        (_, 0) if choices.one_in(often) => format!("\\u'{:04X}'", u32::from(c)),
        (_, 1) if choices.one_in(often) => format!("&#x{:X};", u32::from(c)),
        (_, 2) if choices.one_in(often) => format!("&#{};", u32::from(c)),
        (_, 3) if choices.one_in(often) => format!("\\u{:04X}", u32::from(c)),
        (_, 4) if choices.one_in(often) => format!("\\x{{{:X}}}", u32::from(c)),
        _ => c.to_string(),
    };
    let text: String = text.chars().map(character).collect();
    // A line end can be an escape, too.
    if form == 0 && choices.one_in(3) { text.replace('\n', "\\u'000A'") } else { text }
}

/// Writes UTF-7 (RFC 2152), with any character shifted, ASCII and control characters among them.
fn utf_7(choices: &mut Choices, text: &str) -> Vec<u8> {
    let often = 1 + choices.below(5);
    let mut out = Vec::new();
    let mut run = Vec::new();
    for c in text.chars() {
        let is_end = matches!(c, '\r' | '\n') && !choices.one_in(8);
        if is_end || (c.is_ascii() && !choices.one_in(often)) {
            end_run(choices, &mut run, &mut out);
            out.extend_from_slice(if c == '+' { "+-".to_owned() } else { c.to_string() }.as_bytes());
        } else {
            run.extend(c.encode_utf16(&mut [0; 2]).iter().flat_map(|unit| unit.to_be_bytes()));
        }
    }
    end_run(choices, &mut run, &mut out);
    out
}

fn end_run(choices: &mut Choices, run: &mut Vec<u8>, out: &mut Vec<u8>) {
    if run.is_empty() {
        return;
    }
    out.push(b'+');
    out.extend(base64::encode(run, b"").into_iter().filter(u8::is_ascii_graphic).filter(|&octet| octet != b'='));
    out.extend_from_slice(if choices.one_in(30) { b"" } else { b"-" });
    run.clear();
}

fn utf_16(choices: &mut Choices, text: &str) -> (&'static str, Vec<u8>) {
    let units = || text.encode_utf16();
    match choices.below(4) {
        0 => ("utf-16", [0xFE, 0xFF].into_iter().chain(units().flat_map(u16::to_be_bytes)).collect()),
        1 => ("utf-16", [0xFF, 0xFE].into_iter().chain(units().flat_map(u16::to_le_bytes)).collect()),
        2 => ("utf-16be", units().flat_map(u16::to_be_bytes).collect()),
        _ => ("utf-16le", units().flat_map(u16::to_le_bytes).collect()),
    }
}

/// Writes ASCII with shifts that mean nothing between its characters, so that `-`, `-` are no two octets in a row.
fn shifted(choices: &mut Choices, text: &str, shifts: &[&str], head: &str) -> Vec<u8> {
    let often = 1 + choices.below(10);
    let mut out = head.to_owned();
    for c in text.chars() {
        if choices.one_in(often) && c != '\n' {
            out.push_str(choices.of(shifts));
        }
        out.push(if c.is_ascii() { c } else { '?' });
    }
    out.into_bytes()
}
