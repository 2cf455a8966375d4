//! The character classes of the grammar (draft-ietf-iri-3987bis-06 §2.2, §6.1; RFC 3986 §2).

use crate::hex;

/// `ALPHA / DIGIT / "-" / "." / "_" / "~"`.
pub(super) const UNRESERVED: u8 = 1;
/// `"!" / "$" / "&" / "'" / "(" / ")" / "*" / "+" / "," / ";" / "="`.
pub(super) const SUB_DELIMS: u8 = 2;
/// `":"`.
pub(super) const COLON: u8 = 4;
/// `"@"`.
pub(super) const AT: u8 = 8;
/// `"/"`.
pub(super) const SLASH: u8 = 16;
/// `"?"`.
pub(super) const QUESTION: u8 = 32;
/// `"[" / "]" / "#" / "%"`: somewhere in a URI, but in no component of its own accord.
pub(super) const ELSEWHERE: u8 = 64;
/// All that stands in no URI.
pub(super) const FOREIGN: u8 = 128;

/// What may stand in userinfo.
pub(super) const USERINFO: u8 = UNRESERVED | SUB_DELIMS | COLON;
/// What may stand in a registered name.
pub(super) const REG_NAME: u8 = UNRESERVED | SUB_DELIMS;
/// What may stand in a path, its separators included.
pub(super) const PATH: u8 = UNRESERVED | SUB_DELIMS | COLON | AT | SLASH;
/// What may stand in a query or a fragment.
pub(super) const QUERY: u8 = PATH | QUESTION;

const CLASSES: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut table = [FOREIGN; 256];
    let mut octet = 0;
    while octet < 128 {
        table[octet] = match octet as u8 {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => UNRESERVED,
            b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=' => SUB_DELIMS,
            b':' => COLON,
            b'@' => AT,
            b'/' => SLASH,
            b'?' => QUESTION,
            b'[' | b']' | b'#' | b'%' => ELSEWHERE,
            _ => FOREIGN,
        };
        octet += 1;
    }
    table
}

/// Returns the class of an octet.
pub(super) const fn class(octet: u8) -> u8 {
    CLASSES[octet as usize]
}

/// Returns `true` if a character may stand somewhere in a URI, so that §3.3 leaves it alone.
pub(super) fn in_uri(character: char) -> bool {
    u8::try_from(character).is_ok_and(|octet| class(octet) != FOREIGN)
}

/// Returns `true` if `text` starts with `%` and two hexadecimal digits.
pub(super) fn starts_pct(text: &[u8]) -> bool {
    pct_octet(text).is_some()
}

/// Returns the octet that `%HH` at the start of `text` stands for; `None` where none stands there.
pub(super) fn pct_octet(text: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = text else { return None };
    hex::octet(*high, *low)
}

/// `%HH` of each octet, one behind the other, in upper case (§3.3).
const WRITTEN: [[u8; 3]; 256] = hex::escapes(b'%');

/// Appends the octets as `%HH`.
pub(super) fn push_pct(out: &mut String, octets: &[u8]) {
    const TEXT: &str = match str::from_utf8(WRITTEN.as_flattened()) {
        Ok(text) => text,
        Err(_) => "",
    };
    for octet in octets {
        let at = 3 * usize::from(*octet);
        out.push_str(TEXT.get(at..at + 3).unwrap_or_default());
    }
}

/// Returns `true` if a character is `ucschar` (§2.2): allowed unescaped in every component.
pub(super) fn is_ucschar(character: char) -> bool {
    match u32::from(character) {
        0..=0x9F | 0xE000..=0xF8FF | 0xFDD0..=0xFDEF | 0xFFF0..=0xFFFF | 0xE0000..=0xE0FFF | 0xF0000.. => false,
        code => code & 0xFFFE != 0xFFFE,
    }
}

/// Returns `true` if a character is `iprivate` (§2.2): allowed unescaped in a query alone.
pub(super) fn is_iprivate(character: char) -> bool {
    matches!(u32::from(character), 0xE000..=0xF8FF | 0xE0000..=0xE0FFF | 0xF0000..=0xFFFFD | 0x10_0000..=0x10_FFFD)
}

/// Returns `true` if a character is `leiri-ucschar` but not `ucschar` (§6.1, §6.3), so that it is percent-encoded.
pub(super) fn is_leiri_only(character: char) -> bool {
    match character {
        ' ' | '<' | '>' | '"' | '{' | '}' | '|' | '\\' | '^' | '`' | '\0'..='\u{1F}' | '\u{7F}' => true,
        '\u{FFFE}' | '\u{FFFF}' => false,
        other => !other.is_ascii() && !is_ucschar(other),
    }
}

/// Returns `true` if a character is a bidirectional formatting character, which no IRI may hold (§4.1).
///
/// The draft's list is that of its time; U+061C and the isolates U+2066..2069 came with Unicode 6.3.
pub fn is_bidi_control(character: char) -> bool {
    matches!(character, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_only_a_leiri_may_hold() {
        let count = ('\0'..=char::MAX).filter(|&character| is_leiri_only(character)).count();
        assert_eq!(count, 141_717);
    }

    #[test]
    fn draws_the_borders_of_ucschar_and_iprivate() {
        let borders = [
            (0x9F, false, false),
            (0xA0, true, false),
            (0xD7FF, true, false),
            (0xE000, false, true),
            (0xF8FF, false, true),
            (0xFDCF, true, false),
            (0xFDD0, false, false),
            (0xFDF0, true, false),
            (0xFFEF, true, false),
            (0xFFF0, false, false),
            (0x1_FFFD, true, false),
            (0x1_FFFE, false, false),
            (0xD_FFFD, true, false),
            (0xE_0001, false, true),
            (0xE_1000, true, false),
            (0xE_FFFD, true, false),
            (0xF_FFFE, false, false),
            (0x10_FFFD, false, true),
            (0x10_FFFF, false, false),
        ];
        for (code, ucschar, iprivate) in borders {
            let character = char::from_u32(code).expect("a character");
            assert_eq!((is_ucschar(character), is_iprivate(character)), (ucschar, iprivate), "U+{code:04X}");
        }
    }
}
