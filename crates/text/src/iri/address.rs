//! Addresses as hosts (RFC 3986 §3.2.2); there are no zone identifiers in this grammar.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::syntax::{self, COLON, SUB_DELIMS, UNRESERVED};

/// Returns `true` if a text is an `IP-literal`, brackets included.
pub(super) fn is_ip_literal(text: &str) -> bool {
    let inside = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    inside.is_some_and(|inside| inside.parse::<Ipv6Addr>().is_ok() || is_ip_future(inside))
}

/// Returns `true` if a text is an `IPv4address`: four numbers up to 255 without leading zeros.
pub fn is_ipv4(text: &str) -> bool {
    text.parse::<Ipv4Addr>().is_ok()
}

/// Returns `true` if a text is an `IPvFuture`.
fn is_ip_future(text: &str) -> bool {
    let Some((version, address)) = text.strip_prefix(['v', 'V']).and_then(|text| text.split_once('.')) else {
        return false;
    };
    let hexadecimal = !version.is_empty() && version.bytes().all(|octet| octet.is_ascii_hexdigit());
    let mask = UNRESERVED | SUB_DELIMS | COLON;
    hexadecimal && !address.is_empty() && address.bytes().all(|octet| syntax::class(octet) & mask != 0)
}
