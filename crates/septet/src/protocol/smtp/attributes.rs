//! The attributes of XFORWARD and XCLIENT: what one MTA tells another of a client (Postfix's XFORWARD_README).

use std::net::IpAddr;

use super::xtext::{decode_xtext, encode_xtext};

/// The octets of a value (XFORWARD_README: 255 characters).
const VALUE_LIMIT: usize = 255;

/// What XCLIENT may say of a client (Postfix's XCLIENT_README).
pub(super) const OF_XCLIENT: [&str; 9] =
    ["NAME", "REVERSE_NAME", "ADDR", "PORT", "PROTO", "HELO", "LOGIN", "DESTADDR", "DESTPORT"];

/// What XFORWARD may say of one (Postfix's XFORWARD_README).
pub(super) const OF_XFORWARD: [&str; 7] = ["NAME", "ADDR", "PORT", "PROTO", "HELO", "IDENT", "SOURCE"];

/// Attributes, each with its value; none where it is known not to be known.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Attributes(Vec<(String, Option<Vec<u8>>)>);

impl Attributes {
    /// Reads `NAME=value …`, values as xtext; `None` where there are none, or one is malformed, has more than 255
    /// octets, or should be an address or a port and is none.
    pub fn read(text: &[u8]) -> Option<Attributes> {
        let words = text.split(|&octet| octet == b' ').filter(|word| !word.is_empty());
        let attributes = words.map(read_one).collect::<Option<Vec<_>>>()?;
        (!attributes.is_empty()).then_some(Attributes(attributes))
    }

    /// Reads those of a command that may have these `names`, as [`read`](Self::read) does; `None` also where one has
    /// another name: who says XCLIENT believes that it was understood, and no client has more of XFORWARD kept than
    /// there is.
    pub(super) fn read_of(names: &[&str], text: &[u8]) -> Option<Attributes> {
        Attributes::read(text).filter(|read| read.iter().all(|(name, _)| names.contains(&name)))
    }

    /// Returns a value; none where the attribute is not there, or is `[UNAVAILABLE]` or `[TEMPUNAVAIL]`.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.0.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).and_then(|(_, value)| value.as_deref())
    }

    /// Puts an attribute in, in the place of the one of its name or at the end.
    ///
    /// A name with anything but letters and digits, so XCLIENT's `REVERSE_NAME` too, is left out, and so is a value
    /// over 255 octets; an empty value is one that is not known.
    pub fn set(&mut self, name: &str, value: Option<&[u8]>) {
        let is_name = !name.is_empty() && name.bytes().all(|octet| octet.is_ascii_alphanumeric());
        let value = value.filter(|value| !value.is_empty()).map(<[u8]>::to_vec);
        if !is_name || value.as_ref().is_some_and(|value| value.len() > VALUE_LIMIT) {
            return;
        }
        match self.0.iter_mut().find(|(other, _)| other.eq_ignore_ascii_case(name)) {
            Some((_, old)) => *old = value,
            None => self.0.push((name.to_ascii_uppercase(), value)),
        }
    }

    /// Takes over what another command says, as [`set`](Self::set) does; what it does not name stays.
    pub fn merge(&mut self, other: &Attributes) {
        other.0.iter().for_each(|(name, value)| self.set(name, value.as_deref()));
    }

    /// Keeps the attributes that a next hop takes: those that its keyword's arguments name, between spaces.
    pub fn retain(&mut self, arguments: &[u8]) {
        let names = arguments.split(|&octet| octet == b' ');
        self.0.retain(|(name, _)| names.clone().any(|taken| taken.eq_ignore_ascii_case(name.as_bytes())));
    }

    /// Returns `true` if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Lists them in their order, the names in upper case.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Option<&[u8]>)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_deref()))
    }

    /// Writes them as they follow the command, each after a space.
    pub fn write(&self, out: &mut Vec<u8>) {
        for (name, value) in &self.0 {
            out.push(b' ');
            out.extend_from_slice(name.as_bytes());
            out.push(b'=');
            match value {
                Some(value) => encode_xtext(value, out),
                None => out.extend_from_slice(b"[UNAVAILABLE]"),
            }
        }
    }
}

/// Reads one attribute, its name in upper case, without a value where that is empty or says that it is not known; none
/// where it is malformed.
fn read_one(word: &[u8]) -> Option<(String, Option<Vec<u8>>)> {
    let equals = memchr::memchr(b'=', word)?;
    let (name, value) = (&word[..equals], &word[equals + 1..]);
    let name = std::str::from_utf8(name).ok().filter(|name| !name.is_empty())?.to_ascii_uppercase();
    let value = decode_xtext(value).filter(|value| value.len() <= VALUE_LIMIT)?;
    let unknown = value.is_empty() || is_unknown(&value);
    let is_name = name.bytes().all(|octet| octet.is_ascii_alphanumeric() || octet == b'_');
    (is_name && (unknown || is_possible(&name, &value))).then_some((name, (!unknown).then_some(value)))
}

/// Returns `true` if an attribute can have a value. An address and a port must be one, but for those of the destination
/// that are not UTF-8; any other attribute can have any value.
fn is_possible(name: &str, value: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(value) else { return !matches!(name, "ADDR" | "PORT") };
    match name {
        "ADDR" | "DESTADDR" => read_address(text).is_some(),
        "PORT" | "DESTPORT" => text.parse::<u16>().is_ok(),
        _ => true,
    }
}

/// Reads an address, that of IPv6 with `IPV6:` before it or without; that a number behind `IPV6:` is one of IPv6 is not
/// asked for.
pub fn read_address(text: &str) -> Option<IpAddr> {
    let prefix = text.get(..5).filter(|prefix| prefix.eq_ignore_ascii_case("IPV6:"));
    text.get(prefix.map_or(0, str::len)..)?.parse().ok()
}

/// Returns `true` if a value says that the attribute is not known.
fn is_unknown(value: &[u8]) -> bool {
    [&b"[UNAVAILABLE]"[..], b"[TEMPUNAVAIL]"].iter().any(|word| value.eq_ignore_ascii_case(word))
}
