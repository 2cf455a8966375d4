//! Whom a rule means: clients, addresses, list names and header fields.
//!
//! A name or address may hold `*`, which stands for any octets, none included. The case of ASCII letters never counts.
//! Matching takes at most (length of the pattern × length of the text) steps, whatever either holds.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use thiserror::Error;

use super::reader::Findings;
use super::setting::strings;

strings!(ClientPattern, AddressPattern, ListId, FieldPattern);

/// What is wrong with a pattern.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PatternError {
    /// It is empty.
    #[error("empty; * matches everything")]
    Empty,
    /// A network with a bad prefix length.
    #[error("no network; write it as 192.0.2.0/24 or 2001:db8::/32")]
    Network,
    /// A network with bits beyond its prefix.
    #[error("bits are set beyond the prefix; write {0}")]
    HostBits(String),
    /// A client's name that no host can have.
    #[error("no host name; write a name, *.name, or a network as 192.0.2.0/24")]
    HostName,
    /// An address without `@`.
    #[error("no address; write user@domain, @domain, *@*.domain, or <> for the empty sender")]
    Address,
    /// A header field's name with characters that no field name has.
    #[error("no field name; write \"Name\", or \"Name: value\" where the value may hold *")]
    Field,
}

/// Returns `true` if `text` is what `pattern` describes, in which `*` stands for any octets and the case of ASCII
/// letters does not count.
///
/// One place to go back to is enough: when a later `*` has been reached, an earlier one need never take more.
fn glob(pattern: &str, text: &[u8]) -> bool {
    let pattern = pattern.as_bytes();
    let (mut p, mut t) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while let Some(octet) = text.get(t) {
        match pattern.get(p) {
            Some(b'*') => {
                back = Some((p + 1, t));
                p += 1;
            }
            Some(wanted) if wanted.eq_ignore_ascii_case(octet) => (p, t) = (p + 1, t + 1),
            _ => {
                let Some((after, start)) = back else { return false };
                back = Some((after, start + 1));
                (p, t) = (after, start + 1);
            }
        }
    }
    pattern[p..].iter().all(|&octet| octet == b'*')
}

/// A client: a network or a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientPattern {
    /// Addresses whose first bits are these.
    Network(IpAddr, u8),
    /// A host's name, in which `*` may stand.
    Name(String),
}

impl ClientPattern {
    /// Returns `true` if a client with this name and address is meant. An IPv4 address in IPv6 counts as IPv4.
    pub fn matches(&self, name: Option<&str>, address: Option<IpAddr>) -> bool {
        match self {
            ClientPattern::Name(pattern) => {
                name.is_some_and(|name| glob(pattern, name.trim_end_matches('.').as_bytes()))
            }
            ClientPattern::Network(network, prefix) => address.is_some_and(|address| {
                // Networks of two families are never equal.
                masked(address.to_canonical(), *prefix) == network.to_canonical()
            }),
        }
    }
}

/// Adds a fault at `path` for names among clients that are known by their addresses alone.
pub(super) fn refuse_names(clients: &[ClientPattern], path: &str, found: &mut Findings) {
    if clients.iter().any(|client| matches!(client, ClientPattern::Name(_))) {
        found.fault(path, "names are not looked up; write addresses or networks, as \"127.0.0.0/8\"");
    }
}

/// Clears the bits of an address behind the first `prefix` ones.
fn masked(address: IpAddr, prefix: u8) -> IpAddr {
    let prefix = u32::from(prefix);
    match address {
        IpAddr::V4(v4) => Ipv4Addr::from_bits(v4.to_bits() & !u32::MAX.unbounded_shr(prefix)).into(),
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() & !u128::MAX.unbounded_shr(prefix)).into(),
    }
}

impl FromStr for ClientPattern {
    type Err = PatternError;

    /// Reads a network, an address (an IPv6 one in brackets or not), or else a name. What has a `/` must be a network.
    fn from_str(text: &str) -> Result<ClientPattern, PatternError> {
        let (address, prefix) = text.split_once('/').map_or((text, None), |(address, prefix)| (address, Some(prefix)));
        let address = address.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().ok();
        match (address, prefix) {
            (Some(address), prefix) => network(address.to_canonical(), prefix),
            (None, Some(_)) => Err(PatternError::Network),
            (None, None) if text.is_empty() => Err(PatternError::Empty),
            (None, None) if text.bytes().all(is_in_host) => Ok(ClientPattern::Name(text.to_owned())),
            (None, None) => Err(PatternError::HostName),
        }
    }
}

/// Makes a network of an address, which must have no bits behind its prefix; without one it is that address alone.
fn network(address: IpAddr, prefix: Option<&str>) -> Result<ClientPattern, PatternError> {
    let most: u8 = if address.is_ipv4() { 32 } else { 128 };
    let prefix = prefix.map_or(Some(most), |prefix| prefix.parse().ok().filter(|&prefix| prefix <= most));
    let prefix = prefix.ok_or(PatternError::Network)?;
    match masked(address, prefix) {
        network if network == address => Ok(ClientPattern::Network(network, prefix)),
        network => Err(PatternError::HostBits(format!("{network}/{prefix}"))),
    }
}

fn is_in_host(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'.' | b'-' | b'_' | b'*')
}

impl fmt::Display for ClientPattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClientPattern::Network(address, prefix) => write!(out, "{address}/{prefix}"),
            ClientPattern::Name(name) => out.write_str(name),
        }
    }
}

/// An envelope's address: `user@domain`, `@domain`, either with `*`, or `<>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressPattern(String);

impl AddressPattern {
    /// Returns `true` if an address, with or without its angle brackets, is meant.
    pub fn matches(&self, address: &str) -> bool {
        let address = address.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).unwrap_or(address);
        let domain = address.rfind('@').map_or("", |at| &address[at..]);
        match self.0.as_str() {
            "<>" => address.is_empty(),
            pattern if pattern.starts_with('@') => glob(pattern, domain.as_bytes()),
            pattern => glob(pattern, address.as_bytes()),
        }
    }
}

impl FromStr for AddressPattern {
    type Err = PatternError;

    /// Reads `<>`, `*`, or a text with an `@` and neither angle brackets nor spaces.
    fn from_str(text: &str) -> Result<AddressPattern, PatternError> {
        let good = text == "<>" || text == "*" || text.contains('@') && !text.contains(['<', '>', ' ']);
        if good { Ok(AddressPattern(text.to_owned())) } else { Err(PatternError::Address) }
    }
}

impl fmt::Display for AddressPattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// A mailing list's identifier, what stands in the angle brackets of List-Id (RFC 2919 §3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListId(String);

impl ListId {
    /// Returns `true` if the body of a List-Id field is meant.
    pub fn matches(&self, body: &[u8]) -> bool {
        glob(&self.0, ListId::read(body))
    }

    /// Returns the identifier that the body of a List-Id field holds in its last angle brackets; all of a body without
    /// them.
    pub fn read(body: &[u8]) -> &[u8] {
        let start = body.iter().rposition(|&octet| octet == b'<').map_or(0, |at| at + 1);
        let rest = &body[start..];
        let end = rest.iter().position(|&octet| octet == b'>').unwrap_or(rest.len());
        rest[..end].trim_ascii()
    }
}

impl FromStr for ListId {
    type Err = PatternError;

    /// Reads an identifier, with its angle brackets or without; an empty one is refused.
    fn from_str(text: &str) -> Result<ListId, PatternError> {
        let inner = text.trim().trim_start_matches('<').trim_end_matches('>');
        if inner.is_empty() { Err(PatternError::Empty) } else { Ok(ListId(inner.to_owned())) }
    }
}

impl fmt::Display for ListId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// A header field: its name, and its body if that counts too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldPattern {
    name: String,
    body: Option<String>,
}

impl FieldPattern {
    /// Returns `true` if a field with this name and body is meant; white space around the body doesn't count.
    pub fn matches(&self, name: &[u8], body: &[u8]) -> bool {
        self.name.as_bytes().eq_ignore_ascii_case(name)
            && self.body.as_deref().is_none_or(|pattern| glob(pattern, body.trim_ascii()))
    }
}

impl FromStr for FieldPattern {
    type Err = PatternError;

    /// Reads `Name`, which any body matches, or `Name: body`.
    fn from_str(text: &str) -> Result<FieldPattern, PatternError> {
        let (name, body) = text.split_once(':').map_or((text, None), |(name, body)| (name, Some(body.trim())));
        if name.is_empty() || !name.bytes().all(|octet| octet.is_ascii_graphic()) {
            return Err(PatternError::Field);
        }
        Ok(FieldPattern { name: name.to_owned(), body: body.map(str::to_owned) })
    }
}

impl fmt::Display for FieldPattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.body {
            Some(body) => write!(out, "{}: {body}", self.name),
            None => out.write_str(&self.name),
        }
    }
}

#[cfg(test)]
mod tests;
