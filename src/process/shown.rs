//! Text of others as it may be shown: nothing in it is invisible, drives a terminal or turns the reading direction.
//!
//! A control character, a bidirectional control (UAX #9) and what else shows nothing of its own stand as `\x1B` or
//! `\u{202E}`, or in a log as `?`.

use std::fmt;

/// Text in which what can't be seen is written out.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a>(pub &'a str);

impl fmt::Display for Shown<'_> {
    /// Writes the text, each hidden character ([`is_hidden`]) as [`Escape`] writes it.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some((at, character)) = rest.char_indices().find(|(_, character)| is_hidden(*character)) {
            out.write_str(&rest[..at])?;
            write!(out, "{}", Escape(character))?;
            rest = &rest[at + character.len_utf8()..];
        }
        out.write_str(rest)
    }
}

/// A character written out.
pub struct Escape(pub char);

impl fmt::Display for Escape {
    /// Writes ASCII as `\x1B` and any other character as `\u{202E}`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match u32::from(self.0) {
            octet @ ..0x80 => write!(out, "\\x{octet:02X}"),
            other => write!(out, "\\u{{{other:X}}}"),
        }
    }
}

/// Writes octets as text that a terminal shows: what is not UTF-8 as `\xNN`, and what can't be seen as [`Escape`] does,
/// but for LF and tab.
pub fn printable(octets: &[u8]) -> String {
    let mut text = String::with_capacity(octets.len());
    for chunk in octets.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\n' | '\t' => text.push(character),
                hidden if is_hidden(hidden) => text += &Escape(hidden).to_string(),
                other => text.push(other),
            }
        }
        chunk.invalid().iter().for_each(|octet| text += &format!("\\x{octet:02X}"));
    }
    text
}

/// Writes lines as [`printable`] does; the CR of a CRLF is not shown.
pub fn printable_lines(octets: &[u8]) -> String {
    octets.split_inclusive(|&octet| octet == b'\n').map(printable_line).collect()
}

/// Writes one line; its CRLF becomes LF, and without an end it gets none.
fn printable_line(line: &[u8]) -> String {
    match line.strip_suffix(b"\r\n") {
        Some(content) => printable(content) + "\n",
        None => printable(line),
    }
}

/// Returns a character as a line of a log may show it: `?` for a hidden one, and for any blank but U+0020.
pub fn masked(character: char) -> char {
    match character {
        ' ' => ' ',
        hidden if hidden.is_whitespace() || is_hidden(hidden) => '?',
        shown => shown,
    }
}

/// Returns `true` if a character shows nothing of its own: a control, a line or paragraph separator, an interlinear
/// annotation, and every Default_Ignorable_Code_Point (UAX #44) but U+FE0F, which makes an emoji of the character
/// before it and so can be seen.
pub fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{AD}'
                | '\u{34F}'
                | '\u{61C}'
                | '\u{115F}'..='\u{1160}'
                | '\u{17B4}'..='\u{17B5}'
                | '\u{180B}'..='\u{180F}'
                | '\u{200B}'..='\u{200F}'
                | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}'
                | '\u{3164}'
                | '\u{FE00}'..='\u{FE0E}'
                | '\u{FEFF}'
                | '\u{FFA0}'
                | '\u{FFF0}'..='\u{FFFB}'
                | '\u{1BCA0}'..='\u{1BCA3}'
                | '\u{1D173}'..='\u{1D17A}'
                | '\u{E0000}'..='\u{E0FFF}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_not_be_seen_is_written_out() {
        for (text, shown) in [
            ("plain é 日", "plain é 日"),
            ("", ""),
            ("a\0b\x1b[31m\r\n", r"a\x00b\x1B[31m\x0D\x0A"),
            ("exe.\u{202E}gpj", r"exe.\u{202E}gpj"),
            ("a\u{AD}b\u{3164}c\u{E0100}", r"a\u{AD}b\u{3164}c\u{E0100}"),
            ("❤\u{FE0F}", "❤\u{FE0F}"),
            ("\u{2066}x\u{2069}\u{85}\u{FEFF}", r"\u{2066}x\u{2069}\u{85}\u{FEFF}"),
        ] {
            assert_eq!(Shown(text).to_string(), shown);
        }
    }
}
