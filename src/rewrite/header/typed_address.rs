//! Addresses that name their type: `rfc822;a@example.org`, `utf-8;jürgen@example.org` (RFC 3464 §2.3.1, RFC 6533 §3).
//!
//! The type `utf-8` has a 7-bit form, `utf-8-addr-xtext`, in which each character outside ASCII is written `\x{FC}`, and
//! so are `\`, `+`, `=`, spaces and controls. It means the same address.

use std::fmt::Write as _;

use super::ascii::{Ascii, Downgrade};
use crate::rewrite::Change;

/// Finds the address of the type `utf-8` in a value, and its 7-bit form; none for another type, and where it is ASCII
/// already or no address.
pub fn downgrade(value: &[u8]) -> Option<Downgrade> {
    let text = str::from_utf8(value).ok()?;
    let semicolon = text.find(';').filter(|&at| text[..at].trim_ascii().eq_ignore_ascii_case("utf-8"))?;
    let rest = &text[semicolon + 1..];
    let address = rest.trim_ascii();
    let start = semicolon + 1 + (rest.len() - rest.trim_ascii_start().len());
    let at = start..start + address.len();
    // A space may stand in a quoted local part. A fold or another control makes it no address.
    let is_one = !address.is_ascii() && !address.chars().any(|it| it.is_ascii_control());
    let change = Change::Address { from: "utf-8", to: "xtext" };
    is_one.then(|| Downgrade { at, to: Ascii::Same(xtext(address)), change })
}

/// Writes an address as `utf-8-addr-xtext` (RFC 6533 §3); `\x{…}` that stands there already stays.
pub fn xtext(address: &str) -> String {
    let mut out = String::with_capacity(address.len() * 2);
    let mut rest = address;
    while let Some(character) = rest.chars().next() {
        let coded = coded_len(rest);
        match character {
            '\\' if coded > 0 => out.push_str(&rest[..coded]),
            '!'..='~' if !matches!(character, '\\' | '+' | '=') => out.push(character),
            _ => _ = write!(out, "\\x{{{:02X}}}", u32::from(character)),
        }
        rest = &rest[coded.max(character.len_utf8())..];
    }
    out
}

/// Returns how many octets a `\x{…}` at the start of a text has; 0 where none stands.
fn coded_len(text: &str) -> usize {
    let Some(digits) = text.strip_prefix("\\x{") else { return 0 };
    let count = digits.bytes().take_while(u8::is_ascii_hexdigit).count();
    if (2..=6).contains(&count) && digits.as_bytes().get(count) == Some(&b'}') { count + 4 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_the_7_bit_form() {
        for (address, expected) in [
            ("jürgen@example.org", "j\\x{FC}rgen@example.org"),
            ("例え+a=b@x", "\\x{4F8B}\\x{3048}\\x{2B}a\\x{3D}b@x"),
            ("\"é b\\\"@x", "\"\\x{E9}\\x{20}b\\x{5C}\"@x"),
            ("\\x{E9}é@x", "\\x{E9}\\x{E9}@x"),
            ("\\x{é}", "\\x{5C}x{\\x{E9}}"),
        ] {
            assert_eq!(xtext(address), expected);
        }
    }

    #[test]
    fn finds_only_the_type_that_has_one() {
        let found = |value: &str| downgrade(value.as_bytes()).map(|found| found.at);
        assert_eq!(found(" utf-8; é@x "), Some(8..12));
        assert_eq!(found(" rfc822; é@x"), None);
        assert_eq!(found(" utf-8; e@x"), None);
        assert_eq!(found("é@x"), None);
    }
}
