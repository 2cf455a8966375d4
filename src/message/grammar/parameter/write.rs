//! Writes parameters: the percent form of RFC 2231, or a token or quoted-string where the text is ASCII.

use crate::coding::charset::{Charset, Unmappable};
use crate::coding::encoded_word::field_octets;

/// Writes a parameter as `name*=charset'language'value`, or in sections (`name*0*=…`, `name*1*=…`) where it is
/// longer than `limit` characters; each item is one section without the `;` before it.
///
/// Every section holds whole characters and at least one of them, so a limit below some 30 characters is not
/// kept. A character that the charset lacks is an error.
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
) -> Result<Vec<String>, Unmappable> {
    let head = format!("{}'{}'", charset.name(), language.unwrap_or(""));
    // Octets are percent-encoded one by one, so they may be cut anywhere; characters are kept whole all the
    // same where that is possible, for readers that decode each section alone.
    let whole = percent(&field_octets(charset, text)?);
    let single = format!("{name}*={head}{whole}");
    if single.len() <= limit {
        return Ok(vec![single]);
    }
    let mut sections = Vec::new();
    let mut section = format!("{name}*0*={head}");
    let mut room = section.len();
    for piece in pieces(text, charset)? {
        if section.len() + piece.len() > limit && section.len() > room {
            sections.push(section);
            section = format!("{name}*{}*=", sections.len());
            room = section.len();
        }
        section.push_str(&piece);
    }
    sections.push(section);
    Ok(sections)
}

/// Returns the percent text of each character, or of each octet where characters depend on those before them.
fn pieces(text: &str, charset: Charset) -> Result<Vec<String>, Unmappable> {
    if charset != Charset::UTF_8 {
        return Ok(field_octets(charset, text)?.iter().map(|octet| percent(&[*octet])).collect());
    }
    let mut buffer = [0; 4];
    Ok(text.chars().map(|character| percent(character.encode_utf8(&mut buffer).as_bytes())).collect())
}

/// Writes an ASCII text as `name=value`, the value quoted where it must be; in plain sections (`name*0=…`)
/// where it is longer than `limit` characters.
pub fn plain(name: &str, text: &str, limit: usize) -> Vec<String> {
    let single = format!("{name}={}", quote(text));
    if single.len() <= limit || text.is_empty() {
        return vec![single];
    }
    let mut sections: Vec<String> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let head = format!("{name}*{}=", sections.len());
        // A backslash at worst before every character, and two quotes.
        let most = limit.saturating_sub(head.len() + 2).max(2);
        let mut length = 0;
        let fits = |character: char| {
            length += if matches!(character, '"' | '\\') { 2 } else { character.len_utf8() };
            length <= most
        };
        let end = rest.char_indices().map(|(at, _)| at).zip(rest.chars().map(fits)).find(|(_, fits)| !fits);
        let (section, after) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
        sections.push(format!("{head}{}", quoted(section)));
        rest = after;
    }
    sections
}

/// Returns a value as it is, or quoted where it is no token (RFC 2045 §5.1), or one that readers take for an extended value
/// (RFC 2231 §7).
pub fn quote(text: &str) -> String {
    if !text.is_empty() && text.bytes().all(is_attribute_char) { text.to_owned() } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        if matches!(character, '"' | '\\') {
            out.push('\\');
        }
        out.push(character);
    }
    out.push('"');
    out
}

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

/// Tells whether an octet may stand bare in an extended value, and in a plain one that nobody takes for it (RFC 2231 §7).
pub(super) fn is_attribute_char(octet: u8) -> bool {
    octet.is_ascii_graphic() && !b"*'%()<>@,;:\\\"/[]?=".contains(&octet)
}
