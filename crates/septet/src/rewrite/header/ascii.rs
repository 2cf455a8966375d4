//! What something in a field becomes that can't stand in an ASCII header.
//!
//! An address that names its type (RFC 3464 §2.3.1, RFC 6533 §3) has a form of its own there: the type `utf-8`
//! (`utf-8;jürgen@example.org`) has the 7-bit form `utf-8-addr-xtext`, in which each character outside ASCII is written
//! `\x{FC}`, and so are `\`, `+`, `=`, spaces and controls. It means the same address. The type `rfc822` has none
//! outside ASCII; Exim writes `rfc822;jürgen@example.org` into reports of RFC 6533 all the same, and means `utf-8`. A
//! host of the type `dns` gets its A-labels. Other values of reports are written in words, without their type
//! ([`behind_type`]).

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

use crate::coding::domain;
use crate::coding::encoded_word::WordPlace;
use crate::edit::Span;
use crate::message::grammar::address::AddressList;
use crate::message::{Field, Message};
use crate::rewrite::Change;

/// The fields of reports whose value begins with a type and a semicolon (RFC 3464 §2.1.2, RFC 8098 §3.2).
const TYPED: &str = "Reporting-MTA DSN-Gateway Received-From-MTA Original-Recipient Final-Recipient Remote-MTA \
    Diagnostic-Code MDN-Gateway";

/// One place of a value that is written in ASCII: as octets that mean the same, or as a text that says what stood
/// there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Downgrade {
    /// What is replaced, in the value.
    pub at: Range<usize>,
    /// The phrase or comment that says what stood there; none where the octets below mean the same.
    pub said: Option<(WordPlace, String)>,
    /// The octets that stand instead, which mean the same; with a phrase those that follow it, a space first (` :;`),
    /// with a comment its parentheses, `()`. `of_downgrade` (`replacement/mod.rs`) writes them, and the proof
    /// (`read_texts` in `meaning.rs`) looks for them in what was written.
    pub octets: Cow<'static, str>,
    /// What the report says of it.
    pub change: Change,
}

impl Downgrade {
    /// Makes the downgrade to octets that mean the same as what stands at a place.
    pub fn same(at: Range<usize>, octets: String, change: Change) -> Downgrade {
        Downgrade { at, said: None, octets: octets.into(), change }
    }
}

/// Finds what has a form in ASCII of its own in the value of a report's field: a host or an address that names its
/// type; none in any other value. The name of the field is not asked.
pub fn own_ascii_form(value: &[u8]) -> Option<Downgrade> {
    typed_address(value).or_else(|| typed_host(value))
}

/// Finds the address of the type `utf-8` in a value, or of `rfc822`, which becomes that type, and its 7-bit form; none
/// for another type, and where it is ASCII already or no [address](is_address).
pub fn typed_address(value: &[u8]) -> Option<Downgrade> {
    let typed = ["utf-8", "rfc822"].into_iter().find_map(|kind| Some((kind, of_type(kind, value)?)));
    let (kind, (at, address)) = typed.filter(|(_, (_, address))| is_address(address))?;
    let change = Change::Address { from: kind, to: "xtext" };
    // A space may stand in it, in a quoted local part.
    let coded = xtext(address);
    if kind == "utf-8" {
        return Some(Downgrade::same(at, coded, change));
    }
    // The type is what a value begins with, behind white space.
    let start = at.start - value[..at.start].trim_ascii_start().len();
    let between = str::from_utf8(&value[start + kind.len()..at.start]).ok()?;
    Some(Downgrade::same(start..at.end, format!("utf-8{between}{coded}"), change))
}

/// Returns `true` if a text is one address and nothing else: a name, a comment, a word or a second address beside it
/// would be written into it.
fn is_address(text: &str) -> bool {
    // Outside quotes a list has no backslash, and an address may have a `\x{…}`.
    let text = text.replace("\\x{", "x{");
    AddressList::read(text.as_bytes()).is_some_and(|it| {
        matches!(&it.mailboxes[..], [one] if one.local.start == 0 && !one.domain.is_empty() && one.domain.end == text.len())
    })
}

/// Finds the host in `dns; bücher.example`, and its A-labels; none for another type, and where it is ASCII or has none.
fn typed_host(value: &[u8]) -> Option<Downgrade> {
    let (at, name) = of_type("dns", value)?;
    Some(Downgrade::same(at, plain_a_labels(name)?, Change::Domain))
}

/// Returns a domain with A-labels; none where it can't be mapped to a plain one: what it is mapped to must be a domain
/// to whoever reads the field, and nothing more.
pub fn plain_a_labels(domain: &str) -> Option<String> {
    let is_plain = |octet: u8| octet.is_ascii_alphanumeric() || b"-._".contains(&octet);
    domain::to_ascii(domain).ok().filter(|mapped| mapped.bytes().all(is_plain))
}

/// Returns the field of a report with the part of its value that no type stands in: behind the semicolon of `smtp;550
/// …`, for nobody finds a type that is in an encoded-word. A field that has none ([`TYPED`]), or one of other
/// characters than letters, digits and hyphens, is returned as it is; an empty type counts as one. The line stays that
/// of the whole field, by which `indent_of` counts.
pub fn behind_type(message: &Message, field: &Field) -> Field {
    let value = message.slice(field.value);
    let is_typed = TYPED.split(' ').any(|name| field.is(message.raw(), name));
    let is_of_type = |octet: &u8| octet.is_ascii_alphanumeric() || *octet == b'-';
    let semicolon = value.iter().position(|octet| *octet == b';').filter(|_| is_typed);
    let semicolon = semicolon.filter(|at| value[..*at].trim_ascii().iter().all(is_of_type));
    let start = semicolon.map_or(field.value.start, |at| field.value.start + at + 1);
    Field { value: Span::new(start, field.value.end), ..*field }
}

/// Finds what stands behind the semicolon of a value that names this type; none where the value is no UTF-8, or what
/// stands there is ASCII, or has a fold or another control in it, so that it is neither an address nor a host.
fn of_type<'v>(wanted: &str, value: &'v [u8]) -> Option<(Range<usize>, &'v str)> {
    let text = str::from_utf8(value).ok()?;
    let semicolon = text.find(';').filter(|&at| text[..at].trim_ascii().eq_ignore_ascii_case(wanted))?;
    let at = Span::new(semicolon + 1, text.len()).trimmed(value).range();
    let named = text.get(at.clone())?;
    (!named.is_ascii() && !named.contains(|it: char| it.is_ascii_control())).then_some((at, named))
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

/// Returns how many octets a `\x{…}` of two to six digits at the start of a text has (RFC 6533 §3); 0 where none
/// stands.
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

    /// Exim writes this type, and no address outside ASCII is of it.
    #[test]
    fn an_address_of_rfc822_gets_the_type_that_it_is_of() {
        for (value, written) in
            [(" rfc822;bäd@x.example", "utf-8;b\\x{E4}d@x.example"), (" RFC822 ; bäd@x ", "utf-8 ; b\\x{E4}d@x")]
        {
            assert_eq!(typed_address(value.as_bytes()).expect("a type").octets, written);
        }
    }

    #[test]
    fn finds_only_the_types_that_have_one() {
        for (value, at) in [
            (" utf-8; é@x ", Some(8..12)),
            (" rfc822; é@x", Some(1..13)),
            (" x-unix; é@x", None),
            (" utf-8; e@x", None),
            ("é@x", None),
            (" utf-8; \"é b\"@[192.0.2.1]", Some(8..26)),
            (" utf-8; \\x{E9}é@x", Some(8..18)),
        ] {
            assert_eq!(typed_address(value.as_bytes()).map(|found| found.at), at, "{value}");
        }
    }

    #[test]
    fn a_host_is_a_plain_domain() {
        let host = |value: &str| typed_host(value.as_bytes()).map(|found| found.octets.into_owned());
        assert_eq!(host(" dns; b\u{fc}cher.example").as_deref(), Some("xn--bcher-kva.example"));
        assert_eq!(host(" dns; b\u{fc}\u{ff1b}smtp"), None, "it would end at the semicolon");
    }

    /// What is no address, or not one alone, was written into one.
    #[test]
    fn finds_one_address_alone() {
        for value in
            ["J. Ü <j@x>", "j@x (Ü)", "j@x, é@x", "j@x; é", "=?utf-8?Q?=C3=A9?= é <a@b>", "ü", "é@", "@é", "é@a@b"]
        {
            for kind in ["utf-8", "rfc822"] {
                assert_eq!(typed_address(format!(" {kind}; {value}").as_bytes()), None, "{value}");
            }
        }
    }
}
