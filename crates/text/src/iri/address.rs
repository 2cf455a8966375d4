//! Addresses as hosts (RFC 3986 §3.2.2); there are no zone identifiers in this grammar.

use super::syntax::{self, COLON, SUB_DELIMS, UNRESERVED};

/// Returns `true` if a text is an `IP-literal`, brackets included.
pub(super) fn is_ip_literal(text: &str) -> bool {
    let inside = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    inside.is_some_and(|inside| is_ipv6(inside) || is_ip_future(inside))
}

/// Returns `true` if a text is an `IPv4address`: four numbers up to 255 without leading zeros.
pub fn is_ipv4(text: &str) -> bool {
    text.split('.').count() == 4 && text.split('.').all(is_dec_octet)
}

/// Returns `true` if a text is a number up to 255 without leading zeros.
fn is_dec_octet(text: &str) -> bool {
    let digits = (1..=3).contains(&text.len()) && text.bytes().all(|octet| octet.is_ascii_digit());
    digits && (text == "0" || !text.starts_with('0')) && text.parse::<u8>().is_ok()
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

/// Returns `true` if a text is an `IPv6address`: eight groups of 16 bits, or seven at most around one `::`; an IPv4
/// address at the end counts for two.
fn is_ipv6(text: &str) -> bool {
    match text.split_once("::") {
        None => groups(text, true) == Some(8),
        Some((left, right)) => {
            let left = if left.is_empty() { Some(0) } else { groups(left, false) };
            let right = if right.is_empty() { Some(0) } else { groups(right, true) };
            matches!((left, right), (Some(left), Some(right)) if left + right <= 7)
        }
    }
}

/// Counts the groups between colons; `None` where something is no group. Only if the address ends here may the last be
/// IPv4.
fn groups(text: &str, ends_here: bool) -> Option<usize> {
    let count = text.split(':').count();
    let mut sum = 0;
    for (index, group) in text.split(':').enumerate() {
        let hexadecimal = (1..=4).contains(&group.len()) && group.bytes().all(|octet| octet.is_ascii_hexdigit());
        sum += match hexadecimal {
            true => 1,
            false if ends_here && index + 1 == count && is_ipv4(group) => 2,
            false => return None,
        };
    }
    Some(sum)
}
