//! Writes parameters: the percent form of RFC 2231, or a token or quoted-string where the text is ASCII.

use crate::coding::charset::{Charset, MappingError};
use crate::coding::encoded_word::field_octets;

/// Writes a parameter as `name*=charset'language'value`, or in sections (`name*0*=…`, `name*1*=…`) where it is
/// longer than `limit` characters; each item is one section without the `;` before it.
///
/// Every section holds whole characters and at least one of them, so a limit below some 30 characters is not
/// kept; an empty text beyond the limit gives no section at all. A character that the charset lacks is an error. Each
/// section repeats the name: where that leaves room for one character, the result has one name for each of them.
///
/// ```
/// use septet::coding::charset::Charset;
/// use septet::message::grammar::parameter::write;
///
/// assert_eq!(write("filename", "é.txt", Charset::UTF_8, None, 74).unwrap(), ["filename*=utf-8''%C3%A9.txt"]);
/// assert!(write("filename", "€", Charset::ISO_8859_1, None, 74).is_err());
/// ```
pub fn write(
    name: &str,
    text: &str,
    charset: Charset,
    language: Option<&str>,
    limit: usize,
) -> Result<Vec<String>, MappingError> {
    let head = format!("{}'{}'", charset.name(), language.unwrap_or(""));
    // Octets are percent-encoded one by one, so they may be cut anywhere; each section is whole all the same, for
    // readers that decode it alone.
    let whole = percent(&field_octets(charset, text)?);
    let single = format!("{name}*={head}{whole}");
    if single.len() <= limit {
        return Ok(vec![single]);
    }
    let (mut sections, mut rest) = (Vec::new(), text);
    let mut start = format!("{name}*0*={head}");
    while !rest.is_empty() {
        let (section, after) = longest_section(rest, charset, limit.saturating_sub(start.len()))?;
        sections.push(start + &section);
        rest = after;
        start = format!("{name}*{}*=", sections.len());
    }
    Ok(sections)
}

/// Returns the percent text of as many characters as fit in `room` octets, of one at least, and the rest of the text.
/// What it returns can be decoded alone, also in a charset that shifts. `text` must not be empty.
fn longest_section(text: &str, charset: Charset, room: usize) -> Result<(String, &str), MappingError> {
    let mut found = String::new();
    let mut end = 0;
    for (at, character) in text.char_indices() {
        let next = at + character.len_utf8();
        let longer = percent(&field_octets(charset, text.get(..next).unwrap_or_default())?);
        if longer.len() > room && end > 0 {
            break;
        }
        (found, end) = (longer, next);
    }
    Ok((found, text.get(end..).unwrap_or_default()))
}

/// Writes an ASCII text as `name=value`, the value quoted where it must be; in plain sections (`name*0=…`) where it is
/// longer than `limit` characters. Every section holds one character at least, so a limit shorter than name and quotes
/// is not kept. The caller sees to it that all is ASCII: a wider character may never find room, and this not end.
pub fn plain(name: &str, text: &str, limit: usize) -> Vec<String> {
    let single = format!("{name}={}", quote(text));
    if single.len() <= limit || text.is_empty() {
        return vec![single];
    }
    let mut sections: Vec<String> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let head = format!("{name}*{}=", sections.len());
        // Two quotes stand around it. It is 2 at least: a character that needs a backslash must fit, or nothing would.
        let most = limit.saturating_sub(head.len() + 2).max(2);
        let end = fitting(rest, most);
        // Readers that count quotes take an escaped backslash before the last one for its escape.
        let whole = rest[..end].trim_end_matches('\\').len();
        let (section, after) = rest.split_at(if whole > 0 && end < rest.len() { whole } else { end });
        sections.push(format!("{head}{}", quoted(section)));
        rest = after;
    }
    sections
}

/// Returns where the longest start of a text ends that takes no more octets in quotes than `most`, backslashes counted;
/// 0 if the first character takes more.
fn fitting(text: &str, most: usize) -> usize {
    let mut length = 0;
    for (at, character) in text.char_indices() {
        length += if matches!(character, '"' | '\\') { 2 } else { character.len_utf8() };
        if length > most {
            return at;
        }
    }
    text.len()
}

/// Returns a value as it is, or quoted where it is empty, no token (RFC 2045 §5.1), or one that readers may take for an
/// extended value (RFC 2231 §7).
pub fn quote(text: &str) -> String {
    if !text.is_empty() && text.bytes().all(is_attribute_char) { text.to_owned() } else { quoted(text) }
}

/// Writes a quoted-string, with a backslash before quotes and backslashes; all else is the caller's matter, line ends
/// too.
pub fn quoted(text: &str) -> String {
    // The backslashes first: those that stand before quotes are not doubled.
    format!("\"{}\"", text.replace('\\', r"\\").replace('"', "\\\""))
}

/// Writes octets in the percent form (RFC 2231 §7).
fn percent(octets: &[u8]) -> String {
    let mut out = String::with_capacity(octets.len() * 3);
    for &octet in octets {
        if is_attribute_char(octet) {
            out.push(char::from(octet));
        } else {
            out.push_str(&format!("%{octet:02X}"));
        }
    }
    out
}

/// Returns `true` if an octet may stand bare in an extended value, and in a plain one that nobody takes for it (RFC
/// 2231 §7).
pub(super) fn is_attribute_char(octet: u8) -> bool {
    octet.is_ascii_graphic() && !b"*'%()<>@,;:\\\"/[]?=".contains(&octet)
}
