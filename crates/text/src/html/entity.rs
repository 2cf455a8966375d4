//! Character references in attribute values (HTML, "Named character reference state" and its neighbours).
//!
//! In an attribute, a name without its semicolon counts only when neither `=` nor a letter or digit follows, so
//! that `?a=1&copy=2` stays what it is.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

/// The longest name, `&` and `;` included.
const LONGEST: usize = 33;

/// A value with its character references undone, and where each octet comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodedValue<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// For every octet of `text` the offset in the value of what it was decoded from, then the value's length;
    /// none when nothing was decoded.
    from: Option<Vec<usize>>,
}

impl<'a> DecodedValue<'a> {
    /// Takes a text as it is.
    pub fn plain(text: &'a str) -> DecodedValue<'a> {
        DecodedValue { text: text.into(), from: None }
    }

    /// Returns the octets of the value that a range of the text was decoded from.
    pub fn source(&self, range: Range<usize>) -> Range<usize> {
        let Some(from) = &self.from else { return range };
        let [start, end] =
            [range.start, range.end].map(|offset| from.get(offset).or(from.last()).copied().unwrap_or_default());
        start..end
    }
}

/// Undoes the character references of an attribute's value.
///
/// ```
/// use septet_text::html::decode;
///
/// assert_eq!(decode("a=1&amp;b=&#xE9;").text, "a=1&b=é");
/// ```
pub fn decode(value: &str) -> DecodedValue<'_> {
    let Some(mut next) = memchr::memchr(b'&', value.as_bytes()) else { return DecodedValue::plain(value) };
    let (mut text, mut from) = (String::with_capacity(value.len()), Vec::with_capacity(value.len() + 1));
    let mut at = 0;
    loop {
        text.push_str(value.get(at..next).unwrap_or_default());
        from.extend(at..next);
        let Some(rest) = value.get(next..).filter(|rest| !rest.is_empty()) else { break };
        let start = text.len();
        let length = push_reference(rest, &mut text);
        from.extend(std::iter::repeat_n(next, text.len() - start));
        at = next + length;
        let plain = value.get(at..).and_then(|rest| memchr::memchr(b'&', rest.as_bytes()));
        next = plain.map_or(value.len(), |plain| at + plain);
    }
    from.push(value.len());
    DecodedValue { text: text.into(), from: Some(from) }
}

/// Appends what the reference at the start of `rest`, where `&` stands, stands for, or that `&`; gives the length.
fn push_reference(rest: &str, text: &mut String) -> usize {
    if let Some((character, length)) = numeric(rest) {
        text.push(character);
        return length;
    }
    let (characters, length) = named(rest).unwrap_or(("&", 1));
    text.push_str(characters);
    length
}

/// Reads `&#233;` or `&#xE9;`, the semicolon being optional; gives the character and the length.
fn numeric(rest: &str) -> Option<(char, usize)> {
    let digits = rest.strip_prefix("&#")?;
    let (digits, radix, head) = match digits.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16, 3),
        None => (digits, 10, 2),
    };
    let count = digits.bytes().take_while(|octet| char::from(*octet).is_digit(radix)).count();
    let code = digits.get(..count).filter(|digits| !digits.is_empty())?;
    // One that is too large is no character's, like the largest.
    let code = u32::from_str_radix(code, radix).unwrap_or(u32::MAX);
    let semicolon = usize::from(digits.as_bytes().get(count) == Some(&b';'));
    Some((character(code), head + count + semicolon))
}

/// Returns the character of a code; those of C1 mean windows-1252, and what is no character U+FFFD.
fn character(code: u32) -> char {
    match u8::try_from(code) {
        Ok(0) => '\u{FFFD}',
        Ok(octet @ 0x80..=0x9F) => {
            let octets = [octet];
            let (text, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&octets);
            text.chars().next().unwrap_or('\u{FFFD}')
        }
        _ => char::from_u32(code).unwrap_or('\u{FFFD}'),
    }
}

/// Reads the longest name that the text starts with; gives its characters and the length. None where there is no name,
/// or where what follows says that it does not count in an attribute: a shorter one is not tried then.
fn named(rest: &str) -> Option<(&'static str, usize)> {
    let octets = rest.as_bytes();
    let letters = octets.iter().skip(1).take(LONGEST).take_while(|octet| octet.is_ascii_alphanumeric()).count();
    let longest = letters + 1 + usize::from(octets.get(letters + 1) == Some(&b';'));
    (3..=longest.min(LONGEST)).rev().find_map(|length| {
        let text = *NAMES.get(rest.get(..length)?)?;
        let next = octets.get(length).copied().unwrap_or_default();
        let bare = octets.get(length - 1) != Some(&b';');
        Some((!(bare && (next == b'=' || next.is_ascii_alphanumeric()))).then_some((text, length)))
    })?
}

/// All names, `&` and perhaps `;` included, with the characters that they stand for.
static NAMES: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| entities::ENTITIES.iter().map(|entity| (entity.entity, entity.characters)).collect());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_by_the_rules_of_attributes() {
        for (value, text) in [
            ("a&amp;b&ampc&amp", "a&b&ampc&"),
            ("?a=1&copy=2&copy;&copy", "?a=1&copy=2©©"),
            ("&eacute;&eacute&eacutex&Eacute;", "éé&eacutex\u{C9}"),
            ("&#233;&#xe9;&#XE9 &#233x&#;&#x;&", "ééé éx&#;&#x;&"),
            ("&#0;&#x110000;&#xD800;&#99999999999;&#128;&#x85;", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}€…"),
            ("&notit;&notin;&not;", "&notit;∉¬"),
            ("&CounterClockwiseContourIntegral;&fjlig;", "∳fj"),
            ("é&nosuch;&;", "é&nosuch;&;"),
        ] {
            let decoded = decode(value);
            assert_eq!(decoded.text, text);
            assert_eq!(decoded.source(0..text.len()), 0..value.len());
        }
        let decoded = decode("a&eacute;b");
        assert_eq!((decoded.source(1..3), decoded.source(3..4)), (1..9, 9..10));
        assert_eq!(entities::ENTITIES.iter().map(|entity| entity.entity.len()).max(), Some(LONGEST));
    }
}
